"""The answer that a message belongs to is found without reading the whole chat."""

from alembic import op

revision = "app_0015"
down_revision = "app_0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DROP INDEX telegram_outbox_chat")
    op.execute("CREATE INDEX telegram_outbox_message ON telegram_outbox (chat_id, message_id)")


def downgrade() -> None:
    op.execute("DROP INDEX telegram_outbox_message")
    op.execute("CREATE INDEX telegram_outbox_chat ON telegram_outbox (chat_id)")
