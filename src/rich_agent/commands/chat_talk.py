"""A conversation at the terminal: lines in, answers out."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager

from rich_agent.commands.chat_answer import DECISION_KEYS, ShownTurn, show_turn
from rich_agent.domain.message import DECISIONS, TurnRequest, User
from rich_agent.domain.text import whole_number
from rich_agent.errors import RichAgentError
from rich_agent.terminal.console import err
from rich_agent.terminal.conversation import deciding, terminal_request
from rich_agent.turns.runner import QuestionAsked, TurnEvent

Outages = Callable[[TurnRequest, asyncio.Event], AsyncIterator[TurnEvent]]
"""Asks a bot; once the event is set, what is said so far is the answer."""


class Talk:
    """A conversation that knows its last question; Ctrl-C stops the answer being written."""

    def __init__(self, reach: Outages, user: User) -> None:
        self._reach = reach
        self._user = user
        self._question: QuestionAsked | None = None
        self._stop: asyncio.Event | None = None

    @property
    def waiting(self) -> QuestionAsked | None:
        """The question that asks for approval, as long as nothing has ended it here."""
        return self._question if self._question and self._question.approves else None

    def forget_choices(self) -> None:
        """Forget the last question, unless it asks for approval."""
        self._question = self.waiting

    def request(self, line: str) -> TurnRequest:
        """The request that a line makes: what its key decides at a card, a choice, or itself."""
        choice_count = len(self.waiting.choices) if self.waiting else 0
        decision_by_key = dict(zip(DECISION_KEYS[:choice_count], DECISIONS, strict=False))
        if self.waiting and (decision := decision_by_key.get(line.casefold())):
            return deciding(self._user, self.waiting, decision)
        choices = self._question.choices if self._question and not self.waiting else ()
        return terminal_request(self._user, meaning_of_line(line, choices))

    async def answer(self, request: TurnRequest) -> ShownTurn:
        """Print the answer to a request. Raises: RichAgentError."""
        self._stop, self._question = asyncio.Event(), None
        try:
            turn = await show_turn(self._reach(request, self._stop))
        finally:
            self._stop = None
        self._question = turn.question
        return turn

    async def take_lines(self, take: Callable[[str], Awaitable[object]]) -> None:
        """Read lines until the end of the input; empty ones say nothing, failures are printed."""
        with self._interruptible():
            while line := await _read_line():
                if not (line := line.strip()):
                    continue
                try:
                    await take(line)
                except RichAgentError as error:
                    err(f"\n{error.explain()}")

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Ctrl-C stops an answer; a second one, and one where no answer is written, ends all."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def interrupt() -> None:
            if self._stop is not None and not self._stop.is_set():
                self._stop.set()
            elif task is not None:
                task.cancel()

        loop.add_signal_handler(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)


def meaning_of_line(line: str, choices: tuple[str, ...]) -> str:
    """The meaning of a line: the choice that it numbers, if there is one, else itself."""
    number = whole_number(line) or 0
    return choices[number - 1] if 0 < number <= len(choices) else line


async def _read_line() -> str:
    if not sys.stdin.isatty():
        return await asyncio.to_thread(sys.stdin.readline)
    err("> ", newline=False)
    # Not in a thread: it could not be ended, and Ctrl-C would wait for the next line.
    loop, has_input = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin, has_input.set)
    try:
        await has_input.wait()
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline()
