"""The record of syncs: their times, their results, and the source that each reads now."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from socket import gethostname
from typing import Any

from psycopg.types.json import Jsonb

from ingest.sync.report import Failure, SyncReport
from rich_agent.documents.index.locks import Lock, LockConnection
from rich_agent.documents.source import Source
from rich_agent.domain.json_values import storable
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one

_END_DEAD = """
WITH running AS MATERIALIZED (SELECT id FROM rag_sync_runs WHERE status = 'running')
UPDATE rag_sync_runs SET status = 'failed', error = 'ended without a word', finished_at = now()
WHERE id IN (SELECT id FROM running WHERE pg_try_advisory_xact_lock(%s, id::integer))
"""
_FAILURE_CHARS = 500
_PRUNE = "DELETE FROM rag_sync_runs WHERE finished_at < now() - interval '90 days'"
_LATEST = """
SELECT started_at, finished_at, status, summary, error FROM rag_sync_runs
ORDER BY started_at DESC, id DESC LIMIT %s
"""
_END = """
UPDATE rag_sync_runs SET finished_at = clock_timestamp(), status = %s, summary = %s, error = %s,
    source = NULL, source_id = NULL
WHERE id = %s
"""
_BEGIN_LISTING = """
UPDATE rag_sync_runs SET source = %(name)s, source_id = %(source)s, documents = NULL, done = 0,
    failed = 0, last_failure = '', source_started_at = clock_timestamp()
WHERE id = %(run)s
"""
_BEGIN_READING = "UPDATE rag_sync_runs SET documents = %s WHERE id = %s"
_ADVANCE = """
UPDATE rag_sync_runs SET done = %(done)s, failed = %(failed)s, last_failure = %(last_failure)s
WHERE id = %(run)s
RETURNING EXISTS (SELECT FROM rag_sources WHERE id = %(source)s) AS is_registered
"""
_END_SOURCE = "UPDATE rag_sync_runs SET source = NULL, source_id = NULL WHERE id = %s"


@dataclass(frozen=True, slots=True)
class SyncRun:
    """A running sync, with its start by the database's clock.

    It writes over the connection of its locks: a run that loses its locks can write no more.
    """

    id: int
    began: datetime
    locks: LockConnection

    async def now(self) -> datetime:
        """The time by the database's clock."""
        query = "SELECT clock_timestamp() AS now"
        now: datetime = (await fetch_one(self.locks.connection, query))["now"]
        return now

    async def begin_listing(self, source: Source) -> None:
        """Record that the documents of a source are being listed."""
        parameters = {"run": self.id, "name": source.name, "source": source.id}
        await self.locks.connection.execute(_BEGIN_LISTING, parameters)

    async def begin_reading(self, documents: int) -> None:
        """Record that the source is listed, with its number of documents."""
        await self.locks.connection.execute(_BEGIN_READING, (documents, self.id))

    async def advance(self, source: Source, count: int, failures: Sequence[Failure] = ()) -> bool:
        """Record the number of finished documents, and the failures among them.

        Return False if the source was removed.
        """
        last_failure = f"{failures[-1].url}: {failures[-1].reason}" if failures else ""
        parameters = {
            "run": self.id,
            "source": source.id,
            "done": count,
            "failed": len(failures),
            "last_failure": clean_text(last_failure)[:_FAILURE_CHARS],
        }
        return bool((await fetch_one(self.locks.connection, _ADVANCE, parameters))["is_registered"])

    async def end_source(self) -> None:
        """Record that no source is being read."""
        await self.locks.connection.execute(_END_SOURCE, (self.id,))


class PostgresRuns(PostgresRepository):
    """Reads and writes `rag_sync_runs`."""

    @asynccontextmanager
    async def recorded(self, locks: LockConnection, report: SyncReport) -> AsyncIterator[SyncRun]:
        """Record a run for the time of the block, with `report` as its summary.

        Runs that ended more than 90 days ago are deleted, because workers sync many times a day.
        """
        await self._run(_END_DEAD, (Lock.RUN,))
        await self._run(_PRUNE)
        async with locks.connection.transaction():
            insert = "INSERT INTO rag_sync_runs (runner) VALUES (%s) RETURNING id, started_at"
            row = await fetch_one(locks.connection, insert, (f"{gethostname()}, {os.getpid()}",))
            await locks.try_lock(Lock.RUN, row["id"])
        try:
            yield SyncRun(row["id"], row["started_at"], locks)
        except (Exception, asyncio.CancelledError) as error:
            await self._end(row["id"], report, str(error) or "interrupted")
            raise
        await self._end(row["id"], report, None)

    async def latest(self, limit: int) -> list[dict[str, Any]]:
        """The latest runs, newest first: started_at, finished_at, status, summary, error."""
        return await self._rows(_LATEST, (limit,))

    async def _end(self, run_id: int, report: SyncReport, error: str | None) -> None:
        status = "done" if error is None else "failed"
        await self._run(_END, (status, Jsonb(storable(report.to_json())), error, run_id))
