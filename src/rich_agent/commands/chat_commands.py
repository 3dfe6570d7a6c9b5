"""The commands of the conversation at the terminal: the same replies as in Telegram, printed.

The buttons of a reply are numbered, and a number presses one.
"""

import asyncio
from locale import getlocale
from pathlib import Path

from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest
from rich_agent.chat_commands.suggestions import ASK_VERB
from rich_agent.chat_commands.undo import undo_buttons
from rich_agent.commands.ask import OpenAgent
from rich_agent.commands.chat_answer import numbered
from rich_agent.composition.chat_commands import make_chat_commands
from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.message import AskedBefore, User, thread_of
from rich_agent.domain.text import whole_number
from rich_agent.pictures.day_picture import draw_day
from rich_agent.ports.accounts import Account
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.terminal.console import err, out
from rich_agent.turns.stopping import Stopping


class TerminalCommands:
    """Answers commands and presses of one user."""

    def __init__(self, session: OpenAgent, user: User) -> None:
        self._user = user
        self._accounts = session.repositories.accounts
        self._buttons: list[Button] = []
        self._answering = make_chat_commands(
            session.settings,
            session.repositories,
            session.turns,
            Stopping(session.repositories.stops),
        )

    async def account(self) -> Account:
        """The account of the user, with their choices."""
        return await self._accounts.find(self._user.telegram_user_id)

    async def answer(self, line: str) -> AskedBefore | None:
        """Answer a line that begins with a slash; a question that is to be answered again."""
        name, _, args = line.removeprefix("/").partition(" ")
        account = await self.account()
        asked = CommandRequest(
            name.casefold(),
            args.strip(),
            self._user,
            self._locale(account),
            account=account,
            thread_id=thread_of(self._user.telegram_user_id),
            take_away=_taken_away,
        )
        reply = await self._answering.commands.answer(asked)
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
        locale = self._locale(await self.account())
        press = PressRequest(self._buttons[number - 1].data, self._user, locale)
        if press.verb == ASK_VERB:
            return press.argument
        await self._show(await self._answering.presses.answer(press), locale)
        return ""

    def offer_undo(self, answer: Answer, account: Account) -> None:
        """Number the button that takes back what was done for an answer, if something can be."""
        self._offer(undo_buttons(self._locale(account), answer))

    def forget_buttons(self) -> None:
        """A number means none of them any more."""
        self._buttons = []

    async def _show(self, reply: PressReply, locale: str) -> None:
        if reply.message is not None:
            self._print(reply.message)
        elif reply.buttons is not None:
            self._buttons = [button for row in reply.buttons for button in row]
        if reply.below is not None:
            out(f"{reply.below.text}\n")
        if reply.day is not None:
            picture = await asyncio.to_thread(draw_day, reply.day, locale)
            await asyncio.to_thread(_write_new, f"{reply.day.day.isoformat()}.png", picture)
        if reply.notice:
            err(reply.notice)

    def _print(self, message: RenderedMessage) -> None:
        """Print a message; its buttons are those that numbers mean now."""
        out(message.text, newline=not message.buttons)
        self._offer(message.buttons)

    def _offer(self, rows: Keyboard) -> None:
        self._buttons = [button for row in rows for button in row]
        if self._buttons:
            out(numbered(tuple(button.text for button in self._buttons)))
        out()

    def _locale(self, account: Account) -> str:
        code = (getlocale()[0] or "").replace("_", "-")
        return account.locale_for(client=code)


async def _taken_away() -> bool:
    """Leave what is on the screen, which nobody else reads."""
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
