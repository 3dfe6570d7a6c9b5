"""Repeats the words of merged cells in tables of HTML, so that each row and column tells its group.

Long cells and tables of very many cells stay as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from lxml.html import HtmlElement
from lxml.html.builder import E

_LONGEST_REPEATED: Final = 300
_WIDEST: Final = 100
_MOST_COPIES: Final = 20_000
_HEAD_ROWS: Final = range(2, 4)


@dataclass(frozen=True, slots=True)
class _Merged:
    """A cell that goes on in the rows below: its tag and words, and how far it goes."""

    tag: str
    words: str
    columns: int
    rows: int
    """The number of rows below that it covers, too."""

    def copy(self) -> HtmlElement:
        """The cell as it stands in a row below."""
        cell = E(self.tag, self.words)
        if self.columns > 1:
            cell.set("colspan", str(self.columns))
        return cell


def spread_merged_cells(element: HtmlElement) -> None:
    """Give each row of a table the words of the cells that it shares with rows above.

    In the head, each column has those of the cells that it shares with others, and a head of
    several rows becomes one.
    """
    copies = 0
    for table in list(element.iter("table")):
        rows = table.xpath("./tr | ./*/tr")
        head = [*takewhile(_is_head, rows)]
        if copies > _MOST_COPIES:
            break
        if not _has_spans(rows):
            continue
        has_merged_head = _has_spans(head)
        copies += _spread_down(rows, _MOST_COPIES - copies)
        for row in head or rows[:1]:
            copies += _spread_across(row, _MOST_COPIES - copies)
        if has_merged_head and len(head) in _HEAD_ROWS and len(head) < len(rows):
            _join_head(head)


def _has_spans(rows: Sequence[HtmlElement]) -> bool:
    """Whether a cell of these rows goes on in others, or in other columns."""
    cells = (cell for row in rows for cell in _cells(row))
    return any("rowspan" in cell.attrib or "colspan" in cell.attrib for cell in cells)


def _cells(row: HtmlElement) -> list[HtmlElement]:
    return [cell for cell in row if cell.tag in {"td", "th"}]


def _is_head(row: HtmlElement) -> bool:
    return row.getparent().tag == "thead" or all(cell.tag == "th" for cell in _cells(row))


def _spread_down(rows: Sequence[HtmlElement], most_copies: int) -> int:
    """Copy merged cells into the rows below; the number of copies."""
    copies = 0
    above: Mapping[int, _Merged] = {}
    group = None
    for row in rows:
        if row.getparent() is not group:
            group, above = row.getparent(), {}
        copies += len(above)
        if copies > most_copies:
            break
        above = _complete_row(row, above)
    return copies


def _complete_row(row: HtmlElement, above: Mapping[int, _Merged]) -> dict[int, _Merged]:
    """Copy the cells from above into a row; those that go on below, by their columns."""
    below = {place: replace(one, rows=one.rows - 1) for place, one in above.items()}
    column, complete = 0, []
    for cell in [*_cells(row), None]:
        while column in above:
            complete.append(above[column].copy())
            column += above[column].columns
        if cell is None:
            break
        complete.append(cell)
        columns, height = max(1, _span(cell, "colspan")), _span(cell, "rowspan")
        cell.attrib.pop("rowspan", None)
        if height != 1:
            below[column] = _Merged(cell.tag, _words(cell), columns, (height or _WIDEST) - 1)
        column += columns
    if above:
        row[:] = complete
    return {place: one for place, one in below.items() if one.rows > 0}


def _spread_across(row: HtmlElement, most_copies: int) -> int:
    """Copy the words of merged cells into each of their columns; the number of copies."""
    cells = _cells(row)
    copies = 0
    for cell in cells if len(cells) > 1 else ():
        columns, words = _span(cell, "colspan"), _words(cell)
        if columns > 1 and words and copies + columns <= most_copies:
            del cell.attrib["colspan"]
            for _ in range(columns - 1):
                cell.addnext(E(cell.tag, words))
            copies += columns - 1
    return copies


def _join_head(head: Sequence[HtmlElement]) -> None:
    """Make one row of several, if they have the same columns."""
    rows = [_cells(row) for row in head]
    is_wide = any("colspan" in cell.attrib for cells in rows for cell in cells)
    if is_wide or len({len(cells) for cells in rows}) > 1:
        return
    for first, *others in zip(*rows, strict=True):
        texts = dict.fromkeys(" ".join(cell.text_content().split()) for cell in (first, *others))
        first[:] = []
        first.text = " ".join(filter(None, texts))
    for row in head[1:]:
        row.getparent().remove(row)


def _span(cell: HtmlElement, name: str) -> int:
    """The number of columns or rows of a cell; 0 rows are all to the end."""
    text = cell.get(name, "1").strip()
    return min(int(text[:5]), _WIDEST) if text[:5].isdecimal() else 1


def _words(cell: HtmlElement) -> str:
    """The words of a cell in one line, "" if they are too long to be repeated."""
    words = " ".join(cell.text_content().split())
    return words if len(words) <= _LONGEST_REPEATED else ""
