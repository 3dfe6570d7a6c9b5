"""Stops an answer while it grows: by its button, by /stop, or in the draft.

Requests go through the database, because another process may be writing the answer.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from rich_agent.domain.text import whole_number
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button
from rich_agent.ports.outbox import Stops
from rich_agent.runtime.concurrency import alongside
from rich_agent.runtime.surviving import survived
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.receive.inbound import Command, Press

VERB = "stop"


def stop_button(update_id: int, locale: str) -> Button:
    """The button under the growing answer to an update."""
    return Button(say(locale, "button-stop"), f"{VERB}:{update_id}")


@dataclass(frozen=True, slots=True)
class Stopping:
    """Takes stop requests, and passes them to the answers that this process writes.

    Requests of other processes are looked for every `poll_s` seconds.
    """

    stops: Stops
    poll_s: float = 0.5
    _written_here: dict[int, asyncio.Event] = field(default_factory=dict)

    async def ask(self, user_id: int, update_id: int | None = None) -> bool:
        """Stop an answer, or the one being written if no id is given. False if there is none."""
        asked = await self.stops.ask(user_id, update_id)
        if asked in self._written_here:
            self._written_here[asked].set()
        return asked is not None

    async def answer_press(self, press: Press, locale: str, _hold: Hold) -> str:
        """Take a press of the button; returns the notice that Telegram shows."""
        update_id = whole_number(press.argument)
        known = update_id is not None and await self.ask(press.user.telegram_user_id, update_id)
        return say(locale, "stopping" if known else "stop-too-late")

    async def answer_command(self, command: Command, locale: str) -> str:
        """Take the command; returns the text to send."""
        stopped = await self.ask(command.user.telegram_user_id)
        return say(locale, "stopped-by-command" if stopped else "nothing-to-stop")

    @asynccontextmanager
    async def watching(self, update_id: int) -> AsyncIterator[asyncio.Event]:
        """An event that is set when the answer to an update has to stop."""
        asked = self._written_here.setdefault(update_id, asyncio.Event())
        try:
            async with alongside(self._look(update_id, asked)):
                yield asked
        finally:
            self._written_here.pop(update_id, None)

    async def _look(self, update_id: int, asked: asyncio.Event) -> None:
        while not asked.is_set():
            with survived("telegram.stop_not_looked_for", DatabaseUnavailableError):
                if await self.stops.is_asked(update_id):
                    asked.set()
            await asyncio.sleep(self.poll_s)
