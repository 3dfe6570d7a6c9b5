"""Blocks of time in PostgreSQL, whose constraint keeps a user's blocks from overlapping."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime, time, timedelta

from rich_agent.domain.agenda.schedule import NewBlock, ScheduleBlock
from rich_agent.domain.json_values import storable
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all

_BETWEEN = """
SELECT block.id, starts_at, ends_at, coalesce(task.title, block.title) AS title, task_id,
    block_type, coalesce(task.memory ->> 'origin', 'user') AS origin
FROM schedule_blocks AS block
LEFT JOIN tasks AS task ON task.id = task_id AND task.user_id = block.user_id
WHERE block.user_id = %(user_id)s AND starts_at < %(ends_at)s AND ends_at > %(starts_at)s
ORDER BY starts_at
"""
_TITLE = """
SELECT title, coalesce(memory ->> 'origin', 'user') AS origin
FROM tasks WHERE id = %s AND user_id = %s AND deleted_at IS NULL
"""
# With a conflict, both of two that come at once wait for the other's end; none fails.
_CREATE = """
INSERT INTO schedule_blocks (user_id, starts_at, ends_at, title, task_id, block_type)
VALUES (%(user_id)s, %(starts_at)s, %(ends_at)s, %(title)s, %(task_id)s, %(block_type)s)
ON CONFLICT ON CONSTRAINT schedule_blocks_do_not_overlap DO NOTHING
RETURNING id, starts_at, ends_at, title, task_id, block_type
"""


class PostgresSchedule(PostgresRepository):
    """Implements `Schedule`."""

    async def day(self, user_id: int, day: date) -> Sequence[ScheduleBlock]:
        begins = datetime.combine(day, time.min)
        named = {"user_id": user_id, "starts_at": begins, "ends_at": begins + timedelta(days=1)}
        return [ScheduleBlock(**row) for row in await self._rows(_BETWEEN, named)]

    async def create(
        self, user_id: int, new: NewBlock
    ) -> ScheduleBlock | Sequence[ScheduleBlock] | None:
        values = {**storable(asdict(new)), "user_id": user_id}
        async with checkout_held(self._pool) as connection:
            if new.task_id is not None:
                titled = await connection.execute(_TITLE, (new.task_id, user_id))
                task = await titled.fetchone()
                if task is None:
                    return None
                values |= task
            row = await (await connection.execute(_CREATE, values)).fetchone()
            if row is not None:
                return ScheduleBlock(**row, origin=values.get("origin", "user"))
            return [ScheduleBlock(**one) for one in await fetch_all(connection, _BETWEEN, values)]

    async def delete(self, user_id: int, block_id: int) -> bool:
        gone = "DELETE FROM schedule_blocks WHERE id = %s AND user_id = %s"
        return await self._run_held(gone, (block_id, user_id)) > 0
