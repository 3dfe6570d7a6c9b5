"""`rich-agent trace`: shows the operator everything that is stored about one turn."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich_agent.feature import Core, RichAgentError, Settings, Shell
from rich_agent.feature.terminal import out, out_json, show_facts, show_table
from rich_agent.feature.text import counted
from rich_agent.feature.turns import (
    NodeReport,
    Size,
    StoredTurn,
    TurnCalls,
    models_in,
    node_position,
    thread_of,
    turn_calls,
)

_SUGGESTED = 5
_USED = (
    ("calls", "call", ""),
    ("estimated", "estimated", "estimated"),
    ("input_tokens", "token read", "tokens read"),
    ("cached_tokens", "of them cached", "of them cached"),
    ("cache_write_tokens", "of them written to a cache", "of them written to a cache"),
    ("output_tokens", "token written", "tokens written"),
    ("images", "image", ""),
    ("searches", "search", "searches"),
    ("tool_calls", "call of a tool", "calls of tools"),
    ("audio_seconds", "second of sound", "seconds of sound"),
)


class UnknownTurnError(RichAgentError):
    """No turn with this id is recorded, or it was forgotten. `newest` has the latest ids."""

    def __init__(self, request_id: str, newest: Sequence[str]) -> None:
        hint = f"The newest: {', '.join(newest)}." if newest else "No turn was recorded yet."
        problem = f"no turn has the id {request_id}" if request_id else "there is no turn to show"
        super().__init__(problem, hint=hint)


def show_trace(shell: Shell, request_id: str | None, *, user_id: int | None, as_json: bool) -> None:
    """Print a turn; without an id, the newest turn, or the newest turn of the user.

    Raises: UnknownTurnError, DatabaseUnavailableError, SchemaError.
    """
    turn = asyncio.run(_find(shell, request_id, user_id))
    if as_json:
        out_json(turn_to_json(turn))
        return
    tell(turn)


async def find_turn(core: Core, request_id: str | None, user_id: int | None) -> StoredTurn:
    """Find a turn by its id; without an id, the newest turn. A bare number is the id of an update.

    Raises: UnknownTurnError with the newest turns.
    """
    thread_id = None if user_id is None else thread_of(user_id)
    turns = core.past_turns
    newest_decisions = await turns.latest(thread_id, _SUGGESTED)
    if request_id is None and newest_decisions:
        request_id, thread_id = newest_decisions[0].request_id, newest_decisions[0].thread_id
    full_id = f"tg:{request_id}" if (request_id or "").isdecimal() else request_id or ""
    turn = await turns.find(full_id, thread_id) if full_id else None
    if turn is None:
        raise UnknownTurnError(
            full_id, [turn_decision.request_id for turn_decision in newest_decisions]
        )
    return turn


async def _find(shell: Shell, request_id: str | None, user_id: int | None) -> StoredTurn:
    async with shell.open_core(Settings.load()) as core:
        return await find_turn(core, request_id, user_id)


def turn_to_json(turn: StoredTurn) -> dict[str, Any]:
    """The turn as `rich-agent trace --json` prints it."""
    decision = asdict(turn.decision)
    nodes = {
        node: {"latency_ms": latency, **decision["nodes"].get(node, {})}
        for node, latency in decision["latency_ms"].items()
    }
    return {
        **decision,
        "nodes": nodes,
        "calls": asdict(turn_calls(_reports(turn))),
        "decided_at": turn.decided_at,
        "said": turn.said and asdict(turn.said),
        "delivered": turn.delivered and asdict(turn.delivered),
        "rating": turn.rating,
    }


def tell(turn: StoredTurn) -> None:
    """Print a turn: facts, nodes in order, passages, question and answer."""
    show_facts(_facts(turn))
    for node in sorted(turn.decision.latency_ms, key=node_position):
        out(f"\n{node}")
        report = NodeReport.from_json(turn.decision.nodes.get(node))
        show_facts(_node_facts(turn.decision.latency_ms[node], report), indent=2)
    if turn.decision.retrieved:
        out()
        show_table(("score", "kind", "cited", "passage"), list(_passages(turn)))
    if turn.said:
        out(f"\nAsked\n{turn.said.question}\n\nAnswered\n{turn.said.answer}")
    else:
        out("\nThe turn was not finished, or its conversation was deleted.")


def _reports(turn: StoredTurn) -> list[NodeReport]:
    """The reports of the nodes, in order."""
    nodes = turn.decision.nodes
    return [NodeReport.from_json(nodes[node]) for node in sorted(nodes, key=node_position)]


def _facts(turn: StoredTurn) -> list[tuple[str, str]]:
    decision = turn.decision
    reports = _reports(turn)
    return [
        ("turn", f"{decision.request_id} in {decision.thread_id}"),
        ("decided", f"{turn.decided_at:%Y-%m-%d %H:%M:%S %Z}"),
        ("intent", decision.intent),
        ("plan", decision.plan),
        ("reason", decision.reason),
        ("looked for", "\n".join(dict.fromkeys([decision.query, *decision.queries])).strip()),
        ("passages", f"{decision.retrieved_count} read, {decision.citations_count} cited"),
        ("models", ", ".join(models_in(reports))),
        ("calls", _calls_line(turn_calls(reports))),
        ("total", f"{sum(decision.latency_ms.values()) / 1000:.2f} s"),
        ("rating", turn.rating or ""),
        ("update", _delivery(turn)),
    ]


def _calls_line(calls: TurnCalls) -> str:
    """The calls of chat models and the tokens that they read, "" without a call."""
    if not calls.calls:
        return ""
    return (
        f"{counted(calls.calls, 'call')}, {calls.before_answer} in a row before the first word; "
        f"{counted(calls.input_tokens, 'token')} read, {calls.cached_tokens:,} of them cached"
    )


def _delivery(turn: StoredTurn) -> str:
    inbox_update = turn.delivered
    if inbox_update is None:
        return ""
    state = "given up" if inbox_update.dead_at else "done" if inbox_update.done_at else "not done"
    error_note = f"; last error: {inbox_update.last_error}" if inbox_update.last_error else ""
    attempts = counted(inbox_update.attempts, "attempt")
    return f"{state} after {attempts}, received {inbox_update.received_at:%H:%M:%S}{error_note}"


def _node_facts(latency_ms: float, report: NodeReport) -> list[tuple[str, str]]:
    return [
        ("time", f"{latency_ms:,.1f} ms"),
        ("read", sizes_line(report.input)),
        ("gave", sizes_line(report.output)),
        ("notes", "\n".join(_notes(report))),
    ]


def sizes_line(sizes: Mapping[str, Size]) -> str:
    """The sizes that are not zero, separated by commas."""
    return ", ".join(f"{name}: {size}" for name, size in sizes.items() if size)


def _notes(report: NodeReport) -> Iterator[str]:
    for call in report.usage:
        used_amounts = [
            counted(call[name], noun, plural) for name, noun, plural in _USED if call.get(name)
        ]
        yield f"{call.get('model') or call.get('kind')}: {', '.join(used_amounts)}"
    for name, value in report.counts.items():
        yield f"{name}: {value}"
    if report.attempts > 1:
        yield counted(report.attempts, "attempt")
    if report.resumed:
        yield "resumed here"
    for event, kind in report.survived.items():
        yield f"{event}: {kind}"


def _passages(turn: StoredTurn) -> Iterator[tuple[str, ...]]:
    for passage in turn.decision.retrieved:
        cited_mark = "yes" if passage["cited"] else ""
        yield (f"{passage['score']:.2f}", passage["kind"], cited_mark, passage["label"])
