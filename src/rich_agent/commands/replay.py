"""`rich-agent replay`: runs a past turn again and shows the differences. Changes nothing."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any

from rich_agent.commands.trace import find_turn
from rich_agent.commands.usage import show_spent, spent_to_json
from rich_agent.composition.app import open_services, without_effects
from rich_agent.composition.repositories import open_repositories
from rich_agent.composition.telegram_server import IMAGE_LIMITS, open_telegram
from rich_agent.domain.answer.trace import NodeReport, calls_in, node_position
from rich_agent.domain.usage_limits import Prices, Spent, Usage, spent, total
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.turns import StoredTurn
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import out, out_json, show_table
from rich_agent.turns.replay import (
    LEFT_OUT,
    ListChange,
    Replayed,
    TurnDifference,
    TurnResult,
    compare,
    replay,
    result_of,
)
from rich_agent.upstreams.local_files import LocalImageFiles


@dataclass(frozen=True, slots=True)
class Replay:
    """Both runs of a turn."""

    turn: StoredTurn
    replayed: Replayed
    prices: Prices

    @property
    def before(self) -> TurnResult:
        """The result of the turn then."""
        return result_of(self.turn)

    @property
    def difference(self) -> TurnDifference:
        """The difference between the results then and now."""
        return compare(self.before, self.replayed.result)

    @property
    def spent_then(self) -> Spent:
        """The usage of its models then, without N7, which is not run again."""
        return _spent(self.turn.decision.nodes, self.prices)

    @property
    def spent_now(self) -> Spent:
        """The usage of its models this time."""
        return _spent(self.replayed.nodes, self.prices)


def _spent(nodes: Mapping[str, Any], prices: Prices) -> Spent:
    reports = [NodeReport.from_json(told) for node, told in nodes.items() if node != LEFT_OUT]
    return spent(calls_in(reports), prices)


def replay_turn(request_id: str | None, *, user_id: int | None, as_json: bool) -> None:
    """Run a turn again, the newest without an id, and print the difference.

    Raises: UnknownTurnError, TurnNotReplayableError, UpstreamError, SettingsError, ...
    """
    done = asyncio.run(_replay(request_id, user_id))
    if as_json:
        out_json(replay_to_json(done))
        return
    _tell(done)


async def _replay(request_id: str | None, user_id: int | None) -> Replay:
    settings = Settings.load("OPENAI_API_KEY")
    settings.forget_secrets()
    configure_logging(settings.logs.format, "error", settings.secrets)
    async with open_repositories(settings, read_only=True) as repositories:
        turn = await find_turn(repositories, request_id, user_id)
        conversation = await repositories.past_turns.before(turn, settings.turn.recent_turns)
        async with (
            _open_files(settings, turn) as files,
            open_services(settings, repositories, files) as services,
        ):
            done = await replay(turn, conversation, without_effects(services))
            return Replay(turn, done, settings.cost.prices)


@asynccontextmanager
async def _open_files(settings: Settings, turn: StoredTurn) -> AsyncIterator[ImageFiles]:
    """Open the source of the turn's photos, should they have to be looked at again."""
    if turn.decision.request_id.startswith("tg:") and settings.telegram.bot_token:
        async with open_telegram(settings) as telegram:
            yield telegram
    else:
        yield LocalImageFiles(IMAGE_LIMITS.max_bytes)


def replay_to_json(done: Replay) -> dict[str, Any]:
    """Both runs and their difference, as `rich-agent replay --json` prints them."""
    decision, difference = done.turn.decision, done.difference
    return {
        "request_id": decision.request_id,
        "thread_id": decision.thread_id,
        "same": not difference,
        "before": {
            **_run(done.before),
            "latency_ms": decision.latency_ms,
            "usage": spent_to_json(done.spent_then),
        },
        "after": {
            **_run(done.replayed.result),
            "latency_ms": dict(done.replayed.latency_ms),
            "usage": spent_to_json(done.spent_now),
        },
        "difference": asdict(difference),
    }


def _run(result: TurnResult) -> dict[str, Any]:
    named = {"read": result.read, "cited": result.cited}
    return {**asdict(result), **{name: [label for _, label in of] for name, of in named.items()}}


def _tell(done: Replay) -> None:
    difference, decided_at = done.difference, f"{done.turn.decided_at:%Y-%m-%d %H:%M:%S %Z}"
    out(f"{done.turn.decision.request_id} of {decided_at}, run again")
    if not difference:
        out("Nothing has changed.")
    for name, (before, after) in difference.decision.items():
        _tell_lines(name, [f"- {before}", f"+ {after}"])
    _tell_exchange("passages", difference.read)
    _tell_exchange("citations", difference.cited)
    if difference.answer:
        _tell_lines("answer", difference.answer)
    out()
    show_table(("node", "ms then", "ms now", "tokens then", "tokens now"), list(_rows(done)))


def _tell_exchange(what: str, exchange: ListChange) -> None:
    if exchange.added or exchange.removed:
        removed = [f"- {label}" for label in exchange.removed]
        added = [f"+ {label}" for label in exchange.added]
        _tell_lines(f"{what} ({exchange.kept} kept)", [*removed, *added])


def _tell_lines(name: str, lines: Iterable[str]) -> None:
    out(f"\n{name}")
    for line in lines:
        out(line, colour={"+": "green", "-": "red"}.get(line[:1]))


def _rows(done: Replay) -> Iterator[tuple[str, ...]]:
    """Time and tokens of each node in both runs, and the sum of what both ran."""
    then, now = done.turn.decision, done.replayed
    for node in sorted({*now.latency_ms, *then.latency_ms}, key=node_position):
        times = [run.latency_ms.get(node) for run in (then, now)]
        reports = [NodeReport.from_json(run.nodes.get(node)) for run in (then, now)]
        yield (
            node,
            *("" if ms is None else f"{ms:.1f}" for ms in times),
            *(_tokens(total(call.usage for call in calls_in([report]))) for report in reports),
        )
    both = (done.spent_then, done.spent_now)
    yield (f"without {LEFT_OUT}", "", "", *(_tokens(each.usage) for each in both))
    if any(each.cost is not None for each in both):
        yield ("cost", "", "", *map(show_spent, both))


def _tokens(usage: Usage) -> str:
    """The number of tokens read and written, "~" before what is in part estimated."""
    return f"{'~' if usage.estimated else ''}{usage.tokens:,}" if usage.calls else ""
