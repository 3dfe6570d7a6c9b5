"""A message for when Telegram refuses its entities: the same words, and no other links."""

import re
from collections.abc import Sequence

from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.rendering.links import spans_to_defuse
from rich_agent.telegram.rendering.spans import VERBATIM, utf16_offsets

MOST_UNITS = 4096
"""Source: Bot API, sendMessage, `text`."""
_MARKER = re.compile(r"\[\d{1,4}\]")
# As long and as legible, and no part of an address.
_HARMLESS = str.maketrans({".": "\u2024", "@": "＠", ":": "：", "+": "＋"})


def without_entities(message: RenderedMessage, most_units: int = MOST_UNITS) -> RenderedMessage:
    """The text alone; links are written out behind their words, as far as `most_units` allow.

    A marker's link is not: it stands in the list of sources. What was kept from being a link by
    being code is kept from it by look-alikes of its dots.
    """
    index_of = {unit: index for index, unit in enumerate(utf16_offsets(message.text))}
    spans = [
        (entity, index_of[entity.offset], index_of[entity.offset + entity.length])
        for entity in message.entities
    ]
    text = _defused(message.text, [(s, e) for entity, s, e in spans if entity.type in VERBATIM])
    units = utf16_length(text)
    # From the end, so that the places before stay as they are.
    for entity, start, end in sorted(spans, key=lambda span: -span[1]):
        shown = message.text[start:end]
        if entity.type == "text_link" and entity.url and not _MARKER.fullmatch(shown):
            units += utf16_length(entity.url) + 1
            if entity.url not in shown and units <= most_units:
                text = f"{text[:end]} {entity.url}{text[end:]}"
    return RenderedMessage(text, buttons=message.buttons)


def _defused(text: str, code: Sequence[tuple[int, int]]) -> str:
    """The text, as long as before, whose stretches of code Telegram does not link by itself."""
    for first, last in code:
        for start, end in spans_to_defuse(text[first:last]):
            text = _harmless(text, first + start, first + end)
    # A mention may begin before the code that ended it.
    for start, end in spans_to_defuse(text):
        if any(start < last and first < end for first, last in code):
            text = _harmless(text, start, end)
    return text


def _harmless(text: str, start: int, end: int) -> str:
    return text[:start] + text[start:end].translate(_HARMLESS) + text[end:]
