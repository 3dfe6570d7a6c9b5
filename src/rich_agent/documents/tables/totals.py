"""Finds the rows of a table that are totals of other rows, so that no sum counts them twice.

A formula over the cells above tells it, or the figures do; no word means anything here.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import duckdb

from rich_agent.domain.tables import TableColumn, quoted

_LAST_ROWS: Final = 5_000
_LEAST_SUMMED: Final = 2
_LEAST_SUBTOTALS: Final = 2
_MANY_SUMMED: Final = 3
_MANY_DIGITS: Final = 3
_LEVELS: Final = 3
_FEW_ROWS: Final = 200
_MOST_DOUBTFUL: Final = 3
_EXACT: Final = 1e-9
_ROUNDED: Final = 0.0051


class Totals(NamedTuple):
    """The rows of a table, by number, that are totals."""

    certain: tuple[int, ...]
    doubtful: tuple[int, ...]
    """Rows whose figures are sums of others, which may be chance."""


class _Row(NamedTuple):
    number: int
    figures: dict[int, float]
    words: int
    """The number of its filled cells that hold no figures."""

    @property
    def cells(self) -> int:
        """The number of its filled cells."""
        return self.words + len(self.figures)


class _UsualCounts(NamedTuple):
    """The number of words, and of cells with a value, that most rows have."""

    words: int
    cells: int


@dataclass(slots=True)
class _Sums:
    """Sums and counts of figures by column."""

    sums: dict[int, float] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)

    def copy(self) -> "_Sums":
        """The same sums, which can grow on their own."""
        return _Sums(dict(self.sums), dict(self.counts))

    def add(self, figures: dict[int, float]) -> None:
        for column, figure in figures.items():
            self.sums[column] = self.sums.get(column, 0.0) + figure
            self.counts[column] = self.counts.get(column, 0) + 1

    def matches(self, figures: dict[int, float], least: int = _LEAST_SUMMED) -> list[int]:
        """The columns whose figure is the sum of at least so many."""
        return [
            column
            for column, figure in figures.items()
            if figure
            and self.counts.get(column, 0) >= least
            and _is_close(figure, self.sums[column])
        ]


def find_totals(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Sequence[TableColumn],
    summary_rows: Collection[int],
) -> Totals:
    """The totals among the rows of a table; `summary_rows` have formulas over other rows."""
    is_figure = [column.type in {"integer", "decimal", "double"} for column in columns]
    if not any(is_figure):
        return Totals((), ())
    rows, before = _read_rows(connection, name, columns, is_figure)
    totals = _totals_of(rows, before, summary_rows)
    if len(totals.certain) == len(rows):
        return Totals((), ())
    return totals


def _totals_of(rows: Sequence[_Row], before: _Sums, summary_rows: Collection[int]) -> Totals:
    """The totals among rows, of which those before them have the given sums."""
    if not summary_rows and (subtotals := _rows_of_subtotals(rows, before)):
        return Totals(tuple(subtotals), ())
    certain: list[int] = []
    doubtful: list[int] = []
    usual = _usual_counts(rows)
    group, whole = before.copy(), before.copy()
    for index, row in enumerate(rows):
        matches = max(group.matches(row.figures), whole.matches(row.figures), key=len)
        is_of_whole = bool(matches) and matches == whole.matches(row.figures)
        has_most = _are_most(matches, row.figures)
        is_last = index == len(rows) - 1
        is_total = has_most and (
            _is_emptier(row, usual) or (is_last and _is_certain(row, matches, whole, usual))
        )
        if row.number in summary_rows or is_total:
            certain.append(row.number)
            group = _Sums()
            if is_of_whole and _is_foot(rows[index:], usual):
                certain += [one.number for one in rows[index + 1 :]]
                break
            continue
        is_long = max((whole.counts[column] for column in matches), default=0) >= _MANY_SUMMED
        if has_most and (is_last or (is_long and len(matches) > 1 and len(rows) <= _FEW_ROWS)):
            doubtful.append(row.number)
        group.add(row.figures)
        whole.add(row.figures)
    return Totals(tuple(certain), tuple(doubtful[-_MOST_DOUBTFUL:]))


def _are_most(matches: Sequence[int], figures: dict[int, float]) -> bool:
    """Whether the sums are most of the figures besides zeros."""
    return bool(matches) and 2 * len(matches) >= sum(figure != 0 for figure in figures.values())


def _is_emptier(row: _Row, usual: _UsualCounts) -> bool:
    """Whether a row names less than others do."""
    return row.words < usual.words and row.words <= 1


def _is_certain(row: _Row, matches: Sequence[int], whole: _Sums, usual: _UsualCounts) -> bool:
    """Whether the last row, named as others are, cannot be the sum of them by chance."""
    figures = [figure for figure in row.figures.values() if figure]
    if usual.words > 1 and (len(matches) < len(figures) or len(matches) == 1):
        return False
    digits = sum(_digits(row.figures[column]) for column in matches)
    count = max(whole.counts[column] for column in matches)
    is_all = 1 < len(matches) == len(figures)
    return is_all or row.cells < usual.cells or count >= _MANY_SUMMED or digits >= _MANY_DIGITS


def _digits(figure: float) -> int:
    """The number of digits of a figure without zeros at its ends."""
    return len(f"{abs(figure):.15g}".replace(".", "").strip("0"))


def _is_foot(rows: Sequence[_Row], usual: _UsualCounts) -> bool:
    """Whether the rows from a total on, such as taxes, all have fewer cells than usual."""
    return all(row.cells < usual.cells for row in rows)


def _rows_of_subtotals(rows: Sequence[_Row], before: _Sums) -> list[int]:
    """The totals of a table that has subtotals and, last or first, their total, else none.

    Subtotals stand below their groups or, as pivot tables write them, above.
    """
    orders = [rows]
    if not before.counts:
        orders += [[*rows[-2::-1], *rows[-1:]], rows[::-1]]
    for least in (_LEAST_SUMMED, 1):
        for order in orders:
            if numbers := _nested_totals(order, before, least):
                return numbers
    return []


def _nested_totals(rows: Sequence[_Row], before: _Sums, least: int) -> list[int]:
    """The totals of groups of rows, of groups of those, and in the last row of all, else none."""
    numbers: list[int] = []
    levels = [before.copy(), *(_Sums() for _ in range(_LEVELS))]
    whole = before.copy()
    for row in rows[:-1]:
        level = next((number for number, sums in enumerate(levels) if sums.counts), 0)
        matches = levels[level].matches(row.figures, least)
        if level < _LEVELS and _are_most(matches, row.figures):
            numbers.append(row.number)
            levels[level] = _Sums()
            levels[level + 1].add(row.figures)
        else:
            levels[0].add(row.figures)
            whole.add(row.figures)
    if len(numbers) < _LEAST_SUBTOTALS or not rows:
        return []
    is_total = _are_most(whole.matches(rows[-1].figures), rows[-1].figures)
    return [*numbers, rows[-1].number] if is_total and not levels[0].counts else []


def _read_rows(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Sequence[TableColumn],
    is_figure: Sequence[bool],
) -> tuple[list[_Row], _Sums]:
    """The last rows of a table, and the sums of those before them."""
    names = [quoted(column.name) for column in columns]
    row = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
    skipped = max(0, (row[0] if row else 0) - _LAST_ROWS)
    before = _Sums()
    if skipped:
        figures = [name for name, figure in zip(names, is_figure, strict=True) if figure]
        selection = ", ".join(f"sum({column}), count({column})" for column in figures)
        sums = connection.execute(
            f"SELECT {selection} FROM {name} WHERE rowid < {skipped}"
        ).fetchone()
        places = [place for place, figure in enumerate(is_figure) if figure]
        for index, place in enumerate(places):
            before.sums[place] = float((sums or ())[2 * index] or 0)
            before.counts[place] = (sums or ())[2 * index + 1]
    cursor = connection.execute(
        f"SELECT _row, {', '.join(names)} FROM {name} WHERE rowid >= {skipped} ORDER BY rowid"
    )
    return list(_rows(cursor.fetchall(), is_figure)), before


def _rows(values: Sequence[Sequence[object]], is_figure: Sequence[bool]) -> Iterator[_Row]:
    for number, *cells in values:
        figures = {
            column: float(cell)  # type: ignore[arg-type]  # it is a number, as its column says
            for column, (cell, figure) in enumerate(zip(cells, is_figure, strict=True))
            if figure and cell is not None
        }
        words = sum(
            cell is not None and not figure for cell, figure in zip(cells, is_figure, strict=True)
        )
        yield _Row(int(str(number)), figures, words)


def _usual_counts(rows: Sequence[_Row]) -> _UsualCounts:
    words = _usual([row.words for row in rows])
    return _UsualCounts(words, words + _usual([len(row.figures) for row in rows]))


def _usual(counts: Sequence[int]) -> int:
    return max(set(counts), key=lambda count: (counts.count(count), count), default=0)


def _is_close(figure: float, total: float) -> bool:
    """Whether a figure is a sum; sums of fractions may be rounded."""
    is_whole = figure.is_integer() and total.is_integer()
    return abs(figure - total) <= max(_EXACT * abs(total), 0.0 if is_whole else _ROUNDED)
