"""Lays out the tables of Word documents: merged cells tell their value in each row and column."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.table_markup import table_of_markup
from rich_agent.documents.extract.word_document import unwrapped
from rich_agent.documents.extract.word_numbering import W, value_of
from rich_agent.documents.extract.word_styles import is_on
from rich_agent.domain.inventory import Tally

_MOST_CELLS: Final = 1_000_000
_WIDEST: Final = 1_000
_LONGEST_REPEATED: Final = 300
_MOST_HEAD_ROWS: Final = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: the columns that it covers, and whether it goes on from the row above."""

    element: etree._Element
    column: int
    span: int
    merge: str
    """"restart" for the first of merged rows, "continue" for the others, "" for none."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    cells: tuple[Cell, ...]
    is_head: bool


def visible_rows(table: etree._Element, tally: Tally) -> list[Row]:
    """The rows of a table without hidden and deleted ones."""
    rows = []
    for element in unwrapped(table):
        if element.tag != f"{W}tr":
            continue
        properties = element.find(f"{W}trPr")
        if is_on(properties, "hidden"):
            tally.note_unread("hidden_row")
        elif properties is None or properties.find(f"{W}del") is None:
            rows.append(Row(tuple(_cells(element, properties)), is_on(properties, "tblHeader")))
    return rows


def _cells(row: etree._Element, row_properties: etree._Element | None) -> list[Cell]:
    column = _count(value_of(row_properties, "gridBefore"), 0)
    cells: list[Cell] = []
    for element in unwrapped(row):
        if element.tag != f"{W}tc":
            continue
        properties = element.find(f"{W}tcPr")
        if properties is not None and properties.find(f"{W}cellDel") is not None:
            continue
        span = _count(value_of(properties, "gridSpan"), 1)
        if _merge(properties, "hMerge") == "continue" and cells:
            last = cells.pop()
            cells.append(Cell(last.element, last.column, last.span + span, last.merge))
        else:
            cells.append(Cell(element, column, span, _merge(properties, "vMerge")))
        column += span
    return cells


def _merge(properties: etree._Element | None, name: str) -> str:
    merge = properties.find(f"{W}{name}") if properties is not None else None
    return "" if merge is None else merge.get(f"{W}val", "continue")


def _count(text: str, default: int) -> int:
    return min(int(text), _WIDEST) if text.isdecimal() and len(text) < 10 else default


def grid_html(rows: Sequence[Row], texts: Sequence[Sequence[str]]) -> str:
    """The table of the rows, whose cells have these texts as HTML; "" if all are empty.

    A text of merged rows stands in each of them, one of merged columns in each column of the head.
    Raises: ExtractionError if it has too many cells.
    """
    columns = sorted({cell.column for row in rows for cell in row.cells})
    if len(columns) * len(rows) > _MOST_CELLS:
        raise ExtractionError("a table is too large", "too_long")
    head_count = _head_count(rows)
    above: dict[int, str] = {}
    grid = [
        _line(row, row_texts, columns, above, is_head=number < max(head_count, 1))
        for number, (row, row_texts) in enumerate(zip(rows, texts, strict=True))
    ]
    if head_count:
        head = [_joined(lines) for lines in zip(*grid[:head_count], strict=True)]
        grid = [head, *grid[head_count:]]
    return table_of_markup([line for line in grid if any(line)])


def _line(
    row: Row, texts: Sequence[str], columns: Sequence[int], above: dict[int, str], *, is_head: bool
) -> list[str]:
    """The texts of a row by columns; `above` keeps those of merged rows for the rows below."""
    line = [""] * len(columns)
    for cell, own_text in zip(row.cells, texts, strict=True):
        text = own_text
        is_short = len(text) <= _LONGEST_REPEATED
        if cell.merge == "continue":
            text = above.get(cell.column, own_text)
        else:
            above[cell.column] = text if cell.merge and is_short else ""
        first = bisect_left(columns, cell.column)
        last = bisect_left(columns, cell.column + cell.span)
        is_repeated = is_head and is_short and len(row.cells) > 1
        line[first:last] = [text, *[text if is_repeated else ""] * (last - first - 1)]
    return line


def _joined(lines: Sequence[str]) -> str:
    """The texts of a column's head, each once."""
    return " ".join(dict.fromkeys(line for line in lines if line))


def _head_count(rows: Sequence[Row]) -> int:
    """The number of rows that are one head of several lines, 0 for a usual table."""
    marked = next((n for n, row in enumerate(rows) if not row.is_head), len(rows))
    if 1 < marked <= _MOST_HEAD_ROWS and marked < len(rows):
        return marked
    if len(rows) < 3:
        return 0
    first, second = rows[0].cells, rows[1].cells
    goes_on = {cell.column for cell in second if cell.merge == "continue"}
    has_groups = any(cell.span > 1 for cell in first) and len(first) > 1
    is_grouped = has_groups and any(cell.column in goes_on for cell in first if cell.merge)
    return 2 if is_grouped and all(cell.span == 1 for cell in second) else 0
