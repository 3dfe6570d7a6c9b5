"""Sessions of the web chat, and the codes that begin them."""

from alembic import op

revision = "app_0031"
down_revision = "app_0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE TABLE web_sessions (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            secret_hash bytea NOT NULL UNIQUE,
            user_id bigint NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            expires_at timestamptz NOT NULL
        )
    """)
    op.execute("CREATE INDEX web_sessions_of_user ON web_sessions (user_id)")
    op.execute("""
        CREATE TABLE web_login_codes (
            user_id bigint PRIMARY KEY,
            code_hash bytea NOT NULL UNIQUE,
            expires_at timestamptz NOT NULL
        )
    """)


def downgrade() -> None:
    op.execute("DROP TABLE web_login_codes")
    op.execute("DROP TABLE web_sessions")
