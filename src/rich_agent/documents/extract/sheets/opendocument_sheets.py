"""Reads the visible sheets of OpenDocument spreadsheets.

Source: OpenDocument 1.3, part 3, 9 (tables) and 19.385 (types of values).
"""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from lxml import etree

from rich_agent.documents.extract.archive import parse_xml, text_parts
from rich_agent.documents.extract.colours import WHITE, is_unreadable, named_colour
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.odf_styles import FO
from rich_agent.documents.extract.sheets.cell_formats import plain_number
from rich_agent.documents.extract.sheets.forms import UNIT
from rich_agent.documents.extract.sheets.marks import is_summary
from rich_agent.documents.extract.sheets.merging import Merging, Range
from rich_agent.documents.extract.sheets.sheet import (
    MOST_COLUMNS,
    MOST_SHEETS,
    Sheet,
    SheetRow,
    column_letters,
    left_out,
)
from rich_agent.documents.extract.table_markup import table_html
from rich_agent.domain.inventory import Tally

_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_STYLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_DRAW: Final = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}"
_EVENTS: Final = (f"{_STYLE}style", f"{_TABLE}table", f"{_TABLE}table-column",
                  f"{_TABLE}table-row", f"{_TABLE}shapes")  # fmt: skip
_GROUPS: Final = (f"{_TABLE}table-row-group", f"{_TABLE}table-column-group")
_HIDDEN: Final = ("collapse", "filter")
_DURATION: Final = re.compile(r"(-?)PT(\d{1,6})H(\d{1,2})M(\d{1,2})(?:[.,](\d{1,9}))?S")
_NOT_DIGITS: Final = re.compile(r"\D")
_NOT_LETTERS: Final = re.compile(r"[\d\s.,'’+-]")
_MOST_DECIMALS: Final = 4
_MOST_CELLS: Final = 8_000_000
_MOST_ROWS: Final = 1_048_576


@dataclass(slots=True)
class _OpenSheet:
    """A sheet while it is read."""

    name: str
    rows: list[tuple[int, list[str], list[str]]] = field(default_factory=list)
    """Number from 0, cells as computed with, and cells as shown, of each row with a value."""
    row: int = 0
    column: int = 0
    cells: int = 0
    hidden_columns: set[int] = field(default_factory=set)
    hidden_rows: set[int] = field(default_factory=set)
    merges: list[Range] = field(default_factory=list)
    summary_rows: set[int] = field(default_factory=set)
    empty_formulas: int = 0
    extras: list[str] = field(default_factory=list)


def opendocument_sheets(data: bytes, tally: Tally) -> Iterator[Sheet]:
    """The visible sheets with content, in order. Raises: ExtractionError."""
    parts = text_parts(data)
    content = parts.get("content.xml")
    if content is None:
        raise ExtractionError("this is not an OpenDocument file")
    if b"<!DOCTYPE" in content:
        raise ExtractionError("its XML declares entities, which no such document needs")
    reader = _Reader(parts, tally)
    events = etree.iterparse(
        io.BytesIO(content), events=("start", "end"), tag=_EVENTS,
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True,
    )  # fmt: skip
    count = 0
    try:
        for event, element in events:
            sheet = reader.take(event, element)
            count += sheet is not None
            if sheet is not None and count <= MOST_SHEETS:
                yield sheet
    except (etree.LxmlError, ValueError) as error:
        raise ExtractionError(f"the file is damaged: {error}") from error


class _Reader:
    def __init__(self, parts: dict[str, bytes], tally: Tally) -> None:
        self._parts = parts
        self._tally = tally
        self._hidden_styles: set[str] = set()
        self._unseen_styles: set[str] = set()
        self._sheet: _OpenSheet | None = None
        self._depth = 0

    def take(self, event: str, element: etree._Element) -> Sheet | None:
        """Read an element; the sheet that it ends, if that is seen."""
        if element.tag == f"{_TABLE}table":
            self._depth += 1 if event == "start" else -1
            if event == "start" and self._depth == 1:
                self._sheet = _OpenSheet(element.get(f"{_TABLE}name", ""))
            elif event == "end" and self._depth == 0 and self._sheet is not None:
                opened, self._sheet = self._sheet, None
                style = element.get(f"{_TABLE}style-name", "")
                element.clear()
                return self._finish(opened, style)
        elif event == "end" and element.tag == f"{_STYLE}style":
            properties = element.find(f"{_STYLE}table-properties")
            if properties is not None and properties.get(f"{_TABLE}display") == "false":
                self._hidden_styles.add(element.get(f"{_STYLE}name", ""))
            elif _is_unreadable(element):
                self._unseen_styles.add(element.get(f"{_STYLE}name", ""))
        elif event == "end" and self._sheet is not None and self._depth == 1:
            self._take_part(self._sheet, element)
        return None

    def _take_part(self, sheet: _OpenSheet, element: etree._Element) -> None:
        if element.tag == f"{_TABLE}table-column":
            count = _repeats(element, "columns", MOST_COLUMNS)
            if _is_hidden(element):
                sheet.hidden_columns.update(range(sheet.column, sheet.column + count))
            sheet.column += count
        elif element.tag == f"{_TABLE}shapes":
            sheet.extras += self._shapes(element)
        elif element.tag == f"{_TABLE}table-row":
            self._take_row(sheet, element)
            element.clear()

    def _take_row(self, sheet: _OpenSheet, element: etree._Element) -> None:
        count = _repeats(element, "rows", _MOST_ROWS)
        if _is_hidden(element):
            sheet.hidden_rows.update(range(sheet.row, sheet.row + count))
        exact: list[str] = []
        shown: list[str] = []
        for cell in element.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            is_covered = cell.tag != f"{_TABLE}table-cell"
            text, words = ("", "") if is_covered else self._cell(sheet, cell, len(exact))
            if words and cell.get(f"{_TABLE}style-name") in self._unseen_styles:
                self._tally.note_unread("hidden_word")
                text = words = ""
            times = _repeats(cell, "columns", MOST_COLUMNS + 1)
            if not words and len(exact) + times > MOST_COLUMNS:
                break
            exact += [text] * times
            shown += [words] * times
        if any(shown):
            sheet.cells += count * len(exact)
            if sheet.cells > _MOST_CELLS or len(exact) > MOST_COLUMNS:
                reason = f"the sheet {sheet.name!r} has more than {MOST_COLUMNS} columns"
                raise ExtractionError(reason, "too_long")
            shown = exact if shown == exact else shown
            sheet.rows += [(sheet.row + index, exact, shown) for index in range(count)]
        sheet.row += count

    def _cell(self, sheet: _OpenSheet, cell: etree._Element, column: int) -> tuple[str, str]:
        """A cell as it is computed with, and as it is shown."""
        shown = " ".join(" ".join(map(_words, cell.iterchildren(f"{_TEXT}p"))).split())
        rows, columns = (
            int(cell.get(f"{_TABLE}number-{side}-spanned", "1")[:7]) for side in ("rows", "columns")
        )
        if rows > 1 or columns > 1:
            last = (sheet.row + rows - 1, column + columns - 1)
            sheet.merges.append(((sheet.row, column), last))
        formula = cell.get(f"{_TABLE}formula", "")
        if formula:
            plain_formula = formula.replace("[.", "").replace(":.", ":").replace("]", "")
            if is_summary(plain_formula.encode(), sheet.row, column):
                sheet.summary_rows.add(sheet.row)
            if not shown and cell.get(f"{_OFFICE}value-type") is None:
                sheet.empty_formulas += 1
        if len(cell) > 1 or shown == "":
            sheet.extras += self._remarks(cell, f"{column_letters(column)}{sheet.row + 1}")
            sheet.extras += self._shapes(cell)
        return _exact(cell, shown), shown

    def _remarks(self, cell: etree._Element, place: str) -> Iterator[str]:
        for remark in cell.iterchildren(f"{_OFFICE}annotation"):
            text = " ".join(" ".join(map(_words, remark.iterchildren(f"{_TEXT}p"))).split())
            author = remark.findtext("{http://purl.org/dc/elements/1.1/}creator", "")
            if text:
                self._tally.note_read("remark")
                name = f"{place} ({author})" if author else place
                yield f"<p>[{escape(name)}: {escape(text)}]</p>"

    def _shapes(self, parent: etree._Element) -> Iterator[str]:
        """The charts, boxes and pictures within an element."""
        for shape in parent.iter(f"{_DRAW}frame", f"{_DRAW}custom-shape"):
            target = next(
                (part.get(f"{_XLINK}href", "") for part in shape.iterchildren(f"{_DRAW}object")), ""
            )
            if target:
                yield from self._object(target)
            elif shape.find(f"{_DRAW}image") is not None:
                yield from self._picture(shape)
            elif text := " ".join(" ".join(map(_words, shape.iter(f"{_TEXT}p"))).split()):
                self._tally.note_read("drawing")
                yield f"<p>{escape(text)}</p>"

    def _picture(self, shape: etree._Element) -> Iterator[str]:
        words = " ".join((shape.findtext("{*}desc") or shape.findtext("{*}title") or "").split())
        if words:
            self._tally.note_read("picture")
            yield f"<p>{escape(words)}</p>"
        else:
            self._tally.note_unread("picture")

    def _object(self, target: str) -> Iterator[str]:
        """A chart by its figures, which stand in a document of their own."""
        content = self._parts.get(f"{target.removeprefix('./').rstrip('/')}/content.xml")
        root = parse_xml(content) if content is not None else None
        if root is None or root.find(".//{*}chart") is None:
            self._tally.note_unread("object")
            return
        titles = (_words(title) for title in root.iter("{*}title"))
        rows = [
            [_words(cell) for cell in row.iterchildren(f"{_TABLE}table-cell")]
            for row in root.iter(f"{_TABLE}table-row")
        ]
        html = "".join(f"<p>{escape(title)}</p>" for title in titles if title) + table_html(rows)
        if rows:
            self._tally.note_read("chart")
        else:
            self._tally.note_unread("chart")
        yield html

    def _finish(self, opened: _OpenSheet, style: str) -> Sheet | None:
        if style in self._hidden_styles:
            self._tally.note_unread("hidden_sheet")
            return None
        if not opened.rows:
            return Sheet(opened.name, 0, iter(()), extras=opened.extras) if opened.extras else None
        width = max(len(exact) for _, exact, _ in opened.rows)
        columns = tuple(column for column in range(width) if column not in opened.hidden_columns)
        last_row = opened.rows[-1][0]
        notes = left_out(
            self._tally,
            hidden_columns=width - len(columns),
            hidden_rows=sum(row <= last_row for row in opened.hidden_rows),
            empty_formulas=opened.empty_formulas,
        )
        first_column = min(
            next(column for column, cell in enumerate(cells) if cell) for _, cells, _ in opened.rows
        )
        merging = Merging(opened.merges, first_column)
        return Sheet(
            opened.name,
            len(columns),
            _rows(opened, width, columns, merging),
            columns,
            merging.columns_of_rows(columns),
            frozenset(row + 1 for row in opened.summary_rows),
            notes,
            opened.extras,
        )


def _rows(
    opened: _OpenSheet, width: int, columns: Sequence[int], merging: Merging
) -> Iterator[SheetRow]:
    """The visible rows; a blank one stands for those between others, and parts tables."""
    previous = opened.rows[0][0] - 1
    for number, *both in opened.rows:
        if number > previous + 1:
            yield SheetRow(number, [""] * len(columns), [""] * len(columns))
        previous = number
        exact, shown = ([*cells, *[""] * (width - len(cells))] for cells in both)
        numbers = merging.fill(number, exact, shown)
        if number not in opened.hidden_rows:
            yield SheetRow(
                number + 1,
                [exact[column] for column in columns],
                [shown[column] for column in columns],
                {
                    place: numbers[column]
                    for place, column in enumerate(columns)
                    if column in numbers
                },
            )


def _is_hidden(element: etree._Element) -> bool:
    """Whether a row or column is not seen, and no outline shows it with a click."""
    if element.get(f"{_TABLE}visibility") not in _HIDDEN:
        return False
    return next(element.iterancestors(*_GROUPS), None) is None


def _is_unreadable(style: etree._Element) -> bool:
    """Whether the letters of a style have the colour of their paper."""
    words = style.find(f"{_STYLE}text-properties")
    paper = style.find(f"{_STYLE}table-cell-properties")
    ground = paper.get(f"{FO}background-color", "") if paper is not None else ""
    ink = named_colour(words.get(f"{FO}color", "")) if words is not None else None
    return is_unreadable(ink, WHITE if ground in {"", "transparent"} else named_colour(ground))


def _repeats(element: etree._Element, side: str, most: int) -> int:
    text = element.get(f"{_TABLE}number-{side}-repeated", "1")
    return min(most, int(text[:9])) if text.isdecimal() else 1


def _words(element: etree._Element) -> str:
    """The text of a paragraph, with a space for each blank, tab and line end."""
    pieces = [element.text or ""]
    for child in element:
        is_blank = child.tag in {f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"}
        pieces += [" " if is_blank else _words(child), child.tail or ""]
    return "".join(pieces)


def _exact(cell: etree._Element, shown: str) -> str:
    """A cell as it is computed with, by the type of its value."""
    if not shown:
        return ""
    kind = cell.get(f"{_OFFICE}value-type", "")
    if kind in {"float", "percentage", "currency"}:
        return _number(cell, kind, shown)
    if kind == "date":
        value: str = cell.get(f"{_OFFICE}date-value", shown)
        return value.replace("T", " ").removesuffix(" 00:00:00")
    if kind == "time" and (match := _DURATION.fullmatch(cell.get(f"{_OFFICE}time-value", ""))):
        sign, hours, minutes, seconds, fraction = match.groups("")
        end = f":{seconds}" + (f".{fraction[:3]}" if fraction.strip("0") else "")
        return f"{sign}{int(hours)}:{minutes}{end if end.strip(':0') else ''}"
    return shown.upper() if kind == "boolean" else shown


def _number(cell: etree._Element, kind: str, shown: str) -> str:
    try:
        value = float(cell.get(f"{_OFFICE}value", ""))
    except ValueError:
        return shown
    if kind == "percentage":
        return f"{plain_number(value, 2)}%"
    unit = cell.get(f"{_OFFICE}currency", "")
    exponent = _thousands(value, shown)
    if exponent:
        words = _NOT_LETTERS.sub("", shown)
        return f"{plain_number(value, exponent)}{words}" if UNIT.fullmatch(words) else shown
    if kind == "currency":
        return f"{plain_number(value)}{unit}"
    is_code = shown.isdecimal() and shown.startswith("0")
    return shown if is_code else plain_number(value)


def _thousands(value: float, shown: str) -> int:
    """The power of ten, 0, -3 or -6, by which a number is shown multiplied, with letters."""
    digits = _NOT_DIGITS.sub("", shown)
    for exponent in (0, -3, -6):
        scaled = abs(value) * 10**exponent
        roundings = (f"{scaled:.{decimals}f}" for decimals in range(_MOST_DECIMALS))
        if any(rounding.replace(".", "") == digits for rounding in roundings):
            return exponent if any(map(str.isalpha, shown)) else 0
    return 0
