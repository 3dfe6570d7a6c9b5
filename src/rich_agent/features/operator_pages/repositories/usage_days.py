"""Use of models by days of UTC, as several pages show it."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Generic, TypeVar

from rich_agent.feature import checkout, fetch_all
from rich_agent.feature.database import Databases
from rich_agent.feature.usage import Usage, UsageLine

DAYS: Final = 14
"""Days that the charts show, today included."""
_KEPT_S: Final = 3600.0
Row = TypeVar("Row")
USAGE_SUMS: Final = ", ".join(f"sum({one.name})::bigint AS {one.name}" for one in fields(Usage))
_BY_DAY = f"""
SELECT day, kind, model, {USAGE_SUMS} FROM usage_days
WHERE day BETWEEN %(first)s AND %(last)s GROUP BY day, kind, model ORDER BY day
"""


def chart_days(today: date) -> Sequence[date]:
    """The days of the charts, oldest first."""
    return [today - timedelta(days=ago) for ago in reversed(range(DAYS))]


@dataclass(slots=True)
class KeptDays(Generic[Row]):
    """Rows of days; those of days that have ended, which hardly change, are kept for an hour."""

    read_between: Callable[[date, date], Awaitable[Sequence[Row]]]
    _past: dict[tuple[date, date], tuple[float, Sequence[Row]]] = field(default_factory=dict)
    """The rows between two days, and when they were read, in seconds of the monotonic clock."""

    async def read(self, first: date, last: date) -> Sequence[Row]:
        """The rows of the days before today, then those of today, as of now.

        Raises: DatabaseUnavailableError.
        """
        today = datetime.now(UTC).date()
        rows: list[Row] = []
        if first < today:
            rows += await self._past_rows(first, min(last, today - timedelta(days=1)))
        if last >= today:
            rows += await self.read_between(today, today)
        return rows

    async def _past_rows(self, first: date, last: date) -> Sequence[Row]:
        now_s = time.monotonic()
        self._past = {days: one for days, one in self._past.items() if now_s - one[0] <= _KEPT_S}
        if (first, last) not in self._past:
            self._past[first, last] = (now_s, await self.read_between(first, last))
        return self._past[first, last][1]


async def read_use(databases: Databases, first: date, last: date) -> Sequence[UsageLine]:
    """The use of each model on each day, by all users together."""
    async with checkout(databases.app) as app:
        rows = await fetch_all(app, _BY_DAY, {"first": first, "last": last})
    return [line_of(row, user_id=0) for row in rows]


_KEYS = ("day", "kind", "model", "user_id")


def line_of(row: dict[str, Any], **others: Any) -> UsageLine:  # noqa: ANN401 - the line's fields
    """The line of a row with sums; `others` are the fields that the row lacks."""
    key_values = {name: row.pop(name) for name in _KEYS if name in row}
    return UsageLine(usage=Usage(**row), **key_values, **others)
