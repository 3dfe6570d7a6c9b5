"""One message to everybody: what is sent, and how far it came with each user."""

from alembic import op

revision = "app_0008"
down_revision = "app_0007"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE broadcasts (
        id text PRIMARY KEY,
        admin_id bigint NOT NULL,
        message_id bigint NOT NULL,
        locale text NOT NULL,
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        cancelled_at timestamptz,
        reported_at timestamptz
    )
    """,
    "COMMENT ON COLUMN broadcasts.message_id IS 'In the chat of the admin: where it is reported'",
    "COMMENT ON COLUMN broadcasts.next_at IS 'When any process may send the next copy'",
    "CREATE INDEX broadcasts_open_idx ON broadcasts (next_at) WHERE reported_at IS NULL",
    """
    CREATE TABLE broadcast_recipients (
        broadcast_id text NOT NULL REFERENCES broadcasts ON DELETE CASCADE,
        user_id bigint NOT NULL,
        state text NOT NULL DEFAULT 'pending'
            CHECK (state IN ('pending', 'sending', 'sent', 'blocked', 'failed', 'unknown')),
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (broadcast_id, user_id)
    )
    """,
    "CREATE INDEX broadcast_recipients_user_idx ON broadcast_recipients (user_id)",
    """
    CREATE INDEX broadcast_recipients_open_idx ON broadcast_recipients (broadcast_id, user_id)
    WHERE state IN ('pending', 'sending')
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE broadcast_recipients, broadcasts")
