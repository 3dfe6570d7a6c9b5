"""The origin of a session: the provider of a sign-in, and its names for user and session."""

from alembic import op

revision = "web_chat_0002"
down_revision = "web_chat_0001"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE web_sessions
        ADD COLUMN IF NOT EXISTS provider text NOT NULL DEFAULT '',
        ADD COLUMN IF NOT EXISTS provider_subject text NOT NULL DEFAULT '',
        ADD COLUMN IF NOT EXISTS provider_session text NOT NULL DEFAULT ''
    """)
    op.execute("""
    CREATE INDEX IF NOT EXISTS web_sessions_of_provider
    ON web_sessions (provider_subject, provider_session)
    WHERE provider <> ''
    """)
