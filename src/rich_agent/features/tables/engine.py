"""Queries over the tables of files, in a database that is locked before a query runs.

Only `isolation.py` imports this module, in a process that can be killed.
"""

import json
import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any, Final

import duckdb
from duckdb import StatementType

from rich_agent.feature.file_tables import loaded_tables
from rich_agent.feature.files import TableFile
from rich_agent.features.tables.rows import MOST_ROWS, ColumnKind, QueryRefusedError, TableRows

_LONGEST_VALUE: Final = 500
_LONGEST_ERROR: Final = 600
_TABLE_NAME: Final = re.compile(r"\btable(\d{1,4})\b", re.IGNORECASE)
_NUMBERS: Final = frozenset(
    [
        *("tinyint", "smallint", "integer", "bigint", "hugeint", "decimal", "float", "double"),
        *("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint", "bignum"),
    ]
)
"""Types of numbers. Source: DuckDB, Data Types."""
# A query must not reach files, the network, variables of this program, or these settings.
_LOCKS: Final = (
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET lock_configuration = true",
)


def answer(files: Sequence[TableFile], sql: str) -> TableRows:
    """The rows of a query over the tables of the files.

    Raises: ExtractionError, QueryRefusedError.
    """
    with loaded_tables(files) as (connection, tables):
        for setting in _LOCKS:
            connection.execute(setting)
        query = _one_select(sql)
        try:
            cursor = connection.execute(f"SELECT * FROM ({query}\n) LIMIT {MOST_ROWS + 1}")
            columns = [str(column[0]) for column in cursor.description or ()]
            kinds = tuple(_kind_of(column[1].id) for column in cursor.description or ())
            rows = cursor.fetchmany(MOST_ROWS + 1)
            row_count = len(rows)
            if row_count > MOST_ROWS:
                count_row = connection.execute(f"SELECT count(*) FROM ({query}\n)").fetchone()
                row_count = count_row[0] if count_row else row_count
            for position in _without_a_name(connection, query, len(columns)):
                columns[position] = ""
        except (duckdb.OutOfMemoryException, MemoryError) as error:
            raise QueryRefusedError("The query needs too much memory. Ask for less.") from error
        except (duckdb.Error, ValueError, OverflowError) as error:
            raise QueryRefusedError(_failure(error)) from error
    table_numbers = {int(table_number) for table_number in _TABLE_NAME.findall(query)}
    return TableRows(
        tuple(columns),
        tuple(tuple(map(_json_value, row)) for row in rows[:MOST_ROWS]),
        row_count,
        tuple(
            table_number
            for table_number in range(1, len(tables) + 1)
            if table_number in table_numbers
        ),
        kinds,
    )


def _kind_of(type_id: str) -> ColumnKind:
    """The kind of a column's values, by the name of its type."""
    if type_id in _NUMBERS:
        return "number"
    return "date" if type_id == "date" or type_id.startswith("timestamp") else "text"


def _without_a_name(
    connection: duckdb.DuckDBPyConnection, query: str, column_count: int
) -> Iterator[int]:
    """The positions of computed columns without an alias, such as `count_star()`."""
    row = connection.execute("SELECT json_serialize_sql(?)", [query]).fetchone()
    node = json.loads(row[0])["statements"][0]["node"] if row else {}
    while inner_node := node.get("left") or _only_source(node):
        node = inner_node
    select_list = node.get("select_list", [])
    if len(select_list) == column_count and all(
        expression["class"] != "STAR" for expression in select_list
    ):
        for position, expression in enumerate(select_list):
            if not expression["alias"] and expression["class"] != "COLUMN_REF":
                yield position


def _only_source(node: dict[str, Any]) -> dict[str, Any] | None:
    """The subquery of a SELECT that passes on all columns; None for another SELECT."""
    from_table, select_list = node.get("from_table", {}), node.get("select_list", [])
    takes_all = len(select_list) == 1 and select_list[0]["class"] == "STAR"
    is_query = takes_all and from_table.get("type") == "SUBQUERY"
    return from_table["subquery"]["node"] if is_query else None


def _one_select(sql: str) -> str:
    """The query without its semicolon. Raises: QueryRefusedError unless it is a single SELECT."""
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise QueryRefusedError(_failure(error)) from error
    if len(statements) != 1 or statements[0].type != StatementType.SELECT:
        raise QueryRefusedError("Write one SELECT statement and nothing else.")
    return sql.strip().rstrip(";").rstrip()


def _failure(error: Exception) -> str:
    return f"The query failed: {str(error).strip()[:_LONGEST_ERROR]}"


def _json_value(value: object) -> object:
    """A value of a result as JSON. Numbers stay exact."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    return str(value)[:_LONGEST_VALUE]
