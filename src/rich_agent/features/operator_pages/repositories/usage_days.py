"""Use of models by days of UTC, as several pages show it."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
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
class ChartedRows(Generic[Row]):
    """Rows of the days of the charts; those before today, which hardly change, are kept an hour."""

    read_between: Callable[[date, date], Awaitable[Sequence[Row]]]
    _kept: Sequence[Row] = ()
    _kept_until: date | None = None
    """The day after the last one that is kept."""
    _read_s: float = 0.0
    """When they were read, in seconds of the monotonic clock."""

    async def read(self) -> Sequence[Row]:
        """The rows of every day, today's as of now. Raises: DatabaseUnavailableError."""
        today = datetime.now(UTC).date()
        if self._kept_until != today or time.monotonic() - self._read_s > _KEPT_S:
            began_s = time.monotonic()
            self._kept = await self.read_between(chart_days(today)[0], today - timedelta(days=1))
            self._kept_until, self._read_s = today, began_s
        return [*self._kept, *await self.read_between(today, today)]


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
