"""Finds the tables of a sheet, and their heads. A sheet may hold several, below or next to others.

Only whether cells are numbers, dates or words decides; no word means anything here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple, Protocol

from rich_agent.documents.extract.sheets.forms import CLOCK, date_formats, number_form

_LONGEST_NAME: Final = 60
_LONGEST_REMARK: Final = 200
_HEADS: Final = 40
_LOOKED_AT: Final = 200
_MOST_HEAD_ROWS: Final = 3
_MOST_BLOCKS: Final = 200
_MOST_FACT_ROWS: Final = 10
_MOST_FACT_COLUMNS: Final = 2
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_DAY_NUMBERS: Final = 3
_LEAST_REMARK: Final = 30
_MOST_REPEATED: Final = 10_000

Kind = Literal["", "number", "date", "words"]
_KINDS: Final[Sequence[Kind]] = ("number", "date", "words")


class GridView(Protocol):
    """A grid of cells; rows and columns are counted from 0."""

    rows: int
    columns: int

    def blank_rows(self, first: int, last: int, columns: Sequence[int]) -> Sequence[int]:
        """The rows without a value in any of the columns, in order."""

    def filled_columns(self, first: int, last: int, columns: Sequence[int]) -> Sequence[int]:
        """The columns, of those given, that have a value in one of the rows."""

    def rows_with(self, first: int, last: int, cells: Mapping[int, str]) -> Sequence[int]:
        """The rows with all of these cells, which are given by column, in order."""

    def cells(self, first: int, last: int, columns: Sequence[int]) -> "Cells":
        """The cells of rows, stripped."""


class Cells(NamedTuple):
    """Cells of rows: as they are computed with, and as a person sees them."""

    exact: list[list[str]]
    shown: list[list[str]]


class Head(NamedTuple):
    """The head of a table."""

    names: list[str]
    """Names of the columns."""
    rows: int
    """Number of rows before the first row of values."""
    above: str
    """Text above the names, such as a title or a remark."""
    is_certain: bool = True
    """Whether the values below tell that the names are names."""


@dataclass(slots=True)
class Region:
    """A table on a sheet."""

    first: int
    """The first row of the head, or of the values if there is no head."""
    last: int
    """The last row."""
    columns: tuple[int, ...]
    head: Head
    title: str = ""
    """Text in the rows of the table above the names."""
    repeated_heads: tuple[int, ...] = ()
    """Rows that repeat the head within the table."""

    @property
    def first_value(self) -> int:
        """The first row of values."""
        return self.first + self.head.rows


class Remark(NamedTuple):
    """Text on a sheet that is no table."""

    text: str


def lay_out(view: GridView) -> list[Region | Remark]:
    """The tables and the texts of a grid, in order; a table knows the texts above it."""
    items: list[Region | Remark] = []
    if not view.rows or not view.columns:
        return items
    for part in _parts(view, 0, view.rows - 1, tuple(range(view.columns))):
        for piece in _stacked(view, part):
            _place(view, piece, items)
    return _with_facts_as_remarks(view, items)


class _Part(NamedTuple):
    """Rows and columns with values, without blank rows or columns that split them."""

    first: int
    last: int
    columns: tuple[int, ...]


def _parts(
    view: GridView, first: int, last: int, columns: tuple[int, ...], depth: int = 0
) -> Iterator[_Part]:
    blocks = list(_blocks(first, last, view.blank_rows(first, last, columns)))
    if len(blocks) > _MOST_BLOCKS:
        blocks = [(blocks[0][0], blocks[-1][1])]
    for start, end in blocks:
        filled = tuple(view.filled_columns(start, end, columns))
        sides = _sides(view, start, end, filled)
        if len(sides) > 1 and depth < _MOST_HEAD_ROWS:
            for side in sides:
                yield from _parts(view, start, end, side, depth + 1)
        elif filled:
            yield _Part(start, end, filled)


def _blocks(first: int, last: int, blank_rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last row of each run of rows with values."""
    for before, after in pairwise([first - 1, *blank_rows, last + 1]):
        if after - before > 1:
            yield before + 1, after - 1


def _sides(
    view: GridView, first: int, last: int, columns: tuple[int, ...]
) -> list[tuple[int, ...]]:
    """The columns of tables next to each other: each has words below its first row.

    Figures after a blank column belong to the names before it.
    """
    runs: list[list[int]] = [[]]
    for column in columns:
        if runs[-1] and column > runs[-1][-1] + 1:
            runs.append([])
        runs[-1].append(column)
    if len(runs) == 1:
        return [columns]
    sides: list[list[int]] = []
    for run in runs:
        if sides and not (_is_side(view, first, last, run) and len(sides[-1]) > 1):
            sides[-1] += run
        else:
            sides.append(run)
    return [tuple(side) for side in sides]


def _is_side(view: GridView, first: int, last: int, columns: Sequence[int]) -> bool:
    if len(columns) == 1:
        return False
    cells = view.cells(first, min(last, first + _HEADS), columns).exact
    filled_rows = [row for row in cells if any(row)]
    return any(_kind(cell) == "words" for row in filled_rows[1:] for cell in row)


def _stacked(view: GridView, part: _Part) -> Iterator[_Part]:
    """The tables of a part, each of which begins with a head of its own.

    Such a head has words over figures, one of them being that of the head above.
    """
    cells = view.cells(part.first, min(part.last, part.first + _LOOKED_AT), part.columns)
    head = head_of(cells)
    first = part.first
    for row in _other_heads(view, part, head, cells.exact):
        start = row - _is_title(view, row - 1, part)
        yield _Part(first, start - 1, part.columns)
        first = start
    yield _Part(first, part.last, part.columns)


def _other_heads(
    view: GridView, part: _Part, head: Head, rows: Sequence[Sequence[str]]
) -> Iterator[int]:
    if not (head.rows and head.is_certain):
        return
    line = head.rows - 1
    names = rows[line]
    places = [place for place in range(len(names)) if _is_over_values(rows, line, place)]
    candidates = {
        row
        for place in places
        for row in view.rows_with(
            part.first + head.rows, part.last, {part.columns[place]: names[place]}
        )[:_MOST_BLOCKS]
    }
    for row in sorted(candidates)[:_MOST_BLOCKS]:
        other = view.cells(row, row, part.columns).exact[0]
        if other != names and all(_kind(other[place]) == "words" for place in places):
            yield row


def _is_title(view: GridView, row: int, part: _Part) -> bool:
    """Whether a row has one cell."""
    return sum(map(bool, view.cells(row, row, part.columns).exact[0])) == 1


def _place(view: GridView, part: _Part, items: list[Region | Remark]) -> None:
    """Add a part to the sheet: a table, more rows of the last one, or a text."""
    cells = view.cells(part.first, min(part.last, part.first + _LOOKED_AT), part.columns)
    head = head_of(cells)
    table = _table_before(items, part)
    is_remark = table is not None and (
        part.columns == table.columns[:1]
        and all(_is_remark(view, table, text) for (text,) in cells.shown)
    )
    if table is not None and not is_remark and _continues(view, table, head):
        heads = set(_repeated_heads(view, table, part.first, part.last))
        if head.rows and head.names == _names_in(table, part.columns):
            heads.update(range(part.first, part.first + head.rows))
        table.repeated_heads += tuple(sorted(heads))
        table.last = part.last
        return
    is_short = len(part.columns) == 1 and part.last - part.first < _MOST_HEAD_ROWS
    if is_remark or (is_short and not (head.rows and head.is_certain)):
        items.append(Remark(" / ".join(cell for row in cells.shown for cell in row if cell)))
        return
    region = Region(part.first, part.last, part.columns, head, head.above)
    region.repeated_heads = tuple(_repeated_heads(view, region, region.first_value, region.last))
    items.append(region)
    items += _remarks_below(view, region)


def _repeated_heads(view: GridView, table: Region, first: int, last: int) -> Iterator[int]:
    """The rows of a range that repeat the head of a table, as programs print it on each page."""
    if not (table.head.rows and table.head.is_certain):
        return
    for line in view.cells(table.first, table.first_value - 1, table.columns).exact:
        cells = dict(zip(table.columns, line, strict=True))
        if sum(map(bool, line)) > 1:
            yield from view.rows_with(first, last, cells)[:_MOST_REPEATED]


def _remarks_below(view: GridView, region: Region) -> list[Remark]:
    """The long texts in the last rows of a table, which end with the row before them."""
    remarks: list[Remark] = []
    while region.last > region.first_value:
        ((text, *others),) = view.cells(region.last, region.last, region.columns).shown
        if any(others) or not _is_remark(view, region, text):
            break
        remarks.insert(0, Remark(text))
        region.last -= 1
    return remarks


def _is_remark(view: GridView, table: Region, text: str) -> bool:
    """Whether a text in the first column of a table is too long to be a name there."""
    if len(text) < _LEAST_REMARK or len(table.columns) <= _MOST_FACT_COLUMNS:
        return False
    end = min(table.first_value + _HEADS, table.last)
    rows = view.cells(table.first_value, end, table.columns).shown
    return len(text) > 2 * max((len(name) for name, *others in rows if any(others)), default=0)


def _table_before(items: Sequence[Region | Remark], part: _Part) -> Region | None:
    """The last table in whose columns the part lies, if no text stands between them."""
    for item in reversed(items):
        if isinstance(item, Remark):
            return None
        if item.columns[0] <= part.columns[0] and part.columns[-1] <= item.columns[-1]:
            return item
    return None


def _names_in(table: Region, columns: Sequence[int]) -> list[str]:
    """The names of a table's columns, of those that are given."""
    names = dict(zip(table.columns, table.head.names, strict=True))
    return [names.get(column, "") for column in columns]


def _continues(view: GridView, table: Region, head: Head) -> bool:
    """Whether a part after a blank row holds more rows of the table.

    It does unless it begins with a head of its own, other than that of the table.
    """
    columns = table.columns
    if not head.rows:
        return not head.above
    if head.is_certain:
        return head.names == table.head.names
    # Words over words tell nothing by themselves: figures of the table may stand over them.
    sample_end = min(table.last, table.first_value + _HEADS)
    above = view.cells(table.first_value, sample_end, columns).exact
    kinds = [_column_kind([row[index] for row in above]) for index in range(len(columns))]
    return not all(kind in {"number", "date", ""} for kind in kinds[1:]) or not any(kinds[1:])


def _with_facts_as_remarks(
    view: GridView, items: Sequence[Region | Remark]
) -> list[Region | Remark]:
    """Short lists of facts above a table, such as a number of an account, are texts above it."""
    result: list[Region | Remark] = []
    texts: list[str] = []
    for item, after in zip(items, [*items[1:], None], strict=True):
        if isinstance(item, Region) and isinstance(after, Region) and _is_facts(view, item, after):
            cells = view.cells(item.first, item.last, item.columns)
            lines = (": ".join(filter(None, row)) for row in cells.shown)
            result.append(item := Remark(" / ".join(filter(None, lines))))
        else:
            result.append(item)
        if isinstance(item, Remark):
            texts.append(item.text)
            continue
        above = " / ".join(filter(None, [*texts, item.head.above]))[:_LONGEST_REMARK]
        item.head = item.head._replace(above=above)
        texts = []
    return result


def _is_facts(view: GridView, region: Region, after: Region) -> bool:
    """Whether a narrow region before a wide one is no table: facts are of several kinds."""
    if len(region.columns) > _MOST_FACT_COLUMNS or len(after.columns) <= _MOST_FACT_COLUMNS:
        return False
    if region.last - region.first >= _MOST_FACT_ROWS:
        return False
    if not (region.head.rows and region.head.is_certain):
        return True
    values = view.cells(region.first_value, region.last, region.columns[-1:]).exact
    kinds = {_kind(cell) for (cell,) in values if cell}
    return len(values) == 1 or len(kinds) > 1


def head_of(cells: Cells) -> Head:
    """The head of a table, from its first rows. Text above the names is a title or a remark."""
    rows = cells.exact
    filled_cell_counts = [sum(bool(cell) for cell in row) for row in rows]
    nonzero_widths = [width for width in filled_cell_counts if width]
    usual_width = max(
        set(nonzero_widths), key=lambda width: (nonzero_widths.count(width), width), default=1
    )
    least_width = max(min(2, usual_width), round(0.6 * usual_width))
    start = next(
        (index for index, width in enumerate(filled_cell_counts[:_HEADS]) if width >= least_width),
        0,
    )
    width = len(rows[0]) if rows else 0
    if not rows or not _is_head(rows, start):
        return Head(
            unique_names([""] * width), start, _text_of(cells.shown[:start]), is_certain=False
        )
    lines = [start]
    if start and _is_group_line(rows, start - 1):
        lines.insert(0, start - 1)
    while len(lines) < _MOST_HEAD_ROWS and _has_second_line(cells, lines):
        lines.append(lines[-1] + 1)
    if _is_unit_line(rows, lines[-1] + 1):
        lines.append(lines[-1] + 1)
    names = _joined_names([cells.shown[line] for line in lines])
    is_certain = any(_is_over_values(rows, lines[-1], column) for column in range(width))
    above = _text_of(cells.shown[: lines[0]])
    return Head(unique_names(names), lines[-1] + 1, above, is_certain=is_certain)


def _text_of(rows: Sequence[Sequence[str]]) -> str:
    return " / ".join(cell for row in rows for cell in dict.fromkeys(row) if cell)[:_LONGEST_REMARK]


def _is_head(rows: Sequence[Sequence[str]], start: int) -> bool:
    row = rows[start]
    kinds = [_kind(cell) for cell in row]
    cells = [cell for cell in row if cell]
    values = [index for index, kind in enumerate(kinds) if kind in {"number", "date"}]
    values = [index for index in values if not _YEAR.fullmatch(row[index])]
    if len(values) == len(cells):
        return bool(cells) and _are_named_by_values(rows, start, values)
    if values and not _are_named_by_values(rows, start, values):
        return False
    if len({cell.casefold() for cell in cells}) < len(cells):
        # A row of answers repeats words, too; values below tell that these are names.
        return any(_is_over_values(rows, start, column) for column in range(len(row)))
    return any(kind == "words" for kind in kinds)


def _are_named_by_values(rows: Sequence[Sequence[str]], start: int, columns: Sequence[int]) -> bool:
    """Whether dates or counted numbers name columns: something else stands below them."""
    kinds = {_kind(rows[start][column]) for column in columns}
    if kinds == {"date"} and len(columns) > 1:
        below = [_kind_below(rows, start, column) for column in columns]
        return "date" not in below and any(below)
    numbers = [rows[start][column] for column in columns]
    if len(numbers) < _DAY_NUMBERS or not all(number.isdecimal() for number in numbers):
        return False
    counted = [int(number[:9]) for number in numbers]
    return all(after == before + 1 for before, after in pairwise(counted)) and any(
        _kind(cell) == "words" for cell in rows[start]
    )


def _is_group_line(rows: Sequence[Sequence[str]], line: int) -> bool:
    """Whether a row names groups of the columns whose names, repeated, stand below it."""
    cells = [cell for cell in rows[line] if cell]
    names = [cell for cell in rows[line + 1] if cell]
    return len(cells) > 1 and len(set(names)) < len(names) and _are_names(rows[line])


def _are_names(row: Sequence[str]) -> bool:
    return all(_kind(cell) in {"", "words"} or _YEAR.fullmatch(cell) for cell in row) and any(row)


def _has_second_line(cells: Cells, lines: Sequence[int]) -> bool:
    """Whether the head goes on in the next row, as names do not tell all columns apart yet."""
    rows, following = cells.exact, lines[-1] + 1
    if following + 1 >= len(rows) or not _are_names(rows[following]):
        return False
    names = _joined_names([rows[line] for line in lines])
    is_doubtful = [not name or names.count(name) > 1 for name in names]
    settles = [bool(cell) for cell in rows[following]]
    is_settled = all(settles[column] for column, doubt in enumerate(is_doubtful) if doubt)
    below = [_is_over_values(rows, following, column) for column in range(len(names))]
    return sum(is_doubtful) > 1 and is_settled and any(below)


def _is_unit_line(rows: Sequence[Sequence[str]], line: int) -> bool:
    """Whether a row below names has words over all figures and nothing else, as units have."""
    if line + 1 >= len(rows) or not _are_names(rows[line]):
        return False
    kinds = [_kind_below(rows, line, column) for column in range(len(rows[line]))]
    over = {column for column, cell in enumerate(rows[line]) if cell}
    figures = {column for column, kind in enumerate(kinds) if kind == "number"}
    return over == figures and len(figures) < len([kind for kind in kinds if kind])


def _joined_names(lines: Sequence[Sequence[str]]) -> list[str]:
    """The names of columns from the lines of a head; a group's name stands for its columns."""
    *groups, last = lines
    filled_lines = []
    for line in groups:
        filled: list[str] = []
        for column, cell in enumerate(line):
            is_in_group = column > 0 and bool(last[column]) and bool(last[column - 1])
            filled.append(cell or (filled[-1] if is_in_group else ""))
        filled_lines.append(filled)
    return [
        " ".join(dict.fromkeys(filter(None, column)))
        for column in zip(*filled_lines, last, strict=True)
    ]


def _is_over_values(rows: Sequence[Sequence[str]], line: int, column: int) -> bool:
    """Whether words stand over numbers or dates."""
    cell = rows[line][column]
    is_name = _kind(cell) == "words" or _YEAR.fullmatch(cell) is not None
    return is_name and _kind_below(rows, line, column) in {"number", "date"}


def _kind_below(rows: Sequence[Sequence[str]], line: int, column: int) -> Kind:
    return _column_kind([row[column] for row in rows[line + 1 : line + 1 + _HEADS]])


def _column_kind(cells: Sequence[str]) -> Kind:
    """The kind of most of the filled cells; of as many words as others, the others."""
    kinds = [_kind(cell) for cell in cells]
    return max(_KINDS, key=kinds.count) if any(kinds) else ""


def _kind(cell: str) -> Kind:
    return _kind_of(cell[:_LOOKED_AT]) if cell else ""


@lru_cache(maxsize=4_096)
def _kind_of(cell: str) -> Kind:
    if number_form([cell], is_typed=False) is not None or CLOCK.fullmatch(cell):
        return "number"
    return "date" if date_formats([cell]) else "words"


def unique_names(cells: Sequence[str]) -> list[str]:
    """Names of columns, each once: a number follows a name that stood before."""
    column_names: list[str] = []
    keys: set[str] = {"_row"}
    for position, cell in enumerate(cells, start=1):
        name = " ".join(cell.split())[:_LONGEST_NAME].strip() or f"column{position}"
        unique_name, suffix = name, 2
        while unique_name.casefold() in keys:
            unique_name, suffix = f"{name}_{suffix}", suffix + 1
        keys.add(unique_name.casefold())
        column_names.append(unique_name)
    return column_names


class ListedGrid:
    """A grid whose rows are held in memory."""

    def __init__(self, exact: Sequence[Sequence[str]], shown: Sequence[Sequence[str]]) -> None:
        self._exact = exact
        self._shown = shown
        self.rows = len(exact)
        self.columns = max(map(len, exact), default=0)

    def blank_rows(self, first: int, last: int, columns: Sequence[int]) -> Sequence[int]:
        """See `GridView`."""
        return [
            number
            for number, row in enumerate(self._exact[first : last + 1], start=first)
            if not any(row[column] for column in columns if column < len(row))
        ]

    def filled_columns(self, first: int, last: int, columns: Sequence[int]) -> Sequence[int]:
        """See `GridView`."""
        left = set(columns)
        for row in self._exact[first : last + 1]:
            left -= {column for column in left if column < len(row) and row[column]}
            if not left:
                break
        return [column for column in columns if column not in left]

    def rows_with(self, first: int, last: int, cells: Mapping[int, str]) -> Sequence[int]:
        """See `GridView`."""
        return [
            number
            for number, row in enumerate(self._exact[first : last + 1], start=first)
            if all(column < len(row) and row[column] == cell for column, cell in cells.items())
        ]

    def cells(self, first: int, last: int, columns: Sequence[int]) -> Cells:
        """See `GridView`."""

        def pick(rows: Sequence[Sequence[str]]) -> list[list[str]]:
            return [
                [row[column] if column < len(row) else "" for column in columns]
                for row in rows[first : last + 1]
            ]

        return Cells(pick(self._exact), pick(self._shown))
