"""Button presses: who answers which. A press costs no turn and waits behind no message."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from rich_agent.phrases import say
from rich_agent.telegram.delivery import Hold
from rich_agent.telegram.inbound import Press

PressAnswer = Callable[[Press, str, Hold], Awaitable[str]]
"""Takes a press, the locale and the lane's hold; gives a short notice, "" for none."""


@dataclass(frozen=True, slots=True)
class Presses:
    """The buttons that the bot understands: their data is `verb` or `verb:argument`."""

    answers: Mapping[str, PressAnswer] = field(default_factory=dict)

    async def answer(self, press: Press, locale: str, hold: Hold) -> str:
        """What Telegram shows for a moment; a button that nobody knows is out of date."""
        verb = press.data.partition(":")[0]
        known = self.answers.get(verb)
        return await known(press, locale, hold) if known else say(locale, "button-outdated")
