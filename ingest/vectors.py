"""The vectors of chunks, in PostgreSQL; the same text is embedded once, wherever it stands."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pgvector import HalfVector

from ingest.chunks import Chunk, text_to_embed
from rich_agent.repositories.database import Connection, Pool, checkout

_HAVE = "model = %(model)s AND vector_dims(embedding) = %(dimensions)s"

_FIND = f"""
SELECT DISTINCT ON (content_hash) content_hash, embedding FROM rag_embeddings
WHERE {_HAVE} AND content_hash = ANY(%(hashes)s)
"""

_MISSING = f"""
SELECT chunk.id, chunk.content_hash, chunk.section, chunk.content, document.title, document.url
FROM rag_chunks AS chunk JOIN rag_documents AS document ON document.id = chunk.document_id
WHERE document.source_id = %(source_id)s AND chunk.id > %(after)s AND NOT EXISTS (
    SELECT FROM rag_embeddings WHERE chunk_id = chunk.id AND {_HAVE}
)
ORDER BY chunk.id LIMIT %(limit)s
"""

_WRITE = """
INSERT INTO rag_embeddings (chunk_id, model, content_hash, embedding) VALUES (%s, %s, %s, %b)
ON CONFLICT (chunk_id, model) DO UPDATE SET content_hash = excluded.content_hash,
    embedding = excluded.embedding, created_at = now()
"""


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """The vectors that can be compared: those of one model, of one length."""

    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class BareChunk:
    """A stored chunk that has no vector in this space."""

    id: str
    content_hash: str
    text: str
    url: str


class PostgresVectors:
    """Reads and writes `rag_embeddings`."""

    def __init__(self, pool: Pool, space: VectorSpace) -> None:
        self._pool = pool
        self._space = space

    async def of_chunks(self, ids: Iterable[str]) -> set[str]:
        """Those of the chunks that have a vector."""
        async with checkout(self._pool) as connection:
            found = await connection.execute(
                f"SELECT chunk_id FROM rag_embeddings WHERE {_HAVE} AND chunk_id = ANY(%(ids)s)",
                {**self._values(), "ids": list(ids)},
            )
            return {row["chunk_id"] for row in await found.fetchall()}

    async def find(self, hashes: Iterable[str]) -> dict[str, HalfVector]:
        """The vectors that any chunk with one of these content hashes has."""
        async with checkout(self._pool) as connection:
            found = await connection.execute(_FIND, {**self._values(), "hashes": list(hashes)})
            return {row["content_hash"]: row["embedding"] for row in await found.fetchall()}

    async def missing(self, source_id: str, *, after: str, limit: int) -> list[BareChunk]:
        """The chunks of a source without a vector, in the order of their ids, `after` excluded."""
        values = {**self._values(), "source_id": source_id, "after": after, "limit": limit}
        async with checkout(self._pool) as connection:
            rows = await (await connection.execute(_MISSING, values)).fetchall()
        return [
            BareChunk(
                row["id"],
                row["content_hash"],
                text_to_embed(row["title"], row["section"], row["content"]),
                row["url"],
            )
            for row in rows
        ]

    async def add(self, chunks: Sequence[BareChunk], vectors: Mapping[str, HalfVector]) -> None:
        """Give stored chunks their vectors, by content hash; those without one are left."""
        async with checkout(self._pool) as connection, connection.transaction():
            await write_vectors(connection, self._space, chunks, vectors)

    def _values(self) -> dict[str, object]:
        return {"model": self._space.model, "dimensions": self._space.dimensions}


async def write_vectors(
    connection: Connection,
    space: VectorSpace,
    chunks: Sequence[Chunk | BareChunk],
    vectors: Mapping[str, HalfVector],
) -> None:
    """Write the vectors of those chunks whose content hash is among `vectors`."""
    rows = [
        (chunk.id, space.model, chunk.content_hash, vectors[chunk.content_hash])
        for chunk in chunks
        if chunk.content_hash in vectors
    ]
    async with connection.cursor() as cursor:
        await cursor.executemany(_WRITE, rows)
