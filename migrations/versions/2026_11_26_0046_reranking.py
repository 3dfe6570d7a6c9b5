"""Tokens of rerankers are counted by a kind of their own."""

from alembic import op

revision = "app_0046"
down_revision = "app_0045"
branch_labels = None
depends_on = None

_KINDS = "ALTER TABLE usage_days DROP CONSTRAINT usage_days_kind_check, ADD CHECK (kind IN ({}))"
_BEFORE = "'text', 'vision', 'embedding', 'search', 'tool', 'hearing', 'speech'"


def upgrade() -> None:
    op.execute(_KINDS.format(f"{_BEFORE}, 'reranking'"))


def downgrade() -> None:
    op.execute("DELETE FROM usage_days WHERE kind = 'reranking'")
    op.execute(_KINDS.format(_BEFORE))
