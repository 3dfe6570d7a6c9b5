"""Brings the sheets of files into one form for DuckDB: a CSV file in UTF-8 for each sheet."""

import csv
import io
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from tempfile import NamedTemporaryFile
from typing import IO, Final

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.plain import decode
from rich_agent.documents.extract.sheets.delimited import delimited_sheet, dialect_of
from rich_agent.documents.extract.sheets.sheet import MOST_COLUMNS, Sheet
from rich_agent.documents.extract.sheets.sheets import sheets_of
from rich_agent.domain.inventory import Tally
from rich_agent.domain.tables import TableFile
from rich_agent.domain.user_files import TABLE_TYPES

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_BLANK_LINE: Final = re.compile(rb"\n\r?\n")
_LOOKED_AT: Final = 256 * 1024
_SHOWN_ROWS: Final = 2_000
"""Rows of which is kept how a person sees them, as names of columns come from there."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A sheet as CSV in `scratch`."""

    sheet: Sheet
    scratch: "_Scratch"
    delimiter: str
    columns: int
    skipped_lines: int = 0
    is_typed: bool = False
    """Whether numbers and dates are in their plain form."""
    is_numbered: bool = False
    """Whether the first column numbers the rows."""
    shown: Mapping[int, list[str]] = field(default_factory=dict)
    """Rows, from 0, that a person sees otherwise than they are computed with."""


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
    for grid in _of_text(file.data) if file.media_type == "text/csv" else _of_workbook(file):
        with grid.scratch.file as file_object:
            file_object.flush()
            yield grid


def _of_text(data: bytes) -> Iterator[Grid]:
    data = _in_utf8(data)
    dialect = dialect_of(data[:_LOOKED_AT].decode("utf-8", errors="ignore"))
    if not dialect.columns:
        return
    if dialect.columns > MOST_COLUMNS:
        raise ExtractionError(f"it has more than {MOST_COLUMNS} columns", "too_long")
    if _BLANK_LINE.search(data):
        # DuckDB passes over blank lines, which part tables.
        yield _write_grid(delimited_sheet(data.decode(errors="replace")), is_typed=False)
        return
    scratch = _Scratch()
    scratch.file.write(data)
    sheet = Sheet("", dialect.columns, iter(()), tuple(range(dialect.columns)))
    yield Grid(sheet, scratch, dialect.delimiter, dialect.columns, dialect.skipped_lines)


def _in_utf8(data: bytes) -> bytes:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        data = decode(data, None, is_html=False).encode()
    return data.removeprefix(_UTF8_MARK).replace(b"\0", b"").strip(b"\r\n")


def _of_workbook(file: TableFile) -> Iterator[Grid]:
    for sheet in sheets_of(file.data, file.media_type, _SHOWN_ROWS, Tally()):
        if sheet.width:
            yield _write_grid(sheet, is_typed=True)


def _write_grid(sheet: Sheet, *, is_typed: bool) -> Grid:
    scratch = _Scratch()
    target = io.TextIOWrapper(scratch.file, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(target, lineterminator="\n")
    shown: dict[int, list[str]] = {}
    for index, row in enumerate(sheet.rows):
        numbers = [
            row.merged_numbers.get(column, row.exact[column]) for column in sheet.merged_columns
        ]
        writer.writerow([row.number, *row.exact, *numbers])
        if row.shown is not row.exact and index < _SHOWN_ROWS:
            shown[index] = row.shown
    target.detach()
    return Grid(sheet, scratch, ",", sheet.width, is_typed=is_typed, is_numbered=True, shown=shown)
