"""Finds what the XML of a sheet says of cells besides their values, without parsing it.

A sheet may have a million rows, and a parsed tree of them would take gigabytes.
Source: ECMA-376, part 1, 18.3.1.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from rich_agent.documents.extract.sheets.sheet import column_number

_PREFIX: Final = re.compile(rb"<(?:([A-Za-z_][\w.-]{0,40}):)?worksheet[\s>]")
_COLUMN: Final = re.compile(rb"<(?:[\w.-]{1,40}:)?col\s([^<>]{1,400})>")
_PLACE: Final = re.compile(rb'\sr="([A-Z]{1,3})(\d{1,7})"')
_ATTRIBUTE: Final = re.compile(rb'([\w:]{1,40})="([^"<>]{0,200})"')
_TRUE: Final = (b"1", b"true")
_RANGE: Final = re.compile(
    rb"\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?(?![\d(])"
)
_OTHER_SHEET: Final = re.compile(rb"[!\[\"']")
_PREFIX_BYTES: Final = 4_096
_LEAST_SUMMED: Final = 2


@dataclass(slots=True)
class Marks:
    """The marks of a sheet. Rows and columns are counted from 0."""

    hidden_columns: set[int] = field(default_factory=set)
    hidden_rows: set[int] = field(default_factory=set)
    styles: dict[int, list[list[int]]] = field(default_factory=dict)
    """For each column the first row, the last row and the style of the runs of rows whose style
    was looked for."""
    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    """The errors that cells show, such as #REF!, by row and column."""
    summary_rows: set[int] = field(default_factory=set)
    """Rows with a formula over the cells of its own column."""
    empty_formulas: set[tuple[int, int]] = field(default_factory=set)
    """Cells with a formula whose value was not saved, by row and column."""


class MarkScanner:
    """Finds the marks in the XML of one sheet."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        match = _PREFIX.search(content, 0, _PREFIX_BYTES)
        self._prefix = re.escape(match[1] + b":") if match and match[1] else b""

    def marks(self, styles: Collection[int], *, zeros_are_unsaved: bool) -> Marks:
        """The marks; of the cells' styles, only those given."""
        marks = Marks(self._hidden_columns(), self._hidden_rows())
        if styles:
            marks.styles = self._styles(styles)
        marks.errors = dict(self._errors())
        if (
            b"</" + self._prefix + b"f>" in self._content
            or b"<" + self._prefix + b"f" in self._content
        ):
            marks.summary_rows = self._summary_rows()
            marks.empty_formulas = set(self._empty_formulas(zeros=zeros_are_unsaved))
        return marks

    def _pattern(self, pattern: bytes) -> re.Pattern[bytes]:
        """A pattern in which a colon after `<` stands for the prefix of the sheet's names."""
        return re.compile(
            pattern.replace(b"<:", b"<" + self._prefix).replace(b"</:", b"</" + self._prefix)
        )

    def _hidden_columns(self) -> set[int]:
        """The columns without width. Those of an outline are not hidden: a click shows them."""
        start = self._content.find(b"<" + self._prefix.replace(b"\\", b"") + b"sheetData")
        hidden: set[int] = set()
        for column in _COLUMN.finditer(self._content, 0, max(0, start)):
            attributes = dict(_ATTRIBUTE.findall(column[1]))
            if _is_hidden(attributes, b"width"):
                first, last = int(attributes.get(b"min", b"0")), int(attributes.get(b"max", b"0"))
                hidden.update(range(first - 1, min(last, 16_384)))
        return hidden

    def _hidden_rows(self) -> set[int]:
        hidden: set[int] = set()
        if b' hidden="' not in self._content and b' ht="0"' not in self._content:
            return hidden
        row_number = 0
        for row in self._pattern(rb"<:row(?=[\s>/])([^<>]{0,600})>").finditer(self._content):
            attributes = dict(_ATTRIBUTE.findall(row[1]))
            number = attributes.get(b"r", b"")
            row_number = int(number) if number.isdigit() and len(number) < 8 else row_number + 1
            if _is_hidden(attributes, b"ht"):
                hidden.add(row_number - 1)
        return hidden

    def _styles(self, styles: Collection[int]) -> dict[int, list[list[int]]]:
        wanted = "|".join(map(str, sorted(styles))).encode()
        pattern = self._pattern(
            rb'<:c(?=[^<>]{0,200}?\ss="(' + wanted + rb')")[^<>]{0,200}?\sr="([A-Z]{1,3})(\d{1,7})"'
        )
        columns: dict[bytes, list[list[int]]] = {}
        for cell in pattern.finditer(self._content):
            style_text, letters, number = cell.groups()
            row, style = int(number) - 1, int(style_text)
            runs = columns.get(letters)
            if runs is None:
                columns[letters] = [[row, row, style]]
            elif runs[-1][1] == row - 1 and runs[-1][2] == style:
                runs[-1][1] = row
            else:
                runs.append([row, row, style])
        return {column_number(letters.decode()): runs for letters, runs in columns.items()}

    def _errors(self) -> Iterator[tuple[tuple[int, int], str]]:
        if b't="e"' not in self._content:
            return
        pattern = self._pattern(
            rb'<:c(\s[^<>]{0,200}t="e"[^<>]{0,200})>(?:<:f[^<>]{0,400}>[^<>]{0,8192}</:f>|<:f[^<>]{0,400}/>)?'
            rb"\s{0,20}<:v>([^<>]{1,40})</:v>"
        )
        for cell in pattern.finditer(self._content):
            if place := _PLACE.search(cell[1]):
                yield _place(place), cell[2].decode("utf-8", "replace")

    def _empty_formulas(self, *, zeros: bool) -> Iterator[tuple[int, int]]:
        saved = rb"<:v\s?/>|<:v>\s{0,20}</:v>" + (rb"|<:v>0</:v>" if zeros else b"")
        pattern = self._pattern(
            rb"<:c(\s[^<>]{0,200})>\s{0,20}(?:<:f(?:\s[^<>]{0,400})?>[^<>]{0,8192}</:f>|<:f[^<>]{0,400}/>)\s{0,20}"
            rb"(?:" + saved + rb")?\s{0,20}</:c>"
        )
        for cell in pattern.finditer(self._content):
            # A formula may have an empty text as its value.
            if (place := _PLACE.search(cell[1])) and b't="str"' not in cell[1]:
                yield _place(place)

    def _summary_rows(self) -> set[int]:
        pattern = self._pattern(
            rb"<:c(\s[^<>]{0,200})>\s{0,20}<:f(?:\s[^<>]{0,400})?>([^<>()]{0,60}\([^<>]{1,400})</:f>"
        )
        rows = set()
        for cell in pattern.finditer(self._content):
            place = _PLACE.search(cell[1])
            if place and is_summary(cell[2], *_place(place)):
                rows.add(int(place[2]) - 1)
        return rows


def is_summary(formula: bytes, row: int, column: int) -> bool:
    """Whether a formula computes over cells of its own column, and no others."""
    if b"(" not in formula or _OTHER_SHEET.search(formula):
        return False
    count = 0
    for area in _RANGE.finditer(formula):
        first, last = int(area[2]) - 1, int(area[4] or area[2]) - 1
        if column_number((area[3] or area[1]).decode()) != column or first <= row <= last:
            return False
        if column_number(area[1].decode()) != column:
            return False
        count += last - first + 1
    return count >= _LEAST_SUMMED


def _is_hidden(attributes: dict[bytes, bytes], size: bytes) -> bool:
    """Whether a row or column is not seen, and no outline shows it with a click."""
    if attributes.get(b"outlineLevel", b"0") != b"0":
        return False
    return attributes.get(b"hidden") in _TRUE or attributes.get(size) == b"0"


def _place(match: re.Match[bytes]) -> tuple[int, int]:
    return int(match[2]) - 1, column_number(match[1].decode())
