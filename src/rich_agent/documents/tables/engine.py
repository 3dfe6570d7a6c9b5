"""Reads the tables of files into a database of DuckDB.

Runs in a process that can be ended: no module of the product imports this one.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

import duckdb

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.sheets.regions import Region, lay_out
from rich_agent.documents.extract.sheets.sheet import column_letters
from rich_agent.documents.tables.columns import ColumnReader, ReadColumn, TablePart, as_written
from rich_agent.documents.tables.grids import Grid, grids_of
from rich_agent.documents.tables.groups import find_groups
from rich_agent.documents.tables.stored_grid import StoredGrid
from rich_agent.documents.tables.totals import find_totals
from rich_agent.domain.tables import (
    TableColumn,
    TableFile,
    TableSchema,
    quoted,
    table_name,
)

MEMORY: Final = "600MB"
_THREADS: Final = 2
_SHOWN: Final = 3
_LONGEST_CELL: Final = 60
_REPEATED: Final = "number of merged cells in each of their rows: to filter by, not to add up"
_LONGEST_LINE: Final = 1_000_000


def schemas_of(file: TableFile) -> tuple[TableSchema, ...]:
    """The tables of a file. Raises: ExtractionError."""
    with loaded_tables([file]) as (_, tables):
        return tuple(tables)


@contextmanager
def loaded_tables(
    files: Sequence[TableFile],
) -> Iterator[tuple[duckdb.DuckDBPyConnection, Sequence[TableSchema]]]:
    """A database with the tables of the files, `table1`, `table2`, ..., and their schemas.

    Raises: ExtractionError.
    """
    with _open_database() as connection:
        yield connection, _load_tables(connection, files)


def _open_database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        config={"threads": _THREADS, "memory_limit": MEMORY, "max_temp_directory_size": "0B"}
    )


def _load_tables(
    connection: duckdb.DuckDBPyConnection, files: Sequence[TableFile]
) -> list[TableSchema]:
    tables: list[TableSchema] = []
    for grid in chain.from_iterable(map(grids_of, files)):
        rejects = _load_raw(connection, grid)
        view = StoredGrid(connection, grid.columns, grid.shown)
        regions = [item for item in lay_out(view) if isinstance(item, Region)]
        for region in regions:
            place = _Place(grid, region, is_alone=len(regions) == 1, rejects=rejects)
            if table := _load(connection, place, table_name(len(tables) + 1)):
                tables.append(table)
        connection.execute("DROP TABLE raw")
    return tables


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a table on its sheet."""

    grid: Grid
    region: Region
    is_alone: bool
    """Whether it is the only table on its sheet."""
    rejects: int
    """The number of lines of the sheet that could not be read."""

    @property
    def row_sql(self) -> str:
        """SQL for the number of a row in the file."""
        return "r" if self.grid.is_numbered else f"rowid + {self.grid.skipped_lines + 1}"

    @property
    def condition_sql(self) -> str:
        """SQL for being a row of values of the table."""
        condition = f"rowid BETWEEN {self.region.first_value} AND {self.region.last}"
        if self.region.repeated_heads:
            numbers = ", ".join(map(str, self.region.repeated_heads))
            condition += f" AND rowid NOT IN ({numbers})"
        return condition

    @property
    def notes(self) -> list[str]:
        """Facts on the table besides its columns."""
        above, sheet = self.region.head.above, self.grid.sheet
        notes = [f"above the table stands: {above}"] if above else []
        if not self.is_alone:
            columns = self.region.columns[0], self.region.columns[-1]
            first, last = (column_letters(sheet.columns[column]) for column in columns)
            notes.append(f"one of several tables on the sheet, in columns {first} to {last}")
        notes += [f"{self.rejects} lines could not be read"] if self.rejects else []
        return [*notes, *sheet.notes]


def _load(connection: duckdb.DuckDBPyConnection, place: _Place, name: str) -> TableSchema | None:
    """Store a table of a sheet; return its schema, None if it has no columns."""
    region = place.region
    raw_names = [f"c{column}" for column in region.columns]
    groups = find_groups(connection, raw_names, place.condition_sql)
    repeated = list(_repeated_numbers(connection, place))
    part = TablePart(
        [*raw_names, *(raw_name for raw_name, _ in repeated)],
        [*region.head.names, *(repeated_name for _, repeated_name in repeated)],
        groups.condition,
    )
    columns = ColumnReader(
        connection, part, is_typed=place.grid.is_typed, delimiter=place.grid.delimiter
    ).read()
    if not columns:
        return None
    selection = ", ".join(
        [f"{place.row_sql} AS _row", *groups.selection, *map(_select_column, columns)]
        + [as_written(column) for column in columns if column.keeps_text]
    )
    raw_name_list = ", ".join(column.raw for column in columns)
    connection.execute(
        f"CREATE TABLE {name} AS SELECT {selection} FROM {groups.source} "
        f"WHERE {groups.condition} AND coalesce({raw_name_list}) IS NOT NULL"
    )
    own_columns = [column.column for column in columns if column.raw in raw_names]
    notes = [*place.notes, *_leave_out_totals(connection, name, own_columns, place)]
    schema_columns = [
        *groups.columns,
        *(
            column.column if column.raw in raw_names else replace(column.column, note=_REPEATED)
            for column in columns
        ),
    ]
    schema_columns += [_as_written_column(column) for column in columns if column.keeps_text]
    note = "; ".join(notes)
    return _describe_table(connection, name, schema_columns, (place.grid.sheet.name, note))


def _repeated_numbers(
    connection: duckdb.DuckDBPyConnection, place: _Place
) -> Iterator[tuple[str, str]]:
    """Columns with the numbers of merged cells in each of their rows: name in `raw`, own name."""
    names = dict(zip(place.region.columns, place.region.head.names, strict=True))
    for index, column in enumerate(place.grid.sheet.merged_columns):
        raw_name = f"c{place.grid.columns + index}"
        row = connection.execute(
            f"SELECT count(*) FROM raw WHERE {place.condition_sql} "
            f"AND nullif(c{column}, '') IS NULL AND {raw_name} <> ''"
        ).fetchone()
        if column in names and row and row[0]:
            yield raw_name, f"{names[column]} (of merged rows)"


def _as_written_column(column: ReadColumn) -> TableColumn:
    return TableColumn(f"{column.column.name} (as written)", "text")


def _leave_out_totals(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Sequence[TableColumn],
    place: _Place,
) -> list[str]:
    """Delete the rows that are totals of others; notes on them."""
    totals = find_totals(connection, name, columns, place.grid.sheet.summary_rows)
    notes: list[str] = []
    if totals.certain:
        numbers = ", ".join(map(str, totals.certain))
        condition = f"WHERE _row IN ({numbers})"
        rows = connection.execute(f"SELECT * FROM {name} {condition} LIMIT {_SHOWN}").fetchall()
        shown = "; ".join(" | ".join(filter(None, map(_cell, row[1:]))) for row in rows)
        more = f" and {len(totals.certain) - _SHOWN} more" if len(totals.certain) > _SHOWN else ""
        notes.append(f"rows with totals are left out ({shown}{more})")
        connection.execute(f"DELETE FROM {name} {condition}")
    notes += [
        f"row {number} is the sum of rows above it: if it is a total, add WHERE _row <> {number}"
        for number in totals.doubtful
    ]
    return notes


def _select_column(column: ReadColumn) -> str:
    return f"{column.sql} AS {quoted(column.column.name)}"


def _load_raw(connection: duckdb.DuckDBPyConnection, grid: Grid) -> int:
    """Store all cells as text in the table `raw`; return how many lines could not be read."""
    try:
        for is_parallel in (True, False):
            with suppress(duckdb.Error):
                _read_csv(connection, grid, parallel=is_parallel)
                return 0
        # Some lines have more cells than the first ones, or broken quotes.
        _read_csv(connection, grid, parallel=False, store_rejects=True)
        row = connection.execute("SELECT count(DISTINCT line) FROM reject_errors").fetchone()
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        raise ExtractionError("the table takes too much memory", "too_long") from error
    except duckdb.Error as error:
        raise ExtractionError(f"the table is damaged: {str(error)[:200]}") from error
    return row[0] if row else 0


def _read_csv(connection: duckdb.DuckDBPyConnection, grid: Grid, **options: bool) -> None:
    connection.execute("DROP TABLE IF EXISTS raw")
    columns = {"r": "BIGINT"} if grid.is_numbered else {}
    column_count = grid.columns + len(grid.sheet.merged_columns)
    columns |= {f"c{index}": "VARCHAR" for index in range(column_count)}
    arguments: dict[str, Any] = {
        "header": False,
        "columns": columns,
        "delimiter": grid.delimiter,
        "quotechar": '"',
        "escapechar": '"',
        "skiprows": grid.skipped_lines,
        "null_padding": True,
        "strict_mode": False,
        "auto_detect": False,
        "max_line_size": _LONGEST_LINE,
        **options,
    }
    connection.read_csv(grid.scratch.path, **arguments).create("raw")


def _describe_table(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Sequence[TableColumn],
    sheet: tuple[str, str],
) -> TableSchema:
    """The schema of a table; `sheet` is the name of its sheet and what is noted on it."""
    count_row = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
    rows = count_row[0] if count_row else 0

    def sample_rows(start: int) -> tuple[tuple[str, ...], ...]:
        cursor = connection.execute(f"SELECT * FROM {name} LIMIT {_SHOWN} OFFSET {start}")
        return tuple(tuple(map(_cell, count_row)) for count_row in cursor.fetchall())

    schema = [TableColumn("_row", "integer", "number of the row in the file"), *columns]
    last_rows = sample_rows(max(_SHOWN, rows - _SHOWN)) if rows > _SHOWN else ()
    name_of_sheet, note = sheet
    return TableSchema(name_of_sheet, rows, tuple(schema), sample_rows(0), last_rows, note)


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…"
