"""Reads the sheets of a workbook, whatever its format."""

from collections.abc import Iterator

from rich_agent.documents.extract.sheets.opendocument_sheets import opendocument_sheets
from rich_agent.documents.extract.sheets.sheet import Sheet
from rich_agent.documents.extract.sheets.workbook import workbook_sheets
from rich_agent.domain.inventory import Tally

_OPENDOCUMENT = "application/vnd.oasis.opendocument.spreadsheet"


def sheets_of(
    data: bytes, media_type: str, shown_rows: int | None, tally: Tally
) -> Iterator[Sheet]:
    """The visible sheets with content, in order; each is to be read before the next is taken.

    Of rows beyond `shown_rows`, only what is computed with is told. Raises: ExtractionError.
    """
    if media_type == _OPENDOCUMENT:
        return opendocument_sheets(data, tally)
    return workbook_sheets(data, shown_rows, tally)
