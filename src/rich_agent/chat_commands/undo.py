"""The button under an answer that takes back what was done for it."""

from dataclasses import dataclass

from rich_agent.chat_commands.replies import Handlers, PressReply, PressRequest
from rich_agent.domain.answer.answer import Answer
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.ports.tools import Tools

UNDO_VERB = "undo1"


def undo_buttons(locale: str, answer: Answer) -> Keyboard:
    """The button, where something can be taken back."""
    button = Button(say(locale, "undo-button"), f"{UNDO_VERB}:{answer.undo}")
    return ((button,),) if answer.undo else ()


@dataclass(frozen=True, slots=True)
class Undoing:
    """Takes back what was done for a user's own message."""

    tools: Tools

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(presses={UNDO_VERB: self.press})

    async def press(self, press: PressRequest) -> PressReply:
        """Take it back, and tell what was taken back below the answer."""
        lines = await self.tools.undo(press.user_id, press.argument, press.locale)
        if not lines:
            return PressReply(say(press.locale, "undo-too-late"))
        told = [say(press.locale, "undo-done"), *(f"• {line}" for line in lines)]
        return PressReply(below=RenderedMessage("\n".join(told)))
