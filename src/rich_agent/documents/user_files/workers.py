"""Processes that read or compute for one user each, and are ended afterwards."""

from collections.abc import Callable
from typing import Final, TypeVar, cast, get_args

from rich_agent.documents.extract.extracted import ExtractionFailure
from rich_agent.documents.extract.isolation import failure_of
from rich_agent.domain.user_files import FileRefusal
from rich_agent.ports.user_files import FileRefusedError
from rich_agent.runtime.readers import Effort, ReaderFailedError, ReaderRefusedError, read_apart

_REFUSALS: Final[dict[ExtractionFailure, FileRefusal]] = {
    "damaged": "damaged",
    "encrypted": "encrypted",
    "empty": "empty",
    "too_long": "too_long",
    "sign_in": "closed",
    "made_by_scripts": "made_by_scripts",
    "consent": "consent",
    "moved": "empty",
}
_Work = TypeVar("_Work")
_Found = TypeVar("_Found")


async def run_in_worker(
    work: Callable[[_Work], _Found],
    argument: _Work,
    result_type: type[_Found],
    user_id: int,
    deadline_s: float,
) -> _Found:
    """Run `work` on the argument in a process for this user; return its result.

    Raises: FileRefusedError, also for the limits.
    """
    try:
        return await read_apart(work, argument, result_type, f"user:{user_id}", Effort(deadline_s))
    except ReaderRefusedError as error:
        raise FileRefusedError(_refusal_of(error), str(error)) from error
    except ReaderFailedError as error:
        kind: FileRefusal = "too_long" if error.cause == "slow" else "damaged"
        raise FileRefusedError(kind, str(error)) from error


def _refusal_of(error: ReaderRefusedError) -> FileRefusal:
    if error.name == FileRefusedError.__name__ and error.reason in get_args(FileRefusal):
        return cast("FileRefusal", error.reason)
    return _REFUSALS[failure_of(error)]
