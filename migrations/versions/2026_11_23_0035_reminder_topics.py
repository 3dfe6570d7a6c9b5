"""The topic of a private chat in which a reminder was set."""

from alembic import op

revision = "app_0035"
down_revision = "app_0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE schedules ADD COLUMN topic_id bigint")


def downgrade() -> None:
    op.execute("ALTER TABLE schedules DROP COLUMN topic_id")
