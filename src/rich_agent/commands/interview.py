"""Questions at a terminal: each answer is checked when it is given, and asked for again."""

import signal
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import typer

from rich_agent.errors import RichAgentError
from rich_agent.terminal.console import err

Checked = TypeVar("Checked")


@contextmanager
def ctrl_c_ends_prompt() -> Iterator[None]:
    """Have Ctrl-C end a prompt at once: asyncio takes it for its loop, which the prompt blocks."""
    previous_handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous_handler)


async def as_it_stands(text: str) -> str:
    """The check of what needs none."""
    return text


@dataclass(frozen=True, slots=True)
class SetupQuestion:
    """A question to ask, unless the option `flag` answers it. Enter takes `default`.

    No option answers a question without a flag.
    """

    text: str
    flag: str = ""
    default: str | None = None
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class Interview:
    """Questions and their answers; nothing is asked without a terminal.

    `options` are the values of the command's options by name, None for those that are absent.
    """

    options: Mapping[str, str | Sequence[str] | None]
    is_at_terminal: bool = field(default_factory=sys.stdin.isatty)

    def value_of(self, flag: str) -> str | None:
        """The value of the option, None if it is absent; several values are joined by commas."""
        value = self.options.get(flag.removeprefix("--").replace("-", "_"))
        return value if value is None or isinstance(value, str) else ",".join(value)

    async def ask(
        self, question: SetupQuestion, check: Callable[[str], Awaitable[Checked]]
    ) -> Checked:
        """Ask, and return the result of the check of the answer.

        A person is asked again when the check refuses. Without a terminal the default is taken.
        Raises: RichAgentError of the check, or naming the option that is missing.
        """
        option = self.value_of(question.flag)
        if option is not None or not self.is_at_terminal:
            answer = question.default if option is None else option
            if answer is None:
                raise RichAgentError(
                    f"cannot ask without a terminal: {question.text}",
                    hint=f"Give {question.flag}, or run this at a terminal.",
                )
            return await check(answer.strip())
        return await self.ask_person(question, check)

    async def settle(
        self, question: SetupQuestion, check: Callable[[str], Awaitable[Checked]]
    ) -> Checked:
        """Take the default without a question; ask only if there is none, or if it is refused.

        Raises: as `ask`.
        """
        is_settled = self.value_of(question.flag) is None and self.is_at_terminal
        if is_settled and question.default is not None:
            try:
                return await check(question.default)
            except RichAgentError as error:
                err(f"  {error.explain()}")
        return await self.ask(question, check)

    async def ask_person(
        self, question: SetupQuestion, check: Callable[[str], Awaitable[Checked]]
    ) -> Checked:
        """Ask the person at the terminal, whatever the options are, until the check accepts."""
        while True:
            with ctrl_c_ends_prompt():
                answer = typer.prompt(
                    question.text,
                    default=question.default,
                    hide_input=question.is_secret,
                    show_default=bool(question.default) and not question.is_secret,
                )
            try:
                return await check(str(answer).strip())
            except RichAgentError as error:
                err(f"  {error.explain()}")
