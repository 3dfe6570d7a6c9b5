"""The table as the core had it: rows of before stay."""

from alembic import op

revision = "tokens_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS api_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        token_hash bytea NOT NULL UNIQUE,
        user_id bigint NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_used_at timestamptz,
        expires_at timestamptz,
        revoked_at timestamptz
    )
    """)
    op.execute("CREATE INDEX IF NOT EXISTS api_tokens_of_user ON api_tokens (user_id)")
