"""Computes over tables with DuckDB, which is locked before it sees a query.

Runs in a process that can be ended: no module of the product imports this one.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from math import isfinite
from typing import Any, Final

import duckdb
from duckdb import StatementType

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.tables.columns import ColumnReader, Head, ReadColumn, head_of, written_as
from rich_agent.documents.tables.grids import Grid, grids_of
from rich_agent.domain.tables import (
    MOST_ROWS,
    TableColumn,
    TableFile,
    TableRows,
    TableSchema,
    quoted,
    table_name,
)
from rich_agent.ports.user_files import QueryRefusedError

MEMORY: Final = "600MB"
_THREADS: Final = 2
_HEAD: Final = 200
_SHOWN: Final = 3
_LONGEST_CELL: Final = 60
_LONGEST_VALUE: Final = 500
_LONGEST_ERROR: Final = 600
_LONGEST_LINE: Final = 1_000_000
_NAMED: Final = re.compile(r"\btable(\d{1,4})\b", re.IGNORECASE)
# What a query must not reach: files, the network, variables of this program, these settings.
_LOCKS: Final = (
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET lock_configuration = true",
)


def schemas_of(file: TableFile) -> tuple[TableSchema, ...]:
    """The tables of a file. Raises: ExtractionError."""
    with _opened() as connection:
        return tuple(_loaded(connection, [file]))


def answer(files: Sequence[TableFile], sql: str) -> TableRows:
    """The rows that a query over the tables of the files gives.

    Raises: ExtractionError, QueryRefusedError.
    """
    with _opened() as connection:
        tables = _loaded(connection, files)
        for lock in _LOCKS:
            connection.execute(lock)
        query = _one_select(sql)
        try:
            found = connection.execute(f"SELECT * FROM ({query}\n) LIMIT {MOST_ROWS + 1}")
            columns = [str(column[0]) for column in found.description or ()]
            rows = found.fetchmany(MOST_ROWS + 1)
            total = len(rows)
            if total > MOST_ROWS:
                counted = connection.execute(f"SELECT count(*) FROM ({query}\n)").fetchone()
                total = counted[0] if counted else total
            for place in _without_a_name(connection, query, len(columns)):
                columns[place] = ""
        except (duckdb.OutOfMemoryException, MemoryError) as error:
            raise QueryRefusedError("The query needs too much memory. Ask for less.") from error
        except (duckdb.Error, ValueError, OverflowError) as error:
            raise QueryRefusedError(_told(error)) from error
    named = {int(number) for number in _NAMED.findall(query)}
    return TableRows(
        tuple(columns),
        tuple(tuple(map(_shown, row)) for row in rows[:MOST_ROWS]),
        total,
        tuple(number for number in range(1, len(tables) + 1) if number in named),
    )


def _without_a_name(
    connection: duckdb.DuckDBPyConnection, query: str, columns: int
) -> Iterator[int]:
    """The places of columns that are computed and called nothing, such as `count_star()`."""
    written = connection.execute("SELECT json_serialize_sql(?)", [query]).fetchone()
    node = json.loads(written[0])["statements"][0]["node"] if written else {}
    while inner := node.get("left") or _only_source(node):
        node = inner
    selected = node.get("select_list", [])
    if len(selected) == columns and all(one["class"] != "STAR" for one in selected):
        for place, one in enumerate(selected):
            if not one["alias"] and one["class"] != "COLUMN_REF":
                yield place


def _only_source(node: dict[str, Any]) -> dict[str, Any] | None:
    """The query of which a SELECT takes all columns as they are."""
    source, selected = node.get("from_table", {}), node.get("select_list", [])
    takes_all = len(selected) == 1 and selected[0]["class"] == "STAR"
    is_query = takes_all and source.get("type") == "SUBQUERY"
    return source["subquery"]["node"] if is_query else None


def _opened() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        config={"threads": _THREADS, "memory_limit": MEMORY, "max_temp_directory_size": "0B"}
    )


def _one_select(sql: str) -> str:
    """The query without a semicolon. Raises: QueryRefusedError unless it is one SELECT."""
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise QueryRefusedError(_told(error)) from error
    if len(statements) != 1 or statements[0].type != StatementType.SELECT:
        raise QueryRefusedError("Write one SELECT statement and nothing else.")
    return sql.strip().rstrip(";").rstrip()


def _told(error: Exception) -> str:
    return f"The query failed: {str(error).strip()[:_LONGEST_ERROR]}"


def _loaded(connection: duckdb.DuckDBPyConnection, files: Sequence[TableFile]) -> list[TableSchema]:
    tables: list[TableSchema] = []
    for grid in chain.from_iterable(map(grids_of, files)):
        name = table_name(len(tables) + 1)
        if table := _load(connection, grid, name):
            tables.append(table)
    return tables


def _load(connection: duckdb.DuckDBPyConnection, grid: Grid, name: str) -> TableSchema | None:
    """Store a sheet under its name; None if it has no rows."""
    rejected = _load_raw(connection, grid)
    rows = connection.execute(f"SELECT * FROM raw LIMIT {_HEAD}").fetchall()
    head = head_of([[(cell or "").strip() for cell in row] for row in rows])
    reader = ColumnReader(connection, head, is_typed=grid.is_typed, delimiter=grid.delimiter)
    columns = reader.read()
    if not columns:
        return None
    wanted = ", ".join(
        [f"rowid + {grid.skipped_lines + 1} AS _row", *map(_selected, columns)]
        + [written_as(one) for one in columns if one.misread]
    )
    used = ", ".join(column.raw for column in columns)
    connection.execute(
        f"CREATE TABLE {name} AS SELECT {wanted} FROM raw "
        f"WHERE rowid >= {head.rows} AND coalesce({used}) IS NOT NULL"
    )
    connection.execute("DROP TABLE raw")
    return _described(connection, name, columns, _Loading(grid, head, rejected))


def _selected(column: ReadColumn) -> str:
    return f"{column.sql} AS {quoted(column.column.name)}"


def _load_raw(connection: duckdb.DuckDBPyConnection, grid: Grid) -> int:
    """Store all cells as text in the table `raw`; how many lines could not be read."""
    try:
        for is_parallel in (True, False):
            with suppress(duckdb.Error):
                _read_csv(connection, grid, parallel=is_parallel)
                return 0
        # Lines with more cells than the first ones have, or broken quotes.
        _read_csv(connection, grid, parallel=False, store_rejects=True)
        counted = connection.execute("SELECT count(DISTINCT line) FROM reject_errors").fetchone()
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        raise ExtractionError("the table takes too much memory", "too_long") from error
    except duckdb.Error as error:
        raise ExtractionError(f"the table is damaged: {str(error)[:200]}") from error
    return counted[0] if counted else 0


def _read_csv(connection: duckdb.DuckDBPyConnection, grid: Grid, **options: bool) -> None:
    connection.execute("DROP TABLE IF EXISTS raw")
    columns = {f"c{number}": "VARCHAR" for number in range(grid.columns)}
    given: dict[str, Any] = {
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
    connection.read_csv(grid.scratch.path, **given).create("raw")


class _Loading:
    """The facts about a sheet besides its columns."""

    def __init__(self, grid: Grid, head: Head, rejected: int) -> None:
        self.sheet = grid.sheet
        said = [f"above the table stands: {head.above}" if head.above else ""]
        said.append(f"{rejected} lines could not be read" if rejected else "")
        self.note = "; ".join(filter(None, said))


def _described(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Sequence[ReadColumn],
    loading: _Loading,
) -> TableSchema:
    counted = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
    rows = counted[0] if counted else 0

    def some(start: int) -> tuple[tuple[str, ...], ...]:
        found = connection.execute(f"SELECT * FROM {name} LIMIT {_SHOWN} OFFSET {start}")
        return tuple(tuple(map(_cell, row)) for row in found.fetchall())

    told = [TableColumn("_row", "integer", "number of the row in the file")]
    told += [column.column for column in columns]
    told += [
        TableColumn(f"{column.column.name} (as written)", "text")
        for column in columns
        if column.misread
    ]
    last = some(max(_SHOWN, rows - _SHOWN)) if rows > _SHOWN else ()
    return TableSchema(loading.sheet, rows, tuple(told), some(0), last, loading.note)


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…"


def _shown(value: object) -> object:
    """A value of a result as JSON has it; numbers stay exact."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    return str(value)[:_LONGEST_VALUE]
