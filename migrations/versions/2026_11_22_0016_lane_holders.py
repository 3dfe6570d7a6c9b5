"""Telegram: which process holds a lane, so that those of a dead one are free at once."""

from alembic import op

revision = "app_0016"
down_revision = "app_0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE telegram_lanes ADD holder integer")
    op.execute(
        "CREATE INDEX telegram_lanes_holder ON telegram_lanes (holder) WHERE holder IS NOT NULL"
    )


def downgrade() -> None:
    op.execute("DROP INDEX telegram_lanes_holder")
    op.execute("ALTER TABLE telegram_lanes DROP holder")
