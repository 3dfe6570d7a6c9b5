"""Runs extraction in processes that can be ended, so that no document can stop the sync."""

import asyncio
from typing import Final, cast, get_args

from rich_agent.documents.extract.extracted import Extracted, ExtractionError, ExtractionFailure
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.runtime.readers import Effort, ReaderFailedError, ReaderRefusedError, read_apart

_SHORTEST_S: Final = 20.0
_BYTES_IN_A_SECOND: Final = 1_000_000
_HARMLESS_BYTES: Final = 32 * 1024


async def extract_in_process(
    raw: RawDocument, *, owner: str = "sync", deadline_s: float | None = None
) -> Extracted:
    """The title, text and sections of a document, as `extraction.extract` returns them.

    By default, a document may take 20 s, plus 1 s for each MB over 20, and 1 GiB of memory. Short
    plain text and Markdown are quick, and are read in a thread.

    Raises: ExtractionError; its message names the limit that was exceeded.
    """
    if raw.media_type in {"text/plain", "text/markdown"} and len(raw.data) <= _HARMLESS_BYTES:
        return await asyncio.to_thread(extract_within_limits, raw)
    effort = Effort(deadline_s or deadline_for(len(raw.data)), shares=False)
    try:
        return await read_apart(extract_within_limits, raw, Extracted, owner, effort)
    except ReaderRefusedError as error:
        raise ExtractionError(str(error), failure_of(error)) from error
    except ReaderFailedError as error:
        kind: ExtractionFailure = "too_long" if error.cause == "slow" else "damaged"
        raise ExtractionError(str(error), kind) from error


def failure_of(error: ReaderRefusedError) -> ExtractionFailure:
    """The kind of failure that a reader process names; "damaged" for a kind that does not exist."""
    is_known = error.reason in get_args(ExtractionFailure)
    return cast("ExtractionFailure", error.reason) if is_known else "damaged"


def deadline_for(size_bytes: int) -> float:
    """Seconds that reading a document of this size may take."""
    return max(_SHORTEST_S, size_bytes / _BYTES_IN_A_SECOND)


def extract_within_limits(raw: RawDocument, most_rows: int | None = None) -> Extracted:
    """The result of `extraction.extract`.

    Raises: ExtractionError, also for too much memory or nesting.
    """
    # The readers of all formats take a while to load; a sync that reads nothing skips this.
    from rich_agent.documents.extract.extraction import extract  # noqa: PLC0415 - see above

    try:
        return extract(raw, most_rows=most_rows)
    except MemoryError as error:
        raise ExtractionError("reading it takes too much memory", "too_long") from error
    except RecursionError as error:
        raise ExtractionError("it is nested too deeply") from error
