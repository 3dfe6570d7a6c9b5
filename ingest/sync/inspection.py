"""Reads documents and compares them with the stored versions; writes nothing."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeGuard, get_args
from urllib.parse import unquote

import structlog

from ingest.sync.repeated_pages import SAME_AS_ANOTHER, SAME_AS_NO_PAGE, MissingPages
from ingest.sync.scans import ScanReader
from rich_agent.documents.chunk.chunking import ChunkText, cut_sections
from rich_agent.documents.chunk.chunks import digest
from rich_agent.documents.extract.extracted import (
    PIPELINE_VERSION,
    Extracted,
    ExtractionError,
    PageKind,
)
from rich_agent.documents.extract.isolation import extract_in_process
from rich_agent.documents.fetch.local import read_document
from rich_agent.documents.fetch.outcomes import (
    Listing,
    NotModified,
    Outcome,
    RawDocument,
    Unreadable,
    Validators,
)
from rich_agent.documents.index.documents import Fingerprint, KnownDocument
from rich_agent.documents.source import Source
from rich_agent.domain.inventory import Inventory
from rich_agent.domain.text import clean_text, shorten
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.runtime.concurrency import run_all

_PAGES_AT_ONCE = 32
_CHANGED_FILES_AT_ONCE = 32
_CHANGED_BYTES_AT_ONCE = 16_000_000
_LARGE_BYTES = 2_000_000
_LONGEST_TITLE = 200
_NO_VALIDATORS: Final = Validators()
_STORED: Final = frozenset({"unchanged", "refreshed", "changed"})
_NOINDEX: Final = (
    "the page asks programs not to index it; to store it anyway, add its address as a page of its "
    "own"
)
_log = structlog.get_logger(__name__)


DocumentState = Literal["unchanged", "refreshed", "changed", "gone", "failed", "left_out"]
REMOVED_STATES: Final[frozenset[DocumentState]] = frozenset({"gone", "left_out"})
"""The states in which a stored document is removed."""


@dataclass(frozen=True, slots=True)
class NewContent:
    """The content of a document that was just read. `canonical_url` is "" if it is unknown."""

    title: str
    canonical_url: str
    text: str
    fingerprint: Fingerprint
    pieces: tuple[ChunkText, ...]
    inventory: Inventory


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """The change of a document since it was stored.

    `known`: the stored version, None for a new document.
    `state`: "refreshed" stands for the same content in other bytes, "left_out" for a document that
    can be read but is not to be stored.
    `draft`: the new content, for "changed" and "refreshed".
    `reason`: the problem, for "failed", "gone" and "left_out".
    """

    url: str
    known: KnownDocument | None
    state: DocumentState
    draft: NewContent | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _NewBytes:
    """A document whose bytes differ from the stored version."""

    raw: RawDocument
    raw_hash: str


class DocumentReader(Protocol):
    """Lists the documents of sources, and reads them."""

    async def list_documents(self, source: Source) -> Listing:
        """List the documents of the source; after a failure, the listing is incomplete."""
        ...

    async def read(self, source: Source, /, url: str, validators: Validators) -> Outcome:
        """Read a document of the source's listing."""
        ...


class Inspector:
    """Inspects the documents of one source; reads files of up to `most_bytes`.

    `say`: called with a message before a large document is read.
    `scans`: reads pages without text; without it, they stay unread.
    """

    def __init__(
        self,
        reader: DocumentReader,
        source: Source,
        most_bytes: int,
        say: Callable[[str], None],
        scans: ScanReader | None = None,
    ) -> None:
        self._scans = scans
        self._due: frozenset[str] = frozenset()
        self._say = say
        self._reader = reader
        self._source = source
        self._most_bytes = most_bytes
        # Nobody named the single pages of a sitemap or feed.
        self._finds_pages = source.type == "sitemap"
        self._has_many_pages = source.type in {"sitemap", "url-list"}
        self._missing_pages = MissingPages(self._read_page, source.root_url)
        self._url_by_content: dict[str, str] = {}

    async def inspect(
        self, urls: Sequence[str], previous: Mapping[str, KnownDocument]
    ) -> AsyncIterator[list[DocumentChange]]:
        """Yield the changes of all documents, in portions that fit into memory.

        A document is processed only until it is clear whether it changed.
        """
        if self._scans is not None:
            self._due = await self._scans.due(self._source.id, urls)
        position = 0
        while position < len(urls):
            if self._source.type in {"file", "folder"}:
                outcomes = await asyncio.to_thread(self._look_at_files, urls[position:], previous)
            else:
                outcomes = await self._look_at_pages(
                    urls[position : position + _PAGES_AT_ONCE], previous
                )
            position += len(outcomes)
            to_extract = [outcome for outcome in outcomes if isinstance(outcome, _NewBytes)]
            changes = [outcome for outcome in outcomes if isinstance(outcome, DocumentChange)]
            for outcome in to_extract:
                if len(outcome.raw.data) > _LARGE_BYTES:
                    name = outcome.raw.name or unquote(outcome.raw.url).rpartition("/")[2]
                    self._say(f"reading {name} ({len(outcome.raw.data) / 1_000_000:.1f} MB)")
            changes += await run_all(
                self._inspect(outcome, previous.get(outcome.raw.url)) for outcome in to_extract
            )
            yield self._without_repeats(changes) if self._has_many_pages else changes

    def _without_repeats(self, changes: Sequence[DocumentChange]) -> list[DocumentChange]:
        """The changes, where new pages with the content of another address are left out."""
        for change in changes:
            if change.known and change.state in _STORED:
                content_hash = (change.draft or change.known).fingerprint.content_hash
                self._url_by_content.setdefault(content_hash, change.url)
        return [self._unless_repeated(change) for change in changes]

    def _unless_repeated(self, change: DocumentChange) -> DocumentChange:
        # Scans that nobody has read yet have the same text, which is none.
        if change.known or change.draft is None or not change.draft.text:
            return change
        content_hash = change.draft.fingerprint.content_hash
        if self._url_by_content.setdefault(content_hash, change.url) == change.url:
            return change
        return DocumentChange(change.url, None, "left_out", reason=SAME_AS_ANOTHER)

    async def _read_page(self, url: str, validators: Validators = _NO_VALIDATORS) -> Outcome:
        try:
            return await self._reader.read(self._source, url, validators)
        except Exception as error:  # noqa: BLE001 - one bad page must not stop others
            return _reading_failure(url, error)

    async def _is_missing(self, raw: RawDocument, draft: NewContent) -> bool:
        if not self._has_many_pages or raw.media_type != "text/html":
            return False
        return await self._missing_pages.is_missing(raw.url, draft.text)

    def _look_at_files(
        self, urls: Sequence[str], previous: Mapping[str, KnownDocument]
    ) -> list[DocumentChange | _NewBytes]:
        """Read as many files as fit into memory. One by one is faster for files than at once."""
        outcomes: list[DocumentChange | _NewBytes] = []
        changed_count = changed_bytes = 0
        for url in urls:
            try:
                outcome = read_document(self._source, url, self._most_bytes)
            except Exception as error:  # noqa: BLE001 - one bad file must not stop others
                outcome = _reading_failure(url, error)
            comparison = self._compare_bytes(outcome, previous.get(url))
            outcomes.append(comparison)
            if isinstance(comparison, _NewBytes):
                changed_count += 1
                changed_bytes += len(comparison.raw.data)
            if changed_count == _CHANGED_FILES_AT_ONCE or changed_bytes >= _CHANGED_BYTES_AT_ONCE:
                break
        return outcomes

    async def _look_at_pages(
        self, urls: Sequence[str], previous: Mapping[str, KnownDocument]
    ) -> list[DocumentChange | _NewBytes]:
        return await run_all(self._look_at_page(url, previous.get(url)) for url in urls)

    async def _look_at_page(
        self, url: str, previous: KnownDocument | None
    ) -> DocumentChange | _NewBytes:
        # Pages that can be read now need the bytes again.
        validators = Validators() if url in self._due else _validators(previous)
        outcome = await self._read_page(url, validators)
        if isinstance(outcome, RawDocument) and outcome.is_noindex and self._finds_pages:
            return DocumentChange(url, previous, "left_out", reason=_NOINDEX)
        return self._compare_bytes(outcome, previous)

    def _compare_bytes(
        self, outcome: Outcome, previous: KnownDocument | None
    ) -> DocumentChange | _NewBytes:
        match outcome:
            case Unreadable(url, reason, is_gone):
                return DocumentChange(
                    url, previous, "gone" if is_gone and previous else "failed", reason=reason
                )
            case NotModified(url):
                return DocumentChange(url, previous, "unchanged")
        raw_hash = _raw_hash(outcome)
        is_same = _is_current(previous) and previous.fingerprint.raw_hash == raw_hash
        if is_same and outcome.url not in self._due:
            return DocumentChange(outcome.url, previous, "unchanged")
        return _NewBytes(outcome, raw_hash)

    async def _inspect(
        self, new_bytes: _NewBytes, previous: KnownDocument | None
    ) -> DocumentChange:
        url = new_bytes.raw.url
        try:
            document = await extract_in_process(new_bytes.raw, owner=self._source.root_url)
            if document.is_noindex and self._finds_pages:
                return DocumentChange(url, previous, "left_out", reason=_NOINDEX)
            if self._scans is not None:
                document = await self._scans.fill_in(self._source, new_bytes.raw, document)
            draft = await asyncio.to_thread(_draft, new_bytes, document)
        except ExtractionError as error:
            return _extraction_failure(new_bytes, previous, error)
        except DatabaseUnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 - one bad page must not stop others
            _log.exception("extraction_failed", url=url)
            return DocumentChange(url, previous, "failed", reason=f"cannot be read: {error!r}")
        if await self._is_missing(new_bytes.raw, draft):
            return _missing(url, previous, draft)
        is_same = (
            _is_current(previous)
            and previous.fingerprint.content_hash == draft.fingerprint.content_hash
        )
        return DocumentChange(url, previous, "refreshed" if is_same else "changed", draft)


def _missing(url: str, previous: KnownDocument | None, draft: NewContent) -> DocumentChange:
    """The change of a page that the site shows for any address that does not exist.

    What is stored of it is kept, because the site may show this only for a while.
    """
    is_stored = (
        previous is not None and previous.fingerprint.content_hash == draft.fingerprint.content_hash
    )
    state: DocumentState = "left_out" if previous is None or is_stored else "failed"
    return DocumentChange(url, previous, state, reason=SAME_AS_NO_PAGE)


def _extraction_failure(
    new_bytes: _NewBytes, previous: KnownDocument | None, error: ExtractionError
) -> DocumentChange:
    """The change of a document that cannot be read; its stored version is kept.

    A page that is not content, and was stored as if it were, is removed.
    """
    url = new_bytes.raw.url
    is_stored = previous is not None and previous.fingerprint.raw_hash == new_bytes.raw_hash
    is_no_content = error.kind in get_args(PageKind)
    state: DocumentState = "left_out" if is_stored and is_no_content else "failed"
    return DocumentChange(url, previous, state, reason=str(error))


def _reading_failure(url: str, error: Exception) -> Unreadable:
    _log.exception("reading_failed", url=url)
    return Unreadable(url, f"cannot be read: {error!r}")


def _validators(previous: KnownDocument | None) -> Validators:
    if previous is None or previous.fingerprint.pipeline_version != PIPELINE_VERSION:
        return Validators()
    return Validators(previous.fingerprint.etag, previous.fingerprint.last_modified)


def _is_current(previous: KnownDocument | None) -> TypeGuard[KnownDocument]:
    """Whether the stored version was made by the current rules of extraction."""
    return previous is not None and previous.fingerprint.pipeline_version == PIPELINE_VERSION


def _draft(new_bytes: _NewBytes, document: Extracted) -> NewContent:
    """The content of a document, without pieces if nothing but its inventory could be read."""
    raw = new_bytes.raw
    title = shorten(clean_text(document.title), _LONGEST_TITLE) or raw.url
    text = clean_text(document.text)
    canonical_url = clean_text(document.canonical_url)
    # A change of the data that is stored with the text counts as a change, too.
    chunk_texts = tuple(cut_sections(document.sections, title))
    anchors = [chunk_text.anchor for chunk_text in chunk_texts]
    fingerprint = Fingerprint(
        raw_hash=new_bytes.raw_hash,
        content_hash=digest(title, text, canonical_url, *anchors, *_parts(document.inventory)),
        pipeline_version=PIPELINE_VERSION,
        etag=raw.etag,
        last_modified=raw.last_modified,
    )
    return NewContent(title, canonical_url, text, fingerprint, chunk_texts, document.inventory)


def _parts(inventory: Inventory) -> list[str]:
    return [f"{part.kind} {part.held} {part.read}" for part in inventory.parts]


def _raw_hash(raw: RawDocument) -> str:
    """The hash of a document's bytes, media type, charset and name."""
    name_suffix = f" {raw.name}" if raw.name else ""
    hasher = hashlib.sha256(f"{raw.media_type} {raw.charset}{name_suffix}\n".encode())
    hasher.update(raw.data)
    return hasher.hexdigest()
