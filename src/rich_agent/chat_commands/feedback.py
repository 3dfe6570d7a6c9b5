"""Buttons under answers: 👍 👎 "Why?", cited passages, undo; the data of a thumb is its rating."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rich_agent.chat_commands.replies import Handlers, PressReply, PressRequest
from rich_agent.chat_commands.source_blocks import (
    MOST_SOURCES,
    CitedSource,
    SourceButtons,
    sources_block,
)
from rich_agent.chat_commands.suggestions import continue_buttons
from rich_agent.chat_commands.why import WHY_VERB
from rich_agent.domain.answer.citation import Answer, Citation, Decision
from rich_agent.domain.answer.links import is_web
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.domain.message import thread_of
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import whole_number
from rich_agent.phrases import say
from rich_agent.ports.accounts import Feedback, Rating
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.ports.knowledge import DocumentExcerpt, SourceCatalogue
from rich_agent.ports.tools import Tools
from rich_agent.ports.turns import Decisions
from rich_agent.rendering.notices import quotation

UNDO_VERB = "undo1"


def undo_buttons(locale: str, answer: Answer) -> Keyboard:
    """The button, where something can be taken back."""
    button = Button(say(locale, "undo-button"), f"{UNDO_VERB}:{answer.undo}")
    return ((button,),) if answer.undo else ()


@dataclass(frozen=True, slots=True)
class Undoing:
    """Takes back the actions for one of the user's messages."""

    tools: Tools

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(presses={UNDO_VERB: self.press})

    async def press(self, press: PressRequest) -> PressReply:
        """Take the actions back, and list them below the answer."""
        lines = await self.tools.undo(press.user_id, press.argument, press.locale)
        if not lines:
            return PressReply(say(press.locale, "undo-too-late"))
        lines_below = [say(press.locale, "undo-done"), *(f"• {line}" for line in lines)]
        return PressReply(below=RenderedMessage("\n".join(lines_below)))


PASSAGE_VERB = "passage1"
_LEAST_PASSAGES = 2
_PER_ROW = 8
"""Source: Bot API, clients show up to eight buttons in a row."""


def passage_buttons(update_id: int, answer: Answer) -> Keyboard:
    """A button for each citation without a web page, in rows of eight; () if there are none."""
    buttons = [
        Button(f"[{one.number}]", f"{PASSAGE_VERB}:{update_id}:{one.id}")
        for one in answer.citations
        if one.kind == "document" and not is_web(one.link)
    ]
    rows = range(0, len(buttons), _PER_ROW)
    return tuple(tuple(buttons[start : start + _PER_ROW]) for start in rows)


@dataclass(frozen=True, slots=True)
class OpenedPassages:
    """Shows users the passages that their own answers cite, as long as the source is active.

    Where blocks can be shown, the passages of all sources come in one.
    """

    decisions: Decisions
    catalogue: SourceCatalogue
    has_blocks: Callable[[], bool] = lambda: False

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(presses={PASSAGE_VERB: self.press})

    async def press(self, press: PressRequest) -> PressReply:
        """Send the passage as a reply to the answer, where it can be with the other sources."""
        number, _, chunk_id = press.argument.partition(":")
        update_id = whole_number(number)
        # Users see only passages that were read for an answer to themselves.
        thread_id = thread_of(press.user_id)
        decision = await self.decisions.find(thread_id, f"tg:{update_id}")
        excerpt = await self._excerpt(decision, chunk_id, press.user_id)
        if decision is None or update_id is None or excerpt is None:
            return PressReply(say(press.locale, "passage-gone"))
        below = quotation(excerpt.label, excerpt.passage.content)
        if press.block is None and self.has_blocks():
            buttons = SourceButtons(PASSAGE_VERB, update_id, press.locale)
            below = replace(below, living=await self._block(decision, press, chunk_id, buttons))
        return PressReply(below=below)

    async def _block(
        self, decision: Decision, press: PressRequest, chunk_id: str, buttons: SourceButtons
    ) -> LivingBlock | None:
        """The block of all sources of an answer; None if there is only one that can be read."""
        citations = await self.decisions.citations(press.user_id, decision.request_id)
        sources = [
            CitedSource(citation, await self._excerpt(decision, citation.id, press.user_id))
            for citation in citations[:MOST_SOURCES]
        ]
        visible_sources = [one for one in sources if one.excerpt or not _is_document(one.citation)]
        passage_ids = [one.citation.id for one in visible_sources if one.excerpt]
        if chunk_id not in passage_ids or len(passage_ids) < _LEAST_PASSAGES:
            return None
        return sources_block(visible_sources, chunk_id, buttons)

    async def _excerpt(
        self, decision: Decision | None, chunk_id: str, user_id: int
    ) -> DocumentExcerpt | None:
        """A passage that was read for the answer, if the user may read it now."""
        was_read = decision and any(one["id"] == chunk_id for one in decision.retrieved)
        return await self.catalogue.excerpt(chunk_id, 0, Reader(user_id)) if was_read else None


def _is_document(citation: Citation) -> bool:
    return citation.kind in {"document", "catalogue"}


RATE_VERB = "rate1"
_SIGNS: dict[Rating, str] = {"up": "👍", "down": "👎"}
_NOTICES: dict[Rating | None, str] = {
    "up": "rated",
    "down": "rated-down",
    None: "rating-withdrawn",
}


def rating_row(update_id: int, locale: str, rating: Rating | None = None) -> tuple[Button, ...]:
    """The row under the answer to an update; the current rating is marked.

    A marked button removes the rating. A press that is handled twice changes nothing.
    """
    row = [
        Button(
            f"{sign} ✓" if option == rating else sign,
            f"{RATE_VERB}:{'none' if option == rating else option}:{update_id}",
        )
        for option, sign in _SIGNS.items()
    ]
    return (*row, Button(say(locale, "why-button"), f"{WHY_VERB}:{update_id}"))


def feedback_buttons(update_id: int, locale: str, answer: Answer) -> Keyboard:
    """The rows under a finished, unrated answer: its passages, then the thumbs.

    If the answer was cut off, a button that asks for the rest comes first.
    """
    return (
        *(continue_buttons(locale) if answer.is_cut else ()),
        *passage_buttons(update_id, answer),
        *([rating_row(update_id, locale)] if answer.worth_rating else []),
    )


def _is_rating(row: Sequence[Button]) -> bool:
    return any(button.data.startswith(f"{RATE_VERB}:") for button in row)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Stores the users' ratings of their answers."""

    feedback: Feedback

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(presses={RATE_VERB: self.press})

    async def press(self, press: PressRequest) -> PressReply:
        """Store the rating of one of the user's own answers, and mark it in the row of buttons."""
        choice, _, number = press.argument.partition(":")
        rating: Rating | None = "up" if choice == "up" else "down" if choice == "down" else None
        update_id = whole_number(number)
        if update_id is None:
            return PressReply(say(press.locale, "button-outdated"))
        # The thread belongs to the user who pressed, so nobody can rate another user's answer.
        thread_id = thread_of(press.user_id)
        if not await self.feedback.rate(thread_id, f"tg:{update_id}", rating):
            return PressReply(say(press.locale, "button-outdated"))
        others = (row for row in press.keyboard if not _is_rating(row))
        rows = (*others, rating_row(update_id, press.locale, rating))
        return PressReply(say(press.locale, _NOTICES[rating]), buttons=rows)
