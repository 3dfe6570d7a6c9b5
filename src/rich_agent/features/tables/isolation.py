"""Runs queries in a process that serves one user and can be killed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich_agent.feature.files import FileRefusedError, TableFile, run_in_worker
from rich_agent.features.tables.rows import QueryRefusedError, TableRows

QUERY_S: Final = 20.0
"""Seconds for reading the tables and for the query."""


@dataclass(frozen=True, slots=True)
class _Query:
    files: tuple[TableFile, ...]
    sql: str


@dataclass(frozen=True, slots=True)
class _Answer:
    """The rows, or the reason why the query was refused."""

    rows: TableRows | None = None
    refusal: str = ""


async def query_apart(user_id: int, files: Sequence[TableFile], sql: str) -> TableRows:
    """Run one SELECT over the tables `table1`, `table2`, ... of a user's files.

    The query can read only these tables: no files, no network, no other data of the process. It has
    `QUERY_S` seconds, and the memory of the process. Raises: QueryRefusedError.
    """
    query = _Query(tuple(files), sql)
    try:
        answer = await run_in_worker(_answer, query, _Answer, user_id, QUERY_S)
    except FileRefusedError as error:
        # The tables were read successfully before, so the query is the cause.
        raise QueryRefusedError(
            f"The query could not be run: {error}. Ask for something simpler."
        ) from error
    if answer.rows is None:
        raise QueryRefusedError(answer.refusal)
    return answer.rows


def _answer(query: _Query) -> _Answer:
    # The engine takes a while to load, and only workers need it.
    from rich_agent.features.tables.engine import answer  # noqa: PLC0415 - see above

    try:
        return _Answer(answer(query.files, query.sql))
    except QueryRefusedError as error:
        return _Answer(refusal=str(error))
