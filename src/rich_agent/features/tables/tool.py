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
from rich_agent.features.tables.computed import attachment_of
from rich_agent.features.tables.isolation import query_apart
from rich_agent.features.tables.rows import QueryRefusedError, TableRows

MOST_CHARS = 8_000
"""Most characters of the rows that a model gets."""


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
    """The rows of the query, citable by file and sheet. Raises: ToolRefusedError."""
    try:
        async with asker.open_files() as files:
            table_files = [
                TableFile(open_file.file.name, open_file.file.media_type, open_file.data)
                for open_file in files
            ]
            if not table_files:
                raise ToolRefusedError("There is no table in this conversation any more.")
            rows = await query_apart(asker.user_id, table_files, arguments.sql)
    except QueryRefusedError as error:
        raise ToolRefusedError(str(error)) from error
    except FileRefusedError as error:
        message = f"The file cannot be read any more: {error}. The user may send it again."
        raise ToolRefusedError(message) from error
    tables = _tables_in([open_file.file for open_file in files], rows)
    description, locale = " ".join(arguments.in_words.split()).rstrip(".。"), asker.locale
    row_count = sum(table.rows for _, table in tables)
    file_names = ", ".join(dict.fromkeys(file.name for file, _ in tables))
    card = say(locale, "tables-computed", words=description, files=file_names, count=row_count)
    data, passages = _result_data(rows, arguments, tables)
    if not tables:
        return Outcome(data, passages)
    attachments = attachment_of(description, data["columns"], rows)
    return Outcome(data, passages, card=card, attachments=attachments)


def _tables_in(files: Sequence[UserFile], rows: TableRows) -> list[tuple[UserFile, TableSchema]]:
    """The tables that the query reads, each with its file."""
    all_tables = [(file, table) for file in files for table in file.tables]
    return [
        all_tables[table_number - 1]
        for table_number in rows.read
        if table_number <= len(all_tables)
    ]


def _column_names(columns: Sequence[str], description: str) -> list[str]:
    """The names of the columns. A column without a name gets the description of the query."""
    count = columns.count("")
    numbers = iter(range(1, count + 1))
    return [
        name or (f"{description} {next(numbers)}" if count > 1 else description) for name in columns
    ]


def _result_data(
    rows: TableRows, arguments: QueryTables, tables: Sequence[tuple[UserFile, TableSchema]]
) -> tuple[dict[str, Any], tuple[Passage, ...]]:
    """The result for the model, and a passage with it if the query reads a table."""
    shown_rows: list[list[Any]] = []
    char_count = 0
    for row in rows.rows:
        char_count += len(json.dumps(row, ensure_ascii=False))
        if char_count > MOST_CHARS:
            break
        shown_rows.append(list(row))
    result: dict[str, Any] = {"computed": arguments.in_words, "sql": arguments.sql}
    result |= {"columns": _column_names(rows.columns, arguments.in_words), "rows": shown_rows}
    if len(shown_rows) < rows.total_rows:
        result["note"] = f"Only the first {len(shown_rows)} of {rows.total_rows} rows are shown."
    if not tables:
        return result, ()
    sheet_labels = [f"{file.name} {table.sheet}".strip() for file, table in tables]
    file, table = tables[0]
    has_one_table = len(tables) == 1
    passage = Passage(
        COMPUTED_ID.format(file.id),
        "file",
        json.dumps(result, ensure_ascii=False),
        "",
        file.name if has_one_table else ", ".join(sheet_labels),
        table.sheet if has_one_table else "",
        score=1.0,
    )
    return result, (passage,)


TABLE_TOOL: Final = Tool(
    "query_tables",
    "Query the user's tables: computes over all their rows. For counts, sums, averages, "
    "filters, rankings and comparisons of the data in files.",
    QueryTables,
    query_tables,
    reads_files=True,
    is_requestable=False,
)
