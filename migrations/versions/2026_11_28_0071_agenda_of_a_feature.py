"""Tasks, projects, goals, notes and the schedule belong to a feature, which makes their tables."""

import json
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

revision = "app_0071"
down_revision = "app_0070"
branch_labels = None
depends_on = None

DECLARATIONS = "99923941332c"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""
_RECORD = sa.text("""
INSERT INTO user_tables (name, feature, place, key, declaration)
VALUES (:name, :feature, :place, :key, CAST(:declaration AS jsonb))
ON CONFLICT (name) DO UPDATE SET feature = excluded.feature, place = excluded.place,
    key = excluded.key, declaration = excluded.declaration
""")
_TIMES = ["created_at", "updated_at"]
_PROJECTS = {
    "user": "user_id",
    "text": ["name", "description", "action_plan"],
    "kept": "for good",
    "exported": [
        *("id AS project_id", "name", "description", "importance", "action_plan", "is_archived"),
        *(*_TIMES, "origin"),
    ],
}
_TASKS = {
    "user": "user_id",
    "text": ["title", "description"],
    "age": "deleted_at",
    "kept": "operations",
    "exported": [
        *("id AS task_id", "title", "description", "status", "task_type", "priority", "due_date"),
        *("estimated_minutes", "recurrence", "project_id", "parent_id", "is_archived"),
        *(*_TIMES, "completed_at", "deleted_at", "origin"),
    ],
}
_GOALS = {
    "user": "user_id",
    "text": ["title"],
    "kept": "for good",
    "exported": [
        *("id AS goal_id", "title", "timeframe", "target_date", "progress", *_TIMES, "origin"),
    ],
}
_NOTES = {
    "user": "user_id",
    "text": ["title", "content"],
    "age": "deleted_at",
    "kept": "operations",
    "exported": [
        *("id AS note_id", "title", "content", "folder", *_TIMES, "deleted_at", "origin"),
    ],
    "looked_up": {"folder": ["folder_id", "note_folders", "name"]},
}
_BLOCKS = {
    "user": "user_id",
    "text": ["title"],
    "kept": "for good",
    "exported": [
        *("id AS block_id", "starts_at", "ends_at", "title", "task_id", "block_type", "origin"),
    ],
    "section": "schedule",
    "order": "starts_at",
}
_TABLES: Mapping[str, Mapping[str, object]] = {
    "projects": _PROJECTS,
    "tasks": _TASKS,
    "goals": _GOALS,
    "note_folders": {"user": "user_id", "text": ["name"], "kept": "for good"},
    "notes": _NOTES,
    "schedule_blocks": _BLOCKS,
}
_IS_NEEDED_ELSEWHERE = sa.text("""
SELECT EXISTS (
    SELECT FROM pg_constraint
    WHERE contype = 'f' AND confrelid = ANY (CAST(:names AS regclass[]))
        AND conrelid <> ALL (CAST(:names AS regclass[]))
)
""")


def upgrade() -> None:
    # What users have stays, also where the feature is switched off. So do tables without rows to
    # which another feature's table refers.
    names = ", ".join(_TABLES)
    op.execute(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")
    if _is_needed_elsewhere() or any(map(_has_rows, _TABLES)):
        _record("agenda", 0)
    else:
        op.execute(f"DROP TABLE {names}")
        query = sa.text("DELETE FROM user_tables WHERE name = ANY (:names)")
        op.get_bind().execute(query, {"names": list(_TABLES)})


def _is_needed_elsewhere() -> bool:
    return bool(op.get_bind().scalar(_IS_NEEDED_ELSEWHERE, {"names": list(_TABLES)}))


def _has_rows(table: str) -> bool:
    return bool(op.get_bind().scalar(sa.text(f"SELECT EXISTS (SELECT FROM {table})")))


def _record(feature: str, first_place: int) -> None:
    for place, (name, declaration) in enumerate(_TABLES.items(), first_place):
        values = {"name": name, "feature": feature, "place": place, "key": ["id"]}
        op.get_bind().execute(_RECORD, {**values, "declaration": json.dumps(declaration)})


_ORIGIN = "origin text NOT NULL DEFAULT 'user'"
_DOWNGRADE = (
    f"""
    CREATE TABLE IF NOT EXISTS projects (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        name text NOT NULL,
        description text NOT NULL,
        importance smallint NOT NULL DEFAULT 3 CHECK (importance BETWEEN 1 AND 5),
        action_plan text NOT NULL DEFAULT '',
        is_archived boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        {_ORIGIN}
    )
    """,
    f"""
    CREATE TABLE IF NOT EXISTS tasks (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        title text NOT NULL,
        description text NOT NULL DEFAULT '',
        status text NOT NULL DEFAULT 'todo' CHECK (status IN
            ('todo', 'in_progress', 'done', 'blocked')),
        task_type text CHECK (task_type IN
            ('Today', 'Next Actions', 'Someday / Maybe', 'Wait for', 'Routine')),
        priority text NOT NULL DEFAULT 'medium' CHECK (priority IN
            ('low', 'medium', 'high', 'urgent')),
        due_date date,
        estimated_minutes integer CHECK (estimated_minutes > 0),
        recurrence text NOT NULL DEFAULT '',
        project_id bigint REFERENCES projects ON DELETE SET NULL,
        parent_id bigint REFERENCES tasks ON DELETE SET NULL,
        is_archived boolean NOT NULL DEFAULT false,
        memory jsonb NOT NULL DEFAULT '{{}}',
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        completed_at timestamptz,
        deleted_at timestamptz,
        {_ORIGIN}
    )
    """,
    f"""
    CREATE TABLE IF NOT EXISTS goals (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        title text NOT NULL,
        timeframe text CHECK (timeframe IN ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
        target_date date,
        progress smallint NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        {_ORIGIN}
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS note_folders (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (user_id, name)
    )
    """,
    f"""
    CREATE TABLE IF NOT EXISTS notes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        folder_id bigint REFERENCES note_folders ON DELETE SET NULL,
        title text NOT NULL,
        content text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        deleted_at timestamptz,
        {_ORIGIN}
    )
    """,
    # A range of one number stands for the user: equality alone would need an extension.
    f"""
    CREATE TABLE IF NOT EXISTS schedule_blocks (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        starts_at timestamp NOT NULL,
        ends_at timestamp NOT NULL CHECK (ends_at > starts_at),
        title text NOT NULL,
        task_id bigint REFERENCES tasks ON DELETE SET NULL,
        block_type text NOT NULL DEFAULT 'work' CHECK (block_type IN
            ('work', 'break', 'meeting', 'personal')),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        {_ORIGIN},
        CONSTRAINT schedule_blocks_do_not_overlap EXCLUDE USING gist
            (int8range(user_id, user_id, '[]') WITH &&, tsrange(starts_at, ends_at) WITH &&)
    )
    """,
    "COMMENT ON COLUMN tasks.recurrence IS 'RRULE of RFC 5545; empty for a task that comes once'",
    "COMMENT ON COLUMN tasks.memory IS 'The rest of the remembered item that the task was'",
    "COMMENT ON COLUMN schedule_blocks.starts_at IS 'Local time of the user'",
    *(
        f"COMMENT ON COLUMN {table}.origin IS 'Who wrote the words, as in domain/words'"
        for table in ("projects", "tasks", "goals", "notes", "schedule_blocks")
    ),
    "CREATE INDEX IF NOT EXISTS projects_user_idx ON projects (user_id)",
    "CREATE INDEX IF NOT EXISTS tasks_user_idx ON tasks (user_id, due_date)",
    "CREATE INDEX IF NOT EXISTS tasks_project_idx ON tasks (project_id)",
    "CREATE INDEX IF NOT EXISTS tasks_parent_idx ON tasks (parent_id)",
    "CREATE INDEX IF NOT EXISTS goals_user_idx ON goals (user_id)",
    "CREATE INDEX IF NOT EXISTS notes_user_idx ON notes (user_id, updated_at)",
    "CREATE INDEX IF NOT EXISTS notes_folder_idx ON notes (folder_id)",
    "CREATE INDEX IF NOT EXISTS schedule_blocks_task_idx ON schedule_blocks (task_id)",
    "DROP TABLE IF EXISTS alembic_version_agenda",
)


def downgrade() -> None:
    for statement in _DOWNGRADE:
        op.execute(statement)
    _record("core", 10_000)
