"""Projects and goals in PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from psycopg import sql

from rich_agent.domain.agenda.plans import Goal, NewGoal, NewProject, Project
from rich_agent.domain.agenda.tasks import FieldChange
from rich_agent.domain.json_values import storable
from rich_agent.repositories.agenda.fields import OwnedRow
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one

_GOAL = sql.SQL(", ").join(sql.Identifier(column.name) for column in fields(Goal))
_CREATE_PROJECT = """
INSERT INTO projects (user_id, name, description, importance, action_plan)
VALUES (%(user_id)s, %(name)s, %(description)s, %(importance)s, %(action_plan)s)
RETURNING id, name, description, importance, action_plan, is_archived, created_at
"""
_PROJECTS = """
SELECT id, name, description, importance, action_plan, is_archived, created_at,
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
INSERT INTO goals (user_id, title, timeframe, target_date, progress)
VALUES (%(user_id)s, %(title)s, %(timeframe)s, %(target_date)s, %(progress)s)
RETURNING {columns}
""").format(columns=_GOAL)
_GOALS = sql.SQL("""
SELECT {columns} FROM goals
WHERE user_id = %(user_id)s AND (%(timeframe)s::text IS NULL OR timeframe = %(timeframe)s)
ORDER BY target_date NULLS LAST, id
""").format(columns=_GOAL)


class _ChangeableRows(PostgresRepository):
    """Rows of which fields are replaced and put back."""

    async def _replace(self, one: OwnedRow, fields: Mapping[str, Any]) -> FieldChange | None:
        async with checkout_held(self._pool) as connection:
            if await one.read(connection) is None:
                return None
            return await one.replace(connection, fields)

    async def _put_back(self, one: OwnedRow, change: FieldChange) -> bool:
        async with checkout_held(self._pool) as connection:
            return bool(await one.put_back(connection, change))


class PostgresProjects(_ChangeableRows):
    """Implements `Projects`."""

    async def create(self, user_id: int, new: NewProject) -> Project:
        values = {**storable(asdict(new)), "user_id": user_id}
        async with checkout_held(self._pool) as connection:
            return Project(**await fetch_one(connection, _CREATE_PROJECT, values))

    async def all(self, user_id: int, *, with_archived: bool = False) -> Sequence[Project]:
        named = {"user_id": user_id, "id": None, "with_archived": with_archived}
        return [Project(**row) for row in await self._rows(_PROJECTS, named)]

    async def find(self, user_id: int, project_id: int) -> Project | None:
        named = {"user_id": user_id, "id": project_id, "with_archived": True}
        row = await self._row(_PROJECTS, named)
        return Project(**row) if row else None

    async def update(
        self, user_id: int, project_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        return await self._replace(OwnedRow("projects", user_id, project_id), fields)

    async def take_back(self, user_id: int, project_id: int, change: FieldChange) -> bool:
        return await self._put_back(OwnedRow("projects", user_id, project_id), change)

    async def delete(self, user_id: int, project_id: int) -> bool:
        gone = "DELETE FROM projects WHERE id = %s AND user_id = %s"
        return await self._run_held(gone, (project_id, user_id)) > 0


class PostgresGoals(_ChangeableRows):
    """Implements `Goals`."""

    async def create(self, user_id: int, new: NewGoal) -> Goal:
        values = {**storable(asdict(new)), "user_id": user_id}
        async with checkout_held(self._pool) as connection:
            return Goal(**await fetch_one(connection, _CREATE_GOAL, values))

    async def all(self, user_id: int, timeframe: str | None = None) -> Sequence[Goal]:
        named = {"user_id": user_id, "timeframe": timeframe}
        return [Goal(**row) for row in await self._rows(_GOALS, named)]

    async def update(
        self, user_id: int, goal_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        return await self._replace(OwnedRow("goals", user_id, goal_id), fields)

    async def take_back(self, user_id: int, goal_id: int, change: FieldChange) -> bool:
        return await self._put_back(OwnedRow("goals", user_id, goal_id), change)

    async def delete(self, user_id: int, goal_id: int) -> bool:
        gone = "DELETE FROM goals WHERE id = %s AND user_id = %s"
        return await self._run_held(gone, (goal_id, user_id)) > 0
