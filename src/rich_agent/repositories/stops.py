"""Requests to stop an answer, in PostgreSQL."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.inbox.wakeups import STOPS_CHANNEL

# An update is in progress from its first attempt until it is done or given up, also while it waits
# for a busy model server.
_ASK = """
INSERT INTO telegram_stops AS known (update_id, user_id)
SELECT update_id, user_id FROM telegram_inbox
WHERE user_id = %(user_id)s AND NOT urgent AND done_at IS NULL AND dead_at IS NULL
    AND CASE WHEN %(update_id)s::bigint IS NULL THEN attempts + holds > 0
        ELSE update_id = %(update_id)s END
ORDER BY update_id LIMIT 1
ON CONFLICT (update_id) DO UPDATE SET user_id = known.user_id
RETURNING update_id
"""
# A lane without a holder is waiting; an update that has to stop need not wait.
_WAKE = """
UPDATE telegram_lanes SET ready_at = clock_timestamp()
WHERE user_id = %(user_id)s AND NOT urgent AND holder IS NULL AND EXISTS (
    SELECT FROM telegram_inbox WHERE update_id = %(update_id)s AND holds > 0
)
"""
_TELL = "SELECT pg_notify('telegram_inbox', ''), pg_notify('telegram_stops', %s)"
Hearing = Callable[[str, str], AbstractAsyncContextManager[asyncio.Event]]
"""Opens a context with an event for notifications of a channel and text; see `Wakeups.hearing`."""


class PostgresStops(PostgresRepository):
    """Implements `Stops`."""

    def __init__(self, pool: Pool, hearing: Hearing) -> None:
        super().__init__(pool)
        self._hearing = hearing

    def hearing(self, update_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        return self._hearing(STOPS_CHANNEL, str(update_id))

    async def ask(self, user_id: int, update_id: int | None = None) -> int | None:
        async with checkout(self._pool) as connection:
            cursor = await connection.execute(_ASK, {"user_id": user_id, "update_id": update_id})
            row = await cursor.fetchone()
            if row:
                await connection.execute(_WAKE, {"user_id": user_id, **row})
                await connection.execute(_TELL, (str(row["update_id"]),))
        return int(row["update_id"]) if row else None

    async def is_asked(self, update_id: int) -> bool:
        return await self._run("SELECT FROM telegram_stops WHERE update_id = %s", (update_id,)) > 0
