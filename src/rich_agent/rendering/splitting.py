"""Splits a rendered text, with its entities, into messages that Telegram accepts."""

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

import wcwidth

from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.spans import FORMULA, VERBATIM, Reach, overlaps, utf16_offsets

MAX_UNITS = 4000
"""The most UTF-16 units of a message, below Telegram's 4096, so that a line can be added.

Source: Bot API, sendMessage, `text`.
"""
MAX_ENTITIES = 100
"""The most entities: Telegram ignores all after these.

Source: measured by users of the Bot API; not documented.
"""

_WHOLE = frozenset({"code", "text_link", FORMULA})
"""Entities that are not cut if they fit into a message."""
# Entities that Telegram adds and counts: commands, tags, addresses.
_AUTOMATIC = re.compile(r"(?<![\w/])[/#$@]\w|://|www\.")
_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？．][」』）”’]*")
_WORD = re.compile(r"\s+|[、，]")
_MARKER = re.compile(r"[ \t]*\[\d{1,4}\]")
# A message of only these and white space is empty for Telegram. Source: TDLib, is_empty_string.
_BLANK = re.compile("[\\s\u00ad\u200b-\u200f\u2060-\u206f\u2800\ufeff]*")


def split_message(message: RenderedMessage, max_units: int = MAX_UNITS) -> list[RenderedMessage]:
    """The message in parts of 1..`max_units` UTF-16 units, with at most 100 entities each.

    The text is cut between paragraphs if possible, else at the end of a line, a sentence or a word,
    else between graphemes. Code, links and formulas stay whole if they fit into a part, and a
    citation marker stays with its sentence. An entity that is cut continues in the next part, so
    code stays code. Blank text gives [].
    """
    parts = _Cutter(message, utf16_offsets(message.text), max_units).parts()
    return [part for part in parts if not _BLANK.fullmatch(part.text)]


class _Cutter:
    """A message with the UTF-16 offset of each of its characters, read once and in order."""

    def __init__(self, message: RenderedMessage, offsets: Sequence[int], max_units: int) -> None:
        self.text, self.offsets, self.max_units = message.text, offsets, max_units
        self._entities = sorted(
            message.entities, key=lambda entity: (entity.offset, -entity.length)
        )
        self._bold = {
            (entity.offset, entity.length) for entity in message.entities if entity.type == "bold"
        }
        self._whole = [
            entity
            for entity in self._entities
            if entity.type in _WHOLE and entity.length <= max_units
        ]
        self._whole_reach = Reach.of(self._whole)

    def parts(self) -> Iterator[RenderedMessage]:
        """The parts in order, some of them blank."""
        start, open_entities, later_entities = 0, list[TextEntity](), deque(self._entities)
        for end in self._cuts():
            high = self.offsets[end]
            while later_entities and later_entities[0].offset < high:
                open_entities.append(later_entities.popleft())
            yield self._part(start, end, open_entities)
            open_entities = [
                entity for entity in open_entities if entity.offset + entity.length > high
            ]
            start = end

    def _cuts(self) -> Iterator[int]:
        """The indexes at which parts end; the last one is the end of the text."""
        start, spans, position = 0, self._entity_spans(), 0
        open_ends = list[int]()
        while start < len(self.text):
            begin = self.offsets[start]
            next_position = bisect_left(spans, (begin, 0))
            open_ends += (end for _, end in spans[position:next_position])
            open_ends, position = [end for end in open_ends if end > begin], next_position
            # The first entity with which a part would have more than 100.
            surplus = next_position + max(0, MAX_ENTITIES - len(open_ends))
            is_few = surplus >= len(spans)
            surplus_start = self.offsets[-1] if is_few else spans[surplus][0]
            start = self._cut(start, bisect_right(self.offsets, surplus_start) - 1)
            yield start

    def _part(self, start: int, end: int, entities: Sequence[TextEntity]) -> RenderedMessage:
        """The characters `start`..`end` without blank edges, with their entities."""
        text = self.text[start:end]
        end -= len(text) - len(text.rstrip())
        leading_blanks = text[: len(text) - len(text.lstrip())]
        start += leading_blanks.rfind("\n") + 1
        unit = self.offsets[start]
        if start < end and not overlaps(entities, unit, unit + 1, VERBATIM):
            # In code they are indentation; elsewhere Telegram removes them.
            start += len(leading_blanks) - leading_blanks.rfind("\n") - 1
        if start >= end:
            return RenderedMessage("")
        low, high = self.offsets[start], self.offsets[end]
        pieces = []
        for entity in entities:
            first_unit, last_unit = (
                max(entity.offset, low),
                min(entity.offset + entity.length, high),
            )
            if first_unit < last_unit and entity.type != FORMULA:
                pieces.append(
                    replace(entity, offset=first_unit - low, length=last_unit - first_unit)
                )
        return RenderedMessage(self.text[start:end], tuple(pieces[:MAX_ENTITIES]))

    def _entity_spans(self) -> list[tuple[int, int]]:
        """The (start, end) in units of all that Telegram counts as an entity, sorted by start."""
        entity_spans = [
            (entity.offset, entity.offset + entity.length)
            for entity in self._entities
            if entity.type != FORMULA
        ]
        automatic_spans = (
            (self.offsets[match.start()], self.offsets[match.end()])
            for match in _AUTOMATIC.finditer(self.text)
        )
        return sorted([*entity_spans, *automatic_spans])

    def _cut(self, start: int, latest_start: int) -> int:
        """The index at which the next part begins: after `start`, and at most `latest_start`."""
        text = self.text
        units_limit = bisect_right(self.offsets, self.offsets[start] + self.max_units) - 1
        limit = max(start + 1, min(units_limit, latest_start))
        if limit >= len(text):
            return len(text)
        length = limit - start
        for edge, least_chars in (
            (_PARAGRAPH, length // 2),
            (_LINE, length // 4),
            (_SENTENCE, length // 4),
        ):
            if cut_index := self._last(edge, start, limit, least_chars):
                return (
                    self._before_heading(cut_index, start + least_chars)
                    if edge is _PARAGRAPH
                    else cut_index
                )
        for edge in (_LINE, _SENTENCE, _WORD):
            if cut_index := self._last(edge, start, limit, 1):
                return cut_index
        return self._grapheme(start, limit)

    def _last(self, edge: re.Pattern[str], start: int, limit: int, least_chars: int) -> int | None:
        """The end of the last match of `edge`, or None.

        It is at least `least_chars` characters after `start`, with text before it.
        """
        text = self.text
        # White space right after the limit disappears with the cut.
        match_ends = [match.end() for match in edge.finditer(text, start, limit + 1)]
        for end in reversed(match_ends):
            if end - start < least_chars:
                break
            is_inside = end <= limit or text[limit].isspace()
            is_line = "\n" in text[end - 1 : end]
            if is_inside and text[start:end].strip() and not self._tears(end, is_line=is_line):
                return end
        return None

    def _tears(self, cut_index: int, *, is_line: bool) -> bool:
        """Whether a cut here would separate a marker from its sentence, or cut an entity."""
        if not is_line and _MARKER.match(self.text, cut_index):
            return True
        unit = self.offsets[cut_index]
        return self._whole_reach.of_those_before(unit) > unit

    def _before_heading(self, cut_index: int, earliest_index: int) -> int:
        """The cut or, if a heading would end the part, the beginning of that heading."""
        text = self.text
        end = len(text[:cut_index].rstrip())
        line = text.rfind("\n", 0, end) + 1
        is_heading = (self.offsets[line], self.offsets[end] - self.offsets[line]) in self._bold
        return line if is_heading and line >= earliest_index else cut_index

    def _grapheme(self, start: int, limit: int) -> int:
        """The last grapheme boundary up to `limit`, so that no emoji or accent is split."""
        first_index, last_index = (
            bisect_left(self._whole, self.offsets[index], key=lambda entity: entity.offset)
            for index in (start, limit)
        )
        for entity in self._whole[first_index:last_index]:
            begin = bisect_left(self.offsets, entity.offset)
            if start < begin < limit < bisect_left(self.offsets, entity.offset + entity.length):
                limit = begin
        edge = wcwidth.grapheme_boundary_before(self.text, limit + 1)
        return edge if edge > start else limit
