"""The clocks by which sources are read again, as workers take them, each job one at a time.

`ingest` sets them and notes what came of a job.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from rich_agent.feature import PostgresRepository
from rich_agent.feature.connectors import SourceJob

SourceWork = SourceJob | Literal["news"]
"""A job, or telling the operator what came of some."""

LEASE_S = 90.0
# However many events come, a service is left alone for a moment between two readings.
_IS_DUE = """
source.status = 'active' AND (
    clock.leased_until < clock_timestamp()
    OR clock.leased_until IS NULL AND clock.next_at <= clock_timestamp()
        AND coalesce(clock.done_at < clock_timestamp() - interval '5 s', true)
)
"""
# What is away for a moment is not worth a message.
_IS_UNTOLD = """
(problem <> '' AND told = '' AND (is_refused OR failures >= 3) OR problem = '' AND told <> '')
"""
_DUE = f"""
SELECT DISTINCT clock.job FROM rag_clocks AS clock
JOIN rag_sources AS source ON source.id = clock.source_id WHERE {_IS_DUE}
UNION ALL SELECT 'news' WHERE EXISTS (SELECT FROM rag_clocks WHERE {_IS_UNTOLD})
"""
_CLAIM = f"""
UPDATE rag_clocks AS held SET next_at = NULL, fence = held.fence + 1,
    leased_until = clock_timestamp() + make_interval(secs => %s)
FROM (
    SELECT clock.source_id, clock.job, source.root_url
    FROM rag_clocks AS clock JOIN rag_sources AS source ON source.id = clock.source_id
    WHERE clock.job = ANY(%s) AND {_IS_DUE}
    ORDER BY clock.next_at NULLS FIRST LIMIT 1 FOR UPDATE OF clock SKIP LOCKED
) AS due
WHERE held.source_id = due.source_id AND held.job = due.job
RETURNING held.source_id, held.job, due.root_url, held.fence
"""
_RENEW = """
UPDATE rag_clocks SET leased_until = clock_timestamp() + make_interval(secs => %(lease_s)s)
WHERE source_id = %(source_id)s AND job = %(job)s AND fence = %(fence)s
RETURNING fence
"""
_RELEASE = """
UPDATE rag_clocks SET leased_until = NULL,
    problem = CASE WHEN %(problem)s = '' THEN problem ELSE %(problem)s END,
    failures = CASE WHEN %(problem)s = '' THEN failures ELSE failures + 1 END,
    next_at = CASE
        WHEN %(again)s THEN clock_timestamp()
        WHEN %(problem)s = '' THEN next_at
        ELSE clock_timestamp() + make_interval(secs => least(60 * 2 ^ least(failures, 6), 3600))
    END
WHERE source_id = %(source_id)s AND job = %(job)s AND fence = %(fence)s
"""
_HASTEN = """
UPDATE rag_clocks SET next_at = clock_timestamp() WHERE source_id = %s AND job = 'content'
"""
# Of a source's jobs, one speaks for all.
_TAKE_NEWS = f"""
UPDATE rag_clocks AS clock SET told = clock.problem
FROM (
    SELECT source_id, job FROM rag_clocks WHERE {_IS_UNTOLD} LIMIT 1 FOR UPDATE SKIP LOCKED
) AS untold
JOIN rag_sources AS source ON source.id = untold.source_id
WHERE clock.source_id = untold.source_id AND clock.job = untold.job
RETURNING source.name AS source, clock.problem, EXISTS (
    SELECT FROM rag_clocks AS other
    WHERE other.source_id = clock.source_id AND other.job <> clock.job AND other.told <> ''
) AS is_known
"""


@dataclass(frozen=True, slots=True)
class HeldClock:
    """The clock of a job that this process does, under a lease."""

    source_id: str
    job: SourceJob
    root_url: str
    fence: int


@dataclass(frozen=True, slots=True)
class SourceNews:
    """A source that cannot be read, and why; or one that can be read again, with problem ""."""

    source: str
    problem: str


class SourceClocks(PostgresRepository):
    """The clocks of all sources, shared by all workers. Raises: DatabaseUnavailableError."""

    async def due(self) -> frozenset[SourceWork]:
        """The kinds of work of which there is some now."""
        return frozenset(row["job"] for row in await self._rows(_DUE))

    async def claim(self, jobs: Collection[SourceJob]) -> HeldClock | None:
        """Take a job that is due, or whose worker is gone; None if there is none."""
        row = await self._row(_CLAIM, (LEASE_S, list(jobs)))
        return HeldClock(**row) if row else None

    async def renew(self, clock: HeldClock) -> bool:
        """Prolong the lease; False if another worker has the job now."""
        values = {"lease_s": LEASE_S, **_values(clock)}
        return await self._row(_RENEW, values) is not None

    async def release(self, clock: HeldClock, problem: str = "", *, again: bool = False) -> None:
        """Give a job back; with a problem it is tried later, `again` at once."""
        await self._run(_RELEASE, {"problem": problem, "again": again, **_values(clock)})

    async def hasten(self, source_id: str) -> None:
        """Let the documents of a source be read as soon as a worker can."""
        await self._run(_HASTEN, (source_id,))

    async def take_news(self) -> SourceNews | None:
        """News that the operator has not been told; they are handed out once."""
        while row := await self._row(_TAKE_NEWS):
            if not row.pop("is_known"):
                return SourceNews(**row)
        return None


def _values(clock: HeldClock) -> dict[str, object]:
    return {"source_id": clock.source_id, "job": clock.job, "fence": clock.fence}
