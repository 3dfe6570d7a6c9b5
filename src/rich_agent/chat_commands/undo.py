"""The button under an answer that takes back what was done for it."""

from dataclasses import dataclass

from rich_agent.chat_commands.presses import send_below
from rich_agent.domain.answer.answer import Answer
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, RenderedMessage
from rich_agent.ports.tools import Tools
from rich_agent.telegram.deliver.messenger import Hold, Messenger
from rich_agent.telegram.deliver.outbound import Keyboard
from rich_agent.telegram.receive.inbound import Press

VERB = "undo1"


def undo_buttons(locale: str, answer: Answer) -> Keyboard:
    """The button, where something can be taken back."""
    button = Button(say(locale, "undo-button"), f"{VERB}:{answer.undo}")
    return ((button,),) if answer.undo else ()


@dataclass(frozen=True, slots=True)
class Undoing:
    """Takes back what was done for a user's own message."""

    tools: Tools
    messenger: Messenger

    async def press(self, press: Press, locale: str, hold: Hold) -> str:
        """Take it back, and tell what was taken back below the answer."""
        told = await self.take_back(press, locale)
        if not told:
            return say(locale, "undo-too-late")
        await send_below(self.messenger, press, locale, hold, RenderedMessage(told))
        return ""

    async def take_back(self, press: Press, locale: str) -> str:
        """Take back changes; return them in lines, "" when none can be taken back (any more)."""
        lines = await self.tools.undo(press.user.telegram_user_id, press.argument, locale)
        return "\n".join(
            [say(locale, "undo-done"), *(f"• {line}" for line in lines)] if lines else []
        )
