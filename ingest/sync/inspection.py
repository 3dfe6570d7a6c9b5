"""Reads documents and compares them with the stored versions; writes nothing."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeGuard
from urllib.parse import unquote

import structlog

from rich_agent.documents.chunk.chunking import ChunkText, cut_sections
from rich_agent.documents.chunk.chunks import digest
from rich_agent.documents.extract.extracted import PIPELINE_VERSION, Extracted, ExtractionError
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
from rich_agent.domain.text import clean_text, shorten
from rich_agent.runtime.concurrency import run_all

_PAGES_AT_ONCE = 32
_CHANGED_FILES_AT_ONCE = 32
_CHANGED_BYTES_AT_ONCE = 16_000_000
_LARGE_BYTES = 2_000_000
_LONGEST_TITLE = 200
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class NewContent:
    """The content of a document that was just read; `canonical_url` may be ""."""

    title: str
    canonical_url: str
    text: str
    fingerprint: Fingerprint
    pieces: tuple[ChunkText, ...]


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """The change of a document: with `draft` if it changed, with `reason` if it failed or is gone.

    "refreshed" means the same content in other bytes, with a draft for its new fingerprint.
    """

    url: str
    known: KnownDocument | None
    state: Literal["unchanged", "refreshed", "changed", "gone", "failed"]
    draft: NewContent | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Changed:
    """A document whose bytes differ from the stored version."""

    raw: RawDocument
    raw_hash: str


class DocumentReader(Protocol):
    """Lists the documents of sources, and reads them."""

    async def list_documents(self, source: Source) -> Listing:
        """The current listing of the source; after a failure, an incomplete one."""
        ...

    async def read(self, source: Source, /, url: str, validators: Validators) -> Outcome:
        """A document of the source's listing."""
        ...


class Inspector:
    """Inspects the documents of one source; reads files of up to `most_bytes`.

    `say` gets a message about a document that takes long to read.
    """

    def __init__(
        self, reader: DocumentReader, source: Source, most_bytes: int, say: Callable[[str], None]
    ) -> None:
        self._say = say
        self._reader = reader
        self._source = source
        self._most_bytes = most_bytes

    async def inspect(
        self, urls: Sequence[str], known: Mapping[str, KnownDocument]
    ) -> AsyncIterator[list[DocumentChange]]:
        """The change of each document, in portions that fit into memory.

        A document is only processed as far as is needed to know whether it changed.
        """
        at = 0
        while at < len(urls):
            if self._source.type in {"file", "folder"}:
                looked = await asyncio.to_thread(self._look_at_files, urls[at:], known)
            else:
                looked = await self._look_at_pages(urls[at : at + _PAGES_AT_ONCE], known)
            at += len(looked)
            changed = [one for one in looked if isinstance(one, _Changed)]
            found = [one for one in looked if isinstance(one, DocumentChange)]
            for one in changed:
                if len(one.raw.data) > _LARGE_BYTES:
                    name = one.raw.name or unquote(one.raw.url).rpartition("/")[2]
                    self._say(f"reading {name} ({len(one.raw.data) / 1_000_000:.1f} MB)")
            yield found + await run_all(
                self._inspect(one, known.get(one.raw.url)) for one in changed
            )

    def _look_at_files(
        self, urls: Sequence[str], known: Mapping[str, KnownDocument]
    ) -> list[DocumentChange | _Changed]:
        """As many documents as fit, one by one, which is faster for files than concurrency."""
        looked: list[DocumentChange | _Changed] = []
        changed = size = 0
        for url in urls:
            try:
                outcome = read_document(self._source, url, self._most_bytes)
            except Exception as error:  # noqa: BLE001 - one bad file must not stop others
                outcome = _broken(url, error)
            one = _compare_bytes(outcome, known.get(url))
            looked.append(one)
            if isinstance(one, _Changed):
                changed += 1
                size += len(one.raw.data)
            if changed == _CHANGED_FILES_AT_ONCE or size >= _CHANGED_BYTES_AT_ONCE:
                break
        return looked

    async def _look_at_pages(
        self, urls: Sequence[str], known: Mapping[str, KnownDocument]
    ) -> list[DocumentChange | _Changed]:
        return await run_all(self._look_at_page(url, known.get(url)) for url in urls)

    async def _look_at_page(
        self, url: str, known: KnownDocument | None
    ) -> DocumentChange | _Changed:
        try:
            outcome = await self._reader.read(self._source, url, _validators(known))
        except Exception as error:  # noqa: BLE001 - one bad page must not stop others
            outcome = _broken(url, error)
        return _compare_bytes(outcome, known)

    async def _inspect(self, changed: _Changed, known: KnownDocument | None) -> DocumentChange:
        url = changed.raw.url
        try:
            extracted = await extract_in_process(changed.raw, owner=self._source.root_url)
            draft = await asyncio.to_thread(_draft, changed, extracted)
        except ExtractionError as error:
            return DocumentChange(url, known, "failed", reason=str(error))
        except Exception as error:  # noqa: BLE001 - one bad page must not stop others
            _log.exception("extraction_failed", url=url)
            return DocumentChange(url, known, "failed", reason=f"cannot be read: {error!r}")
        is_same = (
            _is_current(known) and known.fingerprint.content_hash == draft.fingerprint.content_hash
        )
        return DocumentChange(url, known, "refreshed" if is_same else "changed", draft)


def _broken(url: str, error: Exception) -> Unreadable:
    _log.exception("reading_failed", url=url)
    return Unreadable(url, f"cannot be read: {error!r}")


def _validators(known: KnownDocument | None) -> Validators:
    if known is None or known.fingerprint.pipeline_version != PIPELINE_VERSION:
        return Validators()
    return Validators(known.fingerprint.etag, known.fingerprint.last_modified)


def _compare_bytes(outcome: Outcome, known: KnownDocument | None) -> DocumentChange | _Changed:
    match outcome:
        case Unreadable(url, reason, is_gone):
            return DocumentChange(
                url, known, "gone" if is_gone and known else "failed", reason=reason
            )
        case NotModified(url):
            return DocumentChange(url, known, "unchanged")
    raw_hash = _raw_hash(outcome)
    if _is_current(known) and known.fingerprint.raw_hash == raw_hash:
        return DocumentChange(outcome.url, known, "unchanged")
    return _Changed(outcome, raw_hash)


def _is_current(known: KnownDocument | None) -> TypeGuard[KnownDocument]:
    """Whether the stored version was made by the current rules."""
    return known is not None and known.fingerprint.pipeline_version == PIPELINE_VERSION


def _draft(changed: _Changed, extracted: Extracted) -> NewContent:
    raw = changed.raw
    title = shorten(clean_text(extracted.title), _LONGEST_TITLE) or raw.url
    text = clean_text(extracted.text)
    canonical_url = clean_text(extracted.canonical_url)
    # Data that is stored with the text must not become outdated either.
    pieces = tuple(cut_sections(extracted.sections, title))
    anchors = [piece.anchor for piece in pieces]
    fingerprint = Fingerprint(
        raw_hash=changed.raw_hash,
        content_hash=digest(title, text, canonical_url, *anchors),
        pipeline_version=PIPELINE_VERSION,
        etag=raw.etag,
        last_modified=raw.last_modified,
    )
    return NewContent(title, canonical_url, text, fingerprint, pieces)


def _raw_hash(raw: RawDocument) -> str:
    """The hash of the bytes and of their type, charset and name."""
    named = f" {raw.name}" if raw.name else ""
    hashed = hashlib.sha256(f"{raw.media_type} {raw.charset}{named}\n".encode())
    hashed.update(raw.data)
    return hashed.hexdigest()
