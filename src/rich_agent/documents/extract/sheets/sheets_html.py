"""Writes sheets as HTML: the tables and texts on them as a person sees them."""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import islice

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.sheets.regions import ListedGrid, Region, lay_out
from rich_agent.documents.extract.sheets.sheet import Sheet
from rich_agent.documents.extract.table_markup import table_html

_MOST_CELLS = 1_000_000


def sheets_html(sheets: Iterable[Sheet], most_rows: int | None) -> tuple[str, bool]:
    """The sheets under their names, and whether rows are missing.

    Rows beyond `most_rows` of a sheet are left out. Raises: ExtractionError.
    """
    pieces: list[str] = []
    is_partial = False
    for sheet in sheets:
        html, is_cut = _sheet_html(sheet, most_rows)
        html += "".join(sheet.extras)
        is_partial |= is_cut
        if html and sheet.name:
            html = f"<h2>{escape(sheet.name)}</h2>{html}"
        pieces.append(html)
    return "".join(pieces), is_partial


def _sheet_html(sheet: Sheet, most_rows: int | None) -> tuple[str, bool]:
    exact: list[list[str]] = []
    shown: list[list[str]] = []
    most = most_rows if most_rows is not None else _MOST_CELLS // max(1, sheet.width) + 1
    for row in islice(sheet.rows, most):
        exact.append(row.exact)
        shown.append(row.shown)
    is_cut = next(sheet.rows, None) is not None
    if is_cut and most_rows is None:
        raise ExtractionError(f"the sheet {sheet.name!r} is too large", "too_long")
    return "".join(_blocks(ListedGrid(exact, shown))), is_cut


def _blocks(grid: ListedGrid) -> Iterator[str]:
    """The tables and texts of a grid, in order."""
    for item in lay_out(grid):
        if not isinstance(item, Region):
            yield f"<p>{escape(item.text)}</p>"
            continue
        if item.title:
            yield f"<p>{escape(item.title)}</p>"
        skipped = {row - item.first_value for row in item.repeated_heads}
        rows = grid.cells(item.first_value, item.last, item.columns).shown
        body = [row for number, row in enumerate(rows) if any(row) and number not in skipped]
        # Without names, the head of the table stays empty.
        names = item.head.names if item.head.rows else [""] * len(item.columns)
        yield table_html([names, *body])
