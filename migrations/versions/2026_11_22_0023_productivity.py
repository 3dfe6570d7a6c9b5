"""Tasks, projects, goals, notes and the schedule; the tasks of the memory move to the first."""

from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "app_0023"
down_revision = "app_0022"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE projects (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        name text NOT NULL,
        description text NOT NULL,
        importance smallint NOT NULL DEFAULT 3 CHECK (importance BETWEEN 1 AND 5),
        action_plan text NOT NULL DEFAULT '',
        is_archived boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    "CREATE INDEX projects_user_idx ON projects (user_id)",
    """
    CREATE TABLE tasks (
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
        memory jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        completed_at timestamptz,
        deleted_at timestamptz
    )
    """,
    "COMMENT ON COLUMN tasks.recurrence IS 'RRULE of RFC 5545; empty for a task that comes once'",
    "COMMENT ON COLUMN tasks.memory IS 'The rest of the remembered item that the task was'",
    "CREATE INDEX tasks_user_idx ON tasks (user_id, due_date)",
    "CREATE INDEX tasks_project_idx ON tasks (project_id)",
    "CREATE INDEX tasks_parent_idx ON tasks (parent_id)",
    """
    CREATE TABLE goals (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        title text NOT NULL,
        timeframe text CHECK (timeframe IN ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
        target_date date,
        progress smallint NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    "CREATE INDEX goals_user_idx ON goals (user_id)",
    """
    CREATE TABLE note_folders (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (user_id, name)
    )
    """,
    """
    CREATE TABLE notes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        folder_id bigint REFERENCES note_folders ON DELETE SET NULL,
        title text NOT NULL,
        content text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        deleted_at timestamptz
    )
    """,
    "CREATE INDEX notes_user_idx ON notes (user_id, updated_at)",
    "CREATE INDEX notes_folder_idx ON notes (folder_id)",
    # A range of one number stands for the user: equality alone would need an extension.
    """
    CREATE TABLE schedule_blocks (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        starts_at timestamp NOT NULL,
        ends_at timestamp NOT NULL CHECK (ends_at > starts_at),
        title text NOT NULL,
        task_id bigint REFERENCES tasks ON DELETE SET NULL,
        block_type text NOT NULL DEFAULT 'work' CHECK (block_type IN
            ('work', 'break', 'meeting', 'personal')),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT schedule_blocks_do_not_overlap EXCLUDE USING gist
            (int8range(user_id, user_id, '[]') WITH &&, tsrange(starts_at, ends_at) WITH &&)
    )
    """,
    "COMMENT ON COLUMN schedule_blocks.starts_at IS 'Local time of the user'",
    "CREATE INDEX schedule_blocks_task_idx ON schedule_blocks (task_id)",
)
_REMEMBERED = """
SELECT substr(prefix, 7)::bigint AS user_id, value -> 'items' AS items FROM store
WHERE key = 'tasks' AND prefix ~ '^users[.][0-9]{1,18}$'
    AND jsonb_typeof(value -> 'items') = 'array'
"""
_KEEP = sa.text("""
INSERT INTO tasks (user_id, title, due_date, memory, created_at, updated_at)
VALUES (:user_id, :title, :due_date, :memory, coalesce(:at, now()), coalesce(:at, now()))
RETURNING id
""").bindparams(
    sa.bindparam("memory", type_=JSONB), sa.bindparam("at", type_=sa.DateTime(timezone=True))
)
_NUMBER = sa.text("""
UPDATE store SET value = jsonb_build_object('items', cast(:items AS jsonb))
WHERE key = 'tasks' AND prefix = :prefix
""").bindparams(sa.bindparam("items", type_=JSONB))
_LEAVE_NUMBERS_OUT = """
UPDATE store SET value = jsonb_build_object('items', (
    SELECT coalesce(jsonb_agg(item - 'task_id' ORDER BY place), '[]')
    FROM jsonb_array_elements(value -> 'items') WITH ORDINALITY AS told (item, place)
)) WHERE key = 'tasks' AND jsonb_typeof(value -> 'items') = 'array'
"""


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)
    connection = op.get_bind()
    for row in connection.execute(sa.text(_REMEMBERED)).all():
        items = [_moved(connection, row.user_id, item) for item in row.items]
        connection.execute(_NUMBER, {"items": items, "prefix": f"users.{row.user_id}"})


def _moved(connection: sa.Connection, user_id: int, item: dict[str, Any]) -> dict[str, Any]:
    """The item with the number of its task."""
    values = {
        "user_id": user_id,
        "title": item.get("text", ""),
        "due_date": _date(item.get("due", "")),
        "memory": {name: item[name] for name in item if name not in {"text", "due"}},
        "at": _moment(item.get("updated_at", "")),
    }
    return {**item, "task_id": connection.execute(_KEEP, values).scalar_one()}


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def downgrade() -> None:
    op.execute(_LEAVE_NUMBERS_OUT)
    for table in ("schedule_blocks", "notes", "note_folders", "goals", "tasks", "projects"):
        op.execute(f"DROP TABLE {table}")
