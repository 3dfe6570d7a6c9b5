"""Buttons that show the text of cited passages that have no link to open."""

from dataclasses import dataclass

from rich_agent.chat_commands.replies import Handlers, PressReply, PressRequest
from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.answer.links import is_web
from rich_agent.domain.message import thread_of
from rich_agent.domain.text import whole_number
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard
from rich_agent.ports.knowledge import SourceCatalogue
from rich_agent.ports.turns import Decisions
from rich_agent.rendering.notices import quotation

VERB = "passage1"
_PER_ROW = 8
"""Source: Bot API, clients show up to eight buttons in a row."""


def passage_buttons(update_id: int, answer: Answer) -> Keyboard:
    """A button for each citation without a web page, in rows of eight; () if there are none."""
    buttons = [
        Button(f"[{one.number}]", f"{VERB}:{update_id}:{one.id}")
        for one in answer.citations
        if one.kind == "document" and not is_web(one.link)
    ]
    rows = range(0, len(buttons), _PER_ROW)
    return tuple(tuple(buttons[start : start + _PER_ROW]) for start in rows)


@dataclass(frozen=True, slots=True)
class OpenedPassages:
    """Shows users the passages that their own answers cite, as long as the source is active."""

    decisions: Decisions
    catalogue: SourceCatalogue

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(presses={VERB: self.press})

    async def press(self, press: PressRequest) -> PressReply:
        """Send the passage as a reply to the answer."""
        number, _, chunk_id = press.argument.partition(":")
        update_id = whole_number(number)
        # Users see only passages that were read for an answer to themselves.
        thread_id = thread_of(press.user_id)
        decision = await self.decisions.find(thread_id, f"tg:{update_id}")
        was_read = decision and any(one["id"] == chunk_id for one in decision.retrieved)
        excerpt = await self.catalogue.excerpt(chunk_id, 0) if was_read else None
        if excerpt is None:
            return PressReply(say(press.locale, "passage-gone"))
        return PressReply(below=quotation(excerpt.label, excerpt.passage.content))
