"""Interface for computing over the tables of files, in a process that can be ended."""

from collections.abc import Sequence
from typing import Protocol

from rich_agent.domain.tables import TableFile, TableRows
from rich_agent.errors import RichAgentError


class QueryRefusedError(RichAgentError):
    """A query that cannot be run; the message is for the model that wrote it."""


class TableEngine(Protocol):
    """Computes over all rows of the tables of files, within limits of time and memory.

    `FileReader` tells what the tables are. A query reads nothing but these tables:
    no files, no network, no other data of the process.
    """

    async def query(self, user_id: int, files: Sequence[TableFile], sql: str, /) -> TableRows:
        """Run one SELECT over the tables `table1`, `table2`, ... of a user's files.

        Raises: FileRefusedError, QueryRefusedError.
        """
