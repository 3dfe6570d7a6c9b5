"""Lessons that wait to be learned, in PostgreSQL."""

from dataclasses import asdict

from rich_agent.ports.memories import Lesson
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.inbox.attempts import FITS_PROCESS

_KEEP = """
INSERT INTO pending_lessons AS known (user_id, request_id, revision, text, told_at, due_at)
VALUES (%(user_id)s, %(request_id)s, %(revision)s, %(text)s, %(told_at)s,
    clock_timestamp() + make_interval(secs => %(delay_s)s))
ON CONFLICT (user_id, request_id) DO UPDATE SET revision = excluded.revision,
    text = excluded.text, told_at = excluded.told_at, due_at = excluded.due_at, tries = 0,
    refusals = 0
WHERE known.revision < excluded.revision
"""

_OF_THIS = "kind = 'lesson' AND key = due.id"
_SET_ASIDE = """EXISTS (
    SELECT FROM attempts WHERE kind = 'lesson' AND key = {}.id AND letter IS NOT NULL
)"""
# A user's older lesson comes first, even if it has to wait, unless it was set aside.
_TAKE = f"""
UPDATE pending_lessons
SET due_at = clock_timestamp() + make_interval(secs => %(lease_s)s), tries = tries + 1
WHERE id = (
    SELECT id FROM pending_lessons AS due
    WHERE due_at <= clock_timestamp() AND NOT {_SET_ASIDE.format("due")}
        AND {FITS_PROCESS.format(_OF_THIS)} AND NOT EXISTS (
        SELECT FROM pending_lessons AS earlier
        WHERE earlier.user_id = due.user_id AND earlier.id < due.id
            AND NOT {_SET_ASIDE.format("earlier")}
    )
    ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING user_id, request_id, text, told_at, revision, tries, refusals, id AS number
"""

_THIS = "user_id = %(user_id)s AND request_id = %(request_id)s AND revision = %(revision)s"


class PostgresLessons(PostgresRepository):
    """Implements `Lessons`."""

    async def keep(self, lesson: Lesson, delay_s: float = 0.0) -> None:
        await self._run_held(_KEEP, {**asdict(lesson), "delay_s": delay_s})

    async def are_waiting(self, user_id: int) -> bool:
        found = await self._run(
            "SELECT FROM pending_lessons WHERE user_id = %s LIMIT 1", (user_id,)
        )
        return found > 0

    async def take(self, lease_s: float, *, is_lone: bool = False) -> Lesson | None:
        row = await self._row(_TAKE, {"lease_s": lease_s, "is_lone": is_lone})
        return Lesson(**row) if row else None

    async def is_current(self, lesson: Lesson) -> bool:
        return await self._run(f"SELECT FROM pending_lessons WHERE {_THIS}", asdict(lesson)) > 0

    async def postpone(self, lesson: Lesson, delay_s: float) -> None:
        await self._run(
            "UPDATE pending_lessons SET refusals = %(refusals)s, "
            "due_at = clock_timestamp() + make_interval(secs => %(delay_s)s) "
            f"WHERE {_THIS}",
            {**asdict(lesson), "delay_s": delay_s},
        )

    async def drop(self, user_id: int, request_id: str) -> None:
        await self._run_held(
            "DELETE FROM pending_lessons WHERE user_id = %s AND request_id = %s",
            (user_id, request_id),
        )

    async def prune(self, days: float) -> int:
        """Forget those of turns more than `days` ago, which were set aside; returns how many."""
        aside = _SET_ASIDE.format("pending_lessons")
        return await self._prune("pending_lessons", "told_at", days, also=aside)

    async def count(self) -> int:
        return int((await self._one("SELECT count(*) AS waiting FROM pending_lessons"))["waiting"])
