"""Figures of the page Today, for which each table is read once and by an index."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta

from rich_agent.feature import checkout, fetch_all, fetch_one
from rich_agent.feature.database import Databases
from rich_agent.feature.usage import ModelUse, Usage

DAYS = 14
"""Days that the charts show, today included (UTC)."""
_KEPT_S = 3600.0

_USERS = """
SELECT count(*) AS known,
    count(*) FILTER (WHERE last_seen_at > now() - interval '1 day') AS of_day,
    count(*) FILTER (WHERE last_seen_at > now() - interval '7 days') AS of_week,
    count(*) FILTER (WHERE blocked_at IS NOT NULL) AS blocking
FROM users WHERE last_seen_at IS NOT NULL
"""
_WAITING = """
SELECT count(*) FILTER (WHERE dead_at IS NULL) AS messages,
    count(DISTINCT (user_id, urgent)) FILTER (WHERE dead_at IS NULL) AS lanes,
    min(received_at) FILTER (WHERE dead_at IS NULL) AS since,
    count(*) FILTER (WHERE dead_at IS NOT NULL) AS dead
FROM telegram_inbox WHERE done_at IS NULL
"""
_OTHERS = """
SELECT (SELECT count(*) FROM approvals WHERE state = 'pending') AS approvals,
    (SELECT count(*) FROM due_work WHERE set_aside_at IS NOT NULL) AS set_aside,
    (SELECT count(*) FROM telegram_outbox
        WHERE state = 'failed' AND created_at > now() - interval '7 days') AS undelivered,
    current_setting('server_version') AS server
"""
USAGE_SUMS = ", ".join(f"sum({one.name})::bigint AS {one.name}" for one in fields(Usage))
_COST = f"""
SELECT day, model, {USAGE_SUMS} FROM usage_days
WHERE day BETWEEN %(first)s AND %(last)s GROUP BY day, kind, model
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
    messages: int
    """Messages that wait for a worker."""
    lanes: int
    """Lanes of users with such messages."""
    since: datetime | None
    """When the oldest of them came."""
    dead: int
    """Messages that were given up."""
    approvals: int
    set_aside: int
    """Pieces of due work that were given up."""
    undelivered: int
    """Messages of the last week that could not be sent."""
    server: str
    """Version of PostgreSQL."""
    broken_off: int
    """Turns of the last day that never finished."""
    turns: Mapping[date, int]
    uses: Mapping[date, Sequence[ModelUse]]

    @property
    def days(self) -> Sequence[date]:
        """The days of the charts, oldest first."""
        today = datetime.now(UTC).date()
        return [today - timedelta(days=ago) for ago in reversed(range(DAYS))]


@dataclass(frozen=True, slots=True)
class DaysRead:
    """Turns and uses of some days, as they were read at a time."""

    turns: Mapping[date, int]
    uses: Mapping[date, Sequence[ModelUse]]
    today: date
    read_s: float
    """When they were read, in seconds of the monotonic clock."""


@dataclass(slots=True)
class TodayReader:
    """Reads the figures. Raises: DatabaseUnavailableError.

    The days before today, which hardly change any more, are read once an hour.
    """

    databases: Databases
    _past: DaysRead | None = None

    async def read(self) -> TodayFigures:
        """Read them now."""
        today = datetime.now(UTC).date()
        past = self._past
        if past is None or past.today != today or time.monotonic() - past.read_s > _KEPT_S:
            first, last = today - timedelta(days=DAYS - 1), today - timedelta(days=1)
            past = self._past = await self._read_days(first, last)
        current = await self._read_days(today, today)
        async with checkout(self.databases.app) as app:
            values = {
                **await fetch_one(app, _USERS),
                **await fetch_one(app, _WAITING),
                **await fetch_one(app, _OTHERS),
            }
        async with checkout(self.databases.rag) as rag:
            values |= await fetch_one(rag, _BROKEN_OFF)
        turns, uses = {**past.turns, **current.turns}, {**past.uses, **current.uses}
        return TodayFigures(**values, turns=turns, uses=uses)

    async def _read_days(self, first: date, last: date) -> DaysRead:
        parameters, read_s = {"first": first, "last": last}, time.monotonic()
        async with checkout(self.databases.app) as app:
            cost_rows = await fetch_all(app, _COST, parameters)
        async with checkout(self.databases.rag) as rag:
            turns = {row["day"]: row["turns"] for row in await fetch_all(rag, _TURNS, parameters)}
        uses: dict[date, list[ModelUse]] = {}
        for row in cost_rows:
            day, model = row.pop("day"), row.pop("model")
            uses.setdefault(day, []).append(ModelUse(model, Usage(**row)))
        return DaysRead(turns, uses, last + timedelta(days=1), read_s)
