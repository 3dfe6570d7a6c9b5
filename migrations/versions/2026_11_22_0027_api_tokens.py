"""Tokens with which other programs act for a user."""

from alembic import op

revision = "app_0027"
down_revision = "app_0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE TABLE api_tokens (
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
    op.execute("CREATE INDEX api_tokens_of_user ON api_tokens (user_id)")


def downgrade() -> None:
    op.execute("DROP TABLE api_tokens")
