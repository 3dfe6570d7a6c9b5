"""The record of syncs, and the lock that keeps two of them from doing the same work."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from psycopg.types.json import Jsonb

from ingest.report import SyncReport
from rich_agent.errors import RichAgentError
from rich_agent.repositories.database import Connection, Pool, checkout
from rich_agent.repositories.json_values import storable

_ADVISORY_LOCK = 0x73_79_6E_63  # "sync"; any number that all processes share
_POLL_S = 0.2
_WAIT_S = 600.0


class SyncRunningError(RichAgentError):
    """Another sync holds the lock and does not end."""

    mend = "Wait until it has ended, or end it; `ingest status` shows when it began."


class PostgresRuns:
    """Reads and writes `rag_sync_runs`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @asynccontextmanager
    async def recorded(
        self, report: SyncReport, on_wait: Callable[[], None]
    ) -> AsyncIterator[None]:
        """Hold the lock and record a run, with `report` as its summary.

        `on_wait` is called when another sync must end first.
        Raises: SyncRunningError if that takes longer than 10 minutes.
        """
        async with checkout(self._pool) as holder:
            await _lock(holder, on_wait)
            try:
                run_id = await self._begin()
                try:
                    yield
                except Exception as error:
                    await self._end(run_id, report, str(error))
                    raise
                await self._end(run_id, report, None)
            finally:
                await holder.execute("SELECT pg_advisory_unlock(%s)", (_ADVISORY_LOCK,))

    async def last(self) -> dict[str, Any] | None:
        """The newest run: started_at, finished_at, status, summary, error."""
        async with checkout(self._pool) as connection:
            found = await connection.execute(
                "SELECT started_at, finished_at, status, summary, error FROM rag_sync_runs "
                "ORDER BY started_at DESC LIMIT 1"
            )
            return await found.fetchone()

    async def _begin(self) -> int:
        async with checkout(self._pool) as connection, connection.transaction():
            # Whoever holds the lock knows that no other run is going on.
            await connection.execute(
                "UPDATE rag_sync_runs SET status = 'failed', error = 'ended without a word', "
                "finished_at = now() WHERE status = 'running'"
            )
            found = await connection.execute(
                "INSERT INTO rag_sync_runs DEFAULT VALUES RETURNING id"
            )
            row = await found.fetchone()
        if row is None:
            raise LookupError("an insert without its row")
        return int(row["id"])

    async def _end(self, run_id: int, report: SyncReport, error: str | None) -> None:
        async with checkout(self._pool) as connection:
            await connection.execute(
                "UPDATE rag_sync_runs SET finished_at = now(), status = %s, summary = %s, "
                "error = %s WHERE id = %s",
                (
                    *("done" if error is None else "failed", Jsonb(storable(report.to_json()))),
                    *(error, run_id),
                ),
            )


async def _lock(holder: Connection, on_wait: Callable[[], None]) -> None:
    if await _try_lock(holder):
        return
    on_wait()
    try:
        async with asyncio.timeout(_WAIT_S):
            while not await _try_lock(holder):  # noqa: ASYNC110 - the event is in the database
                await asyncio.sleep(_POLL_S)
    except TimeoutError as error:
        raise SyncRunningError("another sync has been running for 10 minutes") from error


async def _try_lock(holder: Connection) -> bool:
    found = await holder.execute("SELECT pg_try_advisory_lock(%s) AS held", (_ADVISORY_LOCK,))
    row = await found.fetchone()
    return row is not None and bool(row["held"])
