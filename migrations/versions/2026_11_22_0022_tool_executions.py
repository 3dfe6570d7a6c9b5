"""Every call of a tool and how it is taken back; guided sessions; a user's time zone."""

from alembic import op

revision = "app_0022"
down_revision = "app_0021"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE tool_executions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        thread_id text NOT NULL,
        request_id text NOT NULL,
        call_id text NOT NULL,
        tool text NOT NULL,
        input jsonb NOT NULL,
        output jsonb,
        status text NOT NULL DEFAULT 'pending' CHECK (status IN
            ('pending', 'success', 'error', 'denied', 'unknown')),
        undo jsonb,
        undone_at timestamptz,
        message text NOT NULL DEFAULT '',
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        duration_ms double precision,
        UNIQUE (thread_id, request_id, call_id)
    )
    """,
    "COMMENT ON COLUMN tool_executions.output IS 'The result as the model was given it'",
    "CREATE INDEX tool_executions_user_idx ON tool_executions (user_id, started_at)",
    "ALTER TABLE clarifications ADD COLUMN round integer NOT NULL DEFAULT 0",
    "COMMENT ON COLUMN clarifications.round IS 'A turn may ask more than once'",
    """
    CREATE TABLE guided_sessions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        template text NOT NULL,
        status text NOT NULL DEFAULT 'active' CHECK (status IN
            ('active', 'completed', 'cancelled')),
        requests text[] NOT NULL DEFAULT '{}',
        outputs jsonb NOT NULL DEFAULT '[]',
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ended_at timestamptz
    )
    """,
    "COMMENT ON COLUMN guided_sessions.requests IS 'The messages that belong to it, each once'",
    """
    CREATE UNIQUE INDEX guided_sessions_active_idx ON guided_sessions (user_id)
    WHERE status = 'active'
    """,
    "ALTER TABLE users ADD COLUMN time_zone text NOT NULL DEFAULT ''",
    "COMMENT ON COLUMN users.time_zone IS 'IANA name; empty while it is not known'",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE guided_sessions")
    op.execute("DROP TABLE tool_executions")
    op.execute("ALTER TABLE clarifications DROP COLUMN round")
    op.execute("ALTER TABLE users DROP COLUMN time_zone")
