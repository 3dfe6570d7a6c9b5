"""Clocks of sources, which tell when jobs are due, and the due work of these jobs.

A clock in the documents' database tells how often a job is done, by an interval or by cron. The row
of due work in the application's database tells the next time, and the worker that does the job now.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, get_args

from rich_agent.documents.source import SourceError, SourceJob
from rich_agent.repositories.database.pools import Databases, execute, one_transaction
from rich_agent.repositories.due_work import keep_due
from rich_agent.runtime.own_package import extra_hint

SOURCE_WORK: Final[Mapping[SourceJob, str]] = {
    job: f"connectors_{job}" for job in get_args(SourceJob)
}
"""The kind of due work of each job; its key is the id of the source."""
# A clock without an interval has a row only while it is due.
_CLOCKS = """
SELECT clock.source_id, clock.job, clock.every, clock.done_at, clock.problem,
    every <> '' OR job = 'watch' OR done_at IS NULL OR problem <> '' AS needs_row
FROM rag_clocks AS clock JOIN rag_sources AS source ON source.id = clock.source_id
WHERE source.status = 'active'
"""
_ROWS = "SELECT id, kind, key, version FROM due_work WHERE kind = ANY(%s)"
# A clock that was set again meanwhile has changed the version of its row.
_REMOVE = """
DELETE FROM due_work AS work USING unnest(%s::bigint[], %s::bigint[]) AS leftover (id, version)
WHERE work.id = leftover.id AND work.version = leftover.version
"""


def next_time(every: str, now: datetime) -> datetime | None:
    """The next time by an interval in seconds or by cron, None for "". Raises: SourceError."""
    if not every:
        return None
    if every.isdecimal():
        return now + timedelta(seconds=int(every))
    return _next_by_cron(every, now)


async def reconcile_work(databases: Databases) -> None:
    """Add the due work that clocks of active sources need; remove due work without a clock.

    A worker that does removed work loses it when it renews its lease. Clocks and due work may lie
    in two databases without a common transaction. So a row may be missing after an update or a
    broken connection, or be left over from a deleted source.

    Raises: DatabaseUnavailableError.
    """
    # In this order, because a clock is written before its row.
    rows = await (await execute(databases.app, _ROWS, (list(SOURCE_WORK.values()),))).fetchall()
    clocks = await (await execute(databases.rag, _CLOCKS)).fetchall()
    existing_keys = {(row["kind"], row["key"]) for row in rows}
    clocks_by_work = {(SOURCE_WORK[clock["job"]], clock["source_id"]): clock for clock in clocks}
    leftover_rows = [row for row in rows if (row["kind"], row["key"]) not in clocks_by_work]
    if leftover_rows:
        ids_and_versions = (
            [row["id"] for row in leftover_rows],
            [row["version"] for row in leftover_rows],
        )
        await execute(databases.app, _REMOVE, ids_and_versions)
    for (kind, key), clock in clocks_by_work.items():
        if clock["needs_row"] and (kind, key) not in existing_keys:
            async with one_transaction(databases.app) as connection:
                await keep_due(connection, kind, key, _wait_s(clock))


def _wait_s(clock: Mapping[str, Any]) -> float:
    """Seconds until a clock is due; 0 if it was never done, has a problem, or cannot be read."""
    if clock["done_at"] is None or clock["problem"]:
        return 0.0
    try:
        due_at = next_time(clock["every"], clock["done_at"])
    except SourceError:
        return 0.0
    return max(0.0, (due_at - datetime.now(UTC)).total_seconds()) if due_at else 0.0


def _next_by_cron(fields: str, now: datetime) -> datetime:
    """The next time by cron, in the time zone of this machine. Raises: SourceError."""
    try:
        from cronsim import CronSim, CronSimError  # noqa: PLC0415 - optional
    except ImportError as error:
        hint = extra_hint("connectors")
        raise SourceError("the library cronsim is missing", hint=hint) from error
    try:
        return next(CronSim(fields, now.astimezone()))
    except (CronSimError, StopIteration) as error:
        raise SourceError(f"{fields}: it never comes", hint="See `man 5 crontab`.") from error
