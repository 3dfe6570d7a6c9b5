"""Locks between processes; all locks of a process share one connection of its pool."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

import psycopg

from rich_agent.repositories.database.pools import Connection, Pool, translate_database_errors

_WAIT_S = 180.0
_PAUSE_S = 0.2


@dataclass(slots=True)
class _Shared:
    connection: Connection
    users: int = 0


class AdvisoryLocks:
    """Locks to hold for some seconds; while there are any, they occupy one connection of `pool`.

    Source: PostgreSQL, "Advisory Locks", session level.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._here: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._opening = asyncio.Lock()
        self._session: _Shared | None = None

    @asynccontextmanager
    async def hold(self, key: str) -> AsyncIterator[None]:
        """Hold the lock named `key` in this block; errors of the block are passed on unchanged.

        Raises: DatabaseUnavailableError, also if the lock was not free within 180 s.
        """
        process_lock = self._here.setdefault(key, asyncio.Lock())
        async with AsyncExitStack() as stack:
            with translate_database_errors(self._pool):
                async with asyncio.timeout(_WAIT_S):
                    await stack.enter_async_context(process_lock)
                    connection = await stack.enter_async_context(self._lock_connection())
                    stack.push_async_callback(_unlock, connection, key)
                    await _lock(connection, key)
            yield

    @asynccontextmanager
    async def _lock_connection(self) -> AsyncIterator[Connection]:
        """The connection of all locks; a new one if the earlier one was lost, with its locks."""
        async with self._opening:
            session = self._session
            if session is None or session.connection.closed:
                session = self._session = _Shared(await self._pool.getconn())
            session.users += 1
        try:
            yield session.connection
        finally:
            session.users -= 1
            if session.users == 0:
                if self._session is session:
                    self._session = None
                await self._pool.putconn(session.connection)


async def _lock(connection: Connection, key: str) -> None:
    query = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0)) AS is_ours"
    # Waiting in the database would block all other locks of the connection.
    while True:
        row = await (await connection.execute(query, (key,))).fetchone()
        if row and row["is_ours"]:
            return
        await asyncio.sleep(_PAUSE_S)


async def _unlock(connection: Connection, key: str) -> None:
    with suppress(psycopg.Error):  # a lost connection has lost its locks
        await connection.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", (key,))
