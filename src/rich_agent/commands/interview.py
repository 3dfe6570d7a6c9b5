"""Asks a person at the terminal, or takes what flags give; each answer is checked at once."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import typer

from rich_agent.errors import RichAgentError
from rich_agent.terminal.console import err

Checked = TypeVar("Checked")


async def as_it_stands(text: str) -> str:
    """The check of what needs none."""
    return text


@dataclass(frozen=True, slots=True)
class SetupOptions:
    """The values of flags; None is asked for, or taken from the settings without a terminal."""

    token: str | None = None
    server: str | None = None
    api_key: str | None = None
    chat_model: str | None = None
    planner_model: str | None = None
    vision_model: str | None = None
    embedding_model: str | None = None
    about: str | None = None
    documents: Sequence[str] | None = None
    users: str | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class SetupQuestion:
    """What to ask; `given` is the answer of the option `flag`. Enter takes `default`."""

    text: str
    flag: str
    given: str | None = None
    default: str | None = None
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class Interview:
    """Questions and their answers; nothing is asked without a terminal."""

    is_at_terminal: bool = field(default_factory=sys.stdin.isatty)

    async def ask(
        self, asked: SetupQuestion, check: Callable[[str], Awaitable[Checked]]
    ) -> Checked:
        """What the check makes of the answer.

        A person is asked again when the check refuses. Without a terminal the default is taken.
        Raises: RichAgentError of the check, or naming the option that is missing.
        """
        if asked.given is not None or not self.is_at_terminal:
            answer = asked.default if asked.given is None else asked.given
            if answer is None:
                raise RichAgentError(
                    f"cannot ask without a terminal: {asked.text}",
                    mend=f"Give {asked.flag}, or run this at a terminal.",
                )
            return await check(answer.strip())
        while True:
            answer = typer.prompt(
                asked.text,
                default=asked.default,
                hide_input=asked.is_secret,
                show_default=bool(asked.default) and not asked.is_secret,
            )
            try:
                return await check(str(answer).strip())
            except RichAgentError as error:
                err(f"  {error.explain()}")
