"""Tokens that a model server wrote to its cache of prompts, which may have a price of their own."""

from alembic import op

revision = "app_0074"
down_revision = "app_0073"
branch_labels = None
depends_on = None

DECLARATIONS = "9b341387b8c7"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""


def upgrade() -> None:
    op.execute("ALTER TABLE usage_days ADD COLUMN cache_write_tokens bigint NOT NULL DEFAULT 0")
    op.execute("COMMENT ON COLUMN usage_days.cache_write_tokens IS 'Part of input_tokens'")


def downgrade() -> None:
    op.execute("ALTER TABLE usage_days DROP COLUMN cache_write_tokens")
