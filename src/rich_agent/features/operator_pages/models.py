"""The page Models: servers, the time that answers take, use and cost, limits and prices."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from starlette.responses import Response

from rich_agent.feature.accounts import Accounts
from rich_agent.feature.concurrency import task_group
from rich_agent.feature.pages import PageRoute, Visit
from rich_agent.feature.reach import Target, present_outages
from rich_agent.feature.settings import LiveSettings, ModelState, list_models
from rich_agent.feature.times import say_duration
from rich_agent.feature.usage import (
    DailyLimits,
    Prices,
    Resource,
    Spent,
    UsageLine,
    label_user,
    show_cost,
    spending_by,
)
from rich_agent.features.operator_pages.codes import say_step
from rich_agent.features.operator_pages.costs import cost_bars
from rich_agent.features.operator_pages.repositories.models import (
    SAMPLE,
    ModelsReader,
    StepTimes,
    UseToday,
)
from rich_agent.features.operator_pages.repositories.usage_days import KeptDays, chart_days
from rich_agent.features.operator_pages.roles import READERS

PATH: Final = "/operator/models"
_WEEK: Final = "7"
_TERMS: Final[Mapping[str, tuple[int, int]]] = {"1": (0, 0), "yesterday": (1, 1), _WEEK: (6, 0)}
"""The days ago at which a term of the sums begins and ends, by its name in addresses."""
_SETTING_BY_RESOURCE: Final[Mapping[Resource, str]] = {
    "tokens": "DAILY_TOKENS",
    "images": "DAILY_IMAGES",
    "searches": "DAILY_SEARCHES",
    "tool_calls": "DAILY_TOOL_CALLS",
    "audio_seconds": "DAILY_AUDIO_SECONDS",
}
Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class ModelsPage:
    """Shows what the models do, and what that costs."""

    reader: ModelsReader
    use: KeptDays[UsageLine]
    live: LiveSettings
    accounts: Accounts

    def routes(self) -> Sequence[PageRoute]:
        """The route of the page."""
        return (PageRoute(PATH, self.show, roles=READERS),)

    async def show(self, visit: Visit) -> Response:
        """The page; the sums are of today, of yesterday or of seven days of UTC."""
        settings, term_name = self.live.now, visit.query.get("days", "")
        term = term_name if term_name in _TERMS else _WEEK
        prices, limits = settings.prices, settings.cost.daily_limits
        days = chart_days(datetime.now(UTC).date())
        first, last = (days[-1 - ago] for ago in _TERMS[term])
        async with task_group() as group:  # each on a connection of its own
            reading_days = group.create_task(self.use.read(days[0], days[-1]))
            reading_people = group.create_task(self.reader.by_person(first, last))
            reading_nearest = group.create_task(self._nearest(limits))
            reading_day = group.create_task(self.reader.times(1))
            reading_week = group.create_task(self.reader.times(7))
        lines, people = reading_days.result(), reading_people.result()
        nearest = reading_nearest.result()
        user_ids = {line.user_id for line in people} | {one.user_id for one in nearest}
        names = await self.accounts.names(user_ids)
        models = list(list_models(settings))
        used_models = {line.model for line in (*lines, *people) if line.model}
        all_models = sorted(used_models | {one.model for one in models if one.server})
        # The first price takes half a second to load.
        price_rows = await asyncio.to_thread(lambda: list(_price_rows(all_models, prices)))
        recent_lines = [line for line in lines if first <= line.day <= last]
        return visit.page(
            "models.html",
            title=visit.say("operator_pages-models"),
            term=term,
            path=PATH,
            models=[_model_row(one, visit) for one in models],
            times=list(_time_rows(reading_day.result(), reading_week.result(), visit)),
            sample=SAMPLE,
            costs=cost_bars(days, spending_by(lines, prices, lambda line: line.day), visit),
            by_model=_use_rows(recent_lines, prices, _model_label),
            by_person=_use_rows(people, prices, lambda line: label_user(line.user_id, names)),
            limits=list(_limit_facts(limits)),
            limit_heads=[visit.say(f"operator_pages-limit-{name}") for name in _set_limits(limits)],
            nearest=[_limit_row(one, limits, names) for one in nearest],
            prices=price_rows,
            edition=prices.table.edition,
        )

    async def _nearest(self, limits: DailyLimits) -> Sequence[UseToday]:
        if not _set_limits(limits):
            return []
        return await self.reader.nearest_limits(limits, sorted(self.live.now.access.admin_users))


def _set_limits(limits: DailyLimits) -> dict[Resource, int]:
    """The limits that are set, by resource."""
    values = ((resource, getattr(limits, resource)) for resource in _SETTING_BY_RESOURCE)
    return {resource: limit for resource, limit in values if limit is not None}


def _limit_facts(limits: DailyLimits) -> Iterator[Row]:
    """Each limit that is set, with its amount and the name of its setting."""
    for resource, limit in _set_limits(limits).items():
        yield (resource, f"{limit:,}", _SETTING_BY_RESOURCE[resource])


def _limit_row(use: UseToday, limits: DailyLimits, names: Mapping[int, str]) -> Row:
    """A user, the largest share, and what of each limit is used."""
    amounts = (
        f"{use.amounts[resource]:,} / {limit:,}" for resource, limit in _set_limits(limits).items()
    )
    return (label_user(use.user_id, names), f"{use.share:.0%}", *amounts)


def _model_row(state: ModelState, visit: Visit) -> Row:
    if not state.server:
        here = visit.say("operator_pages-this-machine")
        return (state.role, state.model, here, "–")
    target = Target.at("model server", state.base_url)
    outage = next((one for one in present_outages() if one.target == target), None)
    if outage is None:
        return (state.role, state.model, state.server, visit.say("operator_pages-no-failure"))
    duration = say_duration(timedelta(seconds=outage.seconds), visit.locale)
    problem = f"{visit.say('operator_pages-out-of-reach')} · {duration} · {outage.error}"
    return (state.role, state.model, state.server, f"{problem} {outage.error.hint}".strip())


def _time_rows(day: Sequence[StepTimes], week: Sequence[StepTimes], visit: Visit) -> Iterator[Row]:
    """The whole answer, then its steps: the times of a day and of a week."""
    of_day, of_week = {one.node: one for one in day}, {one.node: one for one in week}
    for times in week:
        whole = visit.say("operator_pages-whole-answer")
        cells = [_seconds(times_of.get(times.node)) for times_of in (of_day, of_week)]
        yield (say_step(times.node, visit) if times.node else whole, *cells[0], *cells[1])


def _seconds(times: StepTimes | None) -> tuple[str, str]:
    if times is None:
        return "–", "–"
    return f"{times.p50_ms / 1000:.2f} s", f"{times.p95_ms / 1000:.2f} s"


def _use_rows(
    lines: Sequence[UsageLine], prices: Prices, label: Callable[[UsageLine], str]
) -> Sequence[Row]:
    spent_by_label = spending_by(lines, prices, label)
    return [_use_row(name, spent) for name, spent in spent_by_label.items()]


def _use_row(label: str, spent: Spent) -> Row:
    """Calls, tokens read, of these from a cache, tokens written, and the cost."""
    use = spent.usage
    share = f" ({use.cached_tokens / use.input_tokens:.0%})" if use.input_tokens else ""
    cached = f"{use.cached_tokens:,}{share}"
    return (
        label,
        f"{use.calls:,}",
        f"{use.input_tokens:,}",
        cached,
        f"{use.output_tokens:,}",
        show_cost(spent),
    )


def _model_label(line: UsageLine) -> str:
    return f"{line.model} · {line.kind}" if line.model else line.kind


def _price_rows(models: Sequence[str], prices: Prices) -> Iterator[Row]:
    """The price of each model in USD per million tokens, and where it comes from."""
    for model in models:
        own_price = prices.models.get(model)
        price = own_price or prices.table.find(model)
        if price is None:
            yield (model, "–", "–", "–", "–", "–")
        else:
            amounts = (price.read, price.cached, price.cache_write, price.written)
            source = "MODEL_PRICES" if own_price else prices.table.edition
            yield (model, *(f"{amount.normalize():f}" for amount in amounts), source)
