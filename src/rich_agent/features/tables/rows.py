"""The rows of a query over tables."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from rich_agent.feature import RichAgentError

ColumnKind = Literal["number", "date", "text"]
MOST_ROWS: Final = 200
"""Most rows of a result that are returned."""


class QueryRefusedError(RichAgentError):
    """A query that cannot be run; the message is for the model that wrote the query."""


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a query: at most `MOST_ROWS` of `total_rows`.

    `columns`: the names of columns, "" for a computed column without a name.
    `kinds`: the kinds of the columns' values.
    `read`: the numbers of the tables that the query reads, from 1, in the order of the files.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    total_rows: int
    read: tuple[int, ...] = ()
    kinds: tuple[ColumnKind, ...] = ()
