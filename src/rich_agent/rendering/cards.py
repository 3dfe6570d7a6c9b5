"""Renders what waits for approval: titles in bold, names as code, values as blocks, no links."""

from collections.abc import Sequence

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.domain.approving.cards import ApprovalCard, rows_of, shortened
from rich_agent.domain.text import first_units, utf16_length
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.links import restrict_links
from rich_agent.rendering.spans import MessageBuilder, join
from rich_agent.rendering.splitting import MAX_ENTITIES, MAX_UNITS

_ENTITIES = {"title": "bold", "name": "code", "value": "pre"}
_UNITS, _FIELDS = 3_000, 40
"""What is tried first of cards that are too long for one message."""
_QUESTION_UNITS = 400
"""Of the question, where not all fits."""
_ROOM_UNITS = 200
"""For the decision, which is added below."""
_NO_LINKS = AllowedLinks(frozenset())
_NOTHING = RenderedMessage("")


def render_cards(
    question: str, cards: Sequence[ApprovalCard], locale: str, above: RenderedMessage = _NOTHING
) -> tuple[RenderedMessage, bool]:
    """The question with its cards as one message below another, and whether all is in it.

    If not, the message names the file with all, and how much it leaves out: of each value, of the
    arguments, of the cards.
    """
    message = join(above, _laid_out(question, cards, locale))
    if _fits(message):
        return message, True
    asked = first_units(question, _QUESTION_UNITS)
    asked = asked if asked == question else f"{asked}…"
    units, fields, count = _UNITS, _FIELDS, len(cards)
    while True:
        shown = shortened(cards[:count], units, fields)
        message = join(above, _laid_out(asked, shown, locale, len(cards)))
        if not count or _fits(message):
            return message, False
        units, fields, count = units * 2 // 3, fields * 2 // 3, count if fields else count - 1


def _fits(message: RenderedMessage) -> bool:
    is_short = utf16_length(message.text) <= MAX_UNITS - _ROOM_UNITS
    return is_short and len(message.entities) <= MAX_ENTITIES


def _laid_out(
    question: str, cards: Sequence[ApprovalCard], locale: str, in_file: int | None = None
) -> RenderedMessage:
    """The question and its cards, or those of the cards `in_file` that fit into a message."""
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
    if in_file is not None:
        page.write(f"\n\n… (+{left})" if (left := in_file - len(cards)) else "")
        page.write("\n\n" + say(locale, "card-in-file"))
    return restrict_links(page.finish(), _NO_LINKS)
