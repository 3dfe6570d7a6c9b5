"""Use of models by days of UTC, as several pages show it."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import date, timedelta
from typing import Any, Final

from rich_agent.feature import fetch_all
from rich_agent.feature.database import Connection
from rich_agent.feature.usage import Usage, UsageLine

DAYS: Final = 14
"""Days that the charts show, today included."""
USAGE_SUMS: Final = ", ".join(f"sum({one.name})::bigint AS {one.name}" for one in fields(Usage))
_BY_DAY = f"""
SELECT day, kind, model, {USAGE_SUMS} FROM usage_days
WHERE day BETWEEN %(first)s AND %(last)s GROUP BY day, kind, model ORDER BY day
"""


def chart_days(today: date) -> Sequence[date]:
    """The days of the charts, oldest first."""
    return [today - timedelta(days=ago) for ago in reversed(range(DAYS))]


async def read_days(connection: Connection, first: date, last: date) -> Sequence[UsageLine]:
    """The use of each model on each day, by all users together."""
    rows = await fetch_all(connection, _BY_DAY, {"first": first, "last": last})
    return [line_of(row, user_id=0) for row in rows]


_KEYS = ("day", "kind", "model", "user_id")


def line_of(row: dict[str, Any], **others: Any) -> UsageLine:  # noqa: ANN401 - the line's fields
    """The line of a row with sums; `others` are the fields that the row lacks."""
    key_values = {name: row.pop(name) for name in _KEYS if name in row}
    return UsageLine(usage=Usage(**row), **key_values, **others)
