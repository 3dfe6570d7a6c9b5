"""The rows of a query for people: as a chart where their shape is one, else as a small table.

The shape of the rows decides. Numbers are those that were computed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, localcontext
from itertools import pairwise
from typing import Any, Final, Literal, Self

from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal

from rich_agent.feature import Attachment
from rich_agent.feature.living import BlockChart, ChartKind, LivingBlock
from rich_agent.feature.text import escape_invisible, shorten
from rich_agent.features.tables.rows import ColumnKind, TableRows

KIND: Final = "computed"
"""The kind of these attachments and of their blocks."""
MOST_ROWS_SHOWN: Final = 12
MOST_SERIES: Final = 3
MOST_COLUMNS: Final = 4
_LEAST_ROWS, _LEAST_COLUMNS, _LEAST_POINTS = 2, 2, 3
_LONGEST_TITLE, _LONGEST_CELL = 120, 60
_MOST_SCALES: Final = 50
"""Series whose greatest values differ by more than this are no chart: one would not be seen."""
_PLACES, _DIGITS = 4, 6
"""Digits after the point of a number that is not exact, and the least of all its digits."""
_MOST_DIGITS: Final = 400
_NOTHING: Final = "–"
_PERIOD: Final = re.compile(r"\d{4}(?:-(?:\d{2}|Q[1-4]|W\d{2})(?:-\d{2})?)?")
_MIDNIGHT: Final = " 00:00:00"
Rows = Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class ComputedTable:
    """All rows of a query that a reader is shown."""

    columns: tuple[str, ...]
    kinds: tuple[ColumnKind, ...]
    rows: tuple[tuple[Any, ...], ...]

    def to_state(self) -> dict[str, Any]:
        """The table as JSON for an attachment."""
        rows = [list(row) for row in self.rows]
        return {"columns": list(self.columns), "kinds": list(self.kinds), "rows": rows}

    @classmethod
    def from_state(cls, value: Mapping[str, Any]) -> Self:
        """The table that `to_state` wrote."""
        return cls(tuple(value["columns"]), tuple(value["kinds"]), tuple(map(tuple, value["rows"])))

    @property
    def shape(self) -> Literal["bar", "line", "table"]:
        """The form in which the rows are shown."""
        if self.names_place is None or self._lacks_a_chart():
            return "table"
        names = [row[self.names_place] for row in self.rows]
        return "line" if self._is_ordered(names) and len(names) >= _LEAST_POINTS else "bar"

    @property
    def names_place(self) -> int | None:
        """The position of the one column of names, None without one.

        Where all columns are numbers, the first is the names if its numbers ascend, as years do.
        """
        others = [place for place, kind in enumerate(self.kinds) if kind != "number"]
        if len(others) == 1 and len(self.kinds) > 1:
            names = [row[others[0]] for row in self.rows]
            return others[0] if None not in names and len({*names}) == len(names) else None
        first = [row[0] for row in self.rows]
        are_years = all(isinstance(value, int) for value in first) and _ascend(first)
        return 0 if not others and len(self.kinds) > 1 and are_years else None

    @property
    def series_places(self) -> list[int]:
        """The positions of the columns that are not the names."""
        return [place for place in range(len(self.columns)) if place != self.names_place]

    def _lacks_a_chart(self) -> bool:
        """Whether a number is missing, or the numbers have too different scales."""
        places = self.series_places
        values = [[_number(row[place]) for row in self.rows] for place in places]
        if len(places) > MOST_SERIES or any(None in series for series in values):
            return True
        greatest = [max(abs(float(value or 0)) for value in series) for series in values]
        return not min(greatest) or max(greatest) > _MOST_SCALES * min(greatest)

    def _is_ordered(self, names: Sequence[Any]) -> bool:
        """Whether the names are dates or periods in their order."""
        kind = self.kinds[self.names_place or 0]
        are_periods = kind != "text" or all(_PERIOD.fullmatch(str(name)) for name in names)
        return are_periods and _ascend(names)


def attachment_of(
    description: str, columns: Sequence[str], rows: TableRows
) -> tuple[Attachment, ...]:
    """The attachment of a query's rows; () for what is no small table of several values."""
    is_small = _LEAST_ROWS <= rows.total_rows <= MOST_ROWS_SHOWN
    if not (is_small and _LEAST_COLUMNS <= len(columns) <= MOST_COLUMNS):
        return ()
    table = ComputedTable(tuple(columns), rows.kinds, rows.rows)
    return (Attachment(KIND, description, table.to_state()),)


def computed_block(attachment: Attachment, locale: str) -> LivingBlock:
    """The chart of an attachment, with its numbers as a table in words of the reader's language."""
    table = ComputedTable.from_state(attachment.content)
    title, shape = _visible(attachment.caption, _LONGEST_TITLE), table.shape
    names_place = table.names_place or 0
    places = [place for place in range(len(table.columns)) if place != names_place]
    words = {
        place: _words_of([row[place] for row in table.rows], table.kinds[place], locale)
        for place in range(len(table.columns))
    }
    names = [row[names_place] for row in table.rows]
    chart = BlockChart(
        shape,
        # A year is a name, and has no separators.
        tuple(map(str, names))
        if table.names_place == 0 and table.kinds[0] == "number"
        else words[names_place],
        tuple((_visible(table.columns[place]), _values(table, place, shape)) for place in places),
        tuple(words[place] for place in places),
        _visible(table.columns[names_place]),
    )
    return LivingBlock(KIND, title, locale, chart=chart)


def _values(table: ComputedTable, place: int, shape: ChartKind) -> tuple[float, ...]:
    """The numbers that are drawn; () for a table."""
    if shape == "table":
        return ()
    return tuple(float(_number(row[place]) or 0) for row in table.rows)


def _words_of(values: Sequence[Any], kind: ColumnKind, locale: str) -> tuple[str, ...]:
    """The cells of a column in a language."""
    has_times = not all(str(value).endswith(_MIDNIGHT) for value in values if value is not None)

    def date_words(value: Any) -> str:  # noqa: ANN401 - any value of JSON
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            return _visible(str(value))
        is_day = len(str(value)) == len("2026-01-31") or not has_times
        return format_date(moment, "medium", _babel(locale)) if is_day else _visible(str(value))

    def number_words(value: Any) -> str:  # noqa: ANN401 - any value of JSON
        number = _number(value)
        return _visible(str(value)) if number is None else say_number(number, locale)

    words_by_kind: Mapping[ColumnKind, Callable[[Any], str]] = {
        "date": date_words,
        "number": number_words,
        "text": lambda value: _visible(str(value)),
    }
    say_value = words_by_kind[kind]
    return tuple(_NOTHING if value is None else say_value(value) for value in values)


def say_number(number: Decimal | float, locale: str) -> str:
    """A number as people of a language write it.

    A `float` is not exact, and is rounded to 4 digits after the point, or to 6 digits in all if it
    is small. Other numbers keep all their digits.
    """
    with localcontext() as context:
        context.prec = _MOST_DIGITS
        exact_number = Decimal(repr(number)) if isinstance(number, float) else number
        if isinstance(number, float) and number:
            places = max(_PLACES, _DIGITS - 1 - exact_number.adjusted())
            exact_number = round(exact_number, places).normalize()
        return str(format_decimal(exact_number, locale=_babel(locale), decimal_quantization=False))


def _number(value: object) -> Decimal | float | None:
    """The number of a cell, None without one. A decimal number is a text in JSON."""
    if isinstance(value, float):
        return value
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        number = Decimal(value)
    except ArithmeticError:
        return None
    return number if number.is_finite() else None


def _ascend(values: Sequence[Any]) -> bool:
    return all(earlier < later for earlier, later in pairwise(values))


def _visible(text: str, limit: int = _LONGEST_CELL) -> str:
    """A text on one line, without characters that hide or move others."""
    return escape_invisible(shorten(text, limit)) or _NOTHING


def _babel(locale: str) -> Locale:
    return Locale.parse(locale, sep="-")
