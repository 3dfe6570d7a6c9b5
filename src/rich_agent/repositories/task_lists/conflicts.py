"""Entries of a list brought into the tasks, and conflicts that the user decided."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, LiteralString

from psycopg.types.json import Jsonb

from rich_agent.domain.agenda.entries import Fields, changed_fields
from rich_agent.domain.agenda.plans import day_at
from rich_agent.ports.task_lists import TaskConflict
from rich_agent.repositories.agenda.remembered import project_tasks
from rich_agent.repositories.agenda.tasks import change_task, row_of_task
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.database.repository import fetch_one

# A task as it is pushed; `task` is the table. What has no row any more is gone.
TASK_FIELDS: LiteralString = """
CASE WHEN task.id IS NULL THEN '{"is_deleted": true}'::jsonb ELSE jsonb_build_object(
    'title', task.title, 'description', task.description, 'status', task.status,
    'priority', task.priority, 'due_date', task.due_date, 'recurrence', task.recurrence,
    'is_archived', task.is_archived, 'is_deleted', task.deleted_at IS NOT NULL,
    'project', (SELECT name FROM projects WHERE projects.id = task.project_id),
    'parent', (SELECT uid FROM caldav_entries AS above WHERE above.task_id = task.parent_id)
) END
"""
_CREATE = """
INSERT INTO tasks
    (user_id, title, description, status, priority, due_date, recurrence, origin, project_id)
VALUES (%(user_id)s, %(title)s, %(description)s, %(status)s, %(priority)s, %(due_date)s,
    %(recurrence)s,
    'other', (
        SELECT id FROM projects WHERE user_id = %(user_id)s AND name = %(project)s
        ORDER BY id LIMIT 1
    ))
RETURNING id
"""
_PLACE = """
UPDATE tasks SET parent_id = (
    SELECT task_id FROM caldav_entries
    WHERE user_id = %(user_id)s AND uid = %(parent)s AND task_id <> %(id)s
    ORDER BY id LIMIT 1
)
WHERE id = %(id)s AND user_id = %(user_id)s
"""
_PROJECT = "SELECT id FROM projects WHERE user_id = %s AND name = %s ORDER BY id LIMIT 1"
_DELETE = """
UPDATE tasks SET deleted_at = clock_timestamp()
WHERE id = %(id)s AND user_id = %(user_id)s AND deleted_at IS NULL
"""
_RESTORE = "UPDATE tasks SET deleted_at = NULL WHERE id = %(id)s AND user_id = %(user_id)s"
_WRITTEN_THERE = """
UPDATE tasks SET origin = 'other'
WHERE id = %(id)s AND user_id = %(user_id)s
"""
_COLUMNS = frozenset(
    ("title", "description", "status", "priority", "due_date", "recurrence", "is_archived")
)


async def create_task(connection: Connection, user_id: int, entry: Fields) -> int:
    """The id of a new task; its parent is set by `place_task`, once that has a task too."""
    return int((await fetch_one(connection, _CREATE, {**entry, "user_id": user_id}))["id"])


async def place_task(connection: Connection, user_id: int, task_id: int, parent: str) -> None:
    """Make the task of another entry the parent of a task; none if there is no such task."""
    await connection.execute(_PLACE, {"user_id": user_id, "id": task_id, "parent": parent})


async def apply_fields(
    connection: Connection, user_id: int, task_id: int, changed: Mapping[str, Any], today: date
) -> None:
    """Replace these fields of a task, as `update_task` would."""
    named = {"user_id": user_id, "id": task_id}
    if changed.get("is_deleted"):
        await connection.execute(_DELETE, named)
        return
    if "is_deleted" in changed:
        await connection.execute(_RESTORE, named)
    columns = {name: value for name, value in changed.items() if name in _COLUMNS}
    if "project" in changed:
        found = await connection.execute(_PROJECT, (user_id, changed["project"]))
        row = await found.fetchone()
        columns["project_id"] = row["id"] if row else None
    if columns:
        await change_task(connection, row_of_task(user_id, task_id), columns, today)
    if {"title", "description"} & changed.keys():
        await connection.execute(_WRITTEN_THERE, named)
    if "parent" in changed:
        await place_task(connection, user_id, task_id, changed["parent"] or "")


_FIND = f"""
SELECT entry.id, entry.user_id, task_id, conflict, {TASK_FIELDS} AS task, coalesce(
    (SELECT time_zone FROM users WHERE telegram_user_id = entry.user_id), ''
) AS time_zone
FROM caldav_entries AS entry LEFT JOIN tasks AS task ON task.id = task_id
WHERE update_id = %s
"""
# What differs from the entry is the user's change then, whoever made it.
_KEEP_MINE = """
UPDATE caldav_entries SET ours = %(known)s, theirs = %(known)s, conflict = NULL WHERE id = %(id)s
"""
_TAKE_THEIRS = f"""
UPDATE caldav_entries AS entry SET theirs = %(known)s, conflict = NULL, ours = {TASK_FIELDS}
FROM tasks AS task WHERE task.id = entry.task_id AND entry.id = %(id)s
"""


async def find_conflict(connection: Connection, update_id: int) -> TaskConflict | None:
    """See `TaskListConnections.conflict`."""
    row = await (await connection.execute(_FIND, (update_id,))).fetchone()
    if row is None:
        return None
    conflict = row["conflict"]
    entry = conflict["entry"] if conflict else {}
    return TaskConflict(row["user_id"], row["task"], entry, is_open=conflict is not None)


async def decide(connection: Connection, user_id: int, update_id: int, *, keep_mine: bool) -> bool:
    """See `TaskListConnections.decide`; under the lock of the memory."""
    row = await (await connection.execute(f"{_FIND} FOR UPDATE OF entry", (update_id,))).fetchone()
    if row is None or row["user_id"] != user_id or row["conflict"] is None:
        return False
    entry = row["conflict"]["entry"]
    is_gone = bool(entry.get("is_deleted"))
    named = {"id": row["id"], "known": Jsonb({} if is_gone else entry)}
    if keep_mine:
        await connection.execute(_KEEP_MINE, named)
    else:
        today = day_at(datetime.now(UTC), row["time_zone"])
        changed = changed_fields(row["task"], entry)
        await apply_fields(connection, user_id, row["task_id"], changed, today)
        if is_gone:
            await connection.execute("DELETE FROM caldav_entries WHERE id = %(id)s", named)
        else:
            await connection.execute(_TAKE_THEIRS, named)
    await project_tasks(connection, user_id)
    return True
