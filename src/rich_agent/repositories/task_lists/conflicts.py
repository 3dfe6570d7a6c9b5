"""Tasks that were changed here and in their list, and what the user decided."""

from datetime import UTC, datetime

from psycopg.types.json import Jsonb

from rich_agent.domain.agenda.entries import changed_fields
from rich_agent.domain.agenda.schedule import day_at
from rich_agent.ports.task_lists import TaskConflict
from rich_agent.repositories.agenda.remembered import project_tasks
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.task_lists.applying import TASK_FIELDS, apply_fields

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
