"""Reads the visible sheets of Excel workbooks.

Formulas are not computed and macros are not run: a cell's value is the one that was saved.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from sys import maxsize
from typing import Final

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from rich_agent.documents.extract.archive import pack_archive, parse_xml, text_parts
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.sheets.cell_formats import NumberFormat, plain_number
from rich_agent.documents.extract.sheets.extras import related_parts, sheet_extras
from rich_agent.documents.extract.sheets.marks import Marks, MarkScanner
from rich_agent.documents.extract.sheets.merging import Merging
from rich_agent.documents.extract.sheets.sheet import (
    MOST_COLUMNS,
    MOST_SHEETS,
    Sheet,
    SheetRow,
    left_out,
)
from rich_agent.documents.extract.sheets.styles import CellStyles, read_styles
from rich_agent.domain.inventory import Tally

_FIRST_DAY: Final = date(1899, 12, 31)
_FIRST_DAY_1904: Final = date(1904, 1, 1)
_INEXACT_MS: Final = 5
_TABLE_PARTS: Final = (b"conditionalFormatting", b"tablePart")


@dataclass(frozen=True, slots=True)
class _Workbook:
    """The facts in a workbook's parts on all its sheets."""

    parts: Mapping[str, bytes]
    styles: CellStyles
    part_by_sheet: Mapping[str, str]
    zeros_are_unsaved: bool
    """Whether the program that wrote the file left all values to the one that opens it."""


def workbook_sheets(data: bytes, shown_rows: int | None, tally: Tally) -> Iterator[Sheet]:
    """The visible sheets with content, in order; each is to be read before the next is taken.

    Of rows beyond `shown_rows`, only what is computed with is told. Raises: ExtractionError.
    """
    parts = text_parts(data) if data.startswith(b"PK") else {}
    source = pack_archive(parts) if parts else io.BytesIO(data)
    book_parts = _read_parts(parts)
    try:
        with CalamineWorkbook.from_filelike(source) as book:
            count = 0
            for metadata in book.sheets_metadata:
                if metadata.visible != SheetVisibleEnum.Visible:
                    tally.note_unread("hidden_sheet")
                    continue
                count += 1
                if count > MOST_SHEETS:
                    tally.note_unread("sheet")
                    continue
                is_chart = metadata.typ == SheetTypeEnum.ChartSheet
                sheet = None if is_chart else book.get_sheet_by_name(metadata.name)
                yield from _SheetReader(book_parts, shown_rows, tally).read(metadata.name, sheet)
    except CalamineError as error:
        raise ExtractionError(f"the spreadsheet cannot be read: {error}") from error


def _read_parts(parts: Mapping[str, bytes]) -> _Workbook:
    name = next((name for name in parts if name.endswith("workbook.xml")), "")
    if not name:
        return _Workbook(parts, CellStyles({}, frozenset()), {}, zeros_are_unsaved=False)
    root = parse_xml(parts[name])
    targets = related_parts(parts, name)
    part_by_sheet = {
        sheet.get("name", ""): targets.get(value, ("", ""))[1]
        for sheet in root.iterfind("{*}sheets/{*}sheet")
        for key, value in sheet.attrib.items()
        if key.endswith("}id")
    }
    styles_name = next((target for kind, target in targets.values() if kind == "styles"), "")
    calculation = root.find("{*}calcPr")
    is_unsaved = calculation is not None and calculation.get("fullCalcOnLoad") in {"1", "true"}
    styles = read_styles(parts.get(styles_name))
    return _Workbook(parts, styles, part_by_sheet, zeros_are_unsaved=is_unsaved)


class _SheetReader:
    def __init__(self, book: _Workbook, shown_rows: int | None, tally: Tally) -> None:
        self._book = book
        self._shown_rows = shown_rows
        self._tally = tally
        self._marks = Marks()
        self._unseen_cells = 0

    def read(self, name: str, sheet: CalamineSheet | None) -> Iterator[Sheet]:
        part_name = self._book.part_by_sheet.get(name, "")
        extras = list(sheet_extras(self._book.parts, part_name, self._tally))
        if sheet is None or sheet.end is None:
            if extras:
                yield Sheet(name, 0, iter(()), extras=extras)
            return
        width = sheet.end[1] + 1
        self._marks = self._read_marks(self._book.parts.get(part_name, b""))
        columns = tuple(sorted(set(range(width)) - self._marks.hidden_columns))
        if len(columns) > MOST_COLUMNS:
            reason = f"the sheet {name!r} has more than {MOST_COLUMNS} columns"
            raise ExtractionError(reason, "too_long")
        merging = Merging(sheet.merged_cell_ranges or (), sheet.start[1] if sheet.start else 0)
        yield Sheet(
            name,
            len(columns),
            self._rows(sheet, columns, merging),
            columns,
            merging.columns_of_rows(columns),
            frozenset(row + 1 for row in self._marks.summary_rows),
            self._left_out(sheet, width),
            extras,
        )

    def _read_marks(self, content: bytes) -> Marks:
        styles = self._book.styles
        of_interest = set(styles.formats if self._shown_rows is None else styles.changing)
        if not any(part in content for part in _TABLE_PARTS):
            of_interest |= styles.unseen
        scanner = MarkScanner(content)
        return scanner.marks(of_interest, zeros_are_unsaved=self._book.zeros_are_unsaved)

    def _left_out(self, sheet: CalamineSheet, width: int) -> tuple[str, ...]:
        last_row = sheet.end[0] if sheet.end else 0
        return left_out(
            self._tally,
            hidden_columns=sum(column < width for column in self._marks.hidden_columns),
            hidden_rows=sum(row <= last_row for row in self._marks.hidden_rows),
            empty_formulas=len(self._marks.empty_formulas),
        )

    def _rows(
        self, sheet: CalamineSheet, columns: Sequence[int], merging: Merging
    ) -> Iterator[SheetRow]:
        marks = self._marks
        formatting = _Formatting(marks.styles, self._book.styles)
        odd_cells = _by_row(marks.errors, marks.empty_formulas)
        last_shown = self._shown_rows if self._shown_rows is not None else maxsize
        has_all_columns = not marks.hidden_columns
        for row, values in enumerate(sheet.iter_rows()):
            exact = [_exact(value) for value in values]
            shown = exact
            if row < last_shown and (formatting or merging or row in odd_cells):
                shown = list(exact)
            if formatting:
                formatting.write(row, values, exact, shown)
            for column, text in odd_cells.get(row, ()):
                if column < len(exact):
                    exact[column] = shown[column] = text
            numbers = merging.fill(row, exact, shown) if merging else {}
            if row in marks.hidden_rows:
                continue
            if not has_all_columns:
                exact, shown = ([cells[column] for column in columns] for cells in (exact, shown))
                numbers = {
                    place: numbers[column]
                    for place, column in enumerate(columns)
                    if column in numbers
                }
            yield SheetRow(row + 1, exact, shown, numbers)
        if formatting.unseen_cells:
            self._tally.note_unread("hidden_word", formatting.unseen_cells)


class _Formatting:
    """Writes cells as their styles show them, row by row."""

    def __init__(self, style_runs: Mapping[int, list[list[int]]], styles: CellStyles) -> None:
        self._runs = {column: iter(runs) for column, runs in style_runs.items()}
        self._current = {column: next(runs) for column, runs in self._runs.items()}
        self._styles = styles
        self.unseen_cells = 0

    def __bool__(self) -> bool:
        return bool(self._current)

    def write(self, row: int, values: Sequence[object], exact: list[str], shown: list[str]) -> None:
        """Change the cells of a row: as they are computed with, and as they are shown."""
        for column in list(self._current):
            first, last, style = self._current[column]
            if last < row:
                following = next(self._runs[column], None)
                if following is None:
                    del self._current[column]
                    continue
                self._current[column] = following
                first, last, style = following
            if first <= row <= last and column < len(values) and exact[column]:
                value, form = values[column], self._styles.formats.get(style)
                if style in self._styles.unseen or (form and form.hides):
                    self.unseen_cells += 1
                    exact[column] = shown[column] = ""
                elif form:
                    if shown is not exact:
                        shown[column] = _shown(value, form, exact[column])
                    if form.parts and type(value) is float:
                        exact[column] = form.exact(value)


def _shown(value: object, form: NumberFormat, text: str) -> str:
    """A cell as its format shows it."""
    if form.parts and isinstance(value, float):
        return form.shown(value)
    if form.date and isinstance(value, date):
        return f"{value:%Y}" if form.date == "year" else f"{value:%Y-%m}"
    return text


def _by_row(
    errors: Mapping[tuple[int, int], str], empty_formulas: set[tuple[int, int]]
) -> dict[int, list[tuple[int, str]]]:
    """The cells with an error or without a saved value, by row: column and text."""
    cells: dict[int, list[tuple[int, str]]] = {}
    for (row, column), text in errors.items():
        cells.setdefault(row, []).append((column, text))
    for row, column in empty_formulas:
        cells.setdefault(row, []).append((column, ""))
    return cells


def _exact(value: object) -> str:
    """A cell's value in its plain form: ISO dates, H:MM, and numbers to 15 digits."""
    if isinstance(value, float):
        return plain_number(value)
    if isinstance(value, str):
        return " ".join(value.split()) if value else ""
    if isinstance(value, bool):
        return str(value).upper()
    duration = _duration(value)
    if duration is not None:
        return _clock(duration)
    if isinstance(value, datetime):
        value = value.replace(microsecond=0) + timedelta(seconds=round(value.microsecond / 1e6))
        return str(value).removesuffix(" 00:00:00")
    return str(value)


def _duration(value: object) -> timedelta | None:
    """The time since midnight or since a workbook's first day, None for a date."""
    if isinstance(value, timedelta):
        return value
    if isinstance(value, time):
        return datetime.combine(_FIRST_DAY, value) - datetime.combine(_FIRST_DAY, time())
    if isinstance(value, datetime) and value.year <= _FIRST_DAY_1904.year:
        first_day = _FIRST_DAY_1904 if value.year == _FIRST_DAY_1904.year else _FIRST_DAY
        return value - datetime.combine(first_day, time())
    return None


def _clock(duration: timedelta) -> str:
    """Hours, minutes and, if there are any, seconds: 26:00 for a day and two hours."""
    milliseconds = round(duration / timedelta(milliseconds=1))
    # Times are fractions of a day, which are not quite exact.
    nearest = round(milliseconds / 1000) * 1000
    if abs(milliseconds - nearest) <= _INEXACT_MS:
        milliseconds = nearest
    minutes, rest = divmod(abs(milliseconds), 60_000)
    seconds, thousandths = divmod(rest, 1000)
    end = f":{seconds:02}" if rest else ""
    end += f".{thousandths:03}" if thousandths else ""
    return f"{'-' if milliseconds < 0 else ''}{minutes // 60}:{minutes % 60:02}{end}"
