"""Implements `TableEngine`: queries run in processes that can be ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich_agent.documents.user_files.workers import run_in_worker
from rich_agent.domain.tables import TableFile, TableRows
from rich_agent.ports.user_files import FileRefusedError, QueryRefusedError

QUERY_S: Final = 20.0
"""Seconds for reading the tables and for the query."""


@dataclass(frozen=True, slots=True)
class _Query:
    files: tuple[TableFile, ...]
    sql: str


class IsolatedTables:
    """Computes within the memory that `extract.isolation` allows; each query in `QUERY_S`."""

    async def query(self, user_id: int, files: Sequence[TableFile], sql: str) -> TableRows:
        """See `TableEngine.query`."""
        try:
            query = _Query(tuple(files), sql)
            return await run_in_worker(_answer, query, TableRows, user_id, QUERY_S)
        except FileRefusedError as error:
            # The tables were read before: it is the query that takes so much.
            raise QueryRefusedError(
                f"The query could not be run: {error}. Ask for something simpler."
            ) from error


def _answer(query: _Query) -> TableRows:
    # The engine takes a while to load, and only workers need it.
    from rich_agent.documents.tables.engine import answer  # noqa: PLC0415 - see above

    return answer(query.files, query.sql)
