"""Finds the tables on a PDF page whose columns are seen by their alignment only.

Columns of a newspaper, lists and addresses are no tables: what is drawn next to each other counts,
not what stands next to each other, and columns of full lines of text are prose.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from statistics import median
from typing import Final

from rich_agent.documents.extract.pdf.regions import (
    WIDE_GAP,
    TableRegion,
    pieces,
    text_lines,
    without_remarks,
)
from rich_agent.documents.extract.pdf.rules import DrawnLine, DrawnLines
from rich_agent.documents.extract.pdf.tables import is_number
from rich_agent.documents.extract.pdf.words import Box, Row, Word, box_of

_OTHER_SIZE: Final = 0.15
_FARTHEST_UP: Final = 15.0
"""From the last line of a cell to the first line of the next, in sizes of letters."""
_FARTHEST_DOWN: Final = 3.5
_MOST_LOOSE: Final = 5
_MOST_CELL_LINES: Final = 40
_MOST_GAPS: Final = 200
_WIDE: Final = 0.7
_NARROWEST: Final = 0.25
_LONG_LINE: Final = 28
_FULL_LINE: Final = 0.75
_MOST_COLUMNS: Final = 40
_NEAR: Final = 4.0
_SAME_EDGE: Final = 1.5
_SPACE: Final = 0.5
_MOST: Final = 0.8
_FEW: Final = 0.25
_MANY_LONG: Final = 0.4


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of a line without a wide gap between them."""

    words: tuple[Word, ...]
    box: Box
    size: float

    @property
    def middle(self) -> float:
        """Its height on the page."""
        return (self.box.bottom + self.box.top) / 2

    @property
    def width(self) -> float:
        """Its width on the page."""
        return self.box.right - self.box.left

    @property
    def is_long(self) -> bool:
        """Whether it has as many letters as a line of a text."""
        return sum(len(word.text) + 1 for word in self.words) > _LONG_LINE

    def is_beside(self, other: "_Piece") -> bool:
        """Whether another piece stands on the same line."""
        overlap = min(self.box.top, other.box.top) - max(self.box.bottom, other.box.bottom)
        return overlap > 0.5 * min(self.size, other.size) and self.is_apart(other)

    def is_apart(self, other: "_Piece") -> bool:
        """Whether another piece stands more to the left or to the right."""
        return other.box.left > self.box.right - 1 or other.box.right < self.box.left + 1

    def leads_to(self, following: "_Piece") -> bool:
        """Whether the next piece that is drawn belongs to the next cell of the row."""
        if self.is_beside(following):
            return True
        rise = following.middle - self.middle
        return 0.5 * self.size < rise < _FARTHEST_UP * self.size and self.is_apart(following)


def aligned_regions(rows: Sequence[Row], rules: DrawnLines) -> Iterator[TableRegion]:
    """The regions in which columns of words are aligned in several rows."""
    drawn = [piece for row in rows for piece in _drawn_pieces(row)]
    index = least = 0
    while index + 1 < len(drawn):
        if not drawn[index].leads_to(drawn[index + 1]):
            index += 1
            continue
        start = _first(drawn, index, max(least, index - _MOST_CELL_LINES))
        end = _end(drawn, start, index + 1)
        region = _region(drawn[start:end], rules)
        if start > least and _is_head(drawn[start - 1], drawn[start:end]):
            region = _region(drawn[start - 1 : end], rules) or region
        if region is not None:
            yield region
            least = end
        index = end


def _drawn_pieces(row: Row) -> Iterator[_Piece]:
    piece: list[Word] = []
    for word in without_remarks(row):
        if piece and not _is_next(piece[-1], word):
            yield _Piece(tuple(piece), box_of(piece), piece[0].style.size)
            piece = []
        piece.append(word)
    if piece:
        yield _Piece(tuple(piece), box_of(piece), piece[0].style.size)


def _is_next(previous: Word, word: Word) -> bool:
    size = min(previous.style.size, word.style.size)
    gap = max(word.box.left - previous.box.right, previous.box.left - word.box.right)
    return gap < WIDE_GAP * size and abs(word.box.bottom - previous.box.bottom) < 0.5 * size


def _first(drawn: Sequence[_Piece], index: int, least: int) -> int:
    """The first line of the cell in which a row begins, not before `least`."""
    following = drawn[index + 1]
    top = following.box.top + 0.3 * following.size
    while (
        least < index
        and drawn[index - 1].box.top <= top
        and drawn[index - 1].middle > drawn[index].middle
        and drawn[index - 1].is_apart(following)
    ):
        index -= 1
    return index


def _end(drawn: Sequence[_Piece], start: int, last: int) -> int:
    """The index after the last piece of a table."""
    box = box_of([word for piece in drawn[start : last + 1] for word in piece.words])
    size, index, loose = drawn[start].size, last, 0
    while index + 1 < len(drawn):
        piece = drawn[index + 1]
        if abs(piece.size - size) > _OTHER_SIZE * size:
            break
        if drawn[index].leads_to(piece) and piece.middle > box.bottom - size:
            last, loose = index + 1, 0
        else:
            loose += 1
            is_wide = piece.is_long and piece.width > _WIDE * (box.right - box.left)
            is_below = (
                piece.middle < drawn[index].middle - 0.3 * size
                and box.bottom - piece.box.top < _FARTHEST_DOWN * size
            )
            if loose > _MOST_LOOSE or is_wide or not is_below:
                break
        box = Box.union((box, piece.box))
        index += 1
    while (
        last + 1 <= index
        and drawn[last + 1].box.left > box.left + 2 * size
        and drawn[last].box.bottom - drawn[last + 1].box.top < 0.5 * size
    ):
        last += 1
    return last + 1


def _is_head(piece: _Piece, stretch: Sequence[_Piece]) -> bool:
    """Whether a piece over others is a head whose cells have only small gaps between them."""
    words = [word for below in stretch for word in below.words]
    box, size = box_of(words), piece.size
    is_over = (
        abs(size - stretch[0].size) < _OTHER_SIZE * size
        and -0.5 * size < piece.box.bottom - box.top < 1.5 * size
    )
    if not is_over:
        return False
    first, *others = text_lines(words)
    edges = _edges([first, *others], size, box)
    if any(word.box.left < edge < word.box.right for word in piece.words for edge in edges[1:-1]):
        return False
    columns = {bisect_right(edges, (word.box.left + word.box.right) / 2) for word in piece.words}
    has_numbers = any(is_number(word.text) for word in first)
    return has_numbers and columns == set(range(1, len(edges)))


def _region(stretch: Sequence[_Piece], rules: DrawnLines) -> TableRegion | None:
    """The region of pieces that were drawn one after the other, None if they are no table."""
    words = tuple(word for piece in stretch for word in piece.words)
    lines = text_lines(words)
    box = box_of(words)
    edges = _edges(lines, stretch[0].size, box)
    if not 2 < len(edges) <= _MOST_COLUMNS + 1:
        return None
    long_count = sum(piece.is_long for piece in stretch)
    if long_count > _MANY_LONG * len(stretch):
        return None
    region = TableRegion(words, edges, tuple(_across(rules, box)))
    return region if _is_table(region, lines) else None


def _edges(lines: Sequence[Sequence[Word]], size: float, box: Box) -> tuple[float, ...]:
    """The places where columns begin: gaps that go through nearly all lines."""
    part_counts = [sum(1 for _ in pieces(line)) for line in lines]
    most = max(part_counts)
    counted: list[Sequence[Word]] = []
    others: list[Sequence[Word]] = []
    for number, (line, part_count) in enumerate(zip(lines, part_counts, strict=True)):
        if part_count > 1 and (number > 1 or part_count == most):
            counted.append(line)
        elif len(line) > 1:
            others.append(line)
    gaps = [
        gap
        for gap in islice(_gaps(counted, _NARROWEST * size), _MOST_GAPS)
        if _parts(counted, gap, size)
    ]
    edges = [_best_place(gaps, number, others) for number in range(len(gaps))]
    return _merged((box.left, *edges, box.right), lines)


def _gaps(lines: Sequence[Sequence[Word]], narrowest: float) -> Iterator[tuple[float, float]]:
    """The gaps from the left to the right in which hardly any line has a word."""
    events = sorted(
        event
        for line in lines
        for word in line
        for event in ((word.box.left, 1), (word.box.right, -1))
    )
    allowed, covering = len(lines) // 12, 0
    for (place, change), (next_place, _) in pairwise(events):
        covering += change
        if covering <= allowed and next_place - place >= narrowest:
            yield place, next_place


def _merged(edges: tuple[float, ...], lines: Sequence[Sequence[Word]]) -> tuple[float, ...]:
    """The edges without those that part one column: in few lines, or its head from its cells."""
    filled: list[set[int]] = [set() for _ in edges[1:]]
    for number, line in enumerate(lines):
        for word in line:
            column = bisect_right(edges, (word.box.left + word.box.right) / 2) - 1
            filled[min(max(column, 0), len(filled) - 1)].add(number)
    kept, numbers = [edges[0]], filled[0]
    for edge, others in zip(edges[1:-1], filled[1:], strict=True):
        is_rare = 0 not in others and len(others) <= len(lines) / 3
        if is_rare or not numbers & others or _parts_head(lines[0], edge, numbers, others):
            numbers = numbers | others
        else:
            kept.append(edge)
            numbers = others
    return (*kept, edges[-1])


def _parts_head(head: Sequence[Word], edge: float, numbers: set[int], others: set[int]) -> bool:
    """Whether an edge parts neighbouring words of a head of which one has nothing below."""
    if min(len(numbers), len(others)) > 1 or numbers | others == {0}:
        return False
    left = max((word.box.right for word in head if word.box.right <= edge), default=edge)
    right = min((word.box.left for word in head if word.box.left >= edge), default=edge)
    return right - left < WIDE_GAP * head[0].style.size


def _best_place(
    gaps: Sequence[tuple[float, float]], number: int, lines: Sequence[Sequence[Word]]
) -> float:
    """A place in a gap at which no words of other lines stand, if they have a space there."""
    start, end = gaps[number]
    for line in lines:
        words = sorted(line, key=lambda word: word.box.left)
        spaces = [
            (max(start, previous.box.right), min(end, word.box.left))
            for previous, word in pairwise(words)
        ]
        is_whole_head = len(spaces) == len(gaps)
        left, right = spaces[number] if is_whole_head else max(spaces, key=lambda s: s[1] - s[0])
        if right > left:
            start, end = left, right
    return (start + end) / 2


def _parts(lines: Sequence[Sequence[Word]], gap: tuple[float, float], size: float) -> bool:
    """Whether a gap parts two columns: it is wide in most of the lines, or on a common edge."""
    start, end = gap
    gaps: list[tuple[float, float]] = []
    for line in lines:
        left = max((word.box.right for word in line if word.box.left < start), default=None)
        right = min((word.box.left for word in line if word.box.right > end), default=None)
        if left is not None and right is not None:
            gaps.append((left, right))
    if len(gaps) < 2:
        return False
    widths = [right - left for left, right in gaps]
    if sum(width > WIDE_GAP * size for width in widths) >= len(gaps) / 2:
        return True
    is_space = _is_common(widths) and median(widths) < _SPACE * size
    has_edge = any(_is_common(edges) for edges in zip(*gaps, strict=True))
    return len(gaps) > 2 and has_edge and not is_space


def _is_common(edges: Sequence[float]) -> bool:
    """Whether most edges are at the same place."""
    usual = median(edges)
    return sum(abs(edge - usual) < _SAME_EDGE for edge in edges) >= _MOST * len(edges)


def _across(rules: DrawnLines, box: Box) -> Iterator[DrawnLine]:
    """The horizontal lines and the edges of filled areas in a box, from the top."""
    low, high = box.bottom - _NEAR, box.top + _NEAR
    edges = [
        DrawnLine(at, area.left, area.right)
        for area in rules.areas
        if area.left < box.right and area.right > box.left
        for at in (area.top, area.bottom)
    ]
    found = [rule for rule in (*rules.across, *edges) if low <= rule.at <= high]
    yield from sorted(
        (rule for rule in found if rule.start < box.right and rule.end > box.left),
        key=lambda rule: -rule.at,
    )


def _is_table(region: TableRegion, lines: Sequence[Sequence[Word]]) -> bool:
    """Whether a region's columns are those of a table."""
    by_column, several = _columns(region, lines)
    prose = [_is_prose(column) for column in by_column]
    if all(prose) or _crosses(region, lines):
        return False
    if _is_flush(lines) and not any(map(_are_numbers, by_column)):
        return False
    width = region.edges[-1] - region.edges[0]
    if sum(rule.end - rule.start > _WIDE * width for rule in region.across) >= 2:
        return several >= 2
    if len(by_column) == 2:
        return not any(prose) and several >= 4 and _has_numbers(by_column[1])
    return several >= 3 and sum(prose) <= len(by_column) / 2


def _columns(
    region: TableRegion, lines: Sequence[Sequence[Word]]
) -> tuple[list[list[list[Word]]], int]:
    """The lines of words of each column, and the number of lines that fill several."""
    by_column: list[list[list[Word]]] = [[] for _ in region.edges[1:]]
    several = 0
    for line in lines:
        columns: dict[int, list[Word]] = {}
        for word in line:
            columns.setdefault(region.column(word), []).append(word)
        several += len(columns) > 1
        for column, words in columns.items():
            by_column[column].append(words)
    return by_column, several


def _crosses(region: TableRegion, lines: Sequence[Sequence[Word]]) -> bool:
    """Whether many lines go on over the edges of columns, as those of a text between rows do."""
    crossing = 0
    for line in lines:
        (box, *others) = [box_of(piece) for piece in pieces(line)]
        crossing += not others and any(box.left < edge < box.right for edge in region.edges[1:-1])
    return crossing > _FEW * len(lines)


def _is_flush(lines: Sequence[Sequence[Word]]) -> bool:
    """Whether nearly all lines go from edge to edge, as those of a justified text."""
    boxes = [box_of(line) for line in lines]
    return _is_common([box.left for box in boxes]) and _is_common([box.right for box in boxes])


def _is_prose(lines: Sequence[Sequence[Word]]) -> bool:
    """Whether lines of a column are long and mostly full."""
    if len(lines) < 3:
        return False
    boxes = [box_of(line) for line in lines]
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    full = sum(box.right - box.left > _FULL_LINE * (right - left) for box in boxes)
    letter_count = sum(len(word.text) + 1 for line in lines for word in line) / len(lines)
    return letter_count > _LONG_LINE and full > len(lines) / 2


def _has_numbers(column: Sequence[Sequence[Word]]) -> bool:
    """Whether numbers stand under a head in words."""
    if len(column) < 2:
        return False
    head = " ".join(word.text for word in column[0])
    return not is_number(head) and _are_numbers(column)


def _are_numbers(column: Sequence[Sequence[Word]]) -> bool:
    texts = [" ".join(word.text for word in line) for line in column[1:]]
    return sum(map(is_number, texts)) > _MOST * len(texts)
