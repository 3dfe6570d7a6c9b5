"""When a lane became ready whose user was told that others are served first."""

from alembic import op

revision = "app_0043"
down_revision = "app_0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE telegram_lanes ADD COLUMN waits_since timestamptz")


def downgrade() -> None:
    op.execute("ALTER TABLE telegram_lanes DROP COLUMN waits_since")
