"""The commands of the conversation at the terminal: those of Telegram, answered by the same code.

A message of the bot is printed; its buttons are numbered, and a number presses one.
"""

import asyncio
from collections.abc import Sequence
from locale import getlocale
from pathlib import Path
from typing import cast

from rich_agent.chat_commands.presses import Presses
from rich_agent.chat_commands.registry import CommandRequest
from rich_agent.chat_commands.undo import VERB, Undoing, undo_buttons
from rich_agent.commands.ask import Session
from rich_agent.commands.chat_answer import numbered
from rich_agent.composition.telegram_commands import TelegramCommands, make_messenger
from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.message import AskedBefore, User
from rich_agent.domain.text import whole_number
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account
from rich_agent.ports.bot_api import Button, RenderedMessage, TelegramApi
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.deliver.stopping import Stopping
from rich_agent.telegram.receive.envelope import ASK_VERB
from rich_agent.telegram.receive.inbound import Command, Press
from rich_agent.terminal.console import err, out


class _Screen:
    """As much of the Bot API as commands and buttons use, on the terminal."""

    def __init__(self) -> None:
        self.buttons: list[Button] = []

    async def send_message(
        self,
        chat_id: int,  # noqa: ARG002 - there is one chat
        message: RenderedMessage,
        *,
        reply_to: int | None = None,  # noqa: ARG002 - the last one is above
        topic_id: int | None = None,  # noqa: ARG002 - a terminal has no topics
    ) -> int:
        """Print a message; its buttons are those that numbers mean now."""
        out(message.text, newline=not message.buttons)
        self.offer(message.buttons)
        return 0

    def offer(self, rows: tuple[tuple[Button, ...], ...]) -> None:
        """Print buttons; numbers mean them now."""
        self.buttons = [button for row in rows for button in row]
        if self.buttons:
            out(numbered(tuple(button.text for button in self.buttons)))
        out()

    async def edit_message(self, chat_id: int, _message_id: int, message: RenderedMessage) -> None:
        """Print what the message says now."""
        await self.send_message(chat_id, message)

    async def edit_buttons(
        self, _chat_id: int, _message_id: int, buttons: tuple[tuple[Button, ...], ...]
    ) -> None:
        """Note what numbers mean now."""
        self.buttons = [button for row in buttons for button in row]

    async def delete_message(self, _chat_id: int, _message_id: int) -> None:
        """Do nothing: what is on the screen, or in Telegram, stays there."""

    async def set_commands(
        self, commands: Sequence[tuple[str, str]], *, language_code: str = "", chat_id: int = 0
    ) -> None:
        """A terminal has no menu."""


class ChatCommands:
    """Answers commands and presses of one user."""

    def __init__(self, session: Session, user: User) -> None:
        self._user = user
        self._accounts = session.repositories.accounts
        self._screen = _Screen()
        made = TelegramCommands(
            session.settings,
            session.repositories,
            make_messenger(
                session.repositories,
                cast("TelegramApi", self._screen),
                Limiter(session.repositories.sending_rate),
            ),
            Stopping(session.repositories.stops),
            session.turns,
            session.turns.services.tools,
        )
        self._undoing = Undoing(made.tools, made.messenger)
        self._commands = made.commands()
        self._presses = Presses({**made.presses().answers, VERB: self._take_back})

    async def account(self) -> Account:
        """The account of the user, with their choices."""
        return await self._accounts.find(self._user.telegram_user_id)

    async def answer(self, line: str) -> AskedBefore | None:
        """Answer a line that begins with a slash; a question that is to be answered again."""
        name, _, args = line.removeprefix("/").partition(" ")
        user_id, account = self._user.telegram_user_id, await self.account()
        command = Command(name.casefold(), args.strip(), self._user, user_id, 0)
        # A /new counts from here on; there is no update that it could count from.
        asked = CommandRequest(command, self._locale(account), account.fresh_from + 1, account)
        reply = await self._commands.answer(asked)
        if reply.file is not None:
            await asyncio.to_thread(_write_new, reply.file.name, reply.file.content)
        if reply.message.text:
            await self._screen.send_message(user_id, reply.message)
        return reply.again

    async def press(self, line: str) -> str | None:
        """Press the button that a line numbers: a question to ask, "" for none; None: no button."""
        number = whole_number(line) or 0
        if not 0 < number <= len(self._screen.buttons):
            return None
        button = self._screen.buttons[number - 1]
        press = Press("", button.data, self._user, self._user.telegram_user_id, 0)
        if press.verb == ASK_VERB:
            return press.argument
        notice = await self._presses.answer(press, self._locale(await self.account()), _hold)
        if notice:
            err(notice)
        return ""

    def offer_undo(self, answer: Answer, account: Account) -> None:
        """Number the button that takes back what was done for an answer, if something can be."""
        self._screen.offer(undo_buttons(self._locale(account), answer))

    async def _take_back(self, press: Press, locale: str, _hold: Hold) -> str:
        """Tell what was taken back; a message in Telegram would need an update to belong to."""
        told = await self._undoing.take_back(press, locale)
        return told or say(locale, "undo-too-late")

    def forget_buttons(self) -> None:
        """A number means none of them any more."""
        self._screen.buttons = []

    def _locale(self, account: Account) -> str:
        code = (getlocale()[0] or "").replace("_", "-")
        return account.locale_for(client=code)


async def _hold() -> None:
    """No other process writes to this terminal."""


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
