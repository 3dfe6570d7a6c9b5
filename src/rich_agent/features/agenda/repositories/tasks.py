"""Tasks in PostgreSQL."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import date
from typing import Any

from psycopg import sql

from rich_agent.feature import PostgresRepository
from rich_agent.feature.database import Connection, checkout, fetch_all, fetch_one, storable
from rich_agent.features.agenda.domain.plans import ListPosition
from rich_agent.features.agenda.domain.tasks import (
    DeletedTasks,
    FieldChange,
    NewTask,
    Task,
    TaskQuery,
)
from rich_agent.features.agenda.repositories.fields import OwnedRow
from rich_agent.features.agenda.repositories.remembered import changing_tasks, continue_task

_COLUMNS = sql.SQL(", ").join(sql.Identifier(column.name) for column in fields(Task))
_CREATE = sql.SQL("""
INSERT INTO tasks (user_id, title, description, task_type, priority, due_date, estimated_minutes,
    recurrence, project_id, parent_id, origin)
SELECT %(user_id)s, %(title)s, %(description)s, %(task_type)s, %(priority)s, %(due_date)s,
    %(estimated_minutes)s, %(recurrence)s, %(project_id)s, %(parent_id)s, %(origin)s
WHERE (%(project_id)s::bigint IS NULL OR EXISTS (
        SELECT FROM projects WHERE id = %(project_id)s AND user_id = %(user_id)s
    )) AND (%(parent_id)s::bigint IS NULL OR EXISTS (
        SELECT FROM tasks
        WHERE id = %(parent_id)s AND user_id = %(user_id)s AND deleted_at IS NULL
    ))
RETURNING {columns}
""").format(columns=_COLUMNS)
_FIND = sql.SQL("""
SELECT {columns} FROM tasks WHERE id = %s AND user_id = %s AND deleted_at IS NULL
""").format(columns=_COLUMNS)
_FIND_ALL = sql.SQL("""
SELECT {columns} FROM tasks WHERE user_id = %s AND id = ANY(%s) AND deleted_at IS NULL
""").format(columns=_COLUMNS)
_SUBTASKS = sql.SQL("""
SELECT {columns} FROM tasks WHERE parent_id = %s AND user_id = %s AND deleted_at IS NULL ORDER BY id
""").format(columns=_COLUMNS)
_WANTED = sql.SQL("""
FROM tasks
WHERE user_id = %(user_id)s AND deleted_at IS NULL AND NOT is_archived
    AND (%(with_done)s OR status <> 'done')
    AND (%(status)s::text IS NULL OR status = %(status)s)
    AND (%(project_id)s::bigint IS NULL OR project_id = %(project_id)s)
    AND (%(task_type)s::text IS NULL OR task_type = %(task_type)s)
    AND (%(priority)s::text IS NULL OR priority = %(priority)s)
    AND (%(due_by)s::date IS NULL OR due_date <= %(due_by)s)
    AND (%(due_on)s::date IS NULL OR due_date = %(due_on)s)
    AND (%(for_day)s::date IS NULL OR due_date <= %(for_day)s OR task_type = 'Today')
    AND strpos(lower(title), lower(%(title_part)s)) > 0
""")
_COUNT = sql.SQL("SELECT count(*) AS total {wanted}").format(wanted=_WANTED)
_PAGE = sql.SQL("""
SELECT {columns} {wanted}
ORDER BY {order} {direction} NULLS LAST, id {direction} LIMIT %(limit)s OFFSET %(offset)s
""")
_LISTED = """
SELECT {columns} FROM tasks
WHERE user_id = %(user_id)s AND deleted_at IS NULL AND NOT is_archived
    AND (status = 'done') = %(is_done)s AND ({place}, id) {sign} (%(place)s::{type}, %(id)s)
ORDER BY {place} {direction}, id {direction} LIMIT %(limit)s
"""
_OPEN_LIST = sql.SQL(_LISTED).format(
    columns=_COLUMNS,
    place=sql.SQL("coalesce(due_date, 'infinity')"),
    type=sql.SQL("date"),
    sign=sql.SQL(">"),
    direction=sql.SQL("ASC"),
)
_DONE_LIST = sql.SQL(_LISTED).format(
    columns=_COLUMNS,
    place=sql.SQL("coalesce(completed_at, '-infinity')"),
    type=sql.SQL("timestamptz"),
    sign=sql.SQL("<"),
    direction=sql.SQL("DESC"),
)
_IS_THEIRS = "SELECT FROM projects WHERE id = %s AND user_id = %s"
_DELETE = """
WITH RECURSIVE gone AS (
    SELECT id FROM tasks WHERE id = %(id)s AND user_id = %(user_id)s AND deleted_at IS NULL
    UNION
    SELECT child.id FROM tasks AS child JOIN gone ON child.parent_id = gone.id
    WHERE child.user_id = %(user_id)s AND child.deleted_at IS NULL
)
UPDATE tasks SET deleted_at = clock_timestamp()
WHERE user_id = %(user_id)s AND id IN (SELECT id FROM gone)
RETURNING id, deleted_at
"""
_RESTORE = """
UPDATE tasks SET deleted_at = NULL
WHERE user_id = %s AND id = ANY(%s) AND deleted_at IS NOT NULL
"""


class PostgresTasks(PostgresRepository):
    """Implements `Tasks`."""

    async def create(self, user_id: int, new: NewTask) -> Task | None:
        values = {**storable(asdict(new)), "user_id": user_id}
        async with changing_tasks(self._pool, user_id) as connection:
            row = await (await connection.execute(_CREATE, values)).fetchone()
        return Task(**row) if row else None

    async def find(self, user_id: int, task_id: int) -> Task | None:
        row = await self._row(_FIND, (task_id, user_id))
        return Task(**row) if row else None

    async def find_all(self, user_id: int, task_ids: Collection[int]) -> Mapping[int, Task]:
        rows = await self._rows(_FIND_ALL, (user_id, list(task_ids)))
        return {row["id"]: Task(**row) for row in rows}

    async def page(
        self, user_id: int, query: TaskQuery, limit: int, offset: int = 0
    ) -> tuple[Sequence[Task], int]:
        values = {**storable(asdict(query)), "user_id": user_id, "limit": limit, "offset": offset}
        values["with_done"] = query.with_done or query.status == "done"
        statement = _PAGE.format(
            columns=_COLUMNS,
            wanted=_WANTED,
            order=sql.Identifier(query.order),
            direction=sql.SQL("DESC" if query.descending else "ASC"),
        )
        async with checkout(self._pool) as connection:
            total = (await fetch_one(connection, _COUNT, values))["total"]
            rows = await fetch_all(connection, statement, values)
        return [Task(**row) for row in rows], total

    async def following(
        self, user_id: int, after: ListPosition | None, limit: int, *, is_done: bool = False
    ) -> Sequence[Task]:
        last, before_all = ("-infinity", "infinity") if is_done else ("infinity", "-infinity")
        values = {
            "user_id": user_id,
            "is_done": is_done,
            "place": (after.at or last) if after else before_all,
            "id": after.id if after else 0,
            "limit": limit,
        }
        rows = await self._rows(_DONE_LIST if is_done else _OPEN_LIST, values)
        return [Task(**row) for row in rows]

    async def subtasks(self, user_id: int, task_id: int) -> Sequence[Task]:
        return [Task(**row) for row in await self._rows(_SUBTASKS, (task_id, user_id))]

    async def update(
        self, user_id: int, task_id: int, fields: Mapping[str, Any], today: date
    ) -> FieldChange | None:
        async with changing_tasks(self._pool, user_id) as connection:
            project = fields.get("project_id")
            if project is not None and not await _is_theirs(connection, project, user_id):
                return None
            return await change_task(connection, row_of_task(user_id, task_id), fields, today)

    async def take_back(self, user_id: int, task_id: int, change: FieldChange) -> bool:
        async with changing_tasks(self._pool, user_id) as connection:
            changes = await row_of_task(user_id, task_id).put_back(connection, change)
            if "status" in changes and change.next_id is not None:
                values = {"user_id": user_id, "id": change.next_id}
                await connection.execute(_DELETE, values)
        return bool(changes)

    async def delete(self, user_id: int, task_id: int) -> DeletedTasks | None:
        async with changing_tasks(self._pool, user_id) as connection:
            rows = await fetch_all(connection, _DELETE, {"id": task_id, "user_id": user_id})
        ids = sorted(row["id"] for row in rows)
        return DeletedTasks(ids, rows[0]["deleted_at"]) if rows else None

    async def restore(self, user_id: int, task_ids: Collection[int]) -> int:
        async with changing_tasks(self._pool, user_id) as connection:
            return (await connection.execute(_RESTORE, (user_id, list(task_ids)))).rowcount


def row_of_task(user_id: int, task_id: int) -> OwnedRow:
    """The row of a task that is not deleted."""
    return OwnedRow("tasks", user_id, task_id, "deleted_at IS NULL")


async def change_task(
    connection: Connection, row: OwnedRow, fields: Mapping[str, Any], today: date
) -> FieldChange | None:
    """Change a task as `Tasks.update` does, in the caller's transaction.

    The project must be the user's.
    """
    values = await row.read(connection)
    if values is None:
        return None
    status = fields.get("status", values["status"])
    if status == values["status"]:
        return await row.replace(connection, fields)
    if status != "done":
        return await row.replace(connection, {**fields, "completed_at": None})
    return await _complete(connection, row, {**values, **fields}, fields, today)


async def _is_theirs(connection: Connection, project_id: int, user_id: int) -> bool:
    cursor = await connection.execute(_IS_THEIRS, (project_id, user_id))
    return await cursor.fetchone() is not None


async def _complete(
    connection: Connection,
    row: OwnedRow,
    values: Mapping[str, Any],
    fields: Mapping[str, Any],
    today: date,
) -> FieldChange:
    """Complete a task, whose new `values` include the changed `fields`.

    The rule of a recurring task moves to the next occurrence, which is created.
    """
    clock = await fetch_one(connection, "SELECT to_jsonb(clock_timestamp()) AS now")
    new_fields = {**fields, "completed_at": clock["now"], "recurrence": ""}
    change = await row.replace(connection, new_fields)
    if not values["recurrence"]:
        return change
    due_date = date.fromisoformat(str(values["due_date"])) if values["due_date"] else today
    task = {"id": row.id, "rule": values["recurrence"], "due": due_date, "today": today}
    next_id, next_due = await continue_task(connection, row.user_id, task) or (None, None)
    return replace(change, next_id=next_id, next_due=next_due)
