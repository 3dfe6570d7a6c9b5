"""Columns of a loaded table: their names, and how their values are read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import duckdb

from rich_agent.documents.extract.sheets.forms import (
    CLOCK,
    CODE,
    COMMA,
    DOT,
    ERROR,
    FOOTNOTES,
    ISO_DATE,
    MOSTLY,
    PLAIN,
    READ,
    SPACED_CODE,
    WRITTEN,
    DecimalMark,
    NumberForm,
    date_formats,
    number_form,
)
from rich_agent.domain.tables import ColumnType, TableColumn, quoted

SAMPLE: Final = 2_000
"""Number of values of a column from which its form is guessed.

All values are then checked against it.
"""
_CLOCKS: Final = 100
_ISO_FORMAT: Final = "%Y-%m-%d"
_MOST_DIGITS: Final = 18


class TablePart(NamedTuple):
    """The part of the table `raw` that is read as a table."""

    raw_names: Sequence[str]
    """Names of the columns with the text as loaded."""
    names: Sequence[str]
    """Names that the columns get."""
    condition: str
    """SQL for the rows."""


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """A column of a table, and the SQL that reads it."""

    column: TableColumn
    raw: str
    """Name of the column with the text as loaded."""
    sql: str
    misread: int = 0
    """Number of values that are no number in a column of numbers, or no date in a column of dates.
    """
    is_clock: bool = False
    """Whether hours and minutes are read as hours."""

    @property
    def keeps_text(self) -> bool:
        """Whether the original text stands in a column of its own, too."""
        return bool(self.misread) or self.is_clock


class ColumnReader:
    """Finds out how to read the columns of a part of the table `raw`, which holds text."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        source: TablePart,
        *,
        is_typed: bool,
        delimiter: str,
    ) -> None:
        self._connection = connection
        self._source = source
        self._is_typed = is_typed
        self._delimiter = delimiter

    def read(self) -> list[ReadColumn]:
        """The columns with a name or a value, in order."""
        raw_names = self._source.raw_names
        sample_by_name = dict(zip(raw_names, self._samples(raw_names), strict=True))
        form_by_name = {
            raw_name: form
            for raw_name, values in sample_by_name.items()
            if (form := number_form(values, is_typed=self._is_typed))
        }
        usual_mark = self._usual_mark(form_by_name)
        columns = []
        for raw_name, name in zip(raw_names, self._source.names, strict=True):
            values = sample_by_name[raw_name]
            if not values and name.startswith("column"):
                continue
            column = (
                self._number(raw_name, name, form_by_name[raw_name], usual_mark)
                if raw_name in form_by_name
                else None
            )
            column = column or self._clock(raw_name, name, values)
            column = column or self._date(raw_name, name, values, usual_mark)
            columns.append(column or _text(raw_name, name))
        return columns

    def _samples(self, raw_names: Sequence[str]) -> list[list[str]]:
        """Values of each column, spread over its whole length."""
        rows = self._connection.execute(
            f"""
            WITH whole AS (SELECT count(*) AS rows FROM raw WHERE {self._source.condition})
            SELECT {", ".join(f"trim({raw_name})" for raw_name in raw_names)} FROM raw, whole
            WHERE {self._source.condition} AND rowid % greatest(1, rows // {SAMPLE}) = 0
            """
        ).fetchall()
        return [[value for value in column if value] for column in zip(*rows, strict=True)] or [
            [] for _ in raw_names
        ]

    def _usual_mark(self, forms: dict[str, NumberForm]) -> DecimalMark | None:
        """The decimal mark of the other columns, which settles a doubtful column, or None."""
        marks = {form.mark for form in forms.values() if form.mark and not form.is_plain}
        if len(marks) == 1:
            return next(iter(marks))
        return None

    def _number(
        self, raw_name: str, name: str, form: NumberForm, usual_mark: DecimalMark | None
    ) -> ReadColumn | None:
        if form.is_plain:
            plain_reading = _Reading(f"trim({raw_name})", PLAIN, f"trim({raw_name})")
            if column := self._measure(raw_name, name, plain_reading, form, ""):
                if not column.misread:
                    return column
                # Other values have separators or units, which the sample does not show.
                form = replace(form, mark=None, is_plain=False)
        note = ""
        mark = form.mark
        if mark is None:
            text_sql = _number_text(raw_name, form.unit)
            fitting_dot_count, fitting_comma_count = self._counts(
                f"count(*) FILTER ({_fits(text_sql, DOT)})",
                f"count(*) FILTER ({_fits(text_sql, COMMA)})",
            )
            if fitting_dot_count != fitting_comma_count:
                mark = "." if fitting_dot_count > fitting_comma_count else ","
            elif usual_mark or self._delimiter == ";":
                mark = usual_mark or ","
            else:
                mark = "."
                (with_point_count,) = self._counts(f"count(*) FILTER (contains({text_sql}, '.'))")
                note = "the point is read as a decimal point" if with_point_count else ""
        text_sql = _number_text(raw_name, form.unit)
        plain_sql = f"replace({text_sql}, ',', '')"
        if mark == ",":
            plain_sql = f"replace(replace({text_sql}, '.', ''), ',', '.')"
        reading = _Reading(text_sql, COMMA if mark == "," else DOT, plain_sql)
        return self._measure(raw_name, name, reading, form, note)

    def _measure(
        self, raw_name: str, name: str, reading: "_Reading", form: NumberForm, note: str
    ) -> ReadColumn | None:
        """The column in the type that holds all its numbers exactly, or in DOUBLE if there is none.

        Returns None if too few of its values are numbers, or if some are codes.
        """
        fits_sql = _fits(reading.text, reading.pattern)
        plain_sql = reading.bare
        (
            value_count,
            digit_value_count,
            number_count,
            code_count,
            whole_digits,
            fraction_digits,
            exponent_count,
        ) = self._counts(
            *_value_counts(raw_name),
            f"count(*) FILTER ({fits_sql})",
            f"count(*) FILTER ({_fits(f'trim({raw_name})', CODE)})",
            f"max(length(ltrim(split_part({plain_sql}, '.', 1), '+-'))) FILTER ({fits_sql})",
            f"max(length(split_part({plain_sql}, '.', 2))) FILTER ({fits_sql})",
            f"count(*) FILTER ({fits_sql} AND lower({plain_sql}) LIKE '%e%')",
        )
        if (
            code_count
            or number_count < MOSTLY * digit_value_count
            or number_count * 2 < value_count
        ):
            return None
        kind: ColumnType = "double"
        sql_type = "DOUBLE"
        if not exponent_count and (whole_digits or 0) + (fraction_digits or 0) <= _MOST_DIGITS:
            kind = "decimal" if fraction_digits else "integer"
            sql_type = f"DECIMAL(18, {fraction_digits})" if fraction_digits else "BIGINT"
        misread = value_count - number_count
        notes = [f"in {form.unit}" if form.unit else "", note, _misread_note(misread, "number")]
        column = TableColumn(name, kind, "; ".join(filter(None, notes)))
        return ReadColumn(column, raw_name, f"TRY_CAST({plain_sql} AS {sql_type})", misread)

    def _clock(self, raw_name: str, name: str, values: Sequence[str]) -> ReadColumn | None:
        """The column as hours, None if it does not hold hours and minutes."""
        if not values or not all(CLOCK.fullmatch(value) for value in values[:_CLOCKS]):
            return None
        text_sql = f"trim({raw_name})"
        fits_sql = _fits(text_sql, CLOCK.pattern)
        value_count, clock_count = self._counts(
            f"count(*) FILTER ({text_sql} <> '')", f"count(*) FILTER ({fits_sql})"
        )
        if clock_count < MOSTLY * value_count:
            return None
        hours, minutes, seconds = (
            f"TRY_CAST(regexp_extract(split_part({text_sql}, ':', {part}), '[0-9.]+') AS DOUBLE)"
            for part in (1, 2, 3)
        )
        half_day = f"regexp_extract(lower({text_sql}), '[ap]')"
        hours = (
            f"CASE {half_day} WHEN 'a' THEN {hours} % 12 WHEN 'p' THEN {hours} % 12 + 12 "
            f"ELSE {hours} END"
        )
        sql = (
            f"CASE WHEN {fits_sql} THEN ({hours} + {minutes} / 60 + coalesce({seconds}, 0) / 3600)"
            f" * CASE WHEN {text_sql} LIKE '-%' THEN -1 ELSE 1 END END"
        )
        misread_count = value_count - clock_count
        notes = ["in hours: 8.5 is 8:30", _misread_note(misread_count, "time")]
        column = TableColumn(name, "double", "; ".join(filter(None, notes)))
        return ReadColumn(column, raw_name, sql, misread_count, is_clock=True)

    def _date(
        self, raw_name: str, name: str, values: Sequence[str], usual_mark: DecimalMark | None
    ) -> ReadColumn | None:
        # In a workbook, some dates of a column may be texts.
        texts = [value for value in values if not ISO_DATE.fullmatch(value)]
        formats = date_formats(texts if self._is_typed and texts else values)
        if not formats:
            return None
        column_counts = self._counts(
            *_value_counts(raw_name),
            *(f"count({_date_sql(raw_name, candidate)})" for candidate in formats),
        )
        value_count, digit_value_count, date_counts = (
            column_counts[0],
            column_counts[1],
            column_counts[2:],
        )
        best_count = max(date_counts)
        best_formats = [
            candidate
            for candidate, date_count in zip(formats, date_counts, strict=True)
            if date_count == best_count
        ]
        if best_count < MOSTLY * digit_value_count or best_count * 2 < value_count:
            return None
        # People who write a decimal comma write the day first.
        date_format = (
            best_formats[0] if usual_mark == "," or len(best_formats) == 1 else best_formats[-1]
        )
        doubt = (
            f"read as {_SPELT.get(date_format[:5], date_format)}" if len(best_formats) > 1 else ""
        )
        kind: ColumnType = "timestamp" if "%H" in date_format else "date"
        sql = _date_sql(raw_name, date_format)
        sql = sql if kind == "timestamp" else f"CAST({sql} AS DATE)"
        misread_count = value_count - best_count
        note_text = "; ".join(filter(None, [doubt, _misread_note(misread_count, "date")]))
        return ReadColumn(TableColumn(name, kind, note_text), raw_name, sql, misread_count)

    def _counts(self, *aggregates: str) -> tuple[int, ...]:
        query = f"SELECT {', '.join(aggregates)} FROM raw WHERE {self._source.condition}"
        row = self._connection.execute(query).fetchone()
        assert row is not None  # noqa: S101 - an aggregate has a row
        return row


def _date_sql(raw_name: str, date_format: str) -> str:
    """SQL for a date in a format or as programs write it."""
    formats = dict.fromkeys([date_format, _ISO_FORMAT])
    tries = [f"try_strptime(trim({raw_name}), '{one}')" for one in formats]
    return f"coalesce({', '.join(tries)})"


class _Reading(NamedTuple):
    """SQL for reading a number."""

    text: str
    """SQL for the text of the number."""
    pattern: str
    """Pattern that the text has to fit."""
    bare: str
    """SQL for the number in its plain form."""


_SPELT: Final = {
    "%d/%m": "day/month",
    "%m/%d": "month/day",
    "%d-%m": "day-month",
    "%m-%d": "month-day",
}


def _text(raw_name: str, name: str) -> ReadColumn:
    return ReadColumn(TableColumn(name, "text"), raw_name, f"nullif(trim({raw_name}), '')")


def _number_text(raw_name: str, unit: str) -> str:
    """The SQL for the text that `forms.bare_number` makes of a value, apart from separators."""
    text_sql = f"translate({raw_name}, {_literal(WRITTEN)}, {_literal(READ)})"
    if unit:
        text_sql = f"replace({text_sql}, {_literal(unit)}, '')"
    is_code = _fits(f"trim({text_sql})", SPACED_CODE)
    text_sql = f"regexp_replace({text_sql}, {_literal(_SPACES)}, '', 'g')"
    text_sql = f"rtrim({text_sql}, '{FOOTNOTES}')"
    text_sql = (
        f"regexp_replace(regexp_replace({text_sql}, '^\\((.*)\\)$', '-\\1'), '^([^-].*)-$', '-\\1')"
    )
    return f"CASE WHEN {is_code} THEN '' ELSE {text_sql} END"


def _value_counts(raw_name: str) -> tuple[str, str]:
    """The SQL for two counts: of the values, and of the values with a digit."""
    return (
        f"count(*) FILTER (trim({raw_name}) <> '')",
        f"count(*) FILTER (regexp_matches({raw_name}, '^[^{ERROR}]*[0-9０-９]'))",
    )


_SPACES: Final = r"[\s'’]+"


def _fits(text_sql: str, pattern: str) -> str:
    return f"regexp_full_match({text_sql}, {_literal(pattern)})"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _misread_note(misread_count: int, kind: str) -> str:
    return f"not a {kind}, and NULL here, in {misread_count} rows" if misread_count else ""


def as_written(column: ReadColumn) -> str:
    """SQL for a column with the original text of the values that cannot be read."""
    return f"trim({column.raw}) AS {quoted(f'{column.column.name} (as written)')}"
