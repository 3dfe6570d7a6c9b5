"""Clocks of sources: the next time at which a job of a source is due, and its due work.

A clock in the documents' database tells how often a job is done, by an interval or by cron. The row
of due work in the application's database tells the next time, and the worker that does the job now.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, get_args

from rich_agent.documents.source import SourceError, SourceJob
from rich_agent.repositories.database.pools import Databases, execute, one_transaction
from rich_agent.repositories.due_work import keep_due

SOURCE_WORK: Final[Mapping[SourceJob, str]] = {
    job: f"connectors_{job}" for job in get_args(SourceJob)
}
"""The kind of due work of each job; its key is the id of the source."""
# A clock without an interval has a row only while it is due.
_CLOCKS = """
SELECT clock.source_id, clock.job, clock.every, clock.done_at, clock.problem
FROM rag_clocks AS clock JOIN rag_sources AS source ON source.id = clock.source_id
WHERE source.status = 'active'
    AND (every <> '' OR job = 'watch' OR done_at IS NULL OR problem <> '')
"""
_ROWS = "SELECT kind, key FROM due_work WHERE kind = ANY(%s)"


def next_time(every: str, now: datetime) -> datetime | None:
    """The next time by an interval in seconds or by cron, None for "". Raises: SourceError."""
    if not every:
        return None
    if every.isdecimal():
        return now + timedelta(seconds=int(every))
    return _next_by_cron(every, now)


async def add_missing_work(databases: Databases) -> None:
    """Add the missing rows of due work for the clocks of active sources.

    A row can be missing after an update or a broken connection, since there may be two databases.
    Raises: DatabaseUnavailableError.
    """
    clocks = await (await execute(databases.rag, _CLOCKS)).fetchall()
    rows = await (await execute(databases.app, _ROWS, (list(SOURCE_WORK.values()),))).fetchall()
    existing_keys = {(row["kind"], row["key"]) for row in rows}
    for clock in clocks:
        kind, source_id = SOURCE_WORK[clock["job"]], clock["source_id"]
        if (kind, source_id) not in existing_keys:
            async with one_transaction(databases.app) as connection:
                await keep_due(connection, kind, source_id, _wait_s(clock))


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
        hint = "Install the extra: pip install 'rich-agent[connectors]'."
        raise SourceError("the library cronsim is missing", hint=hint) from error
    try:
        return next(CronSim(fields, now.astimezone()))
    except (CronSimError, StopIteration) as error:
        raise SourceError(f"{fields}: it never comes", hint="See `man 5 crontab`.") from error
