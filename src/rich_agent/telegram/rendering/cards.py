"""Renders what waits for approval: titles in bold, names as code, values as blocks, no links."""

from collections.abc import Sequence

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.domain.approving.cards import ApprovalCard, rows_of, shortened
from rich_agent.domain.text import utf16_length
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.rendering.links import restrict_links
from rich_agent.telegram.rendering.message_builder import MessageBuilder
from rich_agent.telegram.rendering.splitting import MAX_ENTITIES, MAX_UNITS

_ENTITIES = {"title": "bold", "name": "code", "value": "pre"}
_UNITS, _FIELDS = 3_000, 40
"""What is tried first of cards that are too long for one message."""
_ROOM_UNITS = 200
"""For the decision, which is added below."""
_NO_LINKS = AllowedLinks(frozenset())


def render_cards(
    question: str, cards: Sequence[ApprovalCard], locale: str, spent_units: int = 0
) -> tuple[RenderedMessage, bool]:
    """The question with its cards as one message, and whether everything is in it.

    Each value says how many characters are left out; the message then names the file with all.
    """
    most_units = MAX_UNITS - _ROOM_UNITS - spent_units
    units, fields, shown = _UNITS, _FIELDS, tuple(cards)
    message = _laid_out(question, shown, locale, is_whole=True)
    while utf16_length(message.text) > most_units or len(message.entities) > MAX_ENTITIES:
        shown = shortened(cards, units, fields)
        message = _laid_out(question, shown, locale, is_whole=False)
        if not fields:
            break
        units, fields = units * 2 // 3, fields * 2 // 3
    return message, shown == tuple(cards)


def _laid_out(
    question: str, cards: Sequence[ApprovalCard], locale: str, *, is_whole: bool
) -> RenderedMessage:
    page = MessageBuilder()
    page.write(question)
    for card in cards:
        page.write("\n")
        for row in rows_of(card):
            page.write("\n")
            page.write_marked("\n".join(row.lines), _ENTITIES[row.kind])
            if row.left_out:
                page.write("\n… " + say(locale, "card-characters-left-out", count=row.left_out))
        if card.left_out:
            page.write("\n… " + say(locale, "card-arguments-left-out", count=card.left_out))
    if not is_whole:
        page.write("\n\n" + say(locale, "card-in-file"))
    return restrict_links(page.finish(), _NO_LINKS)
