"""Puts the words of a table on a PDF page into rows and cells.

Cells that lines join, over rows or columns, tell their words in each row, and in each column of
the head. A head of several lines becomes one.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from rich_agent.documents.extract.pdf.regions import TableRegion, middle, pieces, text_lines
from rich_agent.documents.extract.pdf.rules import DrawnLine
from rich_agent.documents.extract.pdf.words import Box, Word, box_of

Cell = tuple[str, ...]
"""The lines of a cell."""
_Grid = list[list[Cell]]
Columns = dict[int, list[Word]]
"""The words of a line or a row by columns."""

_NEAR: Final = 3.6
_FULL: Final = 0.6
_FEW_BANDS: Final = 3
_LINE_PITCH: Final = 1.32
_SMALLER_PITCH: Final = 0.87
_MOST_JOINED: Final = 100
_MOST_HEAD_LINES: Final = 6
_LONGEST_REPEATED: Final = 300
_LONGEST_NUMBER: Final = 24
_SPACE: Final = 0.2
_MOST: Final = 0.7
_CENTRED: Final = 3.0
_SAME_COLUMN: Final = 1.5
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})


@dataclass(frozen=True, slots=True)
class PdfTable:
    """A table: rows of cells, the head first."""

    rows: tuple[tuple[Cell, ...], ...]
    edges: tuple[float, ...]
    """Where its columns begin, and where the last ends."""
    box: Box
    size: float
    """Usual size of its letters."""
    remarks: tuple[str, ...] = ()
    """What readers of the page say about it."""

    def with_head_of(self, other: "PdfTable") -> "PdfTable":
        """The table with the head of one that ends the page before and has the same columns."""
        is_same = len(self.edges) == len(other.edges) and all(
            abs(edge - its_edge) <= _SAME_COLUMN * self.size
            for edge, its_edge in zip(self.edges, other.edges, strict=True)
        )
        if not is_same or self.rows[0] == other.rows[0]:
            return self
        return replace(self, rows=(other.rows[0], *self.rows))

    def markdown(self, join: Callable[[Cell], str]) -> str:
        """The table with pipes; `join` makes one text of the lines of a cell."""
        lines = [
            [join(cell).replace("\n", " ").replace("|", "\\|") for cell in row] for row in self.rows
        ]
        lines.insert(1, ["---"] * len(self.rows[0]))
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of words in a table."""

    at: float
    """The height of its middle."""
    columns: Columns


@dataclass(slots=True)
class _Row:
    """Lines that are one row, and where the row ends, if lines are drawn there."""

    lines: list[_Line]
    top: "_Edge | None" = None
    bottom: "_Edge | None" = None
    spans: dict[int, int] = field(default_factory=dict)
    """The last column of each cell that covers several."""

    def words(self, column: int) -> list[list[Word]]:
        """The lines of words of a cell."""
        return [line.columns[column] for line in self.lines if column in line.columns]


@dataclass(slots=True)
class _Edge:
    """A height at which lines are drawn."""

    at: float
    rules: list[DrawnLine]

    def covers(self, left: float, right: float) -> bool:
        """Whether lines go along more than half of a column."""
        return any(rule.covers(left, right) for rule in self.rules)


def read_table(region: TableRegion) -> PdfTable | None:
    """The table of a region, None if it has a single row or column."""
    reader = _TableReader(region)
    grid = reader.grid()
    filled = sorted(reader.filled)
    if len(grid) < 2 or len(filled) < 2:
        return None
    order = filled[::-1] if reader.is_right_to_left else filled
    edges = (*(region.edges[column] for column in filled), region.edges[filled[-1] + 1])
    rows = tuple(tuple(row[column] for column in order) for row in grid)
    return PdfTable(rows, edges, box_of(region.words), region.size)


class _TableReader:
    """Reads the rows of one region."""

    def __init__(self, region: TableRegion) -> None:
        self._region = region
        self._count = len(region.edges) - 1
        self._size = region.size
        letters = [letter for word in region.words for letter in word.text if letter.isalpha()]
        rtl_count = sum(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in letters)
        self.is_right_to_left = rtl_count > len(letters) / 2
        self.filled: set[int] = set()
        """The columns in which a cell with words begins."""
        self._key = self._count - 1 if self.is_right_to_left else 0
        self._lines = [self._line(words) for words in text_lines(region.words)]
        self._extents = self._column_extents()
        self._head_line_count = 0
        self._number_columns = self._find_number_columns()
        self._head_line_count = self._count_head_lines()
        self._spread_groups()

    def grid(self) -> _Grid:
        """The rows of cells, the head as one row."""
        rows = list(self._rows())
        head_count = self._head_row_count(rows)
        lines = [
            self._cells(rows, number, is_head=number < head_count) for number in range(len(rows))
        ]
        head = [
            _joined([line[column] for line in lines[:head_count]]) for column in range(self._count)
        ]
        return [line for line in (head, *lines[head_count:]) if any(line)]

    def _line(self, words: Sequence[Word]) -> _Line:
        columns: Columns = {}
        for piece in pieces(words):
            for word, column in zip(piece, self._columns_of(piece), strict=True):
                columns.setdefault(column, []).append(word)
        return _Line(sum(map(middle, words)) / len(words), columns)

    def _columns_of(self, piece: Sequence[Word]) -> list[int]:
        """The column of each word; one that goes over an edge belongs to all of its piece."""
        columns = [self._region.column(word) for word in piece]
        slack = (0.3 if len(piece) == 1 else 0.8) * self._size
        is_crossing = not self._region.is_ruled and any(
            word.box.left < edge - slack and word.box.right > edge + slack
            for word in piece
            for edge in self._region.edges[1:-1]
        )
        if not is_crossing:
            return columns
        first, count = columns[0], columns[-1] + 1 - columns[0]
        return list(range(first, first + count)) if count == len(piece) else [first] * len(piece)

    def _column_extents(self) -> dict[int, tuple[float, float]]:
        """The places from which to which the words of each column go."""
        boxes: dict[int, list[Box]] = {}
        for line in self._lines:
            for column, words in line.columns.items():
                boxes.setdefault(column, []).append(box_of(words))
        return {
            column: (min(box.left for box in found), max(box.right for box in found))
            for column, found in boxes.items()
        }

    def _find_number_columns(self) -> set[int]:
        """The columns in which most lines have a number or a code, without the key."""
        columns: set[int] = set()
        for column in range(self._count):
            texts = [
                _text(line.columns[column]) for line in self._lines[1:] if column in line.columns
            ]
            if column != self._key and texts and sum(map(is_number, texts)) >= _FULL * len(texts):
                columns.add(column)
        return columns

    def _count_head_lines(self) -> int:
        """The number of lines up to the last that has words where the rows have numbers."""
        count = 0
        for number, line in enumerate(self._lines[:_MOST_HEAD_LINES], start=1):
            filled = [column for column in self._number_columns if column in line.columns]
            words = [column for column in filled if not is_number(_text(line.columns[column]))]
            if filled and len(words) >= len(filled) / 2:
                count = number
        return count

    def _spread_groups(self) -> None:
        """Put what stands over the middle of several columns of a head into each of them."""
        if self._region.is_ruled:
            return
        head, rows = self._lines[: self._head_line_count], self._lines[self._head_line_count :]
        centres = {
            column: box_of([word for line in self._lines for word in line.columns.get(column, ())])
            for column in {column for line in rows for column in line.columns}
        }
        for number, line in enumerate(head):
            below = {column for later in head[number + 1 :] for column in later.columns}
            above = {column for earlier in head[:number] for column in earlier.columns}
            groups = {
                column: box_of(words)
                for column, words in line.columns.items()
                if column in below - above
                and not _is_aligned(box_of(words), head[number + 1 :], column)
            }
            free = below - above - line.columns.keys() - {self._key}
            for column in free & centres.keys():
                box = centres[column]
                nearest = min(groups, key=lambda group: _distance(groups[group], box), default=None)
                if nearest is not None:
                    line.columns[column] = line.columns[nearest]

    def _rows(self) -> Iterator[_Row]:
        """The rows, by what is drawn between them, else by their lines."""
        bands = self._bands()
        one_row = [self._is_one_row(band) for band in bands]
        are_rows = len(bands) > _FEW_BANDS and sum(one_row) >= len(bands) / 2
        place = 0
        for band, is_one in zip(bands, one_row, strict=True):
            place += len(band.lines)
            is_row = is_one and (self._region.is_ruled or not self._has_rows(band))
            if are_rows or is_row or place <= self._head_line_count:
                yield band
            else:
                yield from self._split(
                    band, max(self._head_line_count - place + len(band.lines), 0)
                )

    def _bands(self) -> list[_Row]:
        """The lines between those that are drawn."""
        edges = self._edges()
        bands: list[_Row] = []
        for line in self._lines:
            above = [edge for edge in edges if edge.at > line.at]
            top = above[-1] if above else None
            if bands and bands[-1].top is top:
                bands[-1].lines.append(line)
            else:
                bottom = edges[len(above)] if len(above) < len(edges) else None
                bands.append(_Row([line], top, bottom))
        return bands

    def _edges(self) -> list[_Edge]:
        """The heights at which lines are drawn, from the top; without frames half are covered."""
        edges: list[_Edge] = []
        columns = list(pairwise(self._region.edges))
        for rule in self._region.across:
            if not any(rule.covers(left, right) for left, right in columns):
                continue
            if edges and edges[-1].at - rule.at <= _NEAR:
                edges[-1].rules.append(rule)
            else:
                edges.append(_Edge(rule.at, [rule]))
        least = 1 if self._region.is_ruled else len(columns) / 2
        return [edge for edge in edges if sum(edge.covers(*column) for column in columns) >= least]

    def _is_one_row(self, band: _Row) -> bool:
        """Whether at most one of the lines fills most columns, or each is as long as it can be."""
        return sum(map(self._is_full, band.lines)) < 2 or all(
            self._is_forced(above, below) for above, below in pairwise(band.lines)
        )

    def _has_rows(self, band: _Row) -> bool:
        """Whether some lines of a band are farther from each other than those of a text."""
        gaps = [above.at - below.at for above, below in pairwise(band.lines)]
        return max(gaps, default=0.0) > _LINE_PITCH * self._size

    def _is_full(self, line: _Line) -> bool:
        return self._key in line.columns and len(line.columns) >= _FULL * self._count

    def _split(self, band: _Row, head_line_count: int) -> Iterator[_Row]:
        """The rows of a band by their lines: those of a wrapped cell are closer to each other."""
        lines = band.lines
        gaps = [above.at - below.at for above, below in pairwise(lines)]
        widest = max(gaps[head_line_count:], default=max(gaps))
        close = [gap < _SMALLER_PITCH * widest for gap in gaps]
        forced = [self._is_forced(above, below) for above, below in pairwise(lines)]
        wraps = sum(near and is_forced for near, is_forced in zip(close, forced, strict=True))
        is_wrapped = 0 < _MOST * sum(close) <= wraps
        rows = [[lines[0]]]
        for number, line in enumerate(lines[1:], start=1):
            is_same = number < head_line_count or (is_wrapped and close[number - 1])
            goes_on = is_same or (not is_wrapped and self._goes_on(line))
            if number != head_line_count and goes_on:
                rows[-1].append(line)
            else:
                rows.append([line])
        for number, row in enumerate(rows):
            yield _Row(
                row,
                band.top if number == 0 else None,
                band.bottom if number == len(rows) - 1 else None,
            )

    def _is_forced(self, line: _Line, following: _Line) -> bool:
        """Whether the next words would not have fitted into any cell of a line."""
        for column in line.columns.keys() & following.columns.keys():
            if is_number(_text(line.columns[column])) and is_number(
                _text(following.columns[column])
            ):
                return False
            left, right = self._extents[column]
            boxes = [word.box for word in line.columns[column]]
            width = _first_width(following.columns[column][0])
            room = right - left - (max(box.right for box in boxes) - min(box.left for box in boxes))
            if width + _SPACE * self._size < room:
                return False
        return True

    def _goes_on(self, line: _Line) -> bool:
        """Whether a line only continues cells: it has no key, no number, and few cells."""
        return (
            self._key not in line.columns
            and len(line.columns) <= self._count / 2
            and not any(column in line.columns for column in self._number_columns)
        )

    def _head_row_count(self, rows: Sequence[_Row]) -> int:
        """The number of rows that are one head: those with words over numbers, or with groups."""
        line_count = count = 0
        for row in rows[:-1]:
            if line_count >= self._head_line_count:
                break
            line_count += len(row.lines)
            count += 1
        has_groups = len(rows) > 2 and any(
            self._last_column(rows[0], column) > column for column in range(self._count)
        )
        if has_groups and self._joined_rows(rows, 0, self._key) == (0, 1):
            count = max(count, 2)
        return max(count, 1)

    def _cells(self, rows: Sequence[_Row], number: int, *, is_head: bool) -> list[Cell]:
        """The cells of a row; those that are joined to others tell the words of all."""
        cells: list[Cell] = []
        column = 0
        while column < self._count:
            last = self._last_column(rows[number], column)
            first_row, last_row = self._joined_rows(rows, number, column)
            lines = [
                _text(self._in_order(words))
                for row in rows[first_row : last_row + 1]
                for words in _lines_of(row, column, last)
            ]
            cell = tuple(lines)
            is_short = sum(map(len, cell)) <= _LONGEST_REPEATED
            if first_row < number and not is_short:
                cell = ()
            if any(cell):
                self.filled.add(column)
            repeated = cell if is_head and is_short else ()
            cells += [cell, *[repeated] * (last - column)]
            column = last + 1
        return cells

    def _in_order(self, words: list[Word]) -> list[Word]:
        if self.is_right_to_left:
            return sorted(words, key=lambda word: -word.box.right)
        return sorted(words, key=lambda word: word.box.left)

    def _last_column(self, row: _Row, column: int) -> int:
        """The last column that no drawn line parts from a column in a row."""
        if not self._region.is_ruled:
            return column
        at = row.lines[0].at
        edges = self._region.edges
        while column + 1 < self._count and not any(
            abs(rule.at - edges[column + 1]) <= _NEAR and rule.start <= at <= rule.end
            for rule in self._region.down
        ):
            column += 1
        return column

    def _joined_rows(self, rows: Sequence[_Row], number: int, column: int) -> tuple[int, int]:
        """The first and the last of the rows that no drawn line parts in a column."""
        left, right = self._region.edges[column : column + 2]
        first = last = number
        while (
            first > number - _MOST_JOINED and first > 0 and _is_open(rows[first].top, left, right)
        ):
            first -= 1
        end = min(len(rows), number + _MOST_JOINED)
        while last + 1 < end and _is_open(rows[last].bottom, left, right):
            last += 1
        return first, last


def _is_aligned(box: Box, lines: Sequence[_Line], column: int) -> bool:
    """Whether words are aligned with those of a column in the lines below."""
    boxes = [box_of(line.columns[column]) for line in lines if column in line.columns]
    return any(
        abs(box.left - other.left) < _CENTRED
        or abs(box.right - other.right) < _CENTRED
        or abs(box.left + box.right - other.left - other.right) < 2 * _CENTRED
        for other in boxes
    )


def _distance(box: Box, other: Box) -> float:
    return abs(box.left + box.right - other.left - other.right)


def _is_open(edge: _Edge | None, left: float, right: float) -> bool:
    """Whether lines are drawn at an edge, but not along a column."""
    return edge is not None and not edge.covers(left, right)


def _lines_of(row: _Row, first: int, last: int) -> Iterator[list[Word]]:
    """The lines of words of the columns from the first to the last."""
    for line in row.lines:
        words = [word for column in range(first, last + 1) for word in line.columns.get(column, ())]
        if words:
            yield words


def _first_width(word: Word) -> float:
    """The width of the first of words that were read as one."""
    share = len(word.text.partition(" ")[0]) / len(word.text)
    return (word.box.right - word.box.left) * share


def _joined(cells: Sequence[Cell]) -> Cell:
    """The lines of a column's head, each cell once."""
    return tuple(line for cell in dict.fromkeys(cells) for line in cell)


def _text(words: Sequence[Word]) -> str:
    text = " ".join(word.text for word in words)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def is_number(text: str) -> bool:
    """Whether a text is short, and has more digits than half of its letters."""
    digits = sum(letter.isdigit() for letter in text)
    letters = sum(letter.isalpha() for letter in text)
    return len(text) <= _LONGEST_NUMBER and digits > letters / 2
