"""Brings the tables of files into one form for DuckDB: a CSV file in UTF-8 for each sheet.

Formulas are not computed and macros are not run: a sheet's values are those that were saved.
"""

import csv
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from itertools import islice
from tempfile import NamedTemporaryFile
from typing import IO, Final

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetVisibleEnum

from rich_agent.documents.extract.archive import pack_archive, text_parts
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.plain import decode
from rich_agent.domain.tables import TableFile
from rich_agent.domain.user_files import TABLE_TYPES

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_DELIMITERS: Final = ",;\t|"
_LOOKED_AT: Final = 256 * 1024
_MOST_LOOKED_AT: Final = 500
_MOST_COLUMNS: Final = 500
_MOST_SHEETS: Final = 50
_SEPARATOR_LINE: Final = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Grid:
    """A sheet as CSV in `scratch`."""

    sheet: str
    scratch: "_Scratch"
    delimiter: str
    columns: int
    skipped_lines: int = 0
    is_typed: bool = False
    """Whether numbers and dates are in their plain form."""


class _Scratch:
    """A temporary file, in memory if the system can do so; it is gone once it is closed."""

    def __init__(self) -> None:
        if sys.platform == "linux":
            self.file: IO[bytes] = os.fdopen(os.memfd_create("table"), "wb")
            self.path = f"/proc/self/fd/{self.file.fileno()}"
        else:
            self.file = NamedTemporaryFile()  # noqa: SIM115 - closed by `grids_of`
            self.path = self.file.name


def grids_of(file: TableFile) -> Iterator[Grid]:
    """The visible sheets with content. Each can be read until the next one is taken.

    Raises: ExtractionError.
    """
    if file.media_type not in TABLE_TYPES:
        return
    read_grids = _of_text if file.media_type == "text/csv" else _of_workbook
    for grid in read_grids(file.data):
        with grid.scratch.file as file_object:
            file_object.flush()
            yield grid


def _of_text(data: bytes) -> Iterator[Grid]:
    data = _in_utf8(data)
    head = data[:_LOOKED_AT].decode("utf-8", errors="ignore")
    separator_line = _SEPARATOR_LINE.match(head)
    delimiter = separator_line[1] if separator_line else _delimiter_of(head)
    column_count = max(map(len, _records(head, delimiter)), default=0)
    if not column_count:
        return
    if column_count > _MOST_COLUMNS:
        raise ExtractionError(f"it has more than {_MOST_COLUMNS} columns", "too_long")
    scratch = _Scratch()
    scratch.file.write(data)
    yield Grid("", scratch, delimiter, column_count, skipped_lines=1 if separator_line else 0)


def _in_utf8(data: bytes) -> bytes:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return decode(data, None, is_html=False).encode().replace(b"\0", b"")
    return data.removeprefix(_UTF8_MARK).replace(b"\0", b"")


def _delimiter_of(head: str) -> str:
    """The delimiter that splits most lines into the same number of fields, at least two."""

    def fits(delimiter: str) -> tuple[int, int]:
        widths = [len(record) for record in _records(head, delimiter) if record]
        usual_width = max(set(widths), key=widths.count, default=1)
        return (widths.count(usual_width) if usual_width > 1 else 0, usual_width)

    return max(_DELIMITERS, key=fits)


def _records(head: str, delimiter: str) -> list[list[str]]:
    try:
        return list(islice(csv.reader(io.StringIO(head), delimiter=delimiter), _MOST_LOOKED_AT))
    except csv.Error:
        lines = head.splitlines()[:_MOST_LOOKED_AT]
        return [line.split(delimiter) for line in lines]


def _of_workbook(data: bytes) -> Iterator[Grid]:
    source = pack_archive(text_parts(data)) if data.startswith(b"PK") else io.BytesIO(data)
    try:
        with CalamineWorkbook.from_filelike(source) as book:
            visible_names = [
                sheet.name
                for sheet in book.sheets_metadata
                if sheet.visible == SheetVisibleEnum.Visible
            ]
            for name in visible_names[:_MOST_SHEETS]:
                sheet = book.get_sheet_by_name(name)
                if sheet.height and sheet.width:
                    yield _write_grid(sheet)
    except CalamineError as error:
        raise ExtractionError(f"the spreadsheet cannot be read: {error}") from error


def _write_grid(sheet: CalamineSheet) -> Grid:
    width = sheet.width
    if width > _MOST_COLUMNS:
        reason = f"the sheet {sheet.name!r} has more than {_MOST_COLUMNS} columns"
        raise ExtractionError(reason, "too_long")
    scratch = _Scratch()
    target = io.TextIOWrapper(scratch.file, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(target, lineterminator="\n")
    writer.writerows(_pad_row(map(_plain, row), width) for row in sheet.iter_rows())
    target.detach()
    return Grid(sheet.name, scratch, ",", width, is_typed=True)


def _pad_row(row: Iterable[str], width: int) -> Sequence[str]:
    cells = list(row)
    return cells + [""] * (width - len(cells))


def _plain(value: object) -> str:
    """A cell's value in its plain form; numbers to the 15 digits that spreadsheets keep."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return " ".join(str(value).split())
