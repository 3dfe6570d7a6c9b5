"""Inspects documents of a source, and prepares those that need work."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from ingest.sync.inspection import DocumentChange, Inspector
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

# Changed documents get new vectors anyway, and removed ones need none.
_NOT_REFILLED = frozenset({"changed", "gone"})


@dataclass(frozen=True, slots=True)
class PreparedBatch:
    """The changes of some documents, and the items to write for them."""

    findings: Sequence[DocumentChange] = ()
    items: Sequence[Item] = ()


class Preparer:
    """Prepares documents of one source; without a space, they need no vectors. Writes nothing."""

    def __init__(
        self, pool: Pool, source: Source, inspector: Inspector, space: OpenSpace | None
    ) -> None:
        self._pool = pool
        self._source = source
        self._inspector = inspector
        self._space = space
        self._documents = PostgresDocuments(pool)

    async def look_through(self, urls: Sequence[str]) -> AsyncIterator[PreparedBatch]:
        """Inspect the documents; yields batches with their changes and items."""
        previous = await self._documents.stored_documents(self._source.id, urls)
        async for findings in self._inspector.inspect(urls, previous):
            changes = [finding for finding in findings if finding.state == "changed"]
            yield PreparedBatch(findings, await self._prepare(changes) if changes else ())
            stay = [one.known for one in findings if one.known and one.state not in _NOT_REFILLED]
            async for items in self.refill(stay):
                yield PreparedBatch((), items)

    async def refill(self, documents: Sequence[KnownDocument]) -> AsyncIterator[list[Item]]:
        """Items for those documents that are incomplete in the space, for their stored chunks."""
        if self._space is None:
            return
        lacking = [one for one in documents if one.space_id != self._space.id]
        while lacking:
            some = [lacking.pop()]
            while lacking and sum(one.chunks for one in (*some, lacking[-1])) <= _CHUNKS_AT_ONCE:
                some.append(lacking.pop())
            yield await self._refill_some(some, self._space)

    async def refill_all(self, but: Collection[str]) -> AsyncIterator[list[Item]]:
        """Items for all incomplete documents of the source except these urls."""
        last = 0
        while self._space is not None:
            documents = await self._documents.outside(
                self._source.id, self._space.id, after=last, limit=_DOCUMENTS_AT_ONCE
            )
            if not documents:
                return
            last = documents[-1].id
            async for items in self.refill([one for one in documents if one.url not in but]):
                yield items

    async def _prepare(self, changes: Sequence[DocumentChange]) -> list[Item]:
        fresh = [finding.url for finding in changes if finding.known is None]
        identities = await self._identities(fresh) if fresh else {}
        identities |= {one.url: one.known.identity for one in changes if one.known}
        versions = [self._version(finding, identities[finding.url]) for finding in changes]
        new = await self._new_texts(
            {chunk.content_hash for version in versions for chunk in version.chunks}
        )
        return [
            Item(
                source_id=self._source.id,
                url=finding.url,
                known=finding.known,
                version=version,
                chunks=version.chunks,
                new_texts=_among(new, version.chunks),
            )
            for finding, version in zip(changes, versions, strict=True)
        ]

    async def _identities(self, fresh: Sequence[str]) -> dict[str, str]:
        if self._source.type != "connected":
            return await self._documents.identities(self._source.id, fresh)
        entries = await PostgresEntries(self._pool, self._source.id).at(fresh)
        keys = {url: entries[url].key if url in entries else url for url in fresh}
        return {url: own_identity(self._source.id, key) for url, key in keys.items()}

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
        )

    async def _refill_some(
        self, documents: Sequence[KnownDocument], space: OpenSpace
    ) -> list[Item]:
        values = {**asdict(space), "ids": [document.id for document in documents]}
        async with checkout(self._pool) as connection:
            rows = await fetch_all(connection, _WITHOUT_VECTORS, values)
        chunks: dict[int, list[StoredChunk]] = {document.id: [] for document in documents}
        for row in rows:
            text = text_to_embed(row["title"], row["section"], row["content"])
            chunk = StoredChunk(row["id"], row["document_id"], row["content_hash"], text)
            chunks[chunk.document_id].append(chunk)
        new = await self._new_texts({row["content_hash"] for row in rows})
        return [
            Item(self._source.id, one.url, one, None, missing, _among(new, missing))
            for one, missing in ((one, chunks[one.id]) for one in documents)
        ]

    async def _new_texts(self, hashes: set[str]) -> set[str]:
        """The content hashes without a known vector."""
        if self._space is None or not hashes:
            return set()
        async with checkout(self._pool) as connection:
            return hashes - await known_texts(connection, self._space, hashes)


def _among(hashes: Collection[str], chunks: Sequence[Chunk | StoredChunk]) -> dict[str, str]:
    """The texts of the chunks with these hashes, by hash."""
    return {chunk.content_hash: chunk.text for chunk in chunks if chunk.content_hash in hashes}
