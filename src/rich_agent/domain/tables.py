"""Tables in files of users, and what a model is told of them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

ColumnType = Literal["text", "integer", "decimal", "double", "date", "timestamp"]
"""How the values of a column are read; those of a text column stand as they are written."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column; `note` says what its values do not show: a unit, or how many cannot be read."""

    name: str
    type: ColumnType
    note: str = ""


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One table of a file: `sheet` is "" where a file has no sheets.

    `first_rows` and `last_rows` are the values as text. `note` says what was left out.
    """

    sheet: str
    rows: int
    columns: tuple[TableColumn, ...]
    first_rows: tuple[tuple[str, ...], ...]
    last_rows: tuple[tuple[str, ...], ...]
    note: str = ""

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
    """A file whose tables are computed over; its bytes say more about its type than its name."""

    name: str
    media_type: str
    data: bytes


COMPUTED_ID = "file:{}:query"
"""The id of a passage that holds what was computed over a file."""
MOST_DECLARED = 12_000
"""Characters of a prompt that may tell of tables."""
_LEAST_DECLARED = 1_500


def table_name(number: int) -> str:
    """Return the name of a table in a query, by its number from 1 over all files of a turn."""
    return f"table{number}"


def declarations(tables: Sequence[tuple[str, TableSchema]]) -> str:
    """The tables, each with the name of its file, numbered from 1; in up to `MOST_DECLARED`.

    Of what is too long rows are left out first, then columns, then whole tables.
    """
    whole = [declare_table(number, *one) for number, one in enumerate(tables, start=1)]
    if sum(map(len, whole)) <= MOST_DECLARED:
        return "\n\n".join(whole)
    share = max(_LEAST_DECLARED, MOST_DECLARED // len(tables))
    cut: list[str] = []
    for number, (name, table) in enumerate(tables, start=1):
        text = declare_table(number, name, replace(table, first_rows=(), last_rows=()))
        cut.append(text if len(text) <= share else f"{text[:share]}…")
    count = MOST_DECLARED // share
    remark = [f"-- {len(cut) - count} more tables"] if len(cut) > count else []
    return "\n\n".join([*cut[:count], *remark])


def declare_table(number: int, file_name: str, table: TableSchema) -> str:
    """The table as SQL declares it, with what stands in its first and last rows as comments.

    Models know this form best. Names and values come from the file: they are material.
    """
    source = f"{file_name}, sheet {table.sheet}" if table.sheet else file_name
    columns = [
        f"  {quoted(column.name)} {_SQL[column.type]}"
        + ("," if place < len(table.columns) else "")
        + (f" -- {_flat(column.note)}" if column.note else "")
        for place, column in enumerate(table.columns, start=1)
    ]
    first = [f"-- {_line(row)}" for row in table.first_rows]
    last = [f"-- {_line(row)}" for row in table.last_rows]
    facts = [f"{table.rows} rows", table.note] if table.note else [f"{table.rows} rows"]
    return "\n".join(
        [
            f"-- {_flat(source)}: {'; '.join(facts)}",
            f"CREATE TABLE {table_name(number)} (",
            *columns,
            ");",
            "-- first rows:",
            *first,
            *(["-- last rows:", *last] if last else []),
        ]
    )


def quoted(name: str) -> str:
    """A name as SQL quotes it."""
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
    return " | ".join(map(_flat, row))


def _flat(text: str) -> str:
    return " ".join(text.split())
