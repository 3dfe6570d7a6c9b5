"""Tables as the core had them: rows of before stay."""

from alembic import op

revision = "web_chat_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS web_sessions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        secret_hash bytea NOT NULL UNIQUE,
        user_id bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL
    )
    """)
    op.execute("CREATE INDEX IF NOT EXISTS web_sessions_of_user ON web_sessions (user_id)")
    op.execute("""
    CREATE TABLE IF NOT EXISTS web_login_codes (
        user_id bigint PRIMARY KEY,
        code_hash bytea NOT NULL UNIQUE,
        expires_at timestamptz NOT NULL
    )
    """)
