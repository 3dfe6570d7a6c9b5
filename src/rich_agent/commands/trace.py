"""`rich-agent trace`: everything that is kept of one turn, for the operator."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rich_agent.domain.message import thread_of
from rich_agent.domain.trace import NodeReport, Size, models_in
from rich_agent.errors import UnknownTurnError
from rich_agent.ports.past_turns import PastTurn, PastTurns
from rich_agent.repositories.past_turns import PostgresPastTurns
from rich_agent.settings import Settings
from rich_agent.storage import open_databases

_SUGGESTED = 5


def show_trace(request_id: str | None, *, user_id: int | None, as_json: bool) -> None:
    """Print a turn; without an id the newest, of that user if one is given.

    Raises: UnknownTurnError, DatabaseUnavailableError, SchemaError.
    """
    turn = asyncio.run(_find(request_id, user_id))
    if as_json:
        typer.echo(json.dumps(to_json(turn), ensure_ascii=False, indent=2, default=str))
        return
    console = Console(soft_wrap=False)
    for part in _tell(turn):
        console.print(part)


async def find_turn(turns: PastTurns, request_id: str | None, user_id: int | None) -> PastTurn:
    """The turn that is meant; a bare number is the id of an update.

    Raises: UnknownTurnError naming the newest ones.
    """
    thread_id = None if user_id is None else thread_of(user_id)
    newest = await turns.latest(thread_id, _SUGGESTED)
    if request_id is None and newest:
        request_id, thread_id = newest[0].request_id, newest[0].thread_id
    wanted = f"tg:{request_id}" if (request_id or "").isdecimal() else request_id or ""
    found = await turns.find(wanted, thread_id) if wanted else None
    if found is None:
        raise UnknownTurnError(wanted, [turn.request_id for turn in newest])
    return found


async def _find(request_id: str | None, user_id: int | None) -> PastTurn:
    async with open_databases(Settings.load()) as databases:
        return await find_turn(PostgresPastTurns(databases), request_id, user_id)


def to_json(turn: PastTurn) -> dict[str, Any]:
    """The turn as `rich-agent trace --json` prints it."""
    decision = asdict(turn.decision)
    nodes = {
        node: {"latency_ms": latency, **decision["nodes"].get(node, {})}
        for node, latency in decision["latency_ms"].items()
    }
    return {
        **decision,
        "nodes": nodes,
        "decided_at": turn.decided_at,
        "said": turn.said and asdict(turn.said),
        "delivered": turn.delivered and asdict(turn.delivered),
        "rating": turn.rating,
    }


def _tell(turn: PastTurn) -> Iterator[str | Table]:
    yield _facts(turn)
    yield nodes_table(turn.decision.latency_ms, turn.decision.nodes)
    if turn.decision.retrieved:
        yield _passages_table(turn)
    if turn.said:
        yield f"\n[bold]Asked[/bold]\n{escape(turn.said.question)}"
        yield f"\n[bold]Answered[/bold]\n{escape(turn.said.answer)}"
    else:
        yield "\nThe turn did not come to its end, or its conversation was forgotten."


def _facts(turn: PastTurn) -> Table:
    decision = turn.decision
    facts = {
        "turn": f"{decision.request_id} in {decision.thread_id}",
        "decided": f"{turn.decided_at:%Y-%m-%d %H:%M:%S %Z}",
        "intent": decision.intent,
        "plan": decision.plan,
        "reason": decision.reason,
        "looked for": " | ".join([decision.query, *decision.queries]),
        "passages": f"{decision.retrieved_count} read, {decision.citations_count} cited",
        "models": ", ".join(models_in(map(NodeReport.from_json, decision.nodes.values()))),
        "total": f"{sum(decision.latency_ms.values()) / 1000:.2f} s",
        "rating": turn.rating or "",
        "update": _delivery(turn),
    }
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, fact in facts.items():
        if fact:
            table.add_row(name, escape(fact))
    return table


def _delivery(turn: PastTurn) -> str:
    update = turn.delivered
    if update is None:
        return ""
    state = "given up" if update.dead_at else "done" if update.done_at else "not done"
    last = f"; last error: {update.last_error}" if update.last_error else ""
    return f"{state} after {update.attempts} attempts, received {update.received_at:%H:%M:%S}{last}"


def nodes_table(latency_ms: Mapping[str, float], nodes: Mapping[str, Any]) -> Table:
    """A row for each node that ran: time, what went in and came out, what it noted."""
    table = Table("node", "ms", "in", "out", "notes", title_justify="left")
    for node, latency in latency_ms.items():
        report = NodeReport.from_json(nodes.get(node))
        row = (sizes_line(report.input), sizes_line(report.output), "\n".join(_notes(report)))
        table.add_row(node, f"{latency:.1f}", *map(escape, row))
    return table


def sizes_line(sizes: Mapping[str, Size]) -> str:
    """Sizes on a line each."""
    return "\n".join(f"{name}: {size}" for name, size in sizes.items())


def _notes(report: NodeReport) -> Iterator[str]:
    for call in report.usage:
        used = [f"{count} {name}" for name, count in call.items() if name not in {"kind", "model"}]
        yield f"{call.get('model') or call.get('kind')}: {', '.join(used)}"
    for name, count in report.counts.items():
        yield f"{name}: {count}"
    if report.attempts > 1:
        yield f"{report.attempts} attempts"
    if report.resumed:
        yield "resumed here"
    for event, kind in report.survived.items():
        yield f"{event}: {kind}"


def _passages_table(turn: PastTurn) -> Table:
    table = Table("passage", "kind", "score", "cited")
    for passage in turn.decision.retrieved:
        table.add_row(
            escape(passage["label"]),
            passage["kind"],
            f"{passage['score']:.2f}",
            "yes" if passage["cited"] else "",
        )
    return table
