"""The tool that computes over the tables of a user's files."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.tables import COMPUTED_ID, TableFile, TableRows, TableSchema
from rich_agent.domain.tools import TABLE_TOOL
from rich_agent.domain.user_files import UserFile
from rich_agent.errors import ImageRefusedError, UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.tools import Asker
from rich_agent.ports.user_files import FileRefusedError, QueryRefusedError, TableEngine, UserFiles
from rich_agent.tools.tool import Arguments, Outcome, Tool, ToolRefusedError

MOST_CHARS = 8_000
"""Of the rows of a result that a model is given."""


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


@dataclass(frozen=True, slots=True)
class TableTools:
    """Computes over the files of the turn, for the user whose they are.

    Of the process are `slots`, which queries wait for before the bytes of files are fetched.
    """

    user_files: UserFiles
    files: ImageFiles
    engine: TableEngine
    slots: asyncio.Semaphore

    def tools(self) -> Sequence[Tool]:
        """The one tool for tables."""
        about = (
            "Query the user's tables: computes over all their rows. For counts, sums, averages, "
            "filters, rankings and comparisons of the data in files."
        )
        table = Tool(
            TABLE_TOOL,
            about,
            QueryTables,
            self.query_tables,
            reads_files=True,
            is_requestable=False,
        )
        return (table,)

    async def query_tables(self, arguments: QueryTables, asker: Asker) -> Outcome:
        """The rows that the query gives, citable by file and sheet."""
        candidates = await self.user_files.find(asker.user_id, asker.files)
        files = [file for file in candidates if file.tables]
        if not files:
            raise ToolRefusedError("There is no table in this conversation any more.")
        try:
            async with self.slots:
                data = [await self._fetch(file) for file in files]
                rows = await self.engine.query(asker.user_id, data, arguments.sql)
        except QueryRefusedError as error:
            raise ToolRefusedError(str(error)) from error
        except FileRefusedError as error:
            message = f"The file cannot be read any more: {error}. The user may send it again."
            raise ToolRefusedError(message) from error
        read = _read(files, rows)
        words, locale = " ".join(arguments.in_words.split()).rstrip(".。"), asker.locale
        count = sum(table.rows for _, table in read)
        names = ", ".join(dict.fromkeys(file.name for file, _ in read))
        card = say(locale, "table-computed", words=words, files=names, count=count)
        return Outcome(*_result_data(rows, arguments, read), card=card if read else "")

    async def _fetch(self, file: UserFile) -> TableFile:
        try:
            data = await self.files.fetch(file.ref)
        except (ImageRefusedError, UpstreamRefusedError) as error:
            raise FileRefusedError("gone", str(error)) from error
        return TableFile(file.name, file.media_type, data)


def _read(files: Sequence[UserFile], rows: TableRows) -> list[tuple[UserFile, TableSchema]]:
    """The tables that the query reads, each with its file."""
    every = [(file, table) for file in files for table in file.tables]
    return [every[number - 1] for number in rows.read if number <= len(every)]


def _column_names(columns: Sequence[str], words: str) -> list[str]:
    """The columns; what has no name is called by what the query computes."""
    count = columns.count("")
    numbers = iter(range(1, count + 1))
    return [one or (f"{words} {next(numbers)}" if count > 1 else words) for one in columns]


def _result_data(
    rows: TableRows, arguments: QueryTables, read: Sequence[tuple[UserFile, TableSchema]]
) -> tuple[dict[str, Any], tuple[Passage, ...]]:
    """The result that the model is told, as a passage with its place where there is one."""
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
    if not read:
        return data, ()
    places = [f"{file.name} {table.sheet}".strip() for file, table in read]
    file, table = read[0]
    is_one = len(read) == 1
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
