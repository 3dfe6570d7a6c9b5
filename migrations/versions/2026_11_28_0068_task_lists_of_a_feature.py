"""Task lists on CalDAV servers belong to a feature, which makes their tables itself.

Kinds of work and of notices begin with the feature's name.
"""

import json
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

revision = "app_0068"
down_revision = "app_0067"
branch_labels = None
depends_on = None

DECLARATIONS = "b692a4e62d73"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""
_RECORD = sa.text("""
INSERT INTO user_tables (name, feature, place, key, declaration)
VALUES (:name, :feature, :place, :key, CAST(:declaration AS jsonb))
ON CONFLICT (name) DO UPDATE SET feature = excluded.feature, place = excluded.place,
    key = excluded.key, declaration = excluded.declaration
""")
_ENTRIES = {
    "user": "user_id",
    "kept": "for good",
    "exported": ["task_id", "uid", "href"],
    "section": "task_list_entries",
}
_CONNECTIONS = {
    "user": "user_id",
    "kept": "for good",
    "exported": ["url", "name", "username", "made_at", "synced_at"],
    "section": "task_list",
}
_TABLES: tuple[tuple[str, list[str], Mapping[str, object]], ...] = (
    ("caldav_entries", ["id"], _ENTRIES),
    ("caldav_connections", ["user_id"], _CONNECTIONS),
)
_KINDS = {
    "task_list": "calendars_task_list",
    "task_conflict": "calendars_replaced",
    "task_list_trouble": "calendars_trouble",
}
_RENAME = (
    "UPDATE due_work SET kind = :new WHERE kind = :old",
    "UPDATE attempts SET kind = :new WHERE kind = :old",
    # What the bot stored for itself begins with its kind.
    """
    UPDATE telegram_inbox
    SET raw = convert_to(replace(convert_from(raw, 'UTF8'), :of_old, :of_new), 'UTF8')
    WHERE update_id < 0 AND starts_with(encode(raw, 'escape'), :of_old)
    """,
)


def upgrade() -> None:
    # What users have stays, also where the feature is switched off.
    op.execute("LOCK TABLE caldav_connections, caldav_entries IN ACCESS EXCLUSIVE MODE")
    if any(_has_rows(name) for name, _, _ in _TABLES):
        for place, (name, key, declaration) in enumerate(_TABLES):
            _record(name, key, {**declaration, "goes_with_all": True}, "calendars", place)
    else:
        op.execute("DROP TABLE caldav_entries, caldav_connections")
        op.execute("DELETE FROM user_tables WHERE name LIKE 'caldav%'")
    for old, new in _KINDS.items():
        _rename(old, new)


def _has_rows(table: str) -> bool:
    return bool(op.get_bind().scalar(sa.text(f"SELECT EXISTS (SELECT FROM {table})")))


def _record(
    name: str, key: list[str], declaration: Mapping[str, object], feature: str, place: int
) -> None:
    values = {"name": name, "feature": feature, "place": place, "key": key}
    op.get_bind().execute(_RECORD, {**values, "declaration": json.dumps(declaration)})


def _rename(old: str, new: str) -> None:
    values = {"old": old, "new": new, "of_old": f'{{"{old}": ', "of_new": f'{{"{new}": '}
    for statement in _RENAME:
        op.get_bind().execute(sa.text(statement), values)


_DOWNGRADE = (
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
    "DROP TRIGGER IF EXISTS forget_words_of_entry ON caldav_entries",
    "DROP FUNCTION IF EXISTS forget_words_of_entry",
)


def downgrade() -> None:
    for statement in _DOWNGRADE:
        op.execute(statement)
    for place, (name, key, declaration) in enumerate(reversed(_TABLES), 10_000):
        _record(name, key, declaration, "core", place)
    for old, new in _KINDS.items():
        _rename(new, old)
    if op.get_bind().scalar(sa.text("SELECT to_regclass('alembic_version_calendars')")):
        op.execute("UPDATE alembic_version_calendars SET version_num = 'calendars_0001'")
