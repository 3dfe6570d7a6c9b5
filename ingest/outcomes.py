"""What listing a source and reading one of its documents can give."""

from dataclasses import dataclass

from ingest.media import MediaType


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document's bytes as they came; `charset` is what the server said, if it did."""

    url: str
    data: bytes
    media_type: MediaType
    charset: str | None = None
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class NotModified:
    """The server says that the document is the one we have."""

    url: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that could not be had; `is_gone` if it was there once and is known not to be."""

    url: str
    reason: str
    is_gone: bool = False


Outcome = RawDocument | NotModified | Unreadable


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server sent with a page, to ask it whether the page is still that one."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The addresses of a source's documents, each once.

    If it is not complete, `problem` says why, and nothing may be taken for removed. `skipped`
    counts what is there and is no document.
    """

    urls: tuple[str, ...]
    is_complete: bool
    skipped: int = 0
    problem: str = ""
