"""Use of models and the time that answers take, read by days and by the newest answers."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Any, Final, Literal

from rich_agent.feature import checkout, fetch_all
from rich_agent.feature.database import Databases
from rich_agent.feature.usage import DailyLimits, Resource, Usage, UsageLine

CHART_DAYS: Final = 14
"""Days of the charts, today included (UTC)."""
MOST_PEOPLE: Final = 20
SAMPLE: Final = 2_000
"""The most answers whose times are read, the newest of a term."""
Term = Literal["1", "7"]
"""Days of the sums, today included (UTC)."""

# `now()` and not `clock_timestamp()`, with which no index could be used.
_TODAY = "(now() AT TIME ZONE 'UTC')::date"
_SUMS = ", ".join(f"sum({one.name})::bigint AS {one.name}" for one in fields(Usage))
_BY_DAY = f"""
SELECT day, kind, model, {_SUMS} FROM usage_days WHERE day > {_TODAY} - {CHART_DAYS}
GROUP BY day, kind, model ORDER BY day
"""
_BY_PERSON = f"""
WITH people AS (
    SELECT user_id, sum((input_tokens + output_tokens)::float8) AS tokens FROM usage_days
    WHERE day > {_TODAY} - %(days)s::int
    GROUP BY user_id ORDER BY tokens DESC, user_id LIMIT %(limit)s
)
SELECT user_id, kind, model, {_SUMS} FROM people JOIN usage_days USING (user_id)
WHERE day > {_TODAY} - %(days)s::int
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
SELECT coalesce(node, '') AS node, count(*) AS answers,
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
    answers: int
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

    async def by_day(self) -> Sequence[UsageLine]:
        """The use of each model on each day of the charts, by all users together."""
        async with checkout(self.databases.app) as app:
            return [_line(row, user_id=0) for row in await fetch_all(app, _BY_DAY)]

    async def by_person(self, term: Term, today: date) -> Sequence[UsageLine]:
        """The use of those who used most tokens, most first; the day is that of the reading."""
        values = {"days": int(term), "limit": MOST_PEOPLE}
        async with checkout(self.databases.app) as app:
            rows = await fetch_all(app, _BY_PERSON, values)
        return [_line(row, day=today) for row in rows]

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


def _place(node: str) -> tuple[int, str]:
    """The place of a node by its number; the whole comes first."""
    number = node.partition("_")[0].removeprefix("N")
    return int(number) if number.isdigit() else 0, node


def _line(row: dict[str, Any], **others: Any) -> UsageLine:  # noqa: ANN401 - of the line's fields
    named = {name: row.pop(name) for name in ("day", "kind", "model", "user_id") if name in row}
    return UsageLine(usage=Usage(**row), **named, **others)
