"""Use of models and the time that answers take, read by days and by the newest answers."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Final

from rich_agent.feature import checkout, fetch_all
from rich_agent.feature.database import Databases
from rich_agent.feature.usage import DailyLimits, Resource, UsageLine
from rich_agent.features.operator_pages.repositories.usage_days import (
    USAGE_SUMS,
    KeptDays,
    line_of,
)

MOST_PEOPLE: Final = 20
_CANDIDATES: Final = 1_000
SAMPLE: Final = 2_000
"""The most answers whose times are read, the newest of a term."""

# `now()` and not `clock_timestamp()`, with which no index could be used.
_TODAY = "(now() AT TIME ZONE 'UTC')::date"
_TOKENS = "sum((input_tokens + output_tokens)::float8)"
_MOST_USED = f"""
SELECT user_id FROM usage_days WHERE day BETWEEN %(first)s AND %(last)s
GROUP BY user_id ORDER BY {_TOKENS} DESC, user_id LIMIT %(limit)s
"""
_BY_PERSON = f"""
WITH people AS (
    SELECT user_id, {_TOKENS} AS tokens FROM usage_days
    WHERE user_id = ANY(%(user_ids)s) AND day BETWEEN %(first)s AND %(last)s
    GROUP BY user_id ORDER BY tokens DESC, user_id LIMIT %(limit)s
)
SELECT user_id, kind, model, {USAGE_SUMS} FROM people JOIN usage_days USING (user_id)
WHERE day BETWEEN %(first)s AND %(last)s
GROUP BY tokens, user_id, kind, model ORDER BY tokens DESC, user_id, kind, model
"""
_AMOUNTS: Final[dict[Resource, str]] = {
    "tokens": "input_tokens + output_tokens",
    "images": "images",
    "searches": "searches",
    "tool_calls": "tool_calls",
    "audio_seconds": "audio_seconds",
}
_AMOUNT_SUMS = ", ".join(f"sum({amount})::bigint AS {name}" for name, amount in _AMOUNTS.items())
_SHARES = ", ".join(f"{name}::float8 / %({name})s::bigint" for name in _AMOUNTS)
_NEAREST = f"""
SELECT * FROM (
    SELECT user_id, {_AMOUNT_SUMS}
    FROM usage_days WHERE day = {_TODAY} AND user_id <> ALL (%(exempt)s) GROUP BY user_id
) AS today, LATERAL (
    SELECT greatest({_SHARES}) AS share
) AS used
WHERE share > 0 ORDER BY share DESC, user_id LIMIT %(limit)s
"""
_TIMES = f"""
SELECT coalesce(node, '') AS node,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50_ms,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95_ms
FROM (
    SELECT latest.id, node, sum(ms::float8) AS ms FROM (
        SELECT id, latency_ms FROM retrieval_decisions
        WHERE created_at > now() - make_interval(days => %(days)s)
        ORDER BY created_at DESC LIMIT {SAMPLE}
    ) AS latest, LATERAL jsonb_each_text(latency_ms) AS one (node, ms)
    GROUP BY GROUPING SETS ((latest.id, node), (latest.id))
) AS times
GROUP BY node
"""


@dataclass(frozen=True, slots=True)
class StepTimes:
    """The time that a step takes in half of the answers, and in 95 of 100; "" is the whole."""

    node: str
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class UseToday:
    """The use of a user today, with the largest share of a limit."""

    user_id: int
    amounts: dict[Resource, int]
    share: float


@dataclass(frozen=True, slots=True)
class ModelsReader:
    """Reads the figures. Every method may raise DatabaseUnavailableError."""

    databases: Databases
    most_used: KeptDays[int]

    async def by_person(self, first: date, last: date) -> Sequence[UsageLine]:
        """The use of those who used most tokens, most first; the day of a line is the last one.

        They are the first of those who are among the 1,000 first of today, or of the days before:
        to sum up a week of everybody for each view would take too long.
        """
        user_ids = await self.most_used.read(first, last)
        values = {"first": first, "last": last, "user_ids": user_ids, "limit": MOST_PEOPLE}
        async with checkout(self.databases.app) as app:
            rows = await fetch_all(app, _BY_PERSON, values)
        return [line_of(row, day=last) for row in rows]

    async def nearest_limits(
        self, limits: DailyLimits, exempt: Sequence[int]
    ) -> Sequence[UseToday]:
        """Users with the largest shares of their limits, largest first."""
        values = {"exempt": list(exempt), "limit": MOST_PEOPLE, **asdict(limits)}
        async with checkout(self.databases.app) as app:
            rows = await fetch_all(app, _NEAREST, values)
        return [
            UseToday(row["user_id"], {name: row[name] for name in _AMOUNTS}, row["share"])
            for row in rows
        ]

    async def times(self, days: int) -> Sequence[StepTimes]:
        """The times of the newest answers of the last days, the whole first."""
        async with checkout(self.databases.rag) as rag:
            rows = await fetch_all(rag, _TIMES, {"days": days})
        return sorted((StepTimes(**row) for row in rows), key=lambda one: _place(one.node))


async def read_most_used(databases: Databases, first: date, last: date) -> Sequence[int]:
    """The users who used most tokens on these days, most first."""
    values = {"first": first, "last": last, "limit": _CANDIDATES}
    async with checkout(databases.app) as app:
        return [row["user_id"] for row in await fetch_all(app, _MOST_USED, values)]


def _place(node: str) -> tuple[int, str]:
    """The place of a node by its number; the whole comes first."""
    number = node.partition("_")[0].removeprefix("N")
    return int(number) if number.isdigit() else 0, node
