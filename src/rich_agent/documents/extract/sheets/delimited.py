"""Reads CSV: its delimiter, a line that names it, quotes with line ends, long fields."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.sheets.sheet import Sheet, SheetRow

_DELIMITERS: Final = ",;\t|"
_LOOKED_AT: Final = 256 * 1024
_MOST_LOOKED_AT: Final = 500
_SEPARATOR_LINE: Final = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)


class Dialect(NamedTuple):
    """The form of a CSV text."""

    delimiter: str
    skipped_lines: int
    """1 if the first line only names the delimiter, else 0."""
    columns: int
    """The most fields in a record of its beginning."""


def dialect_of(text: str) -> Dialect:
    """The form of a CSV text, from its beginning."""
    head = text[:_LOOKED_AT]
    separator_line = _SEPARATOR_LINE.match(head)
    delimiter = separator_line[1] if separator_line else _delimiter_of(head)
    column_count = max(map(len, _records(head, delimiter)), default=0)
    return Dialect(delimiter, 1 if separator_line else 0, column_count)


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


def delimited_sheet(text: str) -> Sheet:
    """A CSV text as a sheet without a name. Its rows raise ExtractionError."""
    dialect = dialect_of(text)
    return Sheet("", dialect.columns, _rows(text, dialect))


def _rows(text: str, dialect: Dialect) -> Iterator[SheetRow]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    # With a quote that nothing closes, the rest of the file would be one field.
    quote = None if text.count('"') % 2 else '"'
    lines = io.StringIO(text, newline="")
    try:
        records = csv.reader(lines, delimiter=dialect.delimiter, quotechar=quote)
        for number, record in enumerate(islice(records, dialect.skipped_lines, None), start=1):
            cells = [" ".join(cell.split()) for cell in record]
            yield SheetRow(number + dialect.skipped_lines, cells, cells)
    except csv.Error as error:
        raise ExtractionError(f"the table is damaged: {error}") from error
