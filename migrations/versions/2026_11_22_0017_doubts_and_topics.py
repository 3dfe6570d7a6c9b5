"""Telegram: what is needed to find a message whose number was lost, and topics of private chats."""

from alembic import op

revision = "app_0017"
down_revision = "app_0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE telegram_outbox ADD after_id bigint NOT NULL DEFAULT 0, ADD fence bigint, "
        "ADD is_doubtful boolean NOT NULL DEFAULT false, ADD topic_id bigint"
    )
    op.execute("ALTER TABLE broadcast_recipients ADD message_id bigint")
    op.execute("ALTER TABLE telegram_inbox ADD topic_id bigint")


def downgrade() -> None:
    op.execute("ALTER TABLE telegram_inbox DROP topic_id")
    op.execute("ALTER TABLE broadcast_recipients DROP message_id")
    op.execute(
        "ALTER TABLE telegram_outbox DROP after_id, DROP fence, DROP is_doubtful, DROP topic_id"
    )
