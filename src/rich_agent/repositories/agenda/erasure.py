"""Deletes single things that a user planned or noted, for good."""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

from rich_agent.ports.memories import Erased, KeptThing
from rich_agent.repositories.agenda.remembered import lock_memory, project_tasks
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.database.repository import fetch_all

# A task that the memory shows whole is found there.
_THINGS = """
SELECT 'tasks:' || id AS key, title, concat_ws(E'\\n', title, description) AS text
FROM tasks AS task WHERE user_id = %(user_id)s AND (description <> '' OR NOT EXISTS (
    SELECT FROM store, jsonb_array_elements(value -> 'items') AS item
    WHERE prefix = %(prefix)s AND key = 'tasks' AND item -> 'task_id' = to_jsonb(task.id)
))
UNION ALL
SELECT 'projects:' || id, name, concat_ws(E'\\n', name, description, action_plan)
FROM projects WHERE user_id = %(user_id)s
UNION ALL
SELECT 'goals:' || id, title, title FROM goals WHERE user_id = %(user_id)s
UNION ALL
SELECT 'notes:' || id, title, concat_ws(E'\\n', title, content)
FROM notes WHERE user_id = %(user_id)s
UNION ALL
SELECT 'note_folders:' || id, name, name FROM note_folders WHERE user_id = %(user_id)s
UNION ALL
SELECT 'schedule_blocks:' || id, title, title FROM schedule_blocks WHERE user_id = %(user_id)s
UNION ALL
SELECT 'schedules:' || id, text, text FROM schedules WHERE user_id = %(user_id)s AND text <> ''
"""
# What the user has on a server of their own is not the bot's to forget.
_CONNECTED: tuple[LiteralString, ...] = ("caldav_entries", "caldav_connections")
_TABLES: tuple[LiteralString, ...] = (
    *("schedules", "schedule_blocks", "notes", "note_folders", "goals", "tasks", "projects"),
)


async def read_things(connection: Connection, named: Mapping[str, Any]) -> Sequence[KeptThing]:
    """Everything that the user planned or noted and that the memory does not show."""
    return [KeptThing(**row) for row in await fetch_all(connection, _THINGS, named)]


async def erase_things(connection: Connection, erased: Erased) -> None:
    """Delete the chosen ones, or all, in the transaction of the caller."""
    await lock_memory(connection, erased.user_id)
    named = {"user_id": erased.user_id, "everything": erased.everything}
    for table in _CONNECTED if erased.everything else ():
        await connection.execute(f"DELETE FROM {table} WHERE user_id = %(user_id)s", named)
    for table in _TABLES:
        chosen = [one.partition(":") for one in erased.things]
        ids = [int(number) for kind, _, number in chosen if kind == table]
        await connection.execute(
            f"DELETE FROM {table} WHERE user_id = %(user_id)s"
            " AND (%(everything)s OR id = ANY(%(ids)s))",
            {**named, "ids": ids},
        )
    await project_tasks(connection, erased.user_id)
