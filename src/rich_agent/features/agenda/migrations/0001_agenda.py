"""The tables of the agenda as the core had them: rows of before stay."""

from alembic import op

revision = "agenda_0001"
down_revision = None

_ORIGIN = "origin text NOT NULL DEFAULT 'user'"
_UPGRADE = (
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
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)
