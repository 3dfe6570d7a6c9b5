"""Runs extraction in processes that can be killed, so that no document can stop the sync.

A worker starts with the first document that needs one, and serves many documents. Each document
has a deadline and a limit of memory.
"""

import asyncio
import resource
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after
from anyio.to_process import current_default_process_limiter, run_sync

from ingest.extract.extracted import Extracted, ExtractionError
from ingest.fetch.outcomes import RawDocument

_MEMORY_BYTES: Final = 1280 * 1024 * 1024  # a new worker takes a fifth of it
_SHORTEST_S: Final = 20.0
_BYTES_IN_A_SECOND: Final = 1_000_000
_HARMLESS_BYTES: Final = 32 * 1024

Argument = TypeVar("Argument")
Result = TypeVar("Result")


async def extract_isolated(raw: RawDocument, *, deadline_s: float | None = None) -> Extracted:
    """The document's title, text and sections, as returned by `extraction.extract`.

    There are as many workers as processors. A document may take 20 s by default, plus 1 s for each
    MB over 20, and 1 GiB of memory. Short plain text and Markdown are quick, and are read in a
    thread.
    Raises: ExtractionError; its message names the limit that was exceeded.
    """
    if raw.media_type in {"text/plain", "text/markdown"} and len(raw.data) <= _HARMLESS_BYTES:
        return await asyncio.to_thread(_extract, raw)
    deadline_s = deadline_s or deadline_for(len(raw.data))
    return await run_isolated(_extract_within_limits, raw, deadline_s=deadline_s)


def deadline_for(size_bytes: int) -> float:
    """Seconds that reading a document of this size may take."""
    return max(_SHORTEST_S, size_bytes / _BYTES_IN_A_SECOND)


async def run_isolated(
    work: Callable[[Argument], Result], argument: Argument, *, deadline_s: float
) -> Result:
    """What `work` makes of the argument in a process that can be ended; both can be pickled.

    It should begin with `limit_memory`.
    Raises: ExtractionError, as `work` does, and for the limits.
    """
    # Waiting for a worker is not the document's fault, so it does not count for the deadline.
    async with current_default_process_limiter():
        try:
            with fail_after(deadline_s):
                return await run_sync(work, argument, cancellable=True, limiter=CapacityLimiter(1))
        except TimeoutError as error:
            reason = f"reading it takes longer than {deadline_s:g} s"
            raise ExtractionError(reason, "too_long") from error
        except BrokenWorkerProcess as error:
            reason = "its reader crashed: the file is damaged, or needs too much memory"
            raise ExtractionError(reason) from error


def _extract_within_limits(raw: RawDocument) -> Extracted:
    """Extract a document inside a worker."""
    limit_memory()
    return _extract(raw)


def _extract(raw: RawDocument) -> Extracted:
    # The readers of all formats take a while to load; a sync that reads nothing skips this.
    from ingest.extract.extraction import extract  # noqa: PLC0415 - see above

    try:
        return extract(raw)
    except MemoryError as error:
        raise ExtractionError("reading it takes too much memory", "too_long") from error
    except RecursionError as error:
        raise ExtractionError("it is nested too deeply") from error


def limit_memory() -> None:
    """Limit the memory of the process; macOS does not support this and refuses it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, hard))
