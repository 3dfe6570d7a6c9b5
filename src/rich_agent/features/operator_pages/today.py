"""The page Today: how the bot is used and does, and what needs somebody's attention."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from importlib.metadata import version

from starlette.responses import Response

from rich_agent.feature.pages import PageRoute, Visit
from rich_agent.feature.reach import present_outages
from rich_agent.feature.times import say_duration
from rich_agent.feature.usage import Prices, Spent, show_usd, spending_of, total
from rich_agent.features.operator_pages.repositories.today import TodayFigures, TodayReader
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
        waited = visit.clocks.now - figures.since if figures.since else None
        return visit.page(
            "today.html",
            title=visit.say("operator_pages-today"),
            refresh_s=_REFRESH_S,
            figures=figures,
            waited=say_duration(timedelta(seconds=round(waited.total_seconds())), visit.locale)
            if waited
            else "",
            is_slow=waited is not None and waited > timedelta(minutes=2),
            turns=self._turns(figures, visit),
            tokens=self._tokens(figures, visit),
            costs=self._costs(figures, visit),
            unpriced=", ".join(self._today(figures).unpriced),
            outages=[
                (str(outage.error), outage.error.hint, _lasting(outage.seconds, visit))
                for outage in present_outages()
            ],
            version=version("rich-agent"),
        )

    def _today(self, figures: TodayFigures) -> Spent:
        return spending_of(figures.uses.get(figures.days[-1], ()), self.prices())

    def _turns(self, figures: TodayFigures, visit: Visit) -> Sequence[tuple[str, float, str]]:
        return [
            (visit.clocks.day(day), count, f"{count:,}")
            for day in figures.days
            for count in [figures.turns.get(day, 0)]
        ]

    def _tokens(self, figures: TodayFigures, visit: Visit) -> Sequence[tuple[str, float, str]]:
        return [
            (visit.clocks.day(day), tokens, f"{tokens:,}")
            for day in figures.days
            for tokens in [total(use.usage for use in figures.uses.get(day, ())).tokens]
        ]

    def _costs(self, figures: TodayFigures, visit: Visit) -> Sequence[tuple[str, float, str]]:
        """The cost of each day; "*" marks a day with uses without a price."""
        bars = []
        for day in figures.days:
            spent = spending_of(figures.uses.get(day, ()), self.prices())
            cost = spent.cost or Decimal(0)
            mark = "*" if spent.unpriced else ""
            bars.append(
                (visit.clocks.day(day), float(cost), show_usd(cost) + mark if cost else f"–{mark}")
            )
        return bars


def _lasting(seconds: float, visit: Visit) -> str:
    return say_duration(timedelta(seconds=round(seconds)), visit.locale)
