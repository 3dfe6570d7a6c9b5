"""/stats: how the bot does. For admins."""

from dataclasses import dataclass

from rich_agent.account_ports import Statistics, StatisticsReader
from rich_agent.phrases import say
from rich_agent.telegram.commands.registry import Asked, CommandSpec, Reply


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts users, turns, failures and feedback. Tokens are the model server's to tell."""

    reader: StatisticsReader

    def commands(self) -> tuple[CommandSpec, ...]:
        """/stats."""
        return (CommandSpec("stats", self.answer, for_admins=True),)

    async def answer(self, asked: Asked) -> Reply:
        """A line for each subject."""
        return Reply.of(_text(await self.reader.read(), asked.locale))


def _text(found: Statistics, locale: str) -> str:
    users, turns = found.users, found.turns
    plans = ", ".join(
        say(locale, f"stats-plan-{plan.replace('+', '-')}", count=count)
        for plan, count in turns.plans.items()
        if count
    )
    lines = [
        say(
            locale,
            "stats-users",
            known=users.known,
            day=users.of_day,
            week=users.of_week,
            blocking=users.blocking,
        ),
        say(locale, "stats-turns", day=turns.of_day, week=turns.of_week),
        say(locale, "stats-plans", plans=plans or "–"),
        say(locale, "stats-times", p50=f"{turns.p50_s:.2f}", p95=f"{turns.p95_s:.2f}"),
        say(
            locale,
            "stats-failures",
            broken=turns.broken_off,
            dead=found.dead,
            undelivered=found.undelivered,
        ),
        say(locale, "stats-feedback", up=found.rated_up, down=found.rated_down),
        say(locale, "stats-inbox", pending=found.pending),
    ]
    return "\n".join(lines)
