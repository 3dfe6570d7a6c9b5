"""`rich-agent replay`: runs a past turn again and shows the differences. Changes nothing."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rich_agent.feature import Settings, Shell, configure_logging
from rich_agent.feature.rehearsal import LEFT_OUT, Replayed, TurnResult, result_of
from rich_agent.feature.terminal import out, out_json, show_table
from rich_agent.feature.turns import NodeReport, StoredTurn, calls_in, node_position
from rich_agent.feature.usage import Prices, Spent, Usage, show_cost, spending_of, total
from rich_agent.features.operator.difference import ListChange, TurnDifference, compare
from rich_agent.features.operator.trace import find_turn
from rich_agent.features.operator.usage import use_to_json


@dataclass(frozen=True, slots=True)
class Replay:
    """A turn with its repetition."""

    turn: StoredTurn
    replayed: Replayed
    prices: Prices

    @property
    def before(self) -> TurnResult:
        """The result of the original turn."""
        return result_of(self.turn)

    @property
    def difference(self) -> TurnDifference:
        """The difference between the original and the repeated result."""
        return compare(self.before, self.replayed.result)

    @property
    def spent_then(self) -> Spent:
        """The usage of models in the original turn, without N7, which is not repeated."""
        return _use_of(self.turn.decision.nodes, self.prices)

    @property
    def spent_now(self) -> Spent:
        """The usage of models in the repeated turn."""
        return _use_of(self.replayed.nodes, self.prices)


def _use_of(nodes: Mapping[str, Any], prices: Prices) -> Spent:
    reports = [NodeReport.from_json(node) for name, node in nodes.items() if name != LEFT_OUT]
    return spending_of(calls_in(reports), prices)


def replay_turn(
    shell: Shell, request_id: str | None, *, user_id: int | None, as_json: bool
) -> None:
    """Run a turn again and print the difference. Without an id, this is the newest turn.

    Raises: UnknownTurnError, TurnNotReplayableError, UpstreamError, SettingsError, ...
    """
    replay = asyncio.run(_replay(shell, request_id, user_id))
    if as_json:
        out_json(replay_to_json(replay))
        return
    _print(replay)


async def _replay(shell: Shell, request_id: str | None, user_id: int | None) -> Replay:
    settings = Settings.load("OPENAI_API_KEY")
    settings.forget_secrets()
    configure_logging(settings.logs.format, "error", settings.secrets)
    async with shell.open_core(settings, read_only=True) as core:
        turn = await find_turn(core, request_id, user_id)
        conversation = await core.past_turns.before(turn, core.settings.turn.recent_turns)
        prices = core.settings.prices
    async with shell.open_rehearsal(settings, photos_of=turn) as rehearsal:
        replayed_turn = await rehearsal.repeat(turn, conversation)
    return Replay(turn, replayed_turn, prices)


def replay_to_json(replay: Replay) -> dict[str, Any]:
    """Both runs and their difference, as printed by `rich-agent replay --json`."""
    decision, difference = replay.turn.decision, replay.difference
    return {
        "request_id": decision.request_id,
        "thread_id": decision.thread_id,
        "same": not difference,
        "before": {
            **_run(replay.before),
            "latency_ms": decision.latency_ms,
            "usage": use_to_json(replay.spent_then),
        },
        "after": {
            **_run(replay.replayed.result),
            "latency_ms": dict(replay.replayed.latency_ms),
            "usage": use_to_json(replay.spent_now),
        },
        "difference": asdict(difference),
    }


def _run(result: TurnResult) -> dict[str, Any]:
    passages = {"read": result.read, "cited": result.cited}
    labels_by_kind = {name: [label for _, label in items] for name, items in passages.items()}
    return {**asdict(result), **labels_by_kind}


def _print(replay: Replay) -> None:
    difference, decided_at = replay.difference, f"{replay.turn.decided_at:%Y-%m-%d %H:%M:%S %Z}"
    out(f"{replay.turn.decision.request_id} of {decided_at}, run again")
    if not difference:
        out("Nothing has changed.")
    for name, (first_value, second_value) in difference.decision.items():
        _print_lines(name, [f"- {first_value}", f"+ {second_value}"])
    _print_exchange("passages", difference.read)
    _print_exchange("citations", difference.cited)
    if difference.answer:
        _print_lines("answer", difference.answer)
    out()
    show_table(("node", "ms then", "ms now", "tokens then", "tokens now"), list(_rows(replay)))


def _print_exchange(title: str, exchange: ListChange) -> None:
    if exchange.added or exchange.removed:
        minus_lines = [f"- {label}" for label in exchange.removed]
        plus_lines = [f"+ {label}" for label in exchange.added]
        _print_lines(f"{title} ({exchange.kept} kept)", [*minus_lines, *plus_lines])


def _print_lines(name: str, lines: Iterable[str]) -> None:
    out(f"\n{name}")
    for line in lines:
        out(line, colour={"+": "green", "-": "red"}.get(line[:1]))


def _rows(replay: Replay) -> Iterator[tuple[str, ...]]:
    """Time and tokens of each node in both runs, and the sum over the repeated nodes."""
    first_run, second_run = replay.turn.decision, replay.replayed
    for node in sorted({*second_run.latency_ms, *first_run.latency_ms}, key=node_position):
        durations_ms = [run.latency_ms.get(node) for run in (first_run, second_run)]
        reports = [NodeReport.from_json(run.nodes.get(node)) for run in (first_run, second_run)]
        yield (
            node,
            *("" if duration_ms is None else f"{duration_ms:.1f}" for duration_ms in durations_ms),
            *(_tokens(total(call.usage for call in calls_in([report]))) for report in reports),
        )
    spendings = (replay.spent_then, replay.spent_now)
    yield (f"without {LEFT_OUT}", "", "", *(_tokens(spending.usage) for spending in spendings))
    if any(spending.cost is not None for spending in spendings):
        yield ("cost", "", "", *map(show_cost, spendings))


def _tokens(usage: Usage) -> str:
    """The number of tokens read and written, with "~" if a part is estimated."""
    return f"{'~' if usage.estimated else ''}{usage.tokens:,}" if usage.calls else ""
