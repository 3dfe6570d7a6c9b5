"""Widgets in chats, and chats in which Telegram shows none."""

from alembic import op

revision = "app_0078"
down_revision = "app_0076"
branch_labels = None
depends_on = None

DECLARATIONS = "609c31034ab3"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE telegram_widgets (
            chat_id bigint NOT NULL,
            message_id bigint NOT NULL,
            topic_id bigint,
            block jsonb NOT NULL,
            state text NOT NULL DEFAULT '',
            sent_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            PRIMARY KEY (chat_id, message_id)
        )
        """
    )
    op.execute("CREATE INDEX telegram_widgets_sent ON telegram_widgets (sent_at)")
    op.execute(
        """
        CREATE TABLE telegram_widget_refusals (
            chat_id bigint PRIMARY KEY,
            refused_at timestamptz NOT NULL DEFAULT clock_timestamp()
        )
        """
    )


def downgrade() -> None:
    op.execute("DROP TABLE telegram_widget_refusals")
    op.execute("DROP TABLE telegram_widgets")
