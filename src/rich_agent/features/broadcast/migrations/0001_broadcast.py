"""Tables as the core had them: rows of before stay."""

from alembic import op

revision = "broadcast_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS broadcasts (
        id text PRIMARY KEY,
        admin_id bigint NOT NULL,
        message_id bigint NOT NULL,
        locale text NOT NULL,
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        cancelled_at timestamptz,
        reported_at timestamptz
    )
    """)
    op.execute(
        "COMMENT ON COLUMN broadcasts.message_id IS "
        "'In the chat of the admin: where it is reported'"
    )
    op.execute("""
    CREATE TABLE IF NOT EXISTS broadcast_recipients (
        broadcast_id text NOT NULL REFERENCES broadcasts (id) ON DELETE CASCADE,
        user_id bigint NOT NULL,
        state text NOT NULL DEFAULT 'pending' CONSTRAINT broadcast_recipients_state_check
            CHECK (state IN ('pending', 'sending', 'sent', 'blocked', 'failed', 'unknown')),
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (broadcast_id, user_id)
    )
    """)
    op.execute("""
    CREATE INDEX IF NOT EXISTS broadcast_recipients_open_idx
        ON broadcast_recipients (broadcast_id, user_id) WHERE state IN ('pending', 'sending')
    """)
    op.execute(
        "CREATE INDEX IF NOT EXISTS broadcast_recipients_user_idx ON broadcast_recipients (user_id)"
    )
