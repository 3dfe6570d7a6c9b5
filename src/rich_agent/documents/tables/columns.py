"""Columns of a loaded table: their names, and how their values are read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import duckdb

from rich_agent.documents.tables.forms import (
    CODE,
    COMMA,
    DOT,
    MOSTLY,
    PLAIN,
    READ,
    WRITTEN,
    DecimalMark,
    NumberForm,
    date_formats,
    number_form,
)
from rich_agent.domain.tables import ColumnType, TableColumn, quoted

SAMPLE: Final = 2_000
"""Values of a column that are looked at; what they show is then counted over all of them."""
_LONGEST_NAME: Final = 60
_HEADS: Final = 40
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_MOST_DIGITS: Final = 18


class Head(NamedTuple):
    """The head of a table: its names, the number of rows before its values, what these say."""

    names: list[str]
    rows: int
    above: str


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """A column with the SQL that reads it from the one as loaded, `raw`.

    `misread` counts the values that are no number, or no date, of a column of these.
    """

    column: TableColumn
    raw: str
    sql: str
    misread: int = 0


def head_of(rows: Sequence[Sequence[str]]) -> Head:
    """The head of a table from its first rows; what stands above it is a title or a remark."""
    widths = [sum(bool(cell) for cell in row) for row in rows]
    row_widths = [width for width in widths if width]
    usual = max(set(row_widths), key=lambda width: (row_widths.count(width), width), default=1)
    least = max(min(2, usual), round(0.6 * usual))
    start = next((at for at, width in enumerate(widths[:_HEADS]) if width >= least), 0)
    above = " / ".join(cell for row in rows[:start] for cell in row if cell)[:200]
    if rows and _is_head(rows[start]):
        return Head(_unique(rows[start]), start + 1, above)
    return Head(_unique([""] * len(rows[0] if rows else ())), start, above)


def _is_head(row: Sequence[str]) -> bool:
    cells = [cell for cell in row if cell]
    if len({cell.casefold() for cell in cells}) < len(cells):
        return False
    words = [cell for cell in cells if not _YEAR.fullmatch(cell)]
    return bool(words) and not any(_is_value(cell) for cell in words)


def _is_value(cell: str) -> bool:
    return number_form([cell], is_typed=False) is not None or bool(date_formats([cell]))


def _unique(cells: Sequence[str]) -> list[str]:
    names: list[str] = []
    keys: set[str] = {"_row"}
    for number, cell in enumerate(cells, start=1):
        name = " ".join(cell.split())[:_LONGEST_NAME].strip() or f"column{number}"
        distinct, again = name, 2
        while distinct.casefold() in keys:
            distinct, again = f"{name}_{again}", again + 1
        keys.add(distinct.casefold())
        names.append(distinct)
    return names


class ColumnReader:
    """Finds out how the columns of the table `raw` are read, which has text in `c0`, `c1`, ..."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, head: Head, *, is_typed: bool, delimiter: str
    ) -> None:
        self._connection = connection
        self._head = head
        self._is_typed = is_typed
        self._delimiter = delimiter

    def read(self) -> list[ReadColumn]:
        """The columns with a name or a value, in order."""
        raws = [f"c{number}" for number in range(len(self._head.names))]
        samples = dict(zip(raws, self._samples(raws), strict=True))
        forms = {
            raw: form
            for raw, values in samples.items()
            if (form := number_form(values, is_typed=self._is_typed))
        }
        usual = self._usual_mark(forms)
        columns = []
        for raw, name in zip(raws, self._head.names, strict=True):
            values = samples[raw]
            if not values and name.startswith("column"):
                continue
            read = self._number(raw, name, forms[raw], usual) if raw in forms else None
            read = read or self._date(raw, name, values, usual)
            columns.append(read or _text(raw, name))
        return columns

    def _samples(self, raws: Sequence[str]) -> list[list[str]]:
        """Values of each column, from its whole length."""
        rows = self._connection.execute(
            f"""
            WITH whole AS (SELECT count(*) AS rows FROM raw)
            SELECT {", ".join(f"trim({raw})" for raw in raws)} FROM raw, whole
            WHERE rowid >= {self._head.rows} AND rowid % greatest(1, rows // {SAMPLE}) = 0
            """
        ).fetchall()
        return [[value for value in column if value] for column in zip(*rows, strict=True)] or [
            [] for _ in raws
        ]

    def _usual_mark(self, forms: dict[str, NumberForm]) -> DecimalMark | None:
        """The mark by which other columns show how a doubtful one is meant."""
        marks = {form.mark for form in forms.values() if form.mark and not form.is_plain}
        if len(marks) == 1:
            return next(iter(marks))
        return None

    def _number(
        self, raw: str, name: str, form: NumberForm, usual: DecimalMark | None
    ) -> ReadColumn | None:
        if form.is_plain:
            plain = _Reading(f"trim({raw})", PLAIN, f"trim({raw})")
            if column := self._measure(raw, name, plain, form, ""):
                if not column.misread:
                    return column
                # What the sample does not show: separators, units.
                form = replace(form, mark=None, is_plain=False)
        note = ""
        mark = form.mark
        if mark is None:
            text = _number_text(raw, form.unit)
            dots, commas = self._counts(
                f"count(*) FILTER ({_fits(text, DOT)})", f"count(*) FILTER ({_fits(text, COMMA)})"
            )
            if dots != commas:
                mark = "." if dots > commas else ","
            elif usual or self._delimiter == ";":
                mark = usual or ","
            else:
                mark = "."
                (points,) = self._counts(f"count(*) FILTER (contains({text}, '.'))")
                note = "the point is read as a decimal point" if points else ""
        text = _number_text(raw, form.unit)
        bare = f"replace({text}, ',', '')"
        if mark == ",":
            bare = f"replace(replace({text}, '.', ''), ',', '.')"
        reading = _Reading(text, COMMA if mark == "," else DOT, bare)
        return self._measure(raw, name, reading, form, note)

    def _measure(
        self, raw: str, name: str, reading: "_Reading", form: NumberForm, note: str
    ) -> ReadColumn | None:
        """The column in the type that holds all its numbers exactly, where there is one."""
        fits = _fits(reading.text, reading.pattern)
        bare = reading.bare
        values, with_digits, numbers, codes, whole, fraction, odd = self._counts(
            *_value_counts(raw),
            f"count(*) FILTER ({fits})",
            f"count(*) FILTER ({_fits(f'trim({raw})', CODE)})",
            f"max(length(ltrim(split_part({bare}, '.', 1), '+-'))) FILTER ({fits})",
            f"max(length(split_part({bare}, '.', 2))) FILTER ({fits})",
            f"count(*) FILTER ({fits} AND lower({bare}) LIKE '%e%')",
        )
        if codes or numbers < MOSTLY * with_digits or numbers * 2 < values:
            return None
        kind: ColumnType = "double"
        sql_type = "DOUBLE"
        if not odd and (whole or 0) + (fraction or 0) <= _MOST_DIGITS:
            kind = "decimal" if fraction else "integer"
            sql_type = f"DECIMAL(18, {fraction})" if fraction else "BIGINT"
        misread = values - numbers
        notes = [f"in {form.unit}" if form.unit else "", note, _misread_note(misread, "number")]
        column = TableColumn(name, kind, "; ".join(filter(None, notes)))
        return ReadColumn(column, raw, f"TRY_CAST({bare} AS {sql_type})", misread)

    def _date(
        self, raw: str, name: str, values: Sequence[str], usual: DecimalMark | None
    ) -> ReadColumn | None:
        formats = date_formats(values)
        if not formats:
            return None
        counts = self._counts(
            *_value_counts(raw),
            *(f"count(try_strptime(trim({raw}), '{one}'))" for one in formats),
        )
        value_count, with_digits, date_counts = counts[0], counts[1], counts[2:]
        best = max(date_counts)
        tied = [one for one, number in zip(formats, date_counts, strict=True) if number == best]
        if best < MOSTLY * with_digits or best * 2 < value_count:
            return None
        # Who writes a decimal comma writes the day first.
        date_format = tied[0] if usual == "," or len(tied) == 1 else tied[-1]
        doubt = f"read as {_SPELT.get(date_format[:5], date_format)}" if len(tied) > 1 else ""
        kind: ColumnType = "timestamp" if "%H" in date_format else "date"
        sql = f"try_strptime(trim({raw}), '{date_format}')"
        sql = sql if kind == "timestamp" else f"CAST({sql} AS DATE)"
        misread = value_count - best
        notes = "; ".join(filter(None, [doubt, _misread_note(misread, "date")]))
        return ReadColumn(TableColumn(name, kind, notes), raw, sql, misread)

    def _counts(self, *aggregates: str) -> tuple[int, ...]:
        query = f"SELECT {', '.join(aggregates)} FROM raw WHERE rowid >= {self._head.rows}"
        row = self._connection.execute(query).fetchone()
        assert row is not None  # noqa: S101 - an aggregate has a row
        return row


class _Reading(NamedTuple):
    """SQL for a number: the text of it, the pattern that it has to fit, and its plain form."""

    text: str
    pattern: str
    bare: str


_SPELT: Final = {
    "%d/%m": "day/month",
    "%m/%d": "month/day",
    "%d-%m": "day-month",
    "%m-%d": "month-day",
}


def _text(raw: str, name: str) -> ReadColumn:
    return ReadColumn(TableColumn(name, "text"), raw, f"nullif(trim({raw}), '')")


def _number_text(raw: str, unit: str) -> str:
    """The SQL for what `forms.stripped` makes of a value."""
    text = f"translate({raw}, {_literal(WRITTEN)}, {_literal(READ)})"
    if unit:
        text = f"replace({text}, {_literal(unit)}, '')"
    text = f"regexp_replace({text}, {_literal(_SPACES)}, '', 'g')"
    return f"regexp_replace(regexp_replace({text}, '^\\((.*)\\)$', '-\\1'), '^([^-].*)-$', '-\\1')"


def _value_counts(raw: str) -> tuple[str, str]:
    """The SQL for two counts: of the values, and of those with a digit."""
    return (
        f"count(*) FILTER (trim({raw}) <> '')",
        f"count(*) FILTER (regexp_matches({raw}, '[0-9０-９]'))",
    )


_SPACES: Final = r"[\s'’]+"


def _fits(text: str, pattern: str) -> str:
    return f"regexp_full_match({text}, {_literal(pattern)})"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _misread_note(number: int, kind: str) -> str:
    return f"not a {kind}, and NULL here, in {number} rows" if number else ""


def as_written(column: ReadColumn) -> str:
    """SQL for the column that holds what cannot be read, as it is written."""
    return f"trim({column.raw}) AS {quoted(f'{column.column.name} (as written)')}"
