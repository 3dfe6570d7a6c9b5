"""Stored documents without their chunks: reads what is known, and makes small changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rich_agent.documents.chunk.chunks import Chunk, DocumentRef
from rich_agent.domain.inventory import Inventory
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.pools import checkout
from rich_agent.repositories.database.repository import PostgresRepository

# The texts are not read, because hashes show what has changed.
_COLUMNS = """
id, url, identity, raw_hash, content_hash, pipeline_version, etag, last_modified, last_error,
chunk_count AS chunks, space_id
"""

_KNOWN = f"SELECT {_COLUMNS} FROM rag_documents WHERE source_id = %s AND url = ANY(%s)"

_OUTSIDE = f"""
SELECT {_COLUMNS} FROM rag_documents
WHERE source_id = %s AND space_id IS DISTINCT FROM %s AND id > %s ORDER BY id LIMIT %s
"""

_NOTE_ERRORS = """
UPDATE rag_documents AS document SET last_error = noted.reason
FROM unnest(%s::bigint[], %s::text[]) AS noted (id, reason) WHERE document.id = noted.id
"""

_REFRESH = """
UPDATE rag_documents SET raw_hash = %s, etag = %s, last_modified = %s, last_error = NULL
WHERE id = %s
"""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The marks that distinguish a new version of a document from the last one."""

    raw_hash: str
    """Hash of the bytes."""
    content_hash: str
    """Hash of the extracted content."""
    pipeline_version: int
    etag: str | None
    """HTTP validator, which only saves a transfer, as `last_modified` does."""
    last_modified: str | None


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A stored document without its text."""

    id: int
    url: str
    identity: str
    fingerprint: Fingerprint
    last_error: str | None
    chunks: int
    """Number of its chunks."""
    space_id: int | None
    """Vector space in which all its chunks have vectors, None if there is none."""


@dataclass(frozen=True, slots=True)
class Version:
    """A document as it was just read."""

    source_id: str
    page: DocumentRef
    text: str
    fingerprint: Fingerprint
    fetched_at: datetime
    chunks: tuple[Chunk, ...]
    canonical_url: str | None = None
    inventory: Inventory = field(default_factory=Inventory)


class PostgresDocuments(PostgresRepository):
    """Reads `rag_documents`, and makes changes that do not affect chunks."""

    async def stored_documents(
        self, source_id: str, urls: Sequence[str]
    ) -> dict[str, KnownDocument]:
        """The documents at these urls that are stored, by url."""
        rows = await self._rows(_KNOWN, (source_id, list(urls)))
        return {row["url"]: _known_document(row) for row in rows}

    async def outside(
        self, source_id: str, space_id: int, *, after: int, limit: int
    ) -> list[KnownDocument]:
        """Documents that lack vectors in the space, in order of ids greater than `after`."""
        rows = await self._rows(_OUTSIDE, (source_id, space_id, after, limit))
        return [_known_document(row) for row in rows]

    async def identities(self, source_id: str, urls: Sequence[str]) -> dict[str, str]:
        """The identity of each new url: the url itself, unless another source has it.

        A document of the same source may have it, if a process stored the document and then died.
        """
        query = "SELECT identity FROM rag_documents WHERE identity = ANY(%s) AND source_id <> %s"
        other_urls = {row["identity"] for row in await self._rows(query, (list(urls), source_id))}
        return {url: own_identity(source_id, url) if url in other_urls else url for url in urls}

    async def refresh(self, fingerprints: Mapping[int, Fingerprint]) -> None:
        """Store new fingerprints by document id.

        Only the bytes of these documents have changed, not the content.
        """
        if not fingerprints:
            return
        async with checkout(self._pool) as connection, connection.cursor() as cursor:
            await cursor.executemany(
                _REFRESH,
                [
                    (fingerprint.raw_hash, fingerprint.etag, fingerprint.last_modified, document_id)
                    for document_id, fingerprint in sorted(fingerprints.items())
                ],
            )

    async def note_errors(self, reasons: Mapping[int, str | None]) -> None:
        """Store, by document id, why a document could not be updated, None if it is current."""
        if not reasons:
            return
        clean_reasons = [reason and clean_text(reason) for reason in reasons.values()]
        await self._run(_NOTE_ERRORS, (list(reasons), clean_reasons))


def own_identity(source_id: str, url: str) -> str:
    """The identity of a document whose address is also in another source."""
    return f"{source_id} {url}"


def _known_document(row: dict[str, Any]) -> KnownDocument:
    fingerprint = Fingerprint(**{name: row.pop(name) for name in Fingerprint.__slots__})
    return KnownDocument(fingerprint=fingerprint, **row)
