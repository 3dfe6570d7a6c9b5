"""Processes that read and compute for strangers: each serves one user, and is ended afterwards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, cast, get_args

from rich_agent.documents.extract.extracted import ExtractionFailure
from rich_agent.documents.extract.isolation import failure_of
from rich_agent.domain.tables import TableFile, TableRows
from rich_agent.domain.user_files import FileRefusal
from rich_agent.ports.user_files import FileRefusedError, QueryRefusedError
from rich_agent.runtime.readers import Effort, ReaderFailedError, ReaderRefusedError, read_apart

_REFUSALS: Final[dict[ExtractionFailure, FileRefusal]] = {
    "damaged": "damaged",
    "encrypted": "encrypted",
    "empty": "empty",
    "too_long": "too_long",
}
_Work = TypeVar("_Work")
_Found = TypeVar("_Found")


async def run_in_worker(
    work: Callable[[_Work], _Found],
    argument: _Work,
    found: type[_Found],
    user_id: int,
    deadline_s: float,
) -> _Found:
    """Run `work` on the argument in a process for this user; return its result.

    Raises: FileRefusedError, also for the limits; QueryRefusedError.
    """
    try:
        return await read_apart(work, argument, found, f"user:{user_id}", Effort(deadline_s))
    except ReaderRefusedError as error:
        if error.name == QueryRefusedError.__name__:
            raise QueryRefusedError(str(error)) from error
        raise FileRefusedError(_refusal_of(error), str(error)) from error
    except ReaderFailedError as error:
        kind: FileRefusal = "too_long" if error.cause == "slow" else "damaged"
        raise FileRefusedError(kind, str(error)) from error


def _refusal_of(error: ReaderRefusedError) -> FileRefusal:
    if error.name == FileRefusedError.__name__ and error.reason in get_args(FileRefusal):
        return cast("FileRefusal", error.reason)
    return _REFUSALS[failure_of(error)]


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
