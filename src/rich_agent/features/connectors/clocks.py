"""The clocks of sources for workers, and the news of sources for admins.

`ingest` sets the clocks and records the result of each job. The rows of due work tell when a job is
due.
"""

from dataclasses import dataclass
from typing import Any

from rich_agent.feature import PostgresRepository
from rich_agent.feature.connectors import SOURCE_WORK, SourceJob, prompt_due, reconcile_work
from rich_agent.feature.database import Databases, execute, one_transaction

_FAILURES_BEFORE_NEWS = 3
# A service is left alone for a moment between two readings, even if many events arrive.
_FIND = """
SELECT source.name, source.root_url, clock.every, clock.problem,
    coalesce(extract(epoch FROM done_at + interval '5 s' - clock_timestamp())::float8, 0) AS rest_s
FROM rag_clocks AS clock JOIN rag_sources AS source ON source.id = clock.source_id
WHERE clock.source_id = %s AND clock.job = %s AND source.status = 'active'
"""
_NOTE_PROBLEM = "UPDATE rag_clocks SET problem = %s WHERE source_id = %s AND job = %s"
_TOLD = """
SELECT source.name, max(clock.told) AS problem
FROM rag_clocks AS clock JOIN rag_sources AS source ON source.id = clock.source_id
WHERE clock.told <> '' AND source.status = 'active'
GROUP BY source.name
"""
_UNTOLD = """
SELECT source_id, job, is_refused, problem FROM rag_clocks WHERE (problem = '') <> (told = '')
"""
# The attempt under way counts as failed for the row with the given id.
_FAILING = """
SELECT kind, key FROM due_work WHERE kind = ANY(%s)
    AND tries - (lease_until IS NOT NULL AND id <> %s)::integer >= %s
"""
# Only one job of a source makes news.
_TAKE = """
UPDATE rag_clocks AS clock SET told = clock.problem
FROM rag_sources AS source
WHERE clock.source_id = %s AND clock.job = %s AND source.id = clock.source_id
    AND (clock.problem = '') <> (clock.told = '')
RETURNING source.name AS source, clock.problem, EXISTS (
    SELECT FROM rag_clocks AS other
    WHERE other.source_id = clock.source_id AND other.job <> clock.job AND other.told <> ''
) AS is_known
"""


@dataclass(frozen=True, slots=True)
class SourceClock:
    """The clock of a job of an active source, with the name and the address of the source."""

    name: str
    root_url: str
    every: str
    problem: str
    rest_s: float
    """Seconds until the job may be done again."""


@dataclass(frozen=True, slots=True)
class SourceNews:
    """News of a source: that it cannot be read, or that it can be read again."""

    source: str
    problem: str
    """The problem, "" if the source can be read again."""


class SourceClocks(PostgresRepository):
    """The clocks of all sources, which all workers share. Raises: DatabaseUnavailableError."""

    def __init__(self, databases: Databases) -> None:
        super().__init__(databases.rag)
        self._databases = databases

    async def find(self, source_id: str, job: SourceJob) -> SourceClock | None:
        """The clock of a job; None if it was removed, or the source is not active."""
        row = await self._row(_FIND, (source_id, job))
        return SourceClock(**row) if row else None

    async def note_problem(self, source_id: str, job: SourceJob, problem: str) -> None:
        """Record why a job could not be done, if `ingest` could not record it."""
        await self._run(_NOTE_PROBLEM, (problem, source_id, job))

    async def hasten(self, source_id: str) -> None:
        """Make the documents of a source due now."""
        async with one_transaction(self._databases.app) as connection:
            await prompt_due(connection, SOURCE_WORK["content"], source_id, after_failure=True)

    async def reconcile(self) -> None:
        """Add due work for clocks without any, and remove due work without a clock."""
        await reconcile_work(self._databases)

    async def told_problems(self) -> dict[str, str]:
        """The problems of sources that admins were told of, by the sources' names."""
        return {row["name"]: row["problem"] for row in await self._rows(_TOLD)}

    async def take_news(self, row_id: int = 0) -> SourceNews | None:
        """The next news that admins have not been told, None without news.

        Each is returned only once. A failure that may be temporary becomes news after three
        attempts. `row_id` is the due work that has just failed.
        """
        for clock in await self._untold(row_id):
            row = await self._row(_TAKE, (clock["source_id"], clock["job"]))
            if row and not row.pop("is_known"):
                return SourceNews(**row)
        return None

    async def _untold(self, row_id: int) -> list[dict[str, Any]]:
        clock_rows = await self._rows(_UNTOLD)
        if not clock_rows:
            return []
        kinds = list(SOURCE_WORK.values())
        parameters = (kinds, row_id, _FAILURES_BEFORE_NEWS)
        rows = await (await execute(self._databases.app, _FAILING, parameters)).fetchall()
        failing_work = {(row["kind"], row["key"]) for row in rows}
        return [
            clock_row
            for clock_row in clock_rows
            if not clock_row["problem"]
            or clock_row["is_refused"]
            or (SOURCE_WORK[clock_row["job"]], clock_row["source_id"]) in failing_work
        ]
