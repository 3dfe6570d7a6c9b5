"""The chart of costs that several pages show."""

from collections.abc import Mapping, Sequence
from datetime import date

from rich_agent.feature.pages import Visit
from rich_agent.feature.usage import Spent, show_cost


def cost_bars(
    days: Sequence[date], spent_by_day: Mapping[date, Spent], visit: Visit
) -> Sequence[tuple[str, float, str]]:
    """The cost of each day; "*" marks a day with uses without a price."""
    spent = [(day, spent_by_day.get(day)) for day in days]
    return [
        (visit.clocks.day(day), float((one.cost if one else None) or 0), show_cost(one))
        for day, one in spent
    ]
