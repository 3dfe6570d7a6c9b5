"""/status and /stats: how the bot does, and how it is used, for admins."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import version

from rich_agent.chat_commands.replies import CommandRequest, Handlers, Reply
from rich_agent.domain.message import label_user
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import shorten
from rich_agent.domain.usage_limits import (
    DailyAllowance,
    Prices,
    Spent,
    Usage,
    show_usd,
    spending_by,
    spending_of,
    total,
)
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.knowledge import SourceCatalogue
from rich_agent.ports.operations import Statistics, StatisticsReader, Workload
from rich_agent.ports.usage import UsageLedger
from rich_agent.rendering.notices import section
from rich_agent.runtime.concurrency import never
from rich_agent.runtime.reach import Outage
from rich_agent.times import Clocks, say_duration, say_wait


@dataclass(frozen=True, slots=True)
class StatusCommand:
    """Shows work in progress, the documents, the models, and today's use.

    Admins also see what `outages` returns: what the bot cannot reach now.
    """

    workload: Workload
    catalogue: SourceCatalogue
    ledger: UsageLedger
    allowance: DailyAllowance
    chat_model: str
    vision_model: str
    admins: AbstractSet[int]
    outages: Callable[[], Sequence[Outage]]

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"status": self.answer})

    async def answer(self, request: CommandRequest) -> Reply:
        """All that is available, even if a database is not."""
        locale = request.locale
        lines = [
            await self._use(request.user_id, request.clocks),
            await self._documents(request),
            say(locale, "status-models", chat=self.chat_model, vision=self.vision_model),
            say(locale, "status-version", version=version("rich-agent")),
        ]
        if request.user_id in self.admins:
            lines += [_outage_line(outage, locale) for outage in self.outages()]
        return Reply(section(await self._work(request), *lines))

    async def _work(self, request: CommandRequest) -> str:
        work = await self.workload.of_user(request.user_id, besides=request.update_id)
        if work.is_answering:
            return say(request.locale, "status-answering", waiting=work.waiting)
        return say(request.locale, "status-waiting", waiting=work.waiting)

    async def _documents(self, request: CommandRequest) -> str:
        clocks, locale = request.clocks, request.locale
        try:
            page = await self.catalogue.page(0, 0, Reader(request.user_id))
        except DatabaseUnavailableError:
            return say(locale, "status-documents-away")
        return say(
            locale,
            "status-documents",
            documents=page.documents,
            passages=page.passages,
            synced=clocks.last(page.synced_at),
        )

    async def _use(self, user_id: int, clocks: Clocks) -> str:
        """The user's use today, the limit, and when the next day begins."""
        locale, standing = clocks.locale, await self.ledger.standing(user_id)
        used, limits = standing.used, self.allowance.of(user_id)

        def of_limit(used: int, limit: int | None) -> str:
            if limit is None:
                return say(locale, "use-free", used=used)
            return say(locale, "use-limited", used=used, limit=limit)

        use = say(
            locale,
            "status-use",
            tokens=of_limit(used.tokens, limits.tokens),
            images=of_limit(used.images, limits.images),
            searches=of_limit(used.searches, limits.searches),
            tool_calls=of_limit(used.tool_calls, limits.tool_calls),
            at=clocks.moment(standing.resets_at),
            wait=say_wait((standing.resets_at - standing.now).total_seconds(), locale),
        )
        if not used.audio_seconds and limits.audio_seconds is None:
            return use
        seconds = of_limit(used.audio_seconds, limits.audio_seconds)
        return f"{use}\n{say(locale, 'status-sound', seconds=seconds)}"


def _outage_line(outage: Outage, locale: str) -> str:
    """A target out of reach, for how long, and what to do about it; the error is in English."""
    duration = say_duration(timedelta(seconds=outage.seconds), locale)
    problem = shorten(str(outage.error), _PROBLEM_CHARS)
    line = say(locale, "status-out-of-reach", duration=duration, problem=problem)
    return f"{line} → {outage.error.hint}" if outage.error.hint else line


_PROBLEM_CHARS = 200
_TOP_USERS = 5


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts users, turns, failures and ratings, and sums the use of models and searches.

    Waiting approvals are shown if answers need approval (`has_approvals`) or if any still wait.
    """

    reader: StatisticsReader
    ledger: UsageLedger
    prices: Callable[[], Prices]
    accounts: Accounts
    has_approvals: Callable[[], bool] = never

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"stats": self.answer})

    async def answer(self, request: CommandRequest) -> Reply:
        """A line for each subject."""
        statistics = await self.reader.read()
        lines = _text(statistics, request.locale)
        if self.has_approvals() or statistics.unapproved:
            lines.append(say(request.locale, "stats-approvals", count=statistics.unapproved))
        heading = say(request.locale, "stats-heading")
        return Reply(section(heading, *lines, *await self._use(request.locale)))

    async def _use(self, locale: str) -> list[str]:
        prices = self.prices()
        week = await self.ledger.lines(days=7)
        today = await self.ledger.lines(days=1)
        lines = [
            _spending_line(spending_of(today, prices), "stats-use-day", locale),
            _spending_line(spending_of(week, prices), "stats-use-week", locale),
            *_cached_line(total(line.usage for line in week), locale),
            *_table_line(prices.edition_for(week), locale),
        ]
        by_user = spending_by(week, prices, lambda line: line.user_id)
        most = list(by_user.items())[:_TOP_USERS]
        names = await self.accounts.names([user_id for user_id, _ in most])
        top = [
            f"{label_user(user_id, names)}: {say(locale, 'use-free', used=spending.usage.tokens)}"
            for user_id, spending in most
        ]
        return [*lines, say(locale, "stats-top-users", users=" · ".join(top) or "–")]


def _spending_line(spending: Spent, key: str, locale: str) -> str:
    use = spending.usage
    return say(
        locale,
        key,
        tokens=use.tokens,
        images=use.images,
        searches=use.searches,
        cost=_cost(spending, locale),
    )


def _cached_line(usage: Usage, locale: str) -> list[str]:
    """The share of the tokens read that servers had read before; [] without any."""
    share = round(100 * usage.cached_tokens / usage.input_tokens) if usage.cached_tokens else 0
    return [say(locale, "stats-cached", share=share)] if share else []


def _table_line(edition: str, locale: str) -> list[str]:
    """The table that prices come from; [] if none does."""
    return [say(locale, "stats-price-table", table=edition)] if edition else []


def _cost(spending: Spent, locale: str) -> str:
    if spending.cost is None:
        return say(locale, "stats-cost-unknown")
    if not spending.unpriced:
        return say(locale, "stats-cost", cost=show_usd(spending.cost))
    model_list = ", ".join(spending.unpriced)
    return say(locale, "stats-cost-partly", cost=show_usd(spending.cost), models=model_list)


def _text(statistics: Statistics, locale: str) -> list[str]:
    users, turns = statistics.users, statistics.turns
    plan_list = ", ".join(
        say(locale, f"stats-plan-{plan.replace('+', '-')}", count=count)
        for plan, count in turns.plans.items()
        if count
    )
    return [
        say(
            locale,
            "stats-users",
            known=users.known,
            day=users.of_day,
            week=users.of_week,
            blocking=users.blocking,
        ),
        say(locale, "stats-turns", day=turns.of_day, week=turns.of_week),
        say(locale, "stats-plans", plans=plan_list or "–"),
        say(locale, "stats-times", p50=f"{turns.p50_s:.2f}", p95=f"{turns.p95_s:.2f}"),
        say(
            locale,
            "stats-failures",
            broken=turns.broken_off,
            dead=statistics.dead,
            undelivered=statistics.undelivered,
        ),
        say(locale, "stats-feedback", up=statistics.rated_up, down=statistics.rated_down),
        say(locale, "stats-inbox", pending=statistics.pending),
    ]
