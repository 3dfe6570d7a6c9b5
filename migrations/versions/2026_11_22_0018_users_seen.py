"""Users of the terminal are told apart from those whom the bot can write to in Telegram."""

from alembic import op

revision = "app_0018"
down_revision = "app_0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE users ALTER last_seen_at DROP NOT NULL, ALTER last_seen_at DROP DEFAULT"
    )
    # Telegram gives everybody a first name.
    op.execute("""
        UPDATE users SET last_seen_at = NULL
        WHERE first_name = '' AND username IS NULL AND language_code IS NULL
            AND NOT EXISTS (SELECT FROM telegram_inbox WHERE user_id = telegram_user_id)
            AND NOT EXISTS (SELECT FROM telegram_outbox WHERE chat_id = telegram_user_id)
    """)


def downgrade() -> None:
    op.execute("UPDATE users SET last_seen_at = created_at WHERE last_seen_at IS NULL")
    op.execute(
        "ALTER TABLE users ALTER last_seen_at SET DEFAULT now(), ALTER last_seen_at SET NOT NULL"
    )
