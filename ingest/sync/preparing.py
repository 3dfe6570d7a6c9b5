"""Inspects documents of a source, and prepares the items to write."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from ingest.sync.inspection import REMOVED_STATES, DocumentChange, Inspector
from rich_agent.documents.chunk.chunks import Chunk, DocumentRef, make_chunks, text_to_embed
from rich_agent.documents.index.documents import (
    KnownDocument,
    PostgresDocuments,
    Version,
    own_identity,
)
from rich_agent.documents.index.entries import PostgresEntries
from rich_agent.documents.index.groups import Item, StoredChunk
from rich_agent.documents.index.vector_spaces import OpenSpace
from rich_agent.documents.index.vectors import known_texts
from rich_agent.documents.source import Source
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.database.repository import fetch_all

_CHUNKS_AT_ONCE = 2_048
_DOCUMENTS_AT_ONCE = 256

_WITHOUT_VECTORS = """
SELECT chunk.id, chunk.document_id, chunk.content_hash, chunk.section, chunk.content,
    document.title
FROM rag_chunks AS chunk JOIN rag_documents AS document ON document.id = chunk.document_id
WHERE document.id = ANY(%(ids)s) AND NOT EXISTS (
    SELECT FROM rag_embeddings AS vector WHERE vector.chunk_id = chunk.id
        AND model = %(model)s AND dimensions = %(dimensions)s
)
ORDER BY chunk.document_id, chunk.chunk_index
"""

# Changed documents get new vectors anyway, and removed documents need none.
_NOT_REFILLED = REMOVED_STATES | {"changed"}


@dataclass(frozen=True, slots=True)
class PreparedBatch:
    """The changes of some documents, and the items to write for them."""

    findings: Sequence[DocumentChange] = ()
    items: Sequence[Item] = ()


class Preparer:
    """Prepares documents of one source; writes nothing.

    Without a space, the documents get no vectors.
    """

    def __init__(
        self, pool: Pool, source: Source, inspector: Inspector, space: OpenSpace | None
    ) -> None:
        self._pool = pool
        self._source = source
        self._inspector = inspector
        self._space = space
        self._documents = PostgresDocuments(pool)

    async def look_through(self, urls: Sequence[str]) -> AsyncIterator[PreparedBatch]:
        """Inspect the documents; yield batches with their changes and items."""
        previous = await self._documents.stored_documents(self._source.id, urls)
        async for findings in self._inspector.inspect(urls, previous):
            changes = [finding for finding in findings if finding.state == "changed"]
            yield PreparedBatch(findings, await self._prepare(changes) if changes else ())
            kept_documents = [
                finding.known
                for finding in findings
                if finding.known and finding.state not in _NOT_REFILLED
            ]
            async for items in self.refill(kept_documents):
                yield PreparedBatch((), items)

    async def refill(self, documents: Sequence[KnownDocument]) -> AsyncIterator[list[Item]]:
        """Yield items for the stored chunks of documents that lack vectors in the space."""
        if self._space is None:
            return
        space_id = self._space.id
        incomplete_documents = [document for document in documents if document.space_id != space_id]
        while incomplete_documents:
            portion = [incomplete_documents.pop()]
            while (
                incomplete_documents
                and sum(document.chunks for document in (*portion, incomplete_documents[-1]))
                <= _CHUNKS_AT_ONCE
            ):
                portion.append(incomplete_documents.pop())
            yield await self._refill_some(portion, self._space)

    async def refill_all(self, but: Collection[str]) -> AsyncIterator[list[Item]]:
        """Yield items for all documents of the source that lack vectors, except those in `but`."""
        last_id = 0
        while self._space is not None:
            documents = await self._documents.outside(
                self._source.id, self._space.id, after=last_id, limit=_DOCUMENTS_AT_ONCE
            )
            if not documents:
                return
            last_id = documents[-1].id
            async for items in self.refill(
                [document for document in documents if document.url not in but]
            ):
                yield items

    async def _prepare(self, changes: Sequence[DocumentChange]) -> list[Item]:
        new_urls = [finding.url for finding in changes if finding.known is None]
        identities = await self._identities(new_urls) if new_urls else {}
        identities |= {finding.url: finding.known.identity for finding in changes if finding.known}
        versions = [self._version(finding, identities[finding.url]) for finding in changes]
        new_hashes = await self._new_texts(
            {chunk.content_hash for version in versions for chunk in version.chunks}
        )
        return [
            Item(
                source_id=self._source.id,
                url=finding.url,
                known=finding.known,
                version=version,
                chunks=version.chunks,
                new_texts=_among(new_hashes, version.chunks),
            )
            for finding, version in zip(changes, versions, strict=True)
        ]

    async def _identities(self, new_urls: Sequence[str]) -> dict[str, str]:
        if self._source.type != "connected":
            return await self._documents.identities(self._source.id, new_urls)
        entries = await PostgresEntries(self._pool, self._source.id).at(new_urls)
        key_by_url = {url: entries[url].key if url in entries else url for url in new_urls}
        return {url: own_identity(self._source.id, key) for url, key in key_by_url.items()}

    def _version(self, finding: DocumentChange, identity: str) -> Version:
        draft = finding.draft
        if draft is None:
            raise LookupError("a changed document without its draft")
        page = DocumentRef(identity, finding.url, draft.title)
        return Version(
            source_id=self._source.id,
            page=page,
            text=draft.text,
            fingerprint=draft.fingerprint,
            fetched_at=datetime.now(UTC),
            chunks=make_chunks(page, draft.pieces),
            canonical_url=draft.canonical_url or None,
            inventory=draft.inventory,
        )

    async def _refill_some(
        self, documents: Sequence[KnownDocument], space: OpenSpace
    ) -> list[Item]:
        parameters = {**asdict(space), "ids": [document.id for document in documents]}
        async with checkout(self._pool) as connection:
            rows = await fetch_all(connection, _WITHOUT_VECTORS, parameters)
        chunks_by_document: dict[int, list[StoredChunk]] = {
            document.id: [] for document in documents
        }
        for row in rows:
            text = text_to_embed(row["title"], row["section"], row["content"])
            chunk = StoredChunk(row["id"], row["document_id"], row["content_hash"], text)
            chunks_by_document[chunk.document_id].append(chunk)
        new_hashes = await self._new_texts({row["content_hash"] for row in rows})
        return [
            Item(
                self._source.id,
                document.url,
                document,
                None,
                stored_chunks,
                _among(new_hashes, stored_chunks),
            )
            for document, stored_chunks in (
                (document, chunks_by_document[document.id]) for document in documents
            )
        ]

    async def _new_texts(self, hashes: set[str]) -> set[str]:
        """The content hashes among `hashes` that have no vector in the space."""
        if self._space is None or not hashes:
            return set()
        async with checkout(self._pool) as connection:
            return hashes - await known_texts(connection, self._space, hashes)


def _among(hashes: Collection[str], chunks: Sequence[Chunk | StoredChunk]) -> dict[str, str]:
    """The texts of the chunks whose content hash is in `hashes`, by hash."""
    return {chunk.content_hash: chunk.text for chunk in chunks if chunk.content_hash in hashes}
