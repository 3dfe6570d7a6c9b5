"""Decides which files of a service are documents, and names the reason for others."""

from math import ceil
from pathlib import PurePosixPath

from rich_agent.documents.fetch.outcomes import Unreadable
from rich_agent.documents.media import media_type_of_path
from rich_agent.documents.source import LEFT_OUT, Selection


def why_not(path: str, selection: Selection) -> str:
    """The reason to skip a file, for `Skipped.add`; "" for a document to read.

    `path` is relative to the root of the source.
    """
    if media_type_of_path(path) is None:
        return PurePosixPath(path).suffix.lower().removeprefix(".")[:20] or "without a suffix"
    return "" if selection.has(path) else LEFT_OUT


def too_large(url: str, size_bytes: int | None, most_bytes: int) -> Unreadable:
    """The outcome of a document that is too large to read; `size_bytes` is None if unknown."""
    # Rounded up and down, so that 20.01 MB is not shown as 20 MB.
    size_clause = f"has {ceil(size_bytes / 100_000) / 10:g} MB" if size_bytes else "is too large"
    return Unreadable(
        url,
        f"the file {size_clause}, and at most {most_bytes / 1_000_000:g} MB are read; "
        "set MAX_FILE_MB to read larger ones",
    )
