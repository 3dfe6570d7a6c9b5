"""Advisory locks of a session, which disappear at once with their process.

One connection holds all locks of a sync while it runs, without an open transaction. If a machine
becomes silent, the server notices within a minute.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum

from rich_agent.repositories.database.pools import Connection, Pool, checkout
from rich_agent.repositories.database.repository import fetch_one

_KEEP_ALIVE = """
SELECT set_config('tcp_keepalives_idle', '30', false),
    set_config('tcp_keepalives_interval', '10', false),
    set_config('tcp_keepalives_count', '3', false)
"""
_LEAVE = "SELECT pg_advisory_unlock_all()"


class Lock(IntEnum):
    """The subject of a lock: the first of its two numbers, which no other program may use."""

    RUN = 0x72_61_67_01
    ROUND_OPENING = 0x72_61_67_02
    ROUND = 0x72_61_67_03
    ROUND_END = 0x72_61_67_04
    BATCH = 0x72_61_67_05
    SEARCH_INDEX = 0x72_61_67_06


class LockConnection:
    """The connection that holds the locks."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    async def try_lock(self, lock: Lock, key: int, *, shared: bool = False) -> bool:
        """Take a lock if no other session holds it (shared: if none holds it exclusively)."""
        name = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
        query = f"SELECT {name}(%s, %s) AS held"
        return bool((await fetch_one(self.connection, query, (lock, key)))["held"])

    async def unlock(self, lock: Lock, key: int, *, shared: bool = False) -> None:
        """Release a lock."""
        name = "pg_advisory_unlock_shared" if shared else "pg_advisory_unlock"
        await self.connection.execute(f"SELECT {name}(%s, %s)", (lock, key))


@asynccontextmanager
async def open_lock_session(pool: Pool) -> AsyncIterator[LockConnection]:
    """A session for locks; all of them are released at the end.

    Raises: DatabaseUnavailableError.
    """
    async with checkout(pool) as connection:
        await connection.execute(_KEEP_ALIVE)
        try:
            yield LockConnection(connection)
        finally:
            await connection.execute(_LEAVE)
