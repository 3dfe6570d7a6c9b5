"""Extraction in processes that can be ended, so that no document takes the sync with it.

A worker starts with the first document that needs one, and serves many; each has a deadline and a
limit of memory.
"""

import asyncio
import resource
from contextlib import suppress
from typing import Final

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after
from anyio.to_process import current_default_process_limiter, run_sync

from ingest.extract.extracted import Extracted, ExtractionError
from ingest.fetch.outcomes import RawDocument

_MEMORY_BYTES: Final = 1280 * 1024 * 1024  # a worker that has read nothing yet takes a fifth
_SHORTEST_S: Final = 20.0
_BYTES_IN_A_SECOND: Final = 1_000_000
_HARMLESS_BYTES: Final = 32 * 1024


async def extract_isolated(raw: RawDocument, *, deadline_s: float | None = None) -> Extracted:
    """The document's title, text and sections, as `ingest.extract.extraction.extract` gives them.

    As many workers as there are processors take documents, each for so long at most (by default
    20 s, and 1 s for each MB over 20) and with 1 GiB of memory; short plain text and Markdown,
    which take a moment at worst, are read in a thread.
    Raises: ExtractionError; its message says what a document asked too much of.
    """
    if raw.media_type in {"text/plain", "text/markdown"} and len(raw.data) <= _HARMLESS_BYTES:
        return await asyncio.to_thread(_extract, raw)
    deadline_s = deadline_s or max(_SHORTEST_S, len(raw.data) / _BYTES_IN_A_SECOND)
    # The wait for a worker is not the document's fault, so it stands outside of the deadline.
    async with current_default_process_limiter():
        try:
            with fail_after(deadline_s):
                return await run_sync(
                    _extract_within_limits, raw, cancellable=True, limiter=CapacityLimiter(1)
                )
        except TimeoutError as error:
            reason = f"reading it takes longer than {deadline_s:g} s"
            raise ExtractionError(reason) from error
        except BrokenWorkerProcess as error:
            reason = "its reader crashed: the file is damaged, or needs too much memory"
            raise ExtractionError(reason) from error


def _extract_within_limits(raw: RawDocument) -> Extracted:
    """What a worker does with a document."""
    _limit_memory()
    return _extract(raw)


def _extract(raw: RawDocument) -> Extracted:
    # The readers of all formats take a while to load: a sync that reads nothing does without.
    from ingest.extract.extraction import extract  # noqa: PLC0415 - see above

    try:
        return extract(raw)
    except MemoryError as error:
        raise ExtractionError("reading it takes too much memory") from error
    except RecursionError as error:
        raise ExtractionError("it is nested too deeply") from error


def _limit_memory() -> None:
    """Let the process take no more than the limit; macOS knows no such limit and refuses it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, hard))
