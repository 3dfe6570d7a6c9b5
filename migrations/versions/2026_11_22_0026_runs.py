"""Turns that are asked for over HTTP, and what happened in each, for those who follow it."""

from alembic import op

revision = "app_0026"
down_revision = "app_0025"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE runs (
        update_id bigint PRIMARY KEY DEFAULT nextval('internal_update_numbers'),
        user_id bigint NOT NULL,
        run_id text NOT NULL,
        thread text NOT NULL,
        asked jsonb NOT NULL,
        state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'ended')),
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ended_at timestamptz,
        UNIQUE (user_id, run_id)
    )
    """,
    "COMMENT ON COLUMN runs.run_id IS 'Chosen by the client; unique for each user'",
    "COMMENT ON COLUMN runs.thread IS 'The name that the client gave the conversation'",
    "CREATE INDEX runs_open_idx ON runs (user_id) WHERE state <> 'ended'",
    "CREATE INDEX runs_asked_at_idx ON runs (asked_at)",
    """
    CREATE TABLE run_events (
        update_id bigint NOT NULL REFERENCES runs ON DELETE CASCADE,
        seq integer NOT NULL,
        event jsonb NOT NULL,
        stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (update_id, seq)
    )
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE run_events")
    op.execute("DROP TABLE runs")
