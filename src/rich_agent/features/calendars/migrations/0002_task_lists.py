"""The tables of task lists as the core had them: rows of before stay.

What is kept of an entry tells nothing more once its task is gone for good: all that is left is
where it is, so that it is deleted there.
"""

from alembic import op

revision = "calendars_0002"
down_revision = "calendars_0001"

_UPGRADE = (
    """
    CREATE TABLE IF NOT EXISTS caldav_connections (
        user_id bigint PRIMARY KEY,
        url text NOT NULL DEFAULT '',
        name text NOT NULL DEFAULT '',
        username text NOT NULL,
        password bytea NOT NULL,
        choices jsonb NOT NULL DEFAULT '[]',
        tag text NOT NULL DEFAULT '',
        synced_at timestamptz,
        problem text NOT NULL DEFAULT '',
        update_id bigint UNIQUE,
        made_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS caldav_entries (
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
    "COMMENT ON COLUMN caldav_connections.url IS 'Of the task list; empty until one is chosen'",
    "COMMENT ON COLUMN caldav_connections.password IS 'Encrypted with a key of CREDENTIALS_KEY'",
    "COMMENT ON COLUMN caldav_entries.ours IS 'The task as of the last sync; null: no task here'",
    "COMMENT ON COLUMN caldav_entries.theirs IS 'The entry as of the last sync'",
    """
    COMMENT ON COLUMN caldav_entries.conflict IS 'The task that the entry replaced, and the entry'
    """,
    "CREATE INDEX IF NOT EXISTS caldav_entries_uid_idx ON caldav_entries (user_id, uid)",
    """
    CREATE OR REPLACE FUNCTION forget_words_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.ours IS NOT NULL OR NEW.conflict IS NOT NULL THEN
            NEW.ours := '{}';
        END IF;
        NEW.theirs := '{}';
        NEW.conflict := NULL;
        RETURN NEW;
    END $$
    """,
    """
    CREATE OR REPLACE TRIGGER forget_words_of_entry BEFORE UPDATE OF task_id ON caldav_entries
    FOR EACH ROW WHEN (OLD.task_id IS NOT NULL AND NEW.task_id IS NULL)
    EXECUTE FUNCTION forget_words_of_entry()
    """,
    """
    UPDATE caldav_entries SET ours = '{}', theirs = '{}', conflict = NULL
    WHERE task_id IS NULL AND (ours <> '{}' OR conflict IS NOT NULL)
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)
