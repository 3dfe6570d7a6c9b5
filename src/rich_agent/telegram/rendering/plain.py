"""A message for when Telegram refuses its entities: the same words, and no other links."""

import re

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
    offsets = {unit: index for index, unit in enumerate(utf16_offsets(message.text))}
    text = list(message.text)
    code = [
        (offsets[entity.offset], offsets[entity.offset + entity.length])
        for entity in message.entities
        if entity.type in VERBATIM
    ]
    for first, last in code:
        for start, end in spans_to_defuse(message.text[first:last]):
            _defuse(text, first + start, first + end)
    # A mention may begin before the code that ended it.
    for start, end in spans_to_defuse("".join(text)):
        if any(start < last and first < end for first, last in code):
            _defuse(text, start, end)
    units = max(offsets)
    for entity in sorted(message.entities, key=lambda entity: -entity.offset):
        first, last = (offsets[unit] for unit in (entity.offset, entity.offset + entity.length))
        shown = message.text[first:last]
        if entity.type == "text_link" and entity.url and not _MARKER.fullmatch(shown):
            written = f" {entity.url}"
            units += len(written.encode("utf-16-le")) // 2
            if entity.url not in shown and units <= most_units:
                text.insert(last, written)
    return RenderedMessage("".join(text), buttons=message.buttons)


def _defuse(text: list[str], start: int, end: int) -> None:
    text[start:end] = "".join(text[start:end]).translate(_HARMLESS)
