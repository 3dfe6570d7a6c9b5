"""Reads one document and tells what became of it since it was stored; writes nothing."""

import asyncio
import hashlib
from dataclasses import dataclass
from typing import Literal

import structlog

from ingest.chunking import Piece, cut_sections
from ingest.chunks import digest
from ingest.documents import Fingerprint, KnownDocument
from ingest.extraction import PIPELINE_VERSION, ExtractionError, extract
from ingest.reading import NotModified, RawDocument, Reader, Unreadable, Validators
from ingest.sources import Source
from rich_agent.domain.text import clean_text, shorten

_LONGEST_TITLE = 300
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Draft:
    """The content of a document as it was read just now."""

    title: str
    text: str
    fingerprint: Fingerprint
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a document: `draft` if it changed, `reason` if it failed or is gone.

    "refreshed" is the same content in other bytes, with a draft for its new fingerprint.
    """

    url: str
    known: KnownDocument | None
    state: Literal["unchanged", "refreshed", "changed", "gone", "failed"]
    draft: Draft | None = None
    reason: str = ""


class Inspector:
    """Inspects the documents of one source, each by its address and what is known of it."""

    def __init__(self, reader: Reader, source: Source) -> None:
        self._reader = reader
        self._source = source

    async def inspect(self, url: str, known: KnownDocument | None) -> Finding:
        """Read a document, no further than is needed to know whether it changed."""
        raw = await self._reader.read(self._source, url, _validators(known))
        if isinstance(raw, Unreadable):
            state: Literal["gone", "failed"] = "gone" if raw.is_gone and known else "failed"
            return Finding(url, known, state, reason=raw.reason)
        if isinstance(raw, NotModified):
            return Finding(url, known, "unchanged")
        try:
            return await asyncio.to_thread(_compare, raw, known)
        except ExtractionError as error:
            return Finding(url, known, "failed", reason=str(error))
        except Exception as error:  # noqa: BLE001 - a page that breaks a parser stops no other
            _log.exception("extraction_failed", url=url)
            return Finding(url, known, "failed", reason=f"cannot be read: {error!r}")


def _validators(known: KnownDocument | None) -> Validators:
    if known is None or known.fingerprint.pipeline_version != PIPELINE_VERSION:
        return Validators()
    return Validators(known.fingerprint.etag, known.fingerprint.last_modified)


def _compare(raw: RawDocument, known: KnownDocument | None) -> Finding:
    stored = known.fingerprint if known else None
    is_current = stored is not None and stored.pipeline_version == PIPELINE_VERSION
    raw_hash = _raw_hash(raw)
    if stored and is_current and stored.raw_hash == raw_hash:
        return Finding(raw.url, known, "unchanged")
    draft = _draft(raw, raw_hash)
    is_same = stored and is_current and stored.content_hash == draft.fingerprint.content_hash
    return Finding(raw.url, known, "refreshed" if is_same else "changed", draft)


def _draft(raw: RawDocument, raw_hash: str) -> Draft:
    extracted = extract(raw)
    title = shorten(clean_text(extracted.title), _LONGEST_TITLE) or raw.url
    text = clean_text(extracted.text)
    # What the text does not hold, but its chunks do, must not go stale either.
    anchors = [section.anchor for section in extracted.sections]
    fingerprint = Fingerprint(
        raw_hash=raw_hash,
        content_hash=digest(title, text, *anchors),
        pipeline_version=PIPELINE_VERSION,
        etag=raw.etag,
        last_modified=raw.last_modified,
    )
    return Draft(title, text, fingerprint, tuple(cut_sections(extracted.sections, title)))


def _raw_hash(raw: RawDocument) -> str:
    """The hash of the bytes and of how they are to be read."""
    hashed = hashlib.sha256(f"{raw.media_type} {raw.charset}\n".encode())
    hashed.update(raw.data)
    return hashed.hexdigest()
