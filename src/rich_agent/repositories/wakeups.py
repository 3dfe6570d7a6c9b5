"""Waits for work in the inbox: NOTIFY tells of it, the lanes' own times are the net under it."""

import asyncio
from contextlib import aclosing

import psycopg

from rich_agent.repositories.database import Connection, Pool, translate_database_errors

CHANNEL = "telegram_inbox"
_SHORTEST_WAIT_S = 0.02
_UNLISTEN_S = 1.0
_READY_IN = """
SELECT extract(epoch FROM min(ready_at) - clock_timestamp())::float8 AS ready_in_s
FROM telegram_lanes
"""


class Wakeups:
    """Listens on a connection that it keeps from the pool, and takes a new one when it breaks."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._connection: Connection | None = None
        self._one_at_a_time = asyncio.Lock()

    async def wait(self, timeout_s: float) -> None:
        """Return when work came or a lane is ready, at the latest after `timeout_s`.

        Raises: DatabaseUnavailableError.
        """
        async with self._one_at_a_time:
            try:
                with translate_database_errors(self._pool):
                    await self._wait(timeout_s)
            except BaseException:
                # Nobody knows what the connection was doing just then.
                await self.close()
                raise

    async def _wait(self, timeout_s: float) -> None:
        if self._connection is None:
            self._connection = await self._pool.getconn()
            await self._connection.execute(f"LISTEN {CHANNEL}")
        # After LISTEN, so that what was stored before is seen, and what comes later is heard.
        row = await (await self._connection.execute(_READY_IN)).fetchone()
        if row and row["ready_in_s"] is not None:
            timeout_s = min(timeout_s, max(row["ready_in_s"], _SHORTEST_WAIT_S))
        async with aclosing(self._connection.notifies(timeout=timeout_s, stop_after=1)) as notices:
            async for _ in notices:
                return

    async def close(self) -> None:
        """Stop listening and give the connection back."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            async with asyncio.timeout(_UNLISTEN_S):
                await connection.execute("UNLISTEN *")
        except (psycopg.Error, TimeoutError):
            # A connection that may still listen must not serve others.
            await connection.close()
        await self._pool.putconn(connection)
