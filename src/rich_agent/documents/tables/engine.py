"""Reads the tables of files into a database of DuckDB.

Runs in a process that can be ended: no module of the product imports this one.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, Final

import duckdb

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.tables.columns import ColumnReader, Head, ReadColumn, as_written, head_of
from rich_agent.documents.tables.grids import Grid, grids_of
from rich_agent.domain.tables import (
    TableColumn,
    TableFile,
    TableSchema,
    quoted,
    table_name,
)

MEMORY: Final = "600MB"
_THREADS: Final = 2
_HEAD: Final = 200
_SHOWN: Final = 3
_LONGEST_CELL: Final = 60
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
        name = table_name(len(tables) + 1)
        if table := _load(connection, grid, name):
            tables.append(table)
    return tables


def _load(connection: duckdb.DuckDBPyConnection, grid: Grid, name: str) -> TableSchema | None:
    """Store a sheet as a table; return its schema, None if the sheet has no rows."""
    rejects = _load_raw(connection, grid)
    rows = connection.execute(f"SELECT * FROM raw LIMIT {_HEAD}").fetchall()
    head = head_of([[(cell or "").strip() for cell in row] for row in rows])
    reader = ColumnReader(connection, head, is_typed=grid.is_typed, delimiter=grid.delimiter)
    columns = reader.read()
    if not columns:
        return None
    selection = ", ".join(
        [f"rowid + {grid.skipped_lines + 1} AS _row", *map(_select_column, columns)]
        + [as_written(column) for column in columns if column.misread]
    )
    raw_name_list = ", ".join(column.raw for column in columns)
    connection.execute(
        f"CREATE TABLE {name} AS SELECT {selection} FROM raw "
        f"WHERE rowid >= {head.rows} AND coalesce({raw_name_list}) IS NOT NULL"
    )
    connection.execute("DROP TABLE raw")
    return _describe_table(connection, name, columns, _Loading(grid, head, rejects))


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
    columns = {f"c{index}": "VARCHAR" for index in range(grid.columns)}
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


class _Loading:
    """The facts about a sheet besides its columns."""

    def __init__(self, grid: Grid, head: Head, rejects: int) -> None:
        self.sheet = grid.sheet
        remarks = [f"above the table stands: {head.above}" if head.above else ""]
        remarks.append(f"{rejects} lines could not be read" if rejects else "")
        self.note = "; ".join(filter(None, remarks))


def _describe_table(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Sequence[ReadColumn],
    loading: _Loading,
) -> TableSchema:
    count_row = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
    rows = count_row[0] if count_row else 0

    def sample_rows(start: int) -> tuple[tuple[str, ...], ...]:
        cursor = connection.execute(f"SELECT * FROM {name} LIMIT {_SHOWN} OFFSET {start}")
        return tuple(tuple(map(_cell, count_row)) for count_row in cursor.fetchall())

    schema = [TableColumn("_row", "integer", "number of the row in the file")]
    schema += [column.column for column in columns]
    schema += [
        TableColumn(f"{column.column.name} (as written)", "text")
        for column in columns
        if column.misread
    ]
    last_rows = sample_rows(max(_SHOWN, rows - _SHOWN)) if rows > _SHOWN else ()
    return TableSchema(loading.sheet, rows, tuple(schema), sample_rows(0), last_rows, loading.note)


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…"
