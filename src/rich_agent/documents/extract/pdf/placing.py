"""Puts what was filled in on a PDF page next to its labels, and remarks to their lines."""

import math
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final, Self

from rich_agent.documents.extract.pdf.annotations import Annotation
from rich_agent.documents.extract.pdf.words import Box, Row, Style, Word, WordKind, box_of

_NEAR = 40.0
"""Points between a field and words on its line, up to which they are its label in any case."""
_ALIGNED = 12.0
_SAME_EDGE = 3.0
_LABEL_GAP = 1.2
"""Between two labels on a line, or between a label and the field under it, in sizes of letters."""
_TALL = 2.5
_ASIDE = 50.0
_USUAL_SIZE = 10.0
_MOST_PLACED = 1_000
"""More fields of a page than this follow its text."""
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
_DRAWN: Final = frozenset[WordKind]({"drawn"})
_ANY: Final = frozenset[WordKind]({"drawn", "answer"})


def place(
    annotations: Sequence[Annotation], flattened: Sequence[Box], rows: Sequence[Row], angle: int
) -> list[Row]:
    """The rows of a page's words in one direction, with the annotations among them.

    The words in the boxes of fields that became part of the page are placed like annotations.
    """
    turned = [replace(found, box=found.box.turned(angle)) for found in annotations]
    if flattened:
        rows, values = _lifted(rows, [box.turned(angle) for box in flattened])
        turned += values
    turned.sort(key=lambda found: (-found.box.top, found.box.left))
    page = _Page(rows, angle, [found.box for found in turned if found.kind == "answer"])
    for kind, add in (("answer", page.fill), ("remark", page.attach)):
        of_kind = [found for found in turned if found.kind == kind]
        for found in of_kind[:_MOST_PLACED]:
            add(found)
        for found in of_kind[_MOST_PLACED:]:
            page.append(found)
    return page.rows


def _lifted(rows: Sequence[Row], boxes: Sequence[Box]) -> tuple[Sequence[Row], list[Annotation]]:
    """The rows without the words that stand in boxes, and these words."""
    by_box: dict[Box, list[str]] = {}
    others: list[Row] = []
    for row in rows:
        rest: Row = []
        for word in row:
            box = next((box for box in boxes if _is_within(word, box)), None)
            if box is None:
                rest.append(word)
            else:
                by_box.setdefault(box, []).append(word.text)
        if rest:
            others.append(rest)
    if not others:
        return rows, []
    return others, [Annotation("answer", " ".join(words), box) for box, words in by_box.items()]


@dataclass(slots=True)
class _Line:
    """A row of words, which knows its parts and where it stands."""

    words: Row
    box: Box
    segments: list[tuple[int, int, Box]]
    """The parts between wide gaps and values: from, to, and the box around them."""

    @classmethod
    def of(cls, words: Row) -> Self:
        """The line of some words, at least one."""
        segments = [(start, end, box_of(words[start:end])) for start, end in _segments(words)]
        return cls(words, box_of(words), segments)


@dataclass(frozen=True, slots=True)
class _Spot:
    """The words of a row from `start` to `end`, at which a field stands."""

    row: int
    start: int
    end: int
    cost: float


class _Page:
    """Rows of words that are filled in."""

    def __init__(self, rows: Sequence[Row], angle: int, fields: Sequence[Box]) -> None:
        self._lines = [_Line.of(list(row)) for row in rows]
        self._angle = angle
        self._columns: dict[tuple[int, int], list[Box]] = {}
        for box in fields:
            self._columns.setdefault(_edges(box), []).append(box)
        sizes = [word.style.size for row in rows for word in row]
        self._size = median(sizes) if sizes else _USUAL_SIZE

    @property
    def rows(self) -> list[Row]:
        """The words of all lines."""
        return [line.words for line in self._lines]

    def append(self, found: Annotation) -> None:
        """Put an annotation on a row of its own at the end."""
        word = self._word(replace(found, kind="answer"), self._size)
        self._lines.append(_Line.of([word]))

    def fill(self, field: Annotation) -> None:
        """Put a value next to its label, or on a row of its own."""
        box = field.box
        if self._is_drawn(field):
            return
        beside = self._beside(box, _DRAWN)
        spot = beside if beside is not None and beside.cost <= _NEAR else None
        if spot is None and not self._is_in_column(box):
            spot = self._label(box)
        spot = spot or beside or self._beside(box, _ANY)
        if spot is None:
            line = _Line.of([self._word(field, self._size)])
            self._lines.insert(self._index_under(box), line)
        else:
            self._insert(field, spot)

    def attach(self, remark: Annotation) -> None:
        """Put a remark at the end of the row at which it stands, the lowest of those it covers."""
        box = remark.box
        costs = [
            max(0.0, middle - box.top, box.bottom - middle)
            + max(0.0, line.box.left - box.right, box.left - line.box.right)
            for line in self._lines
            for middle in ((line.box.bottom + line.box.top) / 2,)
        ]
        if not costs:
            self.append(remark)
            return
        lowest = min(costs)
        index = max(number for number, cost in enumerate(costs) if cost == lowest)
        self._lines[index].words.append(self._word(remark, self._size))

    def _near(self, box: Box, distance: float) -> list[tuple[int, _Line]]:
        """The lines that are not higher above a box or lower under it than a distance."""
        lowest, highest = box.bottom - distance, box.top + distance
        return [
            (index, line)
            for index, line in enumerate(self._lines)
            if line.box.bottom < highest and lowest < line.box.top
        ]

    def _word(self, found: Annotation, size: float) -> Word:
        return Word(found.text, -1, Style(size, self._angle), found.box, found.kind)

    def _is_drawn(self, field: Annotation) -> bool:
        """Whether the page itself has the value in the field; dots and lines there are removed."""
        words_inside: list[str] = []
        for index, line in reversed(self._near(field.box, 0.0)):
            inside = [w for w in line.words if w.kind == "drawn" and _is_within(w, field.box)]
            words_inside[:0] = (word.text for word in inside)
            kept = [word for word in line.words if word not in inside or _has_letters(word.text)]
            if len(kept) < len(line.words):
                self._lines[index : index + 1] = [_Line.of(kept)] if kept else []
        return "".join(words_inside) == "".join(field.text.split())

    def _is_in_column(self, box: Box) -> bool:
        """Whether another field stands right above or under this one, as in a table."""
        return any(
            other != box
            and max(other.bottom - box.top, box.bottom - other.top) < _LABEL_GAP * self._size
            for other in self._columns[_edges(box)]
        )

    def _beside(self, box: Box, kinds: frozenset[WordKind]) -> _Spot | None:
        """The nearest words on the line of a field, of a high one those on its first line."""
        spots = (
            _Spot(number, start, end, _distance(words, box))
            for number, line in self._near(box, 0.0)
            for start, end, words in line.segments
            if _is_on_line(words, box) and any(word.kind in kinds for word in line.words[start:end])
        )
        return min(spots, key=lambda spot: spot.cost, default=None)

    def _label(self, box: Box) -> _Spot | None:
        """The words right above a field, or else right under it, that begin where it begins."""
        gaps: list[Callable[[Box], float]] = [
            lambda words: words.bottom - box.top,
            lambda words: box.bottom - words.top,
        ]
        near = self._near(box, _LABEL_GAP * self._size)
        for gap in gaps:
            spots = [
                _Spot(number, start, end, abs(gap(words)))
                for number, line in near
                for start, end, words in line.segments
                if -self._size / 2 < gap(words) < _LABEL_GAP * self._size
                and _is_aligned(words, box)
            ]
            if spots:
                spot = min(spots, key=lambda spot: spot.cost)
                return self._cut_out(spot)
        return None

    def _cut_out(self, spot: _Spot) -> _Spot:
        """The words at a spot on a row of their own."""
        row = self._lines[spot.row].words
        parts = [row[: spot.start], row[spot.start : spot.end], row[spot.end :]]
        self._lines[spot.row : spot.row + 1] = [_Line.of(part) for part in parts if part]
        return _Spot(spot.row + (spot.start > 0), 0, spot.end - spot.start, spot.cost)

    def _insert(self, field: Annotation, spot: _Spot) -> None:
        """Put a value before or after the words at a spot."""
        row = self._lines[spot.row].words
        words = row[spot.start : spot.end]
        around, sign = box_of(words), -1 if _is_right_to_left(words) else 1
        slack = words[0].style.size / 2
        middle = sign * _middle(field.box)
        if around.bottom > field.box.top - slack or around.top < field.box.bottom + slack:
            is_after = around.bottom > field.box.bottom
        else:
            is_after = middle > sign * _middle(around)
        index = spot.end if is_after else spot.start
        while index < len(row) and _is_answer_at(row[index], sign, -math.inf, middle):
            index += 1
        while index > 0 and _is_answer_at(row[index - 1], sign, middle, math.inf):
            index -= 1
        row.insert(index, self._word(field, words[0].style.size))
        self._lines[spot.row] = _Line.of(row)

    def _index_under(self, box: Box) -> int:
        """The index for a new line: after the nearest one above it, else before the others."""
        middle = (box.bottom + box.top) / 2
        costs = [
            (around.bottom - middle + (0.0 if _overlap(around, box) else _ASIDE), index)
            for index, line in enumerate(self._lines)
            if (around := line.box).bottom >= middle
        ]
        return min(costs)[1] + 1 if costs else 0


def _overlap(box: Box, other: Box) -> bool:
    """Whether one stands above the other, at least in part."""
    return box.left < other.right and other.left < box.right


def _segments(row: Row) -> Iterator[tuple[int, int]]:
    """The parts of a row between wide gaps and values, as indexes from and to."""
    start = 0
    for index, (word, following) in enumerate(pairwise(row), start=1):
        gap = max(following.box.left - word.box.right, word.box.left - following.box.right)
        if gap > _LABEL_GAP * word.style.size or word.kind != "drawn" or following.kind != "drawn":
            yield start, index
            start = index
    if row:
        yield start, len(row)


def _is_on_line(words: Box, box: Box) -> bool:
    shared = min(words.top, box.top) - max(words.bottom, box.bottom)
    return shared >= min(words.top - words.bottom, box.top - box.bottom) / 2


def _distance(words: Box, box: Box) -> float:
    """From a field to words on its line, across and up."""
    across = max(box.left - words.right, words.left - box.right, 0.0)
    if box.top - box.bottom > _TALL * (words.top - words.bottom):
        return across + box.top - words.top
    return across + abs(words.bottom + words.top - box.bottom - box.top) / 2


def _is_aligned(words: Box, box: Box) -> bool:
    """Whether words begin or end where a field does, or stand within its width."""
    return (
        abs(words.left - box.left) < _ALIGNED
        or abs(words.right - box.right) < _ALIGNED
        or (box.left < words.left and words.right < box.right)
    )


def _is_within(word: Word, box: Box) -> bool:
    x, y = _middle(word.box), (word.box.bottom + word.box.top) / 2
    return box.left <= x <= box.right and box.bottom <= y <= box.top


def _is_answer_at(word: Word, sign: int, lowest: float, highest: float) -> bool:
    return word.kind == "answer" and lowest < sign * _middle(word.box) < highest


def _middle(box: Box) -> float:
    return (box.left + box.right) / 2


def _edges(box: Box) -> tuple[int, int]:
    return round(box.left / _SAME_EDGE), round(box.right / _SAME_EDGE)


def _has_letters(text: str) -> bool:
    return any(map(str.isalnum, text))


def _is_right_to_left(words: Sequence[Word]) -> bool:
    directions = [unicodedata.bidirectional(letter) for word in words for letter in word.text]
    count = sum(direction in _RIGHT_TO_LEFT for direction in directions)
    return count > directions.count("L")
