"""Projects, goals, notes and blocks of time in PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from psycopg import sql
from psycopg.errors import ExclusionViolation

from rich_agent.feature import PostgresRepository
from rich_agent.feature.database import (
    checkout,
    checkout_held,
    clean_text,
    fetch_all,
    fetch_one,
    storable,
    telling_pages,
)
from rich_agent.feature.text import Origin
from rich_agent.features.agenda.domain.plans import (
    Goal,
    ListPosition,
    NewBlock,
    NewGoal,
    NewProject,
    Note,
    NoteFolder,
    Project,
    ScheduleBlock,
)
from rich_agent.features.agenda.domain.tasks import FieldChange
from rich_agent.features.agenda.repositories.fields import OwnedRow

_GOAL = sql.SQL(", ").join(sql.Identifier(column.name) for column in fields(Goal))
_CREATE_PROJECT = """
INSERT INTO projects (user_id, name, description, importance, action_plan, origin)
VALUES (%(user_id)s, %(name)s, %(description)s, %(importance)s, %(action_plan)s, %(origin)s)
RETURNING id, name, description, importance, action_plan, is_archived, created_at, origin
"""
_PROJECTS = """
SELECT id, name, description, importance, action_plan, is_archived, created_at, origin,
    (SELECT count(*) FROM tasks WHERE {of_project} AND status <> 'done') AS open_tasks,
    (SELECT count(*) FROM tasks WHERE {of_project} AND status = 'done') AS done_tasks
FROM projects
WHERE user_id = %(user_id)s AND (%(id)s::bigint IS NULL OR id = %(id)s)
    AND (%(with_archived)s OR NOT is_archived)
ORDER BY importance DESC, id
""".format(
    of_project="tasks.project_id = projects.id AND tasks.user_id = %(user_id)s"
    " AND NOT tasks.is_archived AND tasks.deleted_at IS NULL"
)
_CREATE_GOAL = sql.SQL("""
INSERT INTO goals (user_id, title, timeframe, target_date, progress, origin)
VALUES (%(user_id)s, %(title)s, %(timeframe)s, %(target_date)s, %(progress)s, %(origin)s)
RETURNING {columns}
""").format(columns=_GOAL)
_GOALS = sql.SQL("""
SELECT {columns} FROM goals
WHERE user_id = %(user_id)s AND (%(timeframe)s::text IS NULL OR timeframe = %(timeframe)s)
ORDER BY target_date NULLS LAST, id
""").format(columns=_GOAL)


class _ChangeableRows(PostgresRepository):
    """Rows whose fields can be replaced and restored."""

    async def _replace(self, row: OwnedRow, fields: Mapping[str, Any]) -> FieldChange | None:
        async with checkout_held(self._pool) as connection:
            if await row.read(connection) is None:
                return None
            return await row.replace(connection, fields)

    async def _put_back(self, row: OwnedRow, change: FieldChange) -> bool:
        async with checkout_held(self._pool) as connection:
            return bool(await row.put_back(connection, change))


class PostgresProjects(_ChangeableRows):
    """Implements `Projects`."""

    async def create(self, user_id: int, new: NewProject) -> Project:
        values = {**storable(asdict(new)), "user_id": user_id}
        async with checkout_held(self._pool) as connection:
            return Project(**await fetch_one(connection, _CREATE_PROJECT, values))

    async def all(self, user_id: int, *, with_archived: bool = False) -> Sequence[Project]:
        values = {"user_id": user_id, "id": None, "with_archived": with_archived}
        return [Project(**row) for row in await self._rows(_PROJECTS, values)]

    async def find(self, user_id: int, project_id: int) -> Project | None:
        values = {"user_id": user_id, "id": project_id, "with_archived": True}
        row = await self._row(_PROJECTS, values)
        return Project(**row) if row else None

    async def update(
        self, user_id: int, project_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        return await self._replace(OwnedRow("projects", user_id, project_id), fields)

    async def take_back(self, user_id: int, project_id: int, change: FieldChange) -> bool:
        return await self._put_back(OwnedRow("projects", user_id, project_id), change)

    async def delete(self, user_id: int, project_id: int) -> bool:
        query = "DELETE FROM projects WHERE id = %s AND user_id = %s"
        return await self._run_in_lane(query, (project_id, user_id)) > 0


class PostgresGoals(_ChangeableRows):
    """Implements `Goals`."""

    async def create(self, user_id: int, new: NewGoal) -> Goal:
        values = {**storable(asdict(new)), "user_id": user_id}
        async with checkout_held(self._pool) as connection:
            return Goal(**await fetch_one(connection, _CREATE_GOAL, values))

    async def all(self, user_id: int, timeframe: str | None = None) -> Sequence[Goal]:
        values = {"user_id": user_id, "timeframe": timeframe}
        return [Goal(**row) for row in await self._rows(_GOALS, values)]

    async def update(
        self, user_id: int, goal_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        return await self._replace(OwnedRow("goals", user_id, goal_id), fields)

    async def take_back(self, user_id: int, goal_id: int, change: FieldChange) -> bool:
        return await self._put_back(OwnedRow("goals", user_id, goal_id), change)

    async def delete(self, user_id: int, goal_id: int) -> bool:
        query = "DELETE FROM goals WHERE id = %s AND user_id = %s"
        return await self._run_in_lane(query, (goal_id, user_id)) > 0


_NOTE = sql.SQL(", ").join(sql.Identifier(column.name) for column in fields(Note))
_CREATE = sql.SQL("""
INSERT INTO notes (user_id, title, content, folder_id, origin)
SELECT %(user_id)s, %(title)s, %(content)s, %(folder_id)s, %(origin)s
WHERE %(folder_id)s::bigint IS NULL OR EXISTS (
    SELECT FROM note_folders WHERE id = %(folder_id)s AND user_id = %(user_id)s
)
RETURNING {columns}
""").format(columns=_NOTE)
_WANTED = sql.SQL("""
FROM notes WHERE user_id = %(user_id)s AND deleted_at IS NULL
    AND (%(folder_id)s::bigint IS NULL OR folder_id = %(folder_id)s)
""")
_COUNT = sql.SQL("SELECT count(*) AS total {wanted}").format(wanted=_WANTED)
_PAGE = sql.SQL("""
SELECT {columns} {wanted} ORDER BY updated_at DESC, id DESC LIMIT %(limit)s OFFSET %(offset)s
""").format(columns=_NOTE, wanted=_WANTED)
_FOLLOWING = sql.SQL("""
SELECT {columns} FROM notes
WHERE user_id = %(user_id)s AND deleted_at IS NULL
    AND (updated_at, id) < (%(updated_at)s::timestamptz, %(id)s)
ORDER BY updated_at DESC, id DESC LIMIT %(limit)s
""").format(columns=_NOTE)
_OWN_FOLDER = "SELECT FROM note_folders WHERE id = %s AND user_id = %s"
_FIND = sql.SQL("""
SELECT {columns} FROM notes WHERE id = %s AND user_id = %s AND deleted_at IS NULL
""").format(columns=_NOTE)
_DELETE = telling_pages("""
UPDATE notes SET deleted_at = clock_timestamp()
WHERE id = %s AND user_id = %s AND deleted_at IS NULL
""")
_RESTORE = telling_pages("""
UPDATE notes SET deleted_at = NULL WHERE id = %s AND user_id = %s AND deleted_at IS NOT NULL
""")
_FOLDERS = """
SELECT id, name, (
    SELECT count(*) FROM notes
    WHERE folder_id = folder.id AND user_id = folder.user_id AND deleted_at IS NULL
) AS notes
FROM note_folders AS folder
WHERE user_id = %(user_id)s AND (%(name)s::text IS NULL OR name = %(name)s)
ORDER BY name
"""
_MAKE_FOLDER = telling_pages("""
INSERT INTO note_folders (user_id, name) VALUES (%(user_id)s, %(name)s)
ON CONFLICT (user_id, name) DO NOTHING
""")


class PostgresNotes(_ChangeableRows):
    """Implements `Notes`."""

    async def create(
        self,
        user_id: int,
        title: str,
        content: str,
        folder_id: int | None = None,
        *,
        origin: Origin = "user",
    ) -> Note | None:
        values = {
            "user_id": user_id,
            "title": clean_text(title),
            "content": clean_text(content),
            "folder_id": folder_id,
            "origin": origin,
        }
        row = await self._row_in_lane(_CREATE, values)
        return Note(**row) if row else None

    async def page(
        self, user_id: int, limit: int, offset: int = 0, folder_id: int | None = None
    ) -> tuple[Sequence[Note], int]:
        values = {"user_id": user_id, "folder_id": folder_id, "limit": limit, "offset": offset}
        async with checkout(self._pool) as connection:
            total = (await fetch_one(connection, _COUNT, values))["total"]
            rows = await fetch_all(connection, _PAGE, values)
        return [Note(**row) for row in rows], total

    async def find(self, user_id: int, note_id: int) -> Note | None:
        row = await self._row(_FIND, (note_id, user_id))
        return Note(**row) if row else None

    async def following(
        self, user_id: int, after: ListPosition | None, limit: int
    ) -> Sequence[Note]:
        values = {
            "user_id": user_id,
            "updated_at": after.at if after else "infinity",
            "id": after.id if after else 0,
            "limit": limit,
        }
        return [Note(**row) for row in await self._rows(_FOLLOWING, values)]

    async def update(
        self, user_id: int, note_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        folder_id = fields.get("folder_id")
        if folder_id and await self._row(_OWN_FOLDER, (folder_id, user_id)) is None:
            return None
        return await self._replace(_row_of_note(user_id, note_id), fields)

    async def take_back(self, user_id: int, note_id: int, change: FieldChange) -> bool:
        return await self._put_back(_row_of_note(user_id, note_id), change)

    async def delete(self, user_id: int, note_id: int) -> bool:
        return await self._run_in_lane(_DELETE, (note_id, user_id)) > 0

    async def restore(self, user_id: int, note_id: int) -> bool:
        return await self._run_in_lane(_RESTORE, (note_id, user_id)) > 0

    async def folders(self, user_id: int) -> Sequence[NoteFolder]:
        rows = await self._rows(_FOLDERS, {"user_id": user_id, "name": None})
        return [NoteFolder(**row) for row in rows]

    async def open_folder(self, user_id: int, name: str) -> NoteFolder:
        values = {"user_id": user_id, "name": clean_text(name)}
        async with checkout_held(self._pool) as connection:
            await connection.execute(_MAKE_FOLDER, values)
            return NoteFolder(**await fetch_one(connection, _FOLDERS, values))


def _row_of_note(user_id: int, note_id: int) -> OwnedRow:
    return OwnedRow("notes", user_id, note_id, "deleted_at IS NULL")


_BLOCK = """
SELECT block.id, starts_at, ends_at, coalesce(task.title, block.title) AS title, task_id,
    block_type, coalesce(task.origin, block.origin) AS origin
FROM schedule_blocks AS block
LEFT JOIN tasks AS task ON task.id = task_id AND task.user_id = block.user_id
WHERE block.user_id = %(user_id)s AND {condition}
ORDER BY starts_at
"""
_BETWEEN = _BLOCK.format(condition="starts_at < %(ends_at)s AND ends_at > %(starts_at)s")
_ONE_BLOCK = _BLOCK.format(condition="block.id = %(id)s")
_MOVE_BLOCK = """
UPDATE schedule_blocks
SET starts_at = %(starts_at)s, ends_at = %(starts_at)s + (ends_at - starts_at)
WHERE id = %(id)s AND user_id = %(user_id)s
"""
_TITLE = """
SELECT title, origin FROM tasks WHERE id = %s AND user_id = %s AND deleted_at IS NULL
"""
# With a conflict, both of two that come at once wait for the other's end; none fails.
_CREATE_BLOCK = """
INSERT INTO schedule_blocks (user_id, starts_at, ends_at, title, task_id, block_type, origin)
VALUES (%(user_id)s, %(starts_at)s, %(ends_at)s, %(title)s, %(task_id)s, %(block_type)s,
    %(origin)s)
ON CONFLICT ON CONSTRAINT schedule_blocks_do_not_overlap DO NOTHING
RETURNING id, starts_at, ends_at, title, task_id, block_type, origin
"""


class PostgresSchedule(PostgresRepository):
    """Implements `Schedule`."""

    async def day(self, user_id: int, day: date) -> Sequence[ScheduleBlock]:
        begins = datetime.combine(day, time.min)
        values = {"user_id": user_id, "starts_at": begins, "ends_at": begins + timedelta(days=1)}
        return [ScheduleBlock(**row) for row in await self._rows(_BETWEEN, values)]

    async def create(
        self, user_id: int, new: NewBlock
    ) -> ScheduleBlock | Sequence[ScheduleBlock] | None:
        values = {**storable(asdict(new)), "user_id": user_id}
        async with checkout_held(self._pool) as connection:
            if new.task_id is not None:
                cursor = await connection.execute(_TITLE, (new.task_id, user_id))
                task = await cursor.fetchone()
                if task is None:
                    return None
                values |= task
            row = await (await connection.execute(_CREATE_BLOCK, values)).fetchone()
            if row is not None:
                return ScheduleBlock(**row)
            return [ScheduleBlock(**one) for one in await fetch_all(connection, _BETWEEN, values)]

    async def find(self, user_id: int, block_id: int) -> ScheduleBlock | None:
        row = await self._row(_ONE_BLOCK, {"user_id": user_id, "id": block_id})
        return ScheduleBlock(**row) if row else None

    async def move(
        self, user_id: int, block_id: int, starts_at: datetime
    ) -> ScheduleBlock | Sequence[ScheduleBlock] | None:
        async with checkout_held(self._pool) as connection:
            block = await self.find(user_id, block_id)
            if block is None:
                return None
            moved = replace(block, starts_at=starts_at, ends_at=starts_at + block.length)
            values = {"user_id": user_id, "id": block_id, "starts_at": starts_at}
            try:
                async with connection.transaction():
                    await connection.execute(_MOVE_BLOCK, values)
            except ExclusionViolation:
                values |= {"ends_at": moved.ends_at}
                rows = await fetch_all(connection, _BETWEEN, values)
                return [ScheduleBlock(**row) for row in rows if row["id"] != block_id]
            return moved

    async def delete(self, user_id: int, block_id: int) -> bool:
        query = "DELETE FROM schedule_blocks WHERE id = %s AND user_id = %s"
        return await self._run_in_lane(query, (block_id, user_id)) > 0
