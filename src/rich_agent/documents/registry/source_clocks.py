"""Clocks of sources: their intervals, the result of the last run, and the next due work."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from rich_agent.documents.clocks import SOURCE_WORK, next_time
from rich_agent.documents.connectors.port import ConnectorError
from rich_agent.documents.source import SourceError, SourceJob
from rich_agent.errors import RichAgentError
from rich_agent.ports.due_work import NextRun
from rich_agent.repositories.database.pools import Databases, execute, one_transaction
from rich_agent.repositories.due_work import note_due, remove_due

_INTERVAL = re.compile(r"([1-9][0-9]{0,4})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_SHORTEST_S = 10
_FIRST_RETRY_S = 60.0
_LONGEST_RETRY_S = 3_600.0
_LONGEST_REST_S = 86_400.0

_SET = """
INSERT INTO rag_clocks (source_id, job, every) VALUES (%s, %s, %s)
ON CONFLICT (source_id, job) DO UPDATE SET every = excluded.every
"""
_REMOVE = "DELETE FROM rag_clocks WHERE source_id = %s AND job = %s"
_NOTE = """
UPDATE rag_clocks SET problem = %(problem)s, is_refused = %(is_refused)s,
    done_at = CASE WHEN %(problem)s = '' THEN clock_timestamp() ELSE done_at END
WHERE source_id = %(source)s AND job = %(job)s RETURNING every
"""
_ALL = """
SELECT clock.source_id, source.name AS source, job, every, done_at, problem,
    job <> 'watch' AND hook.source_id IS NOT NULL AS has_hook, last_event_at
FROM rag_clocks AS clock JOIN rag_sources AS source ON source.id = clock.source_id
LEFT JOIN rag_hooks AS hook ON hook.source_id = clock.source_id
WHERE %(ids)s::text[] IS NULL OR clock.source_id = ANY(%(ids)s)
ORDER BY source.name, job
"""
_DUE = """
SELECT kind, key, due_at FROM due_work
WHERE kind = ANY(%(kinds)s) AND (%(ids)s::text[] IS NULL OR key = ANY(%(ids)s))
    AND coalesce(lease_until <= clock_timestamp(), true)
"""
_FAILURES = """
SELECT tries - (lease_until IS NOT NULL)::integer AS failures FROM due_work
WHERE kind = %s AND key = %s
"""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of one job of a source.

    `every`: the interval in seconds or by cron, "" if only events or a person start the job.
    `next_at`: the next time, None while a worker does the job, or if only events make it due.
    `done_at`: the time of the last success.
    `problem`: the reason of the last failure, "" after a success.
    `has_hook`: whether events of the service make the job due.
    `last_event_at`: the time of the last event.
    """

    source_id: str
    source: str
    job: SourceJob
    every: str
    next_at: datetime | None
    done_at: datetime | None
    problem: str
    has_hook: bool
    last_event_at: datetime | None

    def to_json(self) -> dict[str, Any]:
        """The clock as `ingest status --json` prints it; ages are in seconds."""
        age_s = (datetime.now(UTC) - self.done_at).total_seconds() if self.done_at else None
        return {
            **asdict(self),
            "next_at": self.next_at and self.next_at.isoformat(),
            "done_at": self.done_at and self.done_at.isoformat(),
            "last_event_at": self.last_event_at and self.last_event_at.isoformat(),
            "age_s": age_s and round(age_s),
            "words": self.in_words(),
        }

    def in_words(self) -> str:
        """A sentence for a person: the age of the content, and the time of the next run."""
        interval = (
            f"every {short_duration(int(self.every))}" if self.every.isdecimal() else self.every
        )
        facts = [f"{self.job}: {self._age()}", interval or "when asked"]
        if self.next_at and self.next_at > datetime.now(UTC):
            facts.append(f"next at {self.next_at.astimezone():%H:%M:%S}")
        elif self.next_at:
            facts.append("due")
        if self.has_hook:
            facts.append(
                f"last event {_age(self.last_event_at)}" if self.last_event_at else "no event yet"
            )
        return ", ".join([*facts, *([f"failed: {self.problem}"] if self.problem else [])])

    def _age(self) -> str:
        if self.job == "watch":
            return "of its folder"
        if self.done_at is None:
            return "never read"
        return _age(self.done_at)


def _age(moment: datetime) -> str:
    return f"{short_duration(int((datetime.now(UTC) - moment).total_seconds()))} old"


def short_duration(seconds: int) -> str:
    """A duration in its largest whole unit: 45 s, 12 min, 5 h, 3 d."""
    for unit_seconds, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * unit_seconds or seconds == unit_seconds:
            return f"{seconds // unit_seconds} {unit}"
    return f"{seconds} s"


def parse_every(interval: str) -> str:
    """The interval in seconds of 90s, 15m, 6h or 1d; fields of cron and "" are returned unchanged.

    Raises: SourceError.
    """
    interval = " ".join(interval.split())
    if not interval:
        return ""
    if match := _INTERVAL.fullmatch(interval):
        seconds = int(match[1]) * _SECONDS[match[2]]
        if seconds >= _SHORTEST_S:
            return str(seconds)
    elif interval.count(" ") == 4:
        next_time(interval, datetime.now(UTC))
        return interval
    hint = 'Write 15m, 6h or 1d, or five fields of cron such as "0 3 * * *".'
    raise SourceError(f"{interval}: this is not an interval of at least {_SHORTEST_S} s", hint=hint)


def retry_time(every: str, failures: int, error: RichAgentError, now: datetime) -> datetime:
    """The time of the next attempt, after this failure and `failures` earlier ones.

    It is not before the time that the service asks for. If only the operator can help, it is at
    least an hour later.
    """
    wait_s = min(_FIRST_RETRY_S * 2.0 ** min(failures, 10), _LONGEST_RETRY_S)
    if isinstance(error, ConnectorError):
        wait_s = _LONGEST_RETRY_S if error.is_refused else wait_s
        wait_s = max(wait_s, min(error.after_s or 0.0, _LONGEST_REST_S))
    return max(now + timedelta(seconds=wait_s), next_time(every, now) or now)


class PostgresClocks:
    """The clocks in the documents' database, and their due work in the application's database."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    async def set(self, source_id: str, job: SourceJob, every: str, *, is_due: bool = True) -> None:
        """Set the interval of a job, as `parse_every` returns it; "" for a job without an interval.

        If `is_due` is False, the first run is at the next time of the interval.
        """
        now = datetime.now(UTC)
        next_at = now if is_due else next_time(every, now)
        await execute(self._databases.rag, _SET, (source_id, job, every))
        async with one_transaction(self._databases.app) as connection:
            work_key = (SOURCE_WORK[job], source_id)
            await note_due(connection, work_key, now, _run_at(next_at, now))

    async def remove(self, source_id: str, job: SourceJob) -> None:
        """Remove the clock of a job, so that workers stop doing it."""
        await execute(self._databases.rag, _REMOVE, (source_id, job))
        async with one_transaction(self._databases.app) as connection:
            await remove_due(connection, SOURCE_WORK[job], source_id)

    async def begin(self) -> datetime:
        """The current time by the database of the due work, to be passed to `note` as `began`."""
        cursor = await execute(self._databases.app, "SELECT clock_timestamp() AS now")
        now: datetime = (await cursor.fetchall())[0]["now"]
        return now

    async def note(
        self, source_id: str, job: SourceJob, began: datetime, error: RichAgentError | None
    ) -> None:
        """Record that a job is done or, with an error, why the job failed.

        A job without a clock is ignored.
        """
        outcome_row = {
            "source": source_id,
            "job": job,
            "problem": error.explain() if error else "",
            "is_refused": isinstance(error, ConnectorError) and error.is_refused,
        }
        clock = await (await execute(self._databases.rag, _NOTE, outcome_row)).fetchone()
        if clock is None:
            return
        now, every, work_key = datetime.now(UTC), clock["every"], (SOURCE_WORK[job], source_id)
        next_at = next_time(every, now)
        if error:
            next_at = retry_time(every, await self._failures(work_key), error, now)
        next_run = _run_at(next_at, now, str(outcome_row["problem"]))
        async with one_transaction(self._databases.app) as connection:
            await note_due(connection, work_key, began, next_run)

    async def all(self, source_ids: Sequence[str] | None = None) -> list[Clock]:
        """The clocks of these sources, or of all, sorted by source."""
        values = {"ids": None if source_ids is None else list(source_ids)}
        clock_rows = await (await execute(self._databases.rag, _ALL, values)).fetchall()
        values |= {"kinds": list(SOURCE_WORK.values())}
        work_rows = await (await execute(self._databases.app, _DUE, values)).fetchall()
        due_time_by_source = {
            (work_row["kind"], work_row["key"]): work_row["due_at"] for work_row in work_rows
        }
        return [
            Clock(
                **clock_row,
                next_at=due_time_by_source.get(
                    (SOURCE_WORK[clock_row["job"]], clock_row["source_id"])
                ),
            )
            for clock_row in clock_rows
        ]

    async def _failures(self, work_key: tuple[str, str]) -> int:
        """The number of consecutive failures before this one."""
        attempts_row = await (await execute(self._databases.app, _FAILURES, work_key)).fetchone()
        return max(0, attempts_row["failures"]) if attempts_row else 0


def _run_at(next_at: datetime | None, now: datetime, error: str = "") -> NextRun | None:
    return NextRun((next_at - now).total_seconds(), error) if next_at else None
