"""Splits a rendered text, with its entities, into messages that Telegram accepts."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import wcwidth

from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.rendering.spans import FORMULA, VERBATIM, overlaps, utf16_offsets

MAX_UNITS = 4000
"""Less than Telegram's 4096, which leaves room for an added line.

Source: Bot API, sendMessage, `text`.
"""
MAX_ENTITIES = 100
"""Telegram ignores further ones. Source: measured by users of the Bot API; not documented."""

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
    """The message in parts of 1..`max_units` UTF-16 units with at most 100 entities each.

    It is cut between paragraphs, else at the end of a line, of a sentence or of a word, else
    between graphemes. Code, links and formulas stay whole if they fit into a part, and a marker
    stays with its sentence. An entity that is cut continues in the next part, so code stays code.
    Blank text gives [].
    """
    cutter = _Cutter(message, utf16_offsets(message.text), max_units)
    edges = [0, *cutter.cuts()]
    parts = (cutter.part(start, end) for start, end in pairwise(edges))
    return [part for part in parts if not _BLANK.fullmatch(part.text)]


@dataclass(frozen=True, slots=True)
class _Cutter:
    """A message with the UTF-16 offset of each of its characters."""

    message: RenderedMessage
    offsets: Sequence[int]
    max_units: int

    def cuts(self) -> Iterator[int]:
        """The indexes at which parts end, the last at the end of the text."""
        start = 0
        counted = self._counted()
        while start < len(self.message.text):
            start = self._cut(start, counted)
            yield start

    def part(self, start: int, end: int) -> RenderedMessage:
        """The characters `start`..`end` without blank edges, with their entities."""
        text = self.message.text[start:end]
        end -= len(text) - len(text.rstrip())
        blank = text[: len(text) - len(text.lstrip())]
        start += blank.rfind("\n") + 1
        if start < end and not self._is_code(start):
            # In code they are indentation; elsewhere Telegram removes them.
            start += len(blank) - blank.rfind("\n") - 1
        if start >= end:
            return RenderedMessage("")
        low, high = self.offsets[start], self.offsets[end]
        clipped = []
        for entity in self.message.entities:
            first, last = max(entity.offset, low), min(entity.offset + entity.length, high)
            if first < last and entity.type != FORMULA:
                clipped.append(replace(entity, offset=first - low, length=last - first))
        return RenderedMessage(self.message.text[start:end], tuple(clipped[:MAX_ENTITIES]))

    def _is_code(self, index: int) -> bool:
        unit = self.offsets[index]
        return overlaps(self.message.entities, unit, unit + 1, VERBATIM)

    def _counted(self) -> list[tuple[int, int]]:
        """(start, end) in units of all that Telegram counts as an entity, sorted by start."""
        own = [(e.offset, e.offset + e.length) for e in self.message.entities if e.type != FORMULA]
        automatic = (
            (self.offsets[match.start()], self.offsets[match.end()])
            for match in _AUTOMATIC.finditer(self.message.text)
        )
        return sorted([*own, *automatic])

    def _cut(self, start: int, counted: Sequence[tuple[int, int]]) -> int:
        """The index at which the next part begins; always after `start`."""
        text = self.message.text
        by_units = bisect_right(self.offsets, self.offsets[start] + self.max_units) - 1
        limit = max(start + 1, min(by_units, self._entity_limit(counted, start)))
        if limit >= len(text):
            return len(text)
        length = limit - start
        for edge, least in (
            (_PARAGRAPH, length // 2),
            (_LINE, length // 4),
            (_SENTENCE, length // 4),
        ):
            if cut := self._last(edge, start, limit, least):
                return self._before_heading(cut, start + least) if edge is _PARAGRAPH else cut
        for edge in (_LINE, _SENTENCE, _WORD):
            if cut := self._last(edge, start, limit, 1):
                return cut
        return self._grapheme(start, limit)

    def _entity_limit(self, counted: Sequence[tuple[int, int]], start: int) -> int:
        """The index before which at most 100 entities begin or continue."""
        begin = self.offsets[start]
        starts = [first for first, last in counted if last > begin]
        if len(starts) <= MAX_ENTITIES:
            return len(self.offsets) - 1
        return bisect_right(self.offsets, max(starts[MAX_ENTITIES], begin)) - 1

    def _last(self, edge: re.Pattern[str], start: int, limit: int, least: int) -> int | None:
        """Where the last match of `edge` ends: after `least` characters, with text before it."""
        text = self.message.text
        # White space right after the limit disappears with the cut.
        ends = [match.end() for match in edge.finditer(text, start, limit + 1)]
        for end in reversed(ends):
            if end - start < least:
                break
            is_inside = end <= limit or text[limit].isspace()
            is_line = "\n" in text[end - 1 : end]
            if is_inside and text[start:end].strip() and not self._tears(end, is_line=is_line):
                return end
        return None

    def _tears(self, cut: int, *, is_line: bool) -> bool:
        """Whether a cut there would separate what belongs together."""
        if not is_line and _MARKER.match(self.message.text, cut):
            return True
        unit = self.offsets[cut]
        return any(
            entity.offset < unit < entity.offset + entity.length <= entity.offset + self.max_units
            for entity in self.message.entities
            if entity.type in _WHOLE
        )

    def _before_heading(self, cut: int, least: int) -> int:
        """The same cut, or an earlier one if a heading would end the part."""
        text = self.message.text
        end = len(text[:cut].rstrip())
        line = text.rfind("\n", 0, end) + 1
        is_heading = any(
            e.type == "bold"
            and e.offset == self.offsets[line]
            and e.length == self.offsets[end] - e.offset
            for e in self.message.entities
        )
        return line if is_heading and line >= least else cut

    def _grapheme(self, start: int, limit: int) -> int:
        """The last grapheme boundary up to `limit`, so that no emoji or accent is split."""
        for entity in self.message.entities:
            if entity.type in _WHOLE and entity.length <= self.max_units:
                first = bisect_left(self.offsets, entity.offset)
                if start < first < limit < bisect_left(self.offsets, entity.offset + entity.length):
                    limit = first
        edge = wcwidth.grapheme_boundary_before(self.message.text, limit + 1)
        return edge if edge > start else limit
