"""Tables in users' files, and their declarations for a model."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

ColumnType = Literal["text", "integer", "decimal", "double", "date", "timestamp"]
"""The type as which a column's values are read. A text column is left unchanged."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column. `note` tells a unit, or how many values cannot be read."""

    name: str
    type: ColumnType
    note: str = ""


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table of a file."""

    sheet: str
    """Name of the sheet, "" if the file has no sheets."""
    rows: int
    columns: tuple[TableColumn, ...]
    first_rows: tuple[tuple[str, ...], ...]
    """Values of the first rows, as text."""
    last_rows: tuple[tuple[str, ...], ...]
    """Values of the last rows, as text."""
    note: str = ""
    """Remark on parts that were left out."""

    def to_json(self) -> dict[str, Any]:
        """The schema as JSON, to be stored."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        """The schema that `to_json` wrote."""
        return cls(
            value["sheet"],
            value["rows"],
            tuple(TableColumn(**column) for column in value["columns"]),
            tuple(map(tuple, value["first_rows"])),
            tuple(map(tuple, value["last_rows"])),
            value["note"],
        )


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file with tables. Its bytes tell its type more reliably than its name."""

    name: str
    media_type: str
    data: bytes


COMPUTED_ID = "file:{}:query"
"""The id of a passage with the result of a computation over a file."""
MOST_DECLARED = 12_000
"""Limit of characters for declarations of tables in a prompt."""
_LEAST_DECLARED = 1_500


def table_name(number: int) -> str:
    """Return the name of a table in a query, by its number from 1 over all files of a turn."""
    return f"table{number}"


def declarations(tables: Sequence[tuple[str, TableSchema]]) -> str:
    """Declarations of tables, numbered from 1, in up to `MOST_DECLARED` characters.

    Each table comes with the name of its file. If there is too much text, rows are left out first,
    then columns, then whole tables.
    """
    texts = [declare_table(number, name, table) for number, (name, table) in enumerate(tables, 1)]
    if sum(map(len, texts)) <= MOST_DECLARED:
        return "\n\n".join(texts)
    share = max(_LEAST_DECLARED, MOST_DECLARED // len(tables))
    cut_texts: list[str] = []
    for number, (name, table) in enumerate(tables, start=1):
        text = declare_table(number, name, replace(table, first_rows=(), last_rows=()))
        cut_texts.append(text if len(text) <= share else f"{text[:share]}…")
    count = MOST_DECLARED // share
    remark = [f"-- {len(cut_texts) - count} more tables"] if len(cut_texts) > count else []
    return "\n\n".join([*cut_texts[:count], *remark])


def declare_table(number: int, file_name: str, table: TableSchema) -> str:
    """The table as a CREATE TABLE statement, with its first and last rows as comments.

    Models know this form best. Names and values come from the file, so they are untrusted.
    """
    source = f"{file_name}, sheet {table.sheet}" if table.sheet else file_name
    columns = [
        f"  {quoted(column.name)} {_SQL[column.type]}"
        + ("," if position < len(table.columns) else "")
        + (f" -- {_flat(column.note)}" if column.note else "")
        for position, column in enumerate(table.columns, start=1)
    ]
    first_lines = [f"-- {_line(row)}" for row in table.first_rows]
    last_lines = [f"-- {_line(row)}" for row in table.last_rows]
    facts = [f"{table.rows} rows", table.note] if table.note else [f"{table.rows} rows"]
    return "\n".join(
        [
            f"-- {_flat(source)}: {'; '.join(facts)}",
            f"CREATE TABLE {table_name(number)} (",
            *columns,
            ");",
            "-- first rows:",
            *first_lines,
            *(["-- last rows:", *last_lines] if last_lines else []),
        ]
    )


def quoted(name: str) -> str:
    """A name in the quotes of SQL."""
    return '"' + name.replace('"', '""') + '"'


_SQL: dict[ColumnType, str] = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "decimal": "DECIMAL",
    "double": "DOUBLE",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
}


def _line(row: Sequence[str]) -> str:
    """The row of a table on one line."""
    return " | ".join(map(_flat, row))


def _flat(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())
