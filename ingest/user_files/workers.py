"""Processes that read files of strangers: behind everything else, and within limits."""

import ctypes
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Final, TypeVar

from ingest.extract.extracted import ExtractionError, ExtractionFailure
from ingest.extract.isolation import limit_memory, run_isolated
from rich_agent.domain.user_files import FileRefusal
from rich_agent.ports.media.user_files import FileRefusedError

_NICENESS: Final = 3
_M_ARENA_MAX: Final = -8
_ARENAS: Final = 2
_REFUSALS: Final[dict[ExtractionFailure, FileRefusal]] = {
    "damaged": "damaged",
    "encrypted": "encrypted",
    "empty": "empty",
    "too_long": "too_long",
}
_Work = TypeVar("_Work")
_Found = TypeVar("_Found")


async def run_in_worker(
    work: Callable[[_Work], _Found], argument: _Work, deadline_s: float
) -> _Found:
    """What `work` makes of the argument; it should begin with `take_little`.

    Raises: FileRefusedError, also for the limits, and what `work` raises.
    """
    try:
        return await run_isolated(work, argument, deadline_s=deadline_s)
    except ExtractionError as error:
        raise FileRefusedError(_REFUSALS[error.kind], str(error)) from error


def take_little() -> None:
    """Inside a worker: let everything else go first, and take no more memory than allowed."""
    os.setpriority(os.PRIO_PROCESS, 0, _NICENESS)
    limit_memory()
    # anyio takes away the main module if it came from no file, and DuckDB looks for it.
    sys.modules.setdefault("__main__", ModuleType("__main__"))
    # Else glibc reserves 64 MB of addresses for each thread, which the limit counts. Other
    # libraries of C have no such function.
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)
