"""`rich-agent replay`: what a past turn would be today, and how that differs. Changes nothing."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rich_agent.app import IMAGE_LIMITS, open_services, open_telegram
from rich_agent.commands.trace import find_turn
from rich_agent.domain.difference import Exchange, TurnDifference, TurnResult, compare
from rich_agent.graph.services import Services
from rich_agent.logs import configure_logging
from rich_agent.ports.past_turns import PastTurn
from rich_agent.ports.upstreams import ImageFiles
from rich_agent.repositories.in_memory.clarifications import InMemoryClarifications
from rich_agent.repositories.in_memory.conversations import InMemoryTranscript
from rich_agent.repositories.in_memory.knowledge import InMemoryDecisions
from rich_agent.repositories.past_turns import PostgresPastTurns
from rich_agent.repositories.without_effects import (
    ReadImageAnswers,
    ReadImageSummaries,
    ReadMemories,
)
from rich_agent.settings import Settings
from rich_agent.storage import open_databases
from rich_agent.turn_replay import Replayed, replay, result_of
from rich_agent.upstreams.local_files import LocalImageFiles


@dataclass(frozen=True, slots=True)
class Replay:
    """Both runs of a turn."""

    turn: PastTurn
    replayed: Replayed

    @property
    def before(self) -> TurnResult:
        """What came of it then."""
        return result_of(self.turn)

    @property
    def difference(self) -> TurnDifference:
        """What is other now."""
        return compare(self.before, self.replayed.result)


def replay_turn(request_id: str | None, *, user_id: int | None, as_json: bool) -> None:
    """Run a turn again, the newest without an id, and print the difference.

    Raises: UnknownTurnError, TurnNotReplayableError, UpstreamError, SettingsError, ...
    """
    done = asyncio.run(_replay(request_id, user_id))
    if as_json:
        typer.echo(json.dumps(to_json(done), ensure_ascii=False, indent=2))
        return
    console = Console()
    for part in _tell(done):
        console.print(part)


async def _replay(request_id: str | None, user_id: int | None) -> Replay:
    settings = Settings.load()
    configure_logging(settings.log_format, "error")
    settings.require_api_key()
    async with open_databases(settings, read_only=True) as databases:
        turns = PostgresPastTurns(databases)
        turn = await find_turn(turns, request_id, user_id)
        conversation = await turns.before(turn, settings.recent_turns)
        async with (
            _open_files(settings, turn) as files,
            open_services(settings, databases, files) as services,
        ):
            return Replay(turn, await replay(turn, conversation, _without_effects(services)))


@asynccontextmanager
async def _open_files(settings: Settings, turn: PastTurn) -> AsyncIterator[ImageFiles]:
    """Where the turn's photos come from, should they have to be looked at again."""
    if turn.decision.request_id.startswith("tg:") and settings.telegram_bot_token:
        async with open_telegram(settings) as telegram:
            yield telegram
    else:
        yield LocalImageFiles(IMAGE_LIMITS.max_bytes)


def _without_effects(services: Services) -> Services:
    """The services, whose repositories read what is stored and keep nothing."""
    return replace(
        services,
        memories=ReadMemories(services.memories),
        transcript=InMemoryTranscript(),
        summaries=ReadImageSummaries(services.summaries),
        image_answers=ReadImageAnswers(services.image_answers),
        decisions=InMemoryDecisions(),
        clarifications=InMemoryClarifications(),
        approval_intents=frozenset(),
    )


def to_json(done: Replay) -> dict[str, Any]:
    """Both runs and their difference, as `rich-agent replay --json` prints them."""
    decision, difference = done.turn.decision, done.difference
    return {
        "request_id": decision.request_id,
        "thread_id": decision.thread_id,
        "same": not difference,
        "before": {**_run(done.before), "latency_ms": decision.latency_ms},
        "after": {**_run(done.replayed.result), "latency_ms": dict(done.replayed.latency_ms)},
        "difference": asdict(difference),
    }


def _run(result: TurnResult) -> dict[str, Any]:
    named = {"read": result.read, "cited": result.cited}
    return {**asdict(result), **{name: [label for _, label in of] for name, of in named.items()}}


def _tell(done: Replay) -> Iterator[str | Table]:
    difference, decided_at = done.difference, f"{done.turn.decided_at:%Y-%m-%d %H:%M:%S %Z}"
    yield f"[bold]{done.turn.decision.request_id}[/bold] of {decided_at}, run again"
    if not difference:
        yield "Nothing is different."
    for name, (before, after) in difference.decision.items():
        yield f"[bold]{name}[/bold]"
        yield from (_coloured(f"- {before}"), _coloured(f"+ {after}"))
    yield from _exchanged("passages", difference.read)
    yield from _exchanged("citations", difference.cited)
    if difference.answer:
        yield "[bold]answer[/bold]"
        yield from map(_coloured, difference.answer)
    yield _times(done)


def _exchanged(what: str, exchange: Exchange) -> Iterator[str]:
    if exchange.added or exchange.removed:
        yield f"[bold]{what}[/bold] ({exchange.kept} kept)"
        yield from (_coloured(f"- {label}") for label in exchange.removed)
        yield from (_coloured(f"+ {label}") for label in exchange.added)


def _coloured(line: str) -> str:
    colour = {"+": "green", "-": "red"}.get(line[:1])
    return f"[{colour}]{escape(line)}[/{colour}]" if colour else escape(line)


def _times(done: Replay) -> Table:
    then, now = done.turn.decision.latency_ms, done.replayed.latency_ms
    table = Table("node", "ms then", "ms now")
    for node in [*now, *(node for node in then if node not in now)]:
        table.add_row(node, *(f"{run[node]:.1f}" if node in run else "" for run in (then, now)))
    return table
