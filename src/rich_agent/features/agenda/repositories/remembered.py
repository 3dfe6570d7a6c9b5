"""Keeps the open tasks and the items `tasks` of users' memory the same.

The rows of `tasks` are what counts; the store of the memory holds a copy of open tasks. Code that
changes the rows or the copy takes the lock of the user's memory first.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import date
from typing import Any

import structlog
from psycopg.types.json import Jsonb

from rich_agent.feature.database import (
    TELL_PAGES,
    Connection,
    Pool,
    checkout_held,
    fetch_all,
    fetch_one,
    storable,
)
from rich_agent.feature.memory import MemoryItem, lock_memory, mark_of, prefix_of
from rich_agent.feature.times import next_occurrence
from rich_agent.features.agenda.mirrors import TaskMirror, task_mirrors

MOST_REMEMBERED = 200
"""Most open tasks in the memory, the last changed ones, so that turns do not get slower."""
_PROJECT = """
INSERT INTO store (prefix, key, value)
SELECT %(prefix)s, 'tasks',
    jsonb_build_object('items', coalesce(jsonb_agg(item ORDER BY item ->> 'updated_at', id), '[]'))
FROM (
    SELECT id,
        jsonb_build_object(
            'request_id', '', 'topic', '', 'about', '', 'holds', 'now', 'language', '',
            'updated_at',
            to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')
        ) || memory || jsonb_build_object(
            'text', title, 'due', coalesce(due_date::text, ''), 'task_id', id, 'origin', origin,
            'row', 'tasks:' || id
        ) AS item
    FROM tasks
    WHERE user_id = %(user_id)s AND status <> 'done' AND NOT is_archived AND deleted_at IS NULL
    ORDER BY updated_at DESC, id DESC LIMIT %(limit)s
) AS open_task
ON CONFLICT (prefix, key) DO UPDATE
SET value = excluded.value, updated_at = CURRENT_TIMESTAMP
RETURNING value -> 'items' AS items
"""
_WITHOUT_ROW = """
SELECT item FROM store, jsonb_array_elements(value -> 'items') AS item
WHERE prefix = %s AND key = 'tasks' AND NOT item ? 'task_id'
"""
_SHOWN_WHOLE = """
SELECT 'tasks:' || id AS key FROM tasks AS task
WHERE user_id = %(user_id)s AND description = '' AND EXISTS (
    SELECT FROM store, jsonb_array_elements(value -> 'items') AS item
    WHERE prefix = %(prefix)s AND key = 'tasks' AND item -> 'task_id' = to_jsonb(task.id)
)
"""
_DROP_LOST = f"""
WITH dropped AS (
    DELETE FROM store_vectors
    WHERE prefix = %(prefix)s AND key = 'tasks'
        AND split_part(field_name, ':', 2) <> ALL(%(marks)s)
)
{TELL_PAGES}
"""
_ADD = """
INSERT INTO tasks (user_id, title, due_date, origin, memory)
VALUES (%(user_id)s, %(title)s, %(due_date)s, %(origin)s, %(memory)s)
"""
_REPLACE = """
UPDATE tasks SET title = %(title)s, due_date = %(due_date)s, origin = %(origin)s,
    memory = %(memory)s, updated_at = clock_timestamp()
WHERE user_id = %(user_id)s AND id = %(id)s
"""
_ERASE = "DELETE FROM tasks WHERE user_id = %(user_id)s AND id = ANY(%(ids)s)"
_ARCHIVE = """
UPDATE tasks SET is_archived = true, recurrence = '', updated_at = clock_timestamp()
FROM (
    SELECT id, recurrence AS rule, coalesce(due_date, CURRENT_DATE) AS due
    FROM tasks WHERE user_id = %(user_id)s AND id = ANY(%(ids)s)
) AS before
WHERE tasks.id = before.id AND user_id = %(user_id)s
RETURNING tasks.id, rule, due, CURRENT_DATE AS today
"""
_CONTINUE = """
INSERT INTO tasks (user_id, title, description, task_type, priority, due_date, estimated_minutes,
    recurrence, project_id, parent_id, origin, memory)
SELECT user_id, title, description, task_type, priority, %(due_date)s, estimated_minutes,
    %(rule)s, project_id, parent_id, origin, memory - 'updated_at' - 'request_id'
FROM tasks WHERE user_id = %(user_id)s AND id = %(id)s
RETURNING id
"""

_LONGEST_NOTE_S = 3.0
"""Longest for a mirror: the user's memory is locked meanwhile."""
_log = structlog.get_logger()


@asynccontextmanager
async def changing_tasks(pool: Pool, user_id: int) -> AsyncIterator[Connection]:
    """A transaction to change a user's tasks in; other changes of them wait until it ends."""
    async with checkout_held(pool) as connection:
        await lock_memory(connection, user_id)
        yield connection
        await project_tasks(connection, user_id)


async def project_tasks(connection: Connection, user_id: int, *, author: str = "") -> None:
    """Write the copy of the open tasks to the store.

    All mirrors but that of the `author`, the feature that made the change, take note of it. Items
    that the memory learned while it kept no rows become tasks.
    """
    for row in await fetch_all(connection, _WITHOUT_ROW, (prefix_of(user_id),)):
        await _add(connection, user_id, MemoryItem.from_json(row["item"]))
    await _write_copy(connection, user_id, author=author)


async def _write_copy(connection: Connection, user_id: int, *, author: str = "") -> None:
    prefix = prefix_of(user_id)
    values = {"prefix": prefix, "user_id": user_id, "limit": MOST_REMEMBERED}
    row = await fetch_one(connection, _PROJECT, values)
    marks = [mark_of("tasks", MemoryItem.from_json(item)) for item in row["items"]]
    await connection.execute(_DROP_LOST, {**values, "marks": marks})
    for feature, mirror in task_mirrors().items():
        if feature != author:
            await _notify(feature, mirror, connection, user_id)


async def _notify(feature: str, mirror: TaskMirror, connection: Connection, user_id: int) -> None:
    """Let a mirror take note of a change; what fails in it undoes nothing but its own."""
    try:
        async with asyncio.timeout(_LONGEST_NOTE_S), connection.transaction():
            await mirror.note_change(connection, user_id)
    except Exception:  # noqa: BLE001 - a feature ends its own part, not the turn
        _log.exception("tasks.change_not_noted", feature=feature)


async def _add(connection: Connection, user_id: int, item: MemoryItem) -> None:
    await connection.execute(_ADD, {"user_id": user_id, **_columns(item)})


class TaskRows:
    """Implements `MemoryRows`: a task whose item is gone is archived, or deleted `for_good`."""

    async def replace(
        self,
        connection: Connection,
        user_id: int,
        before: Sequence[Mapping[str, Any]],
        after: Sequence[MemoryItem],
        *,
        for_good: bool,
    ) -> None:
        rows: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for stored_item in before:
            rows[mark_of("tasks", MemoryItem.from_json(stored_item))].append(stored_item)
        for item in after:
            same = rows[mark_of("tasks", item)]
            row = same.pop(0) if same else {}
            if "task_id" not in row:
                await _add(connection, user_id, item)
            elif MemoryItem.from_json(row) != item:
                values = {"user_id": user_id, "id": row["task_id"], **_columns(item)}
                await connection.execute(_REPLACE, values)
        surplus_rows = (row for same in rows.values() for row in same if "task_id" in row)
        task_ids = [row["task_id"] for row in surplus_rows]
        await _put_away(connection, user_id, task_ids, for_good=for_good)
        await _write_copy(connection, user_id)

    async def project(self, connection: Connection, user_id: int) -> None:
        await project_tasks(connection, user_id)

    async def keys(self, connection: Connection, user_id: int) -> Collection[str]:
        values = {"user_id": user_id, "prefix": prefix_of(user_id)}
        return [row["key"] for row in await fetch_all(connection, _SHOWN_WHOLE, values)]


async def _put_away(
    connection: Connection, user_id: int, ids: Sequence[int], *, for_good: bool
) -> None:
    """Delete tasks for good, or archive them and create the next occurrences of recurring ones."""
    values = {"user_id": user_id, "ids": ids}
    if for_good:
        await connection.execute(_ERASE, values)
    elif ids:
        cursor = await connection.execute(_ARCHIVE, values)
        for row in [row for row in await cursor.fetchall() if row["rule"]]:
            await continue_task(connection, user_id, row)


async def continue_task(
    connection: Connection, user_id: int, task: Mapping[str, Any]
) -> tuple[int, date] | None:
    """Create the next occurrence of a task; returns its id and due date, None if there is none.

    `task` has the task's `id`, its `rule`, its due date `due`, and the date `today`.
    """
    occurrence = next_occurrence(task["rule"], task["due"], task["today"])
    if occurrence is None:
        return None
    due_date, rule = occurrence
    values = {"user_id": user_id, "id": task["id"], "due_date": due_date, "rule": rule}
    return (await fetch_one(connection, _CONTINUE, values))["id"], due_date


def _columns(item: MemoryItem) -> dict[str, Any]:
    values = storable(asdict(item))
    title, due, origin = (values.pop(name) for name in ("text", "due", "origin"))
    return {"title": title, "due_date": due or None, "origin": origin, "memory": Jsonb(values)}
