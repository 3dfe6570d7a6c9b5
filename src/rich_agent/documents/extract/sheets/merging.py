"""Merged cells: the cells of a range that belong to the value of its first cell."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich_agent.documents.extract.sheets.sheet import MOST_COLUMNS

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[%€$£¥]|e[+-]?\d+)?")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")

Range = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last cell of a merged range, as row and column from 0."""


@dataclass(frozen=True, slots=True)
class _Span:
    last_row: int
    first_column: int
    last_column: int
    exact: str
    shown: str


class Merging:
    """Repeats the values of merged cells, row by row.

    A text, a date or a year stands in each cell of its range. A number stands once, as programs
    count it, unless it is in the first column, where it names a group of rows. A range that is all
    of its row is a heading, and stands once.
    """

    def __init__(self, ranges: Iterable[Range], first_column: int) -> None:
        self._starts: dict[int, list[Range]] = {}
        for one in ranges:
            self._starts.setdefault(one[0][0], []).append(one)
        self._first_column = first_column
        self._spans: list[_Span] = []

    def __bool__(self) -> bool:
        return bool(self._starts or self._spans)

    def columns_of_rows(self, columns: Sequence[int]) -> tuple[int, ...]:
        """The places of those columns in which a cell may stand for several rows."""
        spanned = {
            column
            for starts in self._starts.values()
            for (first_row, column), (last_row, _) in starts
            if last_row > first_row and column > self._first_column
        }
        return tuple(place for place, column in enumerate(columns) if column in spanned)

    def fill(self, row: int, exact: list[str], shown: list[str]) -> dict[int, str]:
        """Repeat values in the cells of a row, which are changed; the numbers that stand once."""
        spans = [span for span in self._spans if span.last_row >= row]
        for (_, first_column), (last_row, last_column) in self._starts.pop(row, ()):
            if first_column < len(exact) and exact[first_column] and len(spans) < MOST_COLUMNS:
                text, words = exact[first_column], shown[first_column]
                spans.append(_Span(last_row, first_column, last_column, text, words))
        self._spans = spans
        filled = {column for column, cell in enumerate(exact) if cell}
        numbers: dict[int, str] = {}
        for span in spans:
            columns = range(span.first_column, min(span.last_column + 1, len(exact)))
            if filled.issubset(columns):
                continue
            if not self._is_repeated(span):
                numbers[span.first_column] = span.exact
                continue
            for column in columns:
                if not exact[column]:
                    exact[column], shown[column] = span.exact, span.shown
        return numbers

    def _is_repeated(self, span: _Span) -> bool:
        is_number = _NUMBER.fullmatch(span.exact) and not _YEAR.fullmatch(span.exact)
        return not is_number or span.first_column <= self._first_column
