"""Rows that a query over tables gives."""

from dataclasses import dataclass
from typing import Any, Final

from rich_agent.feature import RichAgentError

MOST_ROWS: Final = 200
"""Rows of a result that are given back."""


class QueryRefusedError(RichAgentError):
    """A query that cannot be run; the message is for the model that wrote it."""


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows that a query gave: at most `MOST_ROWS` of `total_rows`.

    A column that is computed and has no name is "". `read` are the numbers of the tables that the
    query reads, from 1, in the order of the files.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    total_rows: int
    read: tuple[int, ...] = ()
