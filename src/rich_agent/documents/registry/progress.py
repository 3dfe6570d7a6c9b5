"""The progress of syncs that are under way, whichever process runs them."""

from dataclasses import dataclass
from datetime import datetime

from rich_agent.documents.index.locks import Lock
from rich_agent.repositories.database.repository import PostgresRepository

# A running sync holds a lock on its run. A run without its lock was ended by a crash.
_READINGS = """
SELECT source, coalesce(source_id, '') AS source_id, runner, source_started_at AS started_at,
    documents, done, failed, last_failure, EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = id::integer
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS is_running
FROM rag_sync_runs WHERE status = 'running' AND source IS NOT NULL ORDER BY source
"""


@dataclass(frozen=True, slots=True)
class SourceReading:
    """A source that a sync reads now, or read when it was ended by a crash.

    `runner`: the machine and the process, "" if an older version runs.
    `documents`: the number of documents, None while they are listed.
    `done`, `failed`: the numbers of documents that are finished, and of those that failed.
    `last_failure`: the address and the reason of the latest failure, "" without one.
    """

    source: str
    source_id: str
    runner: str
    started_at: datetime
    documents: int | None
    done: int
    failed: int
    last_failure: str
    is_running: bool


class SyncProgressReader(PostgresRepository):
    """Reads which sources are being read, and how far."""

    async def readings(self) -> list[SourceReading]:
        """All sources that are being read, by name."""
        return [SourceReading(**row) for row in await self._rows(_READINGS, (Lock.RUN,))]
