"""The ids of received messages, which no lost message of the bot can have."""

from alembic import op

revision = "app_0044"
down_revision = "app_0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE telegram_inbox ADD COLUMN message_id bigint")


def downgrade() -> None:
    op.execute("ALTER TABLE telegram_inbox DROP COLUMN message_id")
