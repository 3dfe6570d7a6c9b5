"""Converts spreadsheets to HTML."""

import io
from html import escape
from typing import Final

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetVisibleEnum

from rich_agent.documents.extract.archive import pack_archive, text_parts
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.table_markup import table_html

_MOST_CELLS: Final = 1_000_000


def spreadsheet_html(data: bytes, most_rows: int | None) -> tuple[str, bool]:
    """The visible sheets of a workbook as tables under their names, and whether rows are missing.

    Rows beyond `most_rows` of a sheet are left out.

    Raises: ExtractionError.
    """
    source = pack_archive(text_parts(data)) if data.startswith(b"PK") else io.BytesIO(data)
    try:
        with CalamineWorkbook.from_filelike(source) as book:
            sheet_names = [
                sheet.name
                for sheet in book.sheets_metadata
                if sheet.visible == SheetVisibleEnum.Visible
            ]
            sheets = [_sheet(book.get_sheet_by_name(name), most_rows) for name in sheet_names]
            return "".join(html for html, _ in sheets), any(is_cut for _, is_cut in sheets)
    except CalamineError as error:
        raise ExtractionError(f"the spreadsheet cannot be read: {error}") from error


def _sheet(sheet: CalamineSheet, most_rows: int | None) -> tuple[str, bool]:
    height = sheet.height if most_rows is None else min(sheet.height, most_rows)
    if height * sheet.width > _MOST_CELLS:
        raise ExtractionError(f"the sheet {sheet.name!r} is too large", "too_long")
    rows = [[_cell(value) for value in row] for row in sheet.to_python(nrows=height)]
    table = table_html([row for row in rows if any(row)])
    html = f"<h2>{escape(sheet.name)}</h2>{table}" if table else ""
    return html, height < sheet.height


def _cell(value: object) -> str:
    """A cell's value as a person would write it: whole numbers without a fraction."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return " ".join(str(value).split())
