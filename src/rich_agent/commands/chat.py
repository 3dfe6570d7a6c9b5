"""`rich-agent chat`: a conversation at the terminal, with streaming and commands."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from rich_agent.commands.ask import OpenAgent, open_session
from rich_agent.commands.chat_commands import TerminalCommands
from rich_agent.commands.chat_talk import Talk
from rich_agent.domain.message import AskedBefore, TurnRequest, User
from rich_agent.terminal.console import err
from rich_agent.terminal.conversation import ask_turn, file_and_words, terminal_request
from rich_agent.turns.runner import TurnEvent

_FILE = "/file"


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
        err(
            "Ask me anything. /help lists the commands, /file PATH sends a file or a recording; "
            "an empty line ends the conversation."
        )
        await conversation.talk.take_lines(conversation.take)


class _Conversation:
    """Takes line after line, with the commands that need the bot's database."""

    def __init__(self, session: OpenAgent, user: User) -> None:
        self._session = session
        self._user = user
        self._commands = TerminalCommands(session, user)
        self.talk = Talk(self._reach, user)

    async def take(self, line: str) -> None:
        """Answer a line: a command, a button or a choice by its number, a key, or a question.

        Raises: RichAgentError.
        """
        if line.split(maxsplit=1)[0] == _FILE:
            path, words = file_and_words(line.removeprefix(_FILE))
            await self._say(terminal_request(self._user, words, files=[str(path)]))
            return
        if line.startswith("/"):
            again = await self._commands.answer(line)
            self.talk.forget_choices()
            if again is not None:
                await self._answer(self._again(again))
            return
        question = await self._commands.press(line)
        if question == "":
            return
        await self._say(self.talk.request(line) if question is None else self._asks(question))

    async def _say(self, request: TurnRequest) -> None:
        self._commands.forget_buttons()
        await self._answer(request)

    def _asks(self, question: str, image: str | None = None) -> TurnRequest:
        return terminal_request(self._user, question, image)

    def _again(self, asked: AskedBefore) -> TurnRequest:
        photo = asked.message.photos[0].file_id if asked.message.photos else None
        return replace(self._asks(asked.message.words(), photo), replaces=asked.request_id)

    async def _answer(self, request: TurnRequest) -> None:
        shown = await self.talk.answer(request)
        if shown.answer:
            self._commands.offer_undo(shown.answer, await self._commands.account())

    async def _reach(self, request: TurnRequest, stop: asyncio.Event) -> AsyncIterator[TurnEvent]:
        account = await self._commands.account()
        message = replace(request.message, user=account.in_turn(self._user))
        asked = replace(request, message=message, fresh_from=account.fresh_from)
        asked = await self._session.hear(asked)
        turns, inbox = self._session.turns, self._session.repositories.inbox
        async for event in ask_turn(asked, turns, inbox, stop):
            yield event
