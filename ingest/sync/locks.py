"""Advisory locks of a session, which disappear at once with their process.

One connection holds all locks of a sync while it runs, without an open transaction. If a machine
becomes silent, the server notices within a minute.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from enum import IntEnum
from typing import Any

from psycopg.types.json import Jsonb

from ingest.sync.report import SyncReport
from rich_agent.domain.json_values import storable
from rich_agent.repositories.database.pools import Connection, Pool, checkout
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one

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

    async def try_lock(self, lock: Lock, key: int, *, is_shared: bool = False) -> bool:
        """Take a lock if no other session holds it (shared: if none holds it exclusively)."""
        name = "pg_try_advisory_lock_shared" if is_shared else "pg_try_advisory_lock"
        query = f"SELECT {name}(%s, %s) AS held"
        return bool((await fetch_one(self.connection, query, (lock, key)))["held"])

    async def unlock(self, lock: Lock, key: int, *, is_shared: bool = False) -> None:
        """Release a lock."""
        name = "pg_advisory_unlock_shared" if is_shared else "pg_advisory_unlock"
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


# A running sync holds a lock on its run.
_END_DEAD_RUNS = """
WITH running AS MATERIALIZED (SELECT id FROM rag_sync_runs WHERE status = 'running')
UPDATE rag_sync_runs SET status = 'failed', error = 'ended without a word', finished_at = now()
WHERE id IN (SELECT id FROM running WHERE pg_try_advisory_xact_lock(%s, id::integer))
"""

_PRUNE = "DELETE FROM rag_sync_runs WHERE finished_at < now() - interval '90 days'"
_LATEST = """
SELECT started_at, finished_at, status, summary, error FROM rag_sync_runs
ORDER BY started_at DESC, id DESC LIMIT %s
"""

_END = """
UPDATE rag_sync_runs SET finished_at = clock_timestamp(), status = %s, summary = %s, error = %s
WHERE id = %s
"""


class PostgresRuns(PostgresRepository):
    """Reads and writes `rag_sync_runs`."""

    @asynccontextmanager
    async def recorded(self, locks: LockConnection, report: SyncReport) -> AsyncIterator[datetime]:
        """Record a run with `report` as its summary; gives its start by the database's clock.

        Runs that ended 90 days ago are forgotten: workers sync many times a day.
        """
        await self._run(_END_DEAD_RUNS, (Lock.RUN,))
        await self._run(_PRUNE)
        async with locks.connection.transaction():
            insert = "INSERT INTO rag_sync_runs DEFAULT VALUES RETURNING id, started_at"
            row = await fetch_one(locks.connection, insert)
            await locks.try_lock(Lock.RUN, row["id"])
        try:
            yield row["started_at"]
        except (Exception, asyncio.CancelledError) as error:
            await self._end(row["id"], report, str(error) or "interrupted")
            raise
        await self._end(row["id"], report, None)

    async def latest(self, limit: int) -> list[dict[str, Any]]:
        """The newest runs first: started_at, finished_at, status, summary, error."""
        return await self._rows(_LATEST, (limit,))

    async def _end(self, run_id: int, report: SyncReport, error: str | None) -> None:
        status = "done" if error is None else "failed"
        await self._run(_END, (status, Jsonb(storable(report.to_json())), error, run_id))
