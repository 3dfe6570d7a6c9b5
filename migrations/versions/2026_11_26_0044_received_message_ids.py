"""The ids of received messages, which no lost message of the bot can have.

Named apart from `telegram_outbox.message_id`: the version before joins the two tables.
"""

from alembic import op

revision = "app_0044"
down_revision = "app_0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE telegram_inbox ADD COLUMN user_message_id bigint")


def downgrade() -> None:
    op.execute("ALTER TABLE telegram_inbox DROP COLUMN user_message_id")
