"""Figures of the page Today, for which each table is read once and by an index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from rich_agent.feature import checkout, fetch_all, fetch_one
from rich_agent.feature.database import Databases
from rich_agent.feature.usage import UsageLine
from rich_agent.features.operator_pages.repositories.lanes import Lanes, WaitingLanes
from rich_agent.features.operator_pages.repositories.usage_days import (
    KeptDays,
    chart_days,
)

_USERS = """
SELECT count(*) AS known,
    count(*) FILTER (WHERE last_seen_at > now() - interval '1 day') AS of_day,
    count(*) FILTER (WHERE last_seen_at > now() - interval '7 days') AS of_week,
    count(*) FILTER (WHERE blocked_at IS NOT NULL) AS blocking
FROM users WHERE last_seen_at IS NOT NULL
"""
_OTHERS = """
SELECT (SELECT count(*) FROM approvals WHERE state = 'pending') AS approvals,
    (SELECT count(*) FROM quality_subjects WHERE state = 'open') AS subjects,
    (SELECT count(*) FROM telegram_inbox WHERE dead_at IS NOT NULL AND done_at IS NULL) AS dead,
    (SELECT count(*) FROM due_work WHERE set_aside_at IS NOT NULL) AS set_aside,
    (SELECT count(*) FROM telegram_outbox
        WHERE state = 'failed' AND created_at > now() - interval '7 days') AS undelivered,
    current_setting('server_version') AS server
"""
_TURNS = """
SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS turns FROM retrieval_decisions
WHERE created_at >= %(first)s::timestamp AT TIME ZONE 'UTC'
    AND created_at < (%(last)s::date + 1)::timestamp AT TIME ZONE 'UTC'
GROUP BY 1
"""
_BROKEN_OFF = """
SELECT count(*) AS broken_off FROM retrieval_decisions
WHERE created_at BETWEEN now() - interval '1 day' AND now() - interval '10 minutes'
    AND NOT latency_ms ? 'N7_persist'
"""


@dataclass(frozen=True, slots=True)
class TodayFigures:
    """Figures as of now; counts of days are by UTC."""

    known: int
    of_day: int
    of_week: int
    blocking: int
    lanes: WaitingLanes
    dead: int
    """Messages that were given up."""
    approvals: int
    subjects: int
    """Subjects of questions that were not answered well, on which work is open."""
    set_aside: int
    """Pieces of due work that were given up."""
    undelivered: int
    """Messages of the last week that could not be sent."""
    server: str
    """Version of PostgreSQL."""
    broken_off: int
    """Turns of the last day that never finished."""
    days: Sequence[date]
    """The days of the charts, oldest first."""
    turns: Mapping[date, int]
    lines: Sequence[UsageLine]
    """The use of models on these days."""


@dataclass(frozen=True, slots=True)
class TodayReader:
    """Reads the figures. Raises: DatabaseUnavailableError."""

    databases: Databases
    use: KeptDays[UsageLine]
    turns: KeptDays[tuple[date, int]]

    async def read(self) -> TodayFigures:
        """Read them now."""
        days = chart_days(datetime.now(UTC).date())
        lines = await self.use.read(days[0], days[-1])
        turns = dict(await self.turns.read(days[0], days[-1]))
        async with checkout(self.databases.app) as app:
            values = {
                **await fetch_one(app, _USERS),
                **await fetch_one(app, _OTHERS),
            }
        async with checkout(self.databases.rag) as rag:
            values |= await fetch_one(rag, _BROKEN_OFF)
        return TodayFigures(
            **values,
            lanes=await Lanes(self.databases.app).waiting(),
            days=days,
            turns=turns,
            lines=lines,
        )


async def count_turns(databases: Databases, first: date, last: date) -> Sequence[tuple[date, int]]:
    """The turns of each day that had any."""
    async with checkout(databases.rag) as rag:
        rows = await fetch_all(rag, _TURNS, {"first": first, "last": last})
    return [(row["day"], row["turns"]) for row in rows]
