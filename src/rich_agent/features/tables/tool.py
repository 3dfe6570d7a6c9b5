"""The tool that computes over the tables of a user's files."""

import json
from collections.abc import Sequence
from typing import Any, Final

from pydantic import Field

from rich_agent.feature import Arguments, Asker, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.files import (
    COMPUTED_ID,
    FileRefusedError,
    Passage,
    TableFile,
    TableSchema,
    UserFile,
)
from rich_agent.features.tables.isolation import query_apart
from rich_agent.features.tables.rows import QueryRefusedError, TableRows

MOST_CHARS = 8_000
"""Characters of the rows that a model gets."""


class QueryTables(Arguments):
    """A query, as the engine reads it and as the user does."""

    sql: str = Field(
        min_length=1,
        max_length=4_000,
        description="One SELECT statement in the SQL of DuckDB, over the declared tables.",
    )
    in_words: str = Field(
        min_length=1,
        max_length=300,
        description="What the statement computes, in one short sentence for the user, in the "
        "language of the user, without SQL.",
    )


async def query_tables(arguments: QueryTables, asker: Asker) -> Outcome:
    """Return the rows of the query, citable by file and sheet. Raises: ToolRefusedError."""
    try:
        async with asker.open_files() as files:
            data = [
                TableFile(open_file.file.name, open_file.file.media_type, open_file.data)
                for open_file in files
            ]
            if not data:
                raise ToolRefusedError("There is no table in this conversation any more.")
            rows = await query_apart(asker.user_id, data, arguments.sql)
    except QueryRefusedError as error:
        raise ToolRefusedError(str(error)) from error
    except FileRefusedError as error:
        message = f"The file cannot be read any more: {error}. The user may send it again."
        raise ToolRefusedError(message) from error
    tables = _tables_in([open_file.file for open_file in files], rows)
    words, locale = " ".join(arguments.in_words.split()).rstrip(".。"), asker.locale
    count = sum(table.rows for _, table in tables)
    names = ", ".join(dict.fromkeys(file.name for file, _ in tables))
    card = say(locale, "tables-computed", words=words, files=names, count=count)
    return Outcome(*_result_data(rows, arguments, tables), card=card if tables else "")


def _tables_in(files: Sequence[UserFile], rows: TableRows) -> list[tuple[UserFile, TableSchema]]:
    """The tables that the query reads, each with its file."""
    all_tables = [(file, table) for file in files for table in file.tables]
    return [all_tables[number - 1] for number in rows.read if number <= len(all_tables)]


def _column_names(columns: Sequence[str], words: str) -> list[str]:
    """The names of the columns; a column without a name is called by the query in words."""
    count = columns.count("")
    numbers = iter(range(1, count + 1))
    return [name or (f"{words} {next(numbers)}" if count > 1 else words) for name in columns]


def _result_data(
    rows: TableRows, arguments: QueryTables, tables: Sequence[tuple[UserFile, TableSchema]]
) -> tuple[dict[str, Any], tuple[Passage, ...]]:
    """The result for the model, and its passage, if the query reads a table."""
    lines: list[list[Any]] = []
    size = 0
    for row in rows.rows:
        size += len(json.dumps(row, ensure_ascii=False))
        if size > MOST_CHARS:
            break
        lines.append(list(row))
    data: dict[str, Any] = {"computed": arguments.in_words, "sql": arguments.sql}
    data |= {"columns": _column_names(rows.columns, arguments.in_words), "rows": lines}
    if len(lines) < rows.total_rows:
        data["note"] = f"Only the first {len(lines)} of {rows.total_rows} rows are shown."
    if not tables:
        return data, ()
    places = [f"{file.name} {table.sheet}".strip() for file, table in tables]
    file, table = tables[0]
    is_one = len(tables) == 1
    passage = Passage(
        COMPUTED_ID.format(file.id),
        "file",
        json.dumps(data, ensure_ascii=False),
        "",
        file.name if is_one else ", ".join(places),
        table.sheet if is_one else "",
        score=1.0,
    )
    return data, (passage,)


TABLE_TOOL: Final = Tool(
    "query_tables",
    "Query the user's tables: computes over all their rows. For counts, sums, averages, "
    "filters, rankings and comparisons of the data in files.",
    QueryTables,
    query_tables,
    reads_files=True,
    is_requestable=False,
)
