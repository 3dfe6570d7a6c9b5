"""The record of syncs: when each ran, what it did, and how it ended."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from ingest.sync.locks import Lock, LockConnection
from ingest.sync.report import SyncReport
from rich_agent.domain.json_values import storable
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one

# A running sync holds a lock on its run.
_END_DEAD_RUNS = """
WITH running AS MATERIALIZED (SELECT id FROM rag_sync_runs WHERE status = 'running')
UPDATE rag_sync_runs SET status = 'failed', error = 'ended without a word', finished_at = now()
WHERE id IN (SELECT id FROM running WHERE pg_try_advisory_xact_lock(%s, id::integer))
"""

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
        """Record a run with `report` as its summary; gives its start by the database's clock."""
        await self._run(_END_DEAD_RUNS, (Lock.RUN,))
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
