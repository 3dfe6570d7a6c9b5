"""Lessons that are yet to be learned, as due work in PostgreSQL."""

from rich_agent.ports.due_work import NewWork
from rich_agent.ports.memories import LESSON_WORK, Lesson
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all
from rich_agent.repositories.due_work import add_due

_OF_LESSONS = f"FROM due_work WHERE kind = '{LESSON_WORK}'"
_REVISION = f"""
SELECT (payload ->> 'revision')::bigint AS revision {_OF_LESSONS} AND key = %s FOR UPDATE
"""
_IS_CURRENT = f"SELECT {_OF_LESSONS} AND key = %s AND (payload ->> 'revision')::bigint = %s"


class PostgresLessons(PostgresRepository):
    """Implements `Lessons`."""

    async def keep(self, lesson: Lesson, delay_s: float = 0.0) -> None:
        payload, request_id = lesson.to_payload(), lesson.request_id
        work = NewWork(LESSON_WORK, lesson.key, lesson.user_id, delay_s, payload, request_id)
        async with checkout_held(self._pool) as connection:
            rows = await fetch_all(connection, _REVISION, (lesson.key,))
            if all(row["revision"] < lesson.revision for row in rows):
                await add_due(connection, work)

    async def are_waiting(self, user_id: int) -> bool:
        query = f"SELECT {_OF_LESSONS} AND user_id = %s LIMIT 1"
        return await self._run(query, (user_id,)) > 0

    async def is_current(self, lesson: Lesson) -> bool:
        return await self._run(_IS_CURRENT, (lesson.key, lesson.revision)) > 0

    async def drop(self, user_id: int, request_id: str) -> None:
        key = f"{user_id}:{request_id}"
        await self._run_in_lane(f"DELETE {_OF_LESSONS} AND key = %s", (key,))

    async def count(self) -> int:
        return int((await self._one(f"SELECT count(*) AS waiting {_OF_LESSONS}"))["waiting"])
