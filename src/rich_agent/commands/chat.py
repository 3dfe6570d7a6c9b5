"""`rich-agent chat`: a conversation at the terminal."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from locale import getlocale
from pathlib import Path

from rich_agent.attachments import draw, drawable
from rich_agent.chat_commands.feedback import undo_buttons
from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest
from rich_agent.chat_commands.suggestions import ASK_VERB
from rich_agent.commands.ask import OpenAgent, open_session
from rich_agent.commands.chat_answer import choice_lines
from rich_agent.commands.chat_talk import Talk
from rich_agent.commands.machine_zone import machine_zone
from rich_agent.composition.chat_commands import make_chat_commands
from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.message import AskedBefore, TurnRequest, User, thread_of
from rich_agent.domain.runs import COMMAND
from rich_agent.domain.text import whole_number
from rich_agent.ports.accounts import Account
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.terminal.console import err, out
from rich_agent.terminal.conversation import ask_turn, file_and_words, terminal_request
from rich_agent.turns.runner import TurnEvent
from rich_agent.turns.stopping import Stopping


class TerminalCommands:
    """Answers commands and presses of one user."""

    def __init__(self, session: OpenAgent, user: User) -> None:
        self._user = user
        self._accounts = session.repositories.accounts
        self._buttons: list[Button] = []
        self._answering = make_chat_commands(
            session.live,
            session.repositories,
            session.turns,
            Stopping(session.repositories.stops),
            session.features,
        )

    async def account(self) -> Account:
        """The account of the user, with their choices."""
        return await self._accounts.find(self._user.telegram_user_id)

    async def answer(self, line: str) -> AskedBefore | None:
        """Answer a line that begins with a slash; a question that is to be answered again."""
        name, _, args = line.removeprefix("/").partition(" ")
        account = await self.account()
        request = CommandRequest(
            name.casefold(),
            args.strip(),
            self._user,
            self._locale(account),
            account=account,
            thread_id=thread_of(self._user.telegram_user_id),
            take_away=_taken_away,
        )
        reply = await self._answering.commands.answer(request)
        if reply.file is not None:
            await asyncio.to_thread(_write_new, reply.file.name, reply.file.content)
        if reply.message.text:
            self._print(reply.message)
        return reply.again

    async def press(self, line: str) -> str | None:
        """Press the button that a line numbers: a question to ask, "" for none; None: no button."""
        number = whole_number(line) or 0
        if not 0 < number <= len(self._buttons):
            return None
        account = await self.account()
        locale = self._locale(account)
        data = self._buttons[number - 1].data
        press = PressRequest(data, self._user, locale=locale, account=account)
        if press.verb == ASK_VERB:
            return press.argument
        await self._show(await self._answering.presses.answer(press), locale)
        return ""

    def offer_undo(self, answer: Answer, account: Account) -> None:
        """Offer the button that takes back the actions of an answer, if any can be taken back."""
        self._offer(undo_buttons(self._locale(account), answer))

    def forget_buttons(self) -> None:
        """Forget all buttons, so that no number presses one."""
        self._buttons = []

    async def _show(self, reply: PressReply, locale: str) -> None:
        if reply.message is not None:
            self._print(reply.message)
        elif reply.buttons is not None:
            self._buttons = [button for row in reply.buttons for button in row]
        if reply.below is not None:
            out(f"{reply.below.text}\n")
        for attachment in drawable(reply.attachments):
            picture = await draw(attachment, locale)
            await asyncio.to_thread(_write_new, f"{Path(attachment.caption).name}.png", picture)
        if reply.notice:
            err(reply.notice)

    def _print(self, message: RenderedMessage) -> None:
        """Print a message; numbers press its buttons from now on."""
        out(message.text, newline=not message.buttons)
        self._offer(message.buttons)

    def _offer(self, rows: Keyboard) -> None:
        self._buttons = [button for row in rows for button in row]
        if self._buttons:
            out(choice_lines(tuple(button.text for button in self._buttons)))
        out()

    def _locale(self, account: Account) -> str:
        code = (getlocale()[0] or "").replace("_", "-")
        return account.locale_for(client=code)


async def _taken_away() -> bool:
    """Leave the text on the screen, which nobody else reads."""
    return True


def _write_new(name: str, content: bytes) -> None:
    """Write a file into the working directory, under a name that is not taken, and say where."""
    path, number = Path(name).resolve(), 1
    while True:
        try:
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError:
            number += 1
            path = path.with_name(f"{Path(name).stem}-{number}{path.suffix}")
        except OSError as error:
            err(f"{path} cannot be written: {error.strerror}")
            return
        else:
            err(f"written to {path}")
            return


_FILE = "/file"


def chat_at_terminal(*, user_id: int) -> None:
    """Converse until the end of the input, or Ctrl-C where no answer is written.

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
        if zone := machine_zone():
            accounts = session.repositories.accounts
            await accounts.learn_time_zone(user.telegram_user_id, zone)
        err(
            "Ask me anything. /help lists the commands, /file PATH sends a file or a recording; "
            "Ctrl-D ends the conversation."
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
        if COMMAND.match(line):
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

    def _again(self, original: AskedBefore) -> TurnRequest:
        photo = original.message.photos[0].file_id if original.message.photos else None
        return replace(self._asks(original.message.words(), photo), replaces=original.request_id)

    async def _answer(self, request: TurnRequest) -> None:
        turn = await self.talk.answer(request)
        if turn.answer:
            self._commands.offer_undo(turn.answer, await self._commands.account())

    async def _reach(self, request: TurnRequest, stop: asyncio.Event) -> AsyncIterator[TurnEvent]:
        account = await self._commands.account()
        message = replace(request.message, user=account.in_turn(self._user))
        full_request = replace(request, message=message, fresh_from=account.fresh_from)
        full_request = await self._session.read_media(full_request)
        turns, inbox = self._session.turns, self._session.repositories.inbox
        async for event in ask_turn(full_request, turns, inbox, stop):
            yield event
