"""`rich-agent ask` and `rich-agent chat`: opens the agent, shows its events at the terminal."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from rich_agent.app import open_turns
from rich_agent.domain.citation import Citation
from rich_agent.domain.message import User
from rich_agent.domain.text import whole_number
from rich_agent.errors import RichAgentError
from rich_agent.logs import configure_logging
from rich_agent.ports.accounts import Users
from rich_agent.ports.inbox import Inbox
from rich_agent.repositories.inbox import PostgresInbox
from rich_agent.repositories.users import PostgresUsers
from rich_agent.settings import Settings
from rich_agent.storage import open_databases
from rich_agent.streaming import ShownText, WordBoundary
from rich_agent.telegram_server import IMAGE_LIMITS
from rich_agent.terminal import Question, ask, ask_once, to_json
from rich_agent.turns import Asked, Finished, Status, TextSoFar, TurnRunner
from rich_agent.upstreams.local_files import LocalImageFiles

STAGES = {
    "looking": "Looking at the image…",
    "searching": "Searching…",
    "searching_web": "Searching the web…",
    "drafting": "Drafting…",
}


@dataclass(frozen=True, slots=True)
class Session:
    """An open agent at the terminal."""

    turns: TurnRunner
    inbox: Inbox
    users: Users


@asynccontextmanager
async def open_session() -> AsyncIterator[Session]:
    """The agent as the settings say.

    Raises: SettingsError, DatabaseUnavailableError, SchemaError.
    """
    settings = Settings.load("openai_api_key")
    Settings.forget_secrets()
    configure_logging(settings.log_format, "error", settings.secrets)
    files = LocalImageFiles(IMAGE_LIMITS.max_bytes)
    async with (
        open_databases(settings) as databases,
        open_turns(settings, databases, files) as turns,
        PostgresInbox(databases.app) as inbox,
    ):
        yield Session(turns, inbox, PostgresUsers(databases.app))


def say_waiting() -> None:
    """Tell why nothing happens yet."""
    typer.echo("Another answer to this user is being written; waiting for its end…", err=True)


def ask_at_terminal(question: str, *, user_id: int, image: Path | None, as_json: bool) -> None:
    """Ask once and print the answer with its sources, or JSON.

    Raises: RichAgentError.
    """
    asked = Question(question, User(user_id), str(image.resolve()) if image else None)

    async def run() -> None:
        async with open_session() as session:
            await session.users.remember(asked.user)
            outcome = await ask_once(asked, session.turns, session.inbox, say_waiting)
            if as_json:
                typer.echo(json.dumps(to_json(outcome), ensure_ascii=False, indent=2))
            else:
                choices = tuple((outcome.interrupt or {}).get("choices", ()))
                sources = _sources(outcome.answer.citations)
                typer.echo(outcome.answer.text + sources + _numbered(choices))

    asyncio.run(run())


def chat_at_terminal(*, user_id: int) -> None:
    """Converse until an empty line or the end of the input.

    Raises: RichAgentError before the first question only; later ones are shown and the
    conversation goes on.
    """

    async def run() -> None:
        async with open_session() as session:
            user = User(user_id)
            await session.users.remember(user)
            typer.echo("Ask me anything; an empty line ends the conversation.", err=True)
            choices: tuple[str, ...] = ()
            while line := (await _read_line()).strip():
                try:
                    choices = await show_turn(Question(chosen(line, choices), user), session)
                except RichAgentError as error:
                    typer.echo(f"\n{error.explain()}", err=True)

    asyncio.run(run())


def chosen(line: str, choices: tuple[str, ...]) -> str:
    """What a line says: the choice that it numbers, if there is one, else itself."""
    number = whole_number(line) or 0
    return choices[number - 1] if 0 < number <= len(choices) else line


async def show_turn(question: Question, session: Session) -> tuple[str, ...]:
    """Print a turn while it runs: its stages to stderr, its text word by word, its sources last.

    A question back is printed with its choices numbered; they are returned, () without any.

    Raises: what `TurnRunner.run` raises.
    """
    growing, shown = ShownText(WordBoundary()), ""
    choices: tuple[str, ...] = ()
    async for event in ask(question, session.turns, session.inbox, say_waiting):
        match event:
            case Status(stage):
                typer.echo(STAGES[stage], err=True)
            case TextSoFar(text) if text.startswith(shown):
                growing.grow(text, time.monotonic())
                if words := growing.take(time.monotonic()):
                    typer.echo(words[len(shown) :], nl=False)
                    shown = words
            case Asked():
                choices = event.choices
            case Finished(outcome):
                answer = outcome.answer
                grew = answer.text.startswith(shown)
                rest = answer.text.removeprefix(shown) if grew else f"\n\n{answer.text}"
                typer.echo(rest + _sources(answer.citations) + _numbered(choices) + "\n")
            case _:
                pass
    return choices


async def _read_line() -> str:
    if not sys.stdin.isatty():
        return await asyncio.to_thread(sys.stdin.readline)
    typer.echo("> ", nl=False, err=True)
    # Not in a thread: it could not be ended, and Ctrl-C would wait for the next line.
    loop, typed = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin, typed.set)
    try:
        await typed.wait()
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline()


def _numbered(choices: tuple[str, ...]) -> str:
    return "".join(f"\n  {n}. {choice}" for n, choice in enumerate(choices, start=1))


def _sources(citations: tuple[Citation, ...]) -> str:
    if not citations:
        return ""
    lines = [f"[{c.number}] {c.label}\n    {c.link}".rstrip() for c in citations]
    return "\n\nSources\n" + "\n".join(lines)
