"""The task lists on CalDAV servers that users connected, and which entry there is which task."""

from alembic import op

revision = "app_0029"
down_revision = "app_0028"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE caldav_connections (
        user_id bigint PRIMARY KEY,
        url text NOT NULL DEFAULT '',
        name text NOT NULL DEFAULT '',
        username text NOT NULL,
        password bytea NOT NULL,
        choices jsonb NOT NULL DEFAULT '[]',
        tag text NOT NULL DEFAULT '',
        changes bigint NOT NULL DEFAULT 0,
        next_at timestamptz,
        fence bigint NOT NULL DEFAULT 0,
        leased_until timestamptz,
        synced_at timestamptz,
        failures integer NOT NULL DEFAULT 0,
        problem text NOT NULL DEFAULT '',
        update_id bigint UNIQUE,
        made_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    "COMMENT ON COLUMN caldav_connections.url IS 'Of the task list; empty until one is chosen'",
    "COMMENT ON COLUMN caldav_connections.password IS 'Encrypted with a key of CREDENTIALS_KEY'",
    "COMMENT ON COLUMN caldav_connections.changes IS 'Grows with each change of the user''s tasks'",
    "CREATE INDEX caldav_connections_due_idx ON caldav_connections (next_at)",
    "CREATE SEQUENCE caldav_fences",
    """
    CREATE TABLE caldav_entries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        task_id bigint UNIQUE REFERENCES tasks ON DELETE SET NULL,
        uid text NOT NULL,
        href text NOT NULL,
        etag text NOT NULL DEFAULT '',
        ours jsonb,
        theirs jsonb NOT NULL DEFAULT '{}',
        conflict jsonb,
        update_id bigint UNIQUE,
        UNIQUE (user_id, href)
    )
    """,
    "COMMENT ON COLUMN caldav_entries.ours IS 'The task as of the last sync; null: no task here'",
    "COMMENT ON COLUMN caldav_entries.theirs IS 'The entry as of the last sync'",
    "COMMENT ON COLUMN caldav_entries.conflict IS 'The entry, while the user is asked about it'",
    "CREATE INDEX caldav_entries_uid_idx ON caldav_entries (user_id, uid)",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE caldav_entries")
    op.execute("DROP SEQUENCE caldav_fences")
    op.execute("DROP TABLE caldav_connections")
