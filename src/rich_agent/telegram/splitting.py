"""Cuts a rendered text into messages that Telegram takes, entities and all."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from rich_agent.telegram_api import RenderedMessage, TextEntity

MAX_UNITS = 4000
"""Below Telegram's 4096, which leaves room for a line of our own.

Source: Bot API, sendMessage, `text`.
"""
MAX_ENTITIES = 100
"""Telegram ignores those after it. Source: measured by users of the Bot API; not documented."""


def utf16_offsets(text: str) -> list[int]:
    """The UTF-16 offset of each character, and of the end."""
    offsets = [0]
    for character in text:
        offsets.append(offsets[-1] + (2 if ord(character) > 0xFFFF else 1))
    return offsets


def split_message(message: RenderedMessage, max_units: int = MAX_UNITS) -> list[RenderedMessage]:
    """The message in parts of 1..`max_units` UTF-16 units with at most 100 entities each.

    Cut at line ends, then at spaces, then anywhere between characters; an entity that is cut goes
    on in the next part, so a code block stays one. Blank text gives [].
    """
    offsets = utf16_offsets(message.text)
    parts = []
    start = 0
    while start < len(message.text):
        end = _cut(message, offsets, start, max_units)
        part = _part(message, offsets, start, end)
        if part.text:
            parts.append(part)
        start = end
    return parts


def _cut(message: RenderedMessage, offsets: Sequence[int], start: int, max_units: int) -> int:
    """The character at which the next part begins; always after `start`."""
    text = message.text
    by_units = bisect_right(offsets, offsets[start] + max_units) - 1
    limit = max(start + 1, min(by_units, _entity_limit(message.entities, offsets, start)))
    if limit >= len(text):
        return len(text)
    line_end = text.rfind("\n", start, limit) + 1
    if text[start:line_end].strip():
        return line_end
    space = text.rfind(" ", start, limit) + 1
    return space if text[start:space].strip() else limit


def _entity_limit(entities: Sequence[TextEntity], offsets: Sequence[int], start: int) -> int:
    """The character before which at most 100 entities begin or go on."""
    begin = offsets[start]
    starts = sorted(e.offset for e in entities if e.offset + e.length > begin)
    if len(starts) <= MAX_ENTITIES:
        return len(offsets) - 1
    return bisect_right(offsets, max(starts[MAX_ENTITIES], begin)) - 1


def _part(
    message: RenderedMessage, offsets: Sequence[int], start: int, end: int
) -> RenderedMessage:
    text = message.text[start:end]
    end -= len(text) - len(text.rstrip())
    # Blank lines only: the spaces in front of the first line may be code's indentation.
    blank = text[: len(text) - len(text.lstrip())]
    start += blank.rfind("\n") + 1
    if start >= end:
        return RenderedMessage("")
    low, high = offsets[start], offsets[end]
    clipped = []
    for entity in message.entities:
        first, last = max(entity.offset, low), min(entity.offset + entity.length, high)
        if first < last:
            clipped.append(replace(entity, offset=first - low, length=last - first))
    return RenderedMessage(message.text[start:end], tuple(clipped[:MAX_ENTITIES]))
