"""A message without entities, for when Telegram refuses them: same words, no new links."""

import re
from collections.abc import Sequence

from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.links import spans_to_defuse
from rich_agent.rendering.spans import VERBATIM, utf16_offsets

MOST_UNITS = 4096
"""Source: Bot API, sendMessage, `text`."""
_MARKER = re.compile(r"\[\d{1,4}\]")
# Looks like the dot and has its length, but cannot be part of an address.
_HARMLESS = str.maketrans({".": "\u2024", "@": "＠", ":": "：", "+": "＋"})


def without_entities(message: RenderedMessage, most_units: int = MOST_UNITS) -> RenderedMessage:
    """The text alone; links are written out after their words, as far as `most_units` allow.

    Links of citation markers are not, because the list of sources has them. Addresses that were
    shown as code get look-alike dots instead, so that they do not become links.
    """
    index_of = {unit: index for index, unit in enumerate(utf16_offsets(message.text))}
    spans = [
        (entity, index_of[entity.offset], index_of[entity.offset + entity.length])
        for entity in message.entities
    ]
    text = _defused(message.text, [(s, e) for entity, s, e in spans if entity.type in VERBATIM])
    units = utf16_length(text)
    # From the end, so that earlier offsets stay valid.
    for entity, start, end in sorted(spans, key=lambda span: -span[1]):
        shown = message.text[start:end]
        if entity.type == "text_link" and entity.url and not _MARKER.fullmatch(shown):
            units += utf16_length(entity.url) + 1
            if entity.url not in shown and units <= most_units:
                text = f"{text[:end]} {entity.url}{text[end:]}"
    return RenderedMessage(text, buttons=message.buttons)


def _defused(text: str, code: Sequence[tuple[int, int]]) -> str:
    """The text in the same length, with its code changed so that Telegram does not link it."""
    for first, last in code:
        for start, end in spans_to_defuse(text[first:last]):
            text = _harmless(text, first + start, first + end)
    # A mention may begin before the code.
    for start, end in spans_to_defuse(text):
        if any(start < last and first < end for first, last in code):
            text = _harmless(text, start, end)
    return text


def _harmless(text: str, start: int, end: int) -> str:
    return text[:start] + text[start:end].translate(_HARMLESS) + text[end:]
