"""Advisory locks of a database session, which end at once with their process.

One connection holds all locks of a sync while it runs, without an open transaction. If the machine
falls silent, the server notices within a minute.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum
from typing import Final

from rich_agent.repositories.database.pools import Connection, Pool, checkout
from rich_agent.repositories.database.repository import fetch_one

_POLL_S: Final = 0.1
_KEEP_ALIVE = """
SELECT set_config('tcp_keepalives_idle', '30', false),
    set_config('tcp_keepalives_interval', '10', false),
    set_config('tcp_keepalives_count', '3', false)
"""
_LEAVE = "SELECT pg_advisory_unlock_all()"


class Lock(IntEnum):
    """The kinds of locks.

    A kind is the first of a lock's two numbers, which no other program may use. Older versions used
    0x72616702 to 0x72616705.
    """

    RUN = 0x72_61_67_01
    SEARCH_INDEX = 0x72_61_67_06
    SOURCE = 0x72_61_67_07


class LockConnection:
    """The connection that holds the locks."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    async def try_lock(self, lock: Lock, key: int | str) -> bool:
        """Take a lock unless another session holds it; return whether it is held."""
        query = f"SELECT pg_try_advisory_lock(%s, {_number(key)}) AS is_held"
        return bool((await fetch_one(self.connection, query, (lock, key)))["is_held"])

    async def unlock(self, lock: Lock, key: int | str) -> None:
        """Release a lock."""
        await self.connection.execute(f"SELECT pg_advisory_unlock(%s, {_number(key)})", (lock, key))


def _number(key: int | str) -> str:
    """The SQL for a lock's second number; texts with the same hash share a lock."""
    return "%s" if isinstance(key, int) else "hashtext(%s)"


@asynccontextmanager
async def open_lock_session(pool: Pool) -> AsyncIterator[LockConnection]:
    """Open a session for locks; all its locks are released at the end.

    Raises: DatabaseUnavailableError.
    """
    async with checkout(pool) as connection:
        await connection.execute(_KEEP_ALIVE)
        try:
            yield LockConnection(connection)
        finally:
            await connection.execute(_LEAVE)


async def wait_for_lock(locks: LockConnection, lock: Lock, key: int | str) -> None:
    """Wait until no other session holds the lock, and take it."""
    while not await locks.try_lock(lock, key):  # noqa: ASYNC110 - the event is in PostgreSQL
        await asyncio.sleep(_POLL_S)
