"""The clocks of sources for workers, and the news of sources for admins.

`ingest` sets the clocks and records the result of each job. The rows of due work say when a job is
due.
"""

from dataclasses import dataclass
from typing import Any

from rich_agent.feature import PostgresRepository
from rich_agent.feature.connectors import SOURCE_WORK, SourceJob, prompt_due, reconcile_work
from rich_agent.feature.database import Databases, execute, one_transaction

_FAILURES_BEFORE_NEWS = 3
# However many events come, a service is left alone for a moment between two readings.
_FIND = """
SELECT source.root_url, clock.every, clock.problem,
    coalesce(extract(epoch FROM done_at + interval '5 s' - clock_timestamp())::float8, 0) AS rest_s
FROM rag_clocks AS clock JOIN rag_sources AS source ON source.id = clock.source_id
WHERE clock.source_id = %s AND clock.job = %s AND source.status = 'active'
"""
_NOTE_PROBLEM = "UPDATE rag_clocks SET problem = %s WHERE source_id = %s AND job = %s"
_UNTOLD = """
SELECT source_id, job, is_refused, problem FROM rag_clocks WHERE (problem = '') <> (told = '')
"""
# Of the row that is asked about, the try under way has already failed.
_FAILING = """
SELECT kind, key FROM due_work WHERE kind = ANY(%s)
    AND tries - (lease_until IS NOT NULL AND id <> %s)::integer >= %s
"""
# Of a source's jobs, one speaks for all.
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
    """The clock of a job of an active source.

    `rest_s`: the seconds until the job may be done again.
    """

    root_url: str
    every: str
    problem: str
    rest_s: float


@dataclass(frozen=True, slots=True)
class SourceNews:
    """A source that cannot be read, with the problem; or a readable one again, with problem ""."""

    source: str
    problem: str


class SourceClocks(PostgresRepository):
    """The clocks of all sources, shared by all workers. Raises: DatabaseUnavailableError."""

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

    async def take_news(self, row_id: int = 0) -> SourceNews | None:
        """Return news that admins have not been told yet, each only once; None without news.

        A failure that may be temporary becomes news after three attempts. `row_id` is the due work
        that has just failed.
        """
        for clock in await self._untold(row_id):
            row = await self._row(_TAKE, (clock["source_id"], clock["job"]))
            if row and not row.pop("is_known"):
                return SourceNews(**row)
        return None

    async def _untold(self, row_id: int) -> list[dict[str, Any]]:
        clocks = await self._rows(_UNTOLD)
        if not clocks:
            return []
        kinds = list(SOURCE_WORK.values())
        limits = (kinds, row_id, _FAILURES_BEFORE_NEWS)
        rows = await (await execute(self._databases.app, _FAILING, limits)).fetchall()
        failing = {(row["kind"], row["key"]) for row in rows}
        return [
            clock
            for clock in clocks
            if not clock["problem"]
            or clock["is_refused"]
            or (SOURCE_WORK[clock["job"]], clock["source_id"]) in failing
        ]
