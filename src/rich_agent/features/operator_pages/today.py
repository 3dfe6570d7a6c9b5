"""The page Today: how the bot is used and does, and what needs somebody's attention."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.metadata import version

from starlette.responses import Response

from rich_agent.feature.pages import PageRoute, Visit
from rich_agent.feature.reach import present_outages
from rich_agent.feature.times import say_duration
from rich_agent.feature.usage import Prices, spending_by
from rich_agent.features.operator_pages.costs import cost_bars
from rich_agent.features.operator_pages.repositories.today import TodayReader
from rich_agent.features.operator_pages.roles import READERS

PATH = "/operator"
_REFRESH_S = 5.0


@dataclass(frozen=True, slots=True)
class TodayPage:
    """Shows the figures of the bot."""

    reader: TodayReader
    prices: Callable[[], Prices]

    def routes(self) -> Sequence[PageRoute]:
        """The route of the page."""
        return (PageRoute(PATH, self.show, roles=READERS),)

    async def show(self, visit: Visit) -> Response:
        """The page with the figures of now."""
        figures = await self.reader.read()
        waited = figures.lanes.waited(visit.clocks.now)
        spent_by_day = spending_by(figures.lines, self.prices(), lambda line: line.day)
        today = spent_by_day.get(figures.days[-1])
        return visit.page(
            "today.html",
            title=visit.say("operator_pages-today"),
            refresh_s=_REFRESH_S,
            figures=figures,
            waited=say_duration(waited, visit.locale) if waited else "",
            is_slow=figures.lanes.is_slow(visit.clocks.now),
            turns=_bars(figures.days, figures.turns, visit),
            tokens=_bars(
                figures.days, {day: one.usage.tokens for day, one in spent_by_day.items()}, visit
            ),
            costs=cost_bars(figures.days, spent_by_day, visit),
            unpriced=", ".join(today.unpriced) if today else "",
            outages=[
                (str(outage.error), outage.error.hint, _lasting(outage.seconds, visit))
                for outage in present_outages()
            ],
            version=version("rich-agent"),
        )


def _bars(
    days: Sequence[date], counts: Mapping[date, int], visit: Visit
) -> Sequence[tuple[str, float, str]]:
    return [
        (visit.clocks.day(day), count, f"{count:,}")
        for day in days
        for count in [counts.get(day, 0)]
    ]


def _lasting(seconds: float, visit: Visit) -> str:
    return say_duration(timedelta(seconds=seconds), visit.locale)
