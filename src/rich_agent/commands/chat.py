"""`rich-agent chat`: a conversation at the terminal, with streaming and commands."""

import asyncio
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType

from rich_agent.commands.ask import Session, open_session
from rich_agent.commands.chat_answer import APPROVE_KEY, CANCEL_KEY, show_turn
from rich_agent.commands.chat_commands import ChatCommands
from rich_agent.domain.message import AskedBefore, Decided, TurnRequest, User
from rich_agent.domain.text import whole_number
from rich_agent.errors import RichAgentError
from rich_agent.terminal.console import err
from rich_agent.terminal.conversation import deciding, terminal_request
from rich_agent.turns.runner import QuestionAsked

_DECISIONS: Mapping[str, Decided] = MappingProxyType(
    {APPROVE_KEY: "approved", CANCEL_KEY: "cancelled"}
)


def chat_at_terminal(*, user_id: int) -> None:
    """Converse until an empty line, the end of the input, or Ctrl-C where no answer is written.

    Raises: RichAgentError before the first question only; later ones are shown and the
    conversation goes on. KeyboardInterrupt for Ctrl-C.
    """
    try:
        asyncio.run(_chat(User(user_id)))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _chat(user: User) -> None:
    async with open_session() as session:
        conversation = _Conversation(session, user)
        err("Ask me anything. /help lists the commands; an empty line ends the conversation.")
        with conversation.interruptible():
            while line := (await _read_line()).strip():
                try:
                    await conversation.take(line)
                except RichAgentError as error:
                    err(f"\n{error.explain()}")


class _Conversation:
    """Takes line after line; Ctrl-C stops the answer that is being written."""

    def __init__(self, session: Session, user: User) -> None:
        self._session = session
        self._user = user
        self._commands = ChatCommands(session, user)
        self._asked: QuestionAsked | None = None
        self._stop: asyncio.Event | None = None

    @contextmanager
    def interruptible(self) -> Iterator[None]:
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

    async def take(self, line: str) -> None:
        """Answer a line: a command, a button or a choice by its number, a key, or a question."""
        if line.startswith("/"):
            again = await self._commands.answer(line)
            self._asked = self._waiting()
            if again is not None:
                await self._answer_again(again)
            return
        question = await self._commands.press(line)
        if question == "":
            return
        self._commands.forget_buttons()
        await self._answer(self._request(line) if question is None else self._asks(question))

    def _request(self, line: str) -> TurnRequest:
        """What a line asks for: what its key decides at a card, a choice, or itself."""
        waiting, decision = self._waiting(), _DECISIONS.get(line.casefold())
        if waiting and decision:
            return deciding(self._user, waiting, decision)
        choices = self._asked.choices if self._asked and not waiting else ()
        return self._asks(chosen(line, choices))

    def _asks(self, question: str) -> TurnRequest:
        return terminal_request(self._user, question)

    def _waiting(self) -> QuestionAsked | None:
        """The question that asks for approval, as long as nothing has ended it here."""
        return self._asked if self._asked and self._asked.approves else None

    async def _answer_again(self, asked: AskedBefore) -> None:
        photo = asked.message.photos[0].file_id if asked.message.photos else None
        request = terminal_request(self._user, asked.message.words(), photo)
        await self._answer(replace(request, replaces=asked.request_id))

    async def _answer(self, request: TurnRequest) -> None:
        account = await self._commands.account()
        message = replace(request.message, user=replace(self._user, locale=account.locale))
        asked = replace(request, message=message, fresh_from=account.fresh_from)
        self._stop, self._asked = asyncio.Event(), None
        try:
            turns, inbox = self._session.turns, self._session.repositories.inbox
            shown = await show_turn(asked, turns, inbox, self._stop)
            self._asked = shown.asked
            if shown.answer:
                self._commands.offer_undo(shown.answer, account)
        finally:
            self._stop = None


def chosen(line: str, choices: tuple[str, ...]) -> str:
    """What a line says: the choice that it numbers, if there is one, else itself."""
    number = whole_number(line) or 0
    return choices[number - 1] if 0 < number <= len(choices) else line


async def _read_line() -> str:
    if not sys.stdin.isatty():
        return await asyncio.to_thread(sys.stdin.readline)
    err("> ", newline=False)
    # Not in a thread: it could not be ended, and Ctrl-C would wait for the next line.
    loop, typed = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin, typed.set)
    try:
        await typed.wait()
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline()
