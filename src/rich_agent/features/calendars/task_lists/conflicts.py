"""Entries of a list brought into the tasks, and tasks that they replaced."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, LiteralString

from rich_agent.feature.database import Connection, fetch_one
from rich_agent.feature.times import day_at
from rich_agent.features.agenda.public import change_task, project_tasks, row_of_task
from rich_agent.features.calendars.task_lists.entries import Fields, changed_fields
from rich_agent.features.calendars.task_lists.ports import ReplacedTask

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
    """Create a task; return its id. `place_task` sets its parent, once the parent has a task."""
    return int((await fetch_one(connection, _CREATE, {**entry, "user_id": user_id}))["id"])


async def place_task(connection: Connection, user_id: int, task_id: int, parent: str) -> None:
    """Make the task of another entry the parent of a task; none if there is no such task."""
    await connection.execute(_PLACE, {"user_id": user_id, "id": task_id, "parent": parent})


async def apply_fields(
    connection: Connection, user_id: int, task_id: int, fields: Mapping[str, Any], today: date
) -> None:
    """Replace these fields of a task, as `update_task` would."""
    key = {"user_id": user_id, "id": task_id}
    if fields.get("is_deleted"):
        await connection.execute(_DELETE, key)
        return
    if "is_deleted" in fields:
        await connection.execute(_RESTORE, key)
    value_by_column = {name: value for name, value in fields.items() if name in _COLUMNS}
    if "project" in fields:
        cursor = await connection.execute(_PROJECT, (user_id, fields["project"]))
        row = await cursor.fetchone()
        value_by_column["project_id"] = row["id"] if row else None
    if value_by_column:
        await change_task(connection, row_of_task(user_id, task_id), value_by_column, today)
    if {"title", "description"} & fields.keys():
        await connection.execute(_WRITTEN_THERE, key)
    if "parent" in fields:
        await place_task(connection, user_id, task_id, fields["parent"] or "")


_FIND = """
SELECT id, user_id, task_id, conflict -> 'task' AS task, conflict -> 'entry' AS entry, coalesce(
    (SELECT time_zone FROM users WHERE telegram_user_id = caldav_entries.user_id), ''
) AS time_zone
FROM caldav_entries WHERE update_id = %s AND task_id IS NOT NULL AND conflict ? 'task'
"""
# What differs from the entry is the user's change then; without an entry, the task is new there.
_KEEP_OURS = "UPDATE caldav_entries SET conflict = NULL, ours = coalesce(ours, '{}') WHERE id = %s"


async def find_replacement(connection: Connection, update_id: int) -> ReplacedTask | None:
    """See `TaskListConnections.replaced_task`."""
    row = await (await connection.execute(_FIND, (update_id,))).fetchone()
    return ReplacedTask(row["user_id"], row["task"], row["entry"]) if row else None


async def restore(connection: Connection, user_id: int, update_id: int) -> bool:
    """See `TaskListConnections.restore`; under the lock of the memory."""
    row = await (await connection.execute(f"{_FIND} FOR UPDATE", (update_id,))).fetchone()
    if row is None or row["user_id"] != user_id:
        return False
    today = day_at(datetime.now(UTC), row["time_zone"])
    fields = changed_fields(row["entry"], row["task"])
    await apply_fields(connection, user_id, row["task_id"], fields, today)
    await connection.execute(_KEEP_OURS, (row["id"],))
    await project_tasks(connection, user_id)
    return True
