"""The vectors of texts: finds stored vectors, and stores new ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from pgvector import HalfVector

from rich_agent.documents.index.vector_spaces import OpenSpace
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.database.repository import fetch_all

_KNOWN_TEXTS = """
SELECT content_hash FROM rag_embeddings
WHERE content_hash = ANY(%(hashes)s) AND model = %(model)s AND dimensions = %(dimensions)s
UNION
SELECT content_hash FROM rag_embedded_texts
WHERE content_hash = ANY(%(hashes)s) AND model = %(model)s AND dimensions = %(dimensions)s
    AND embedding IS NOT NULL
"""

_WITH_VECTORS = """
SELECT chunk_id FROM rag_embeddings
WHERE chunk_id = ANY(%(ids)s) AND model = %(model)s AND dimensions = %(dimensions)s
"""

_COPY_VECTORS = """
COPY rag_embeddings (chunk_id, model, dimensions, source_id, document_id, content_hash, embedding)
FROM STDIN (FORMAT BINARY)
"""
_VECTOR_TYPES = ("text", "text", "int4", "text", "int8", "text", "halfvec")

# The same text has the same vector, in any document and before it is stored in one.
_SHARE_VECTORS = """
INSERT INTO rag_embeddings
    (chunk_id, model, dimensions, source_id, document_id, content_hash, embedding)
SELECT chunk.id, %(model)s, %(dimensions)s, chunk.source_id, chunk.document_id,
    chunk.content_hash, known.embedding
FROM unnest(%(ids)s::text[], %(sources)s::text[], %(documents)s::bigint[], %(hashes)s::text[])
    AS chunk (id, source_id, document_id, content_hash)
CROSS JOIN LATERAL (
    SELECT embedding FROM rag_embeddings AS other
    WHERE other.content_hash = chunk.content_hash AND model = %(model)s
        AND dimensions = %(dimensions)s
    UNION ALL
    SELECT embedding FROM rag_embedded_texts AS staged
    WHERE staged.content_hash = chunk.content_hash AND model = %(model)s
        AND dimensions = %(dimensions)s AND embedding IS NOT NULL
    LIMIT 1
) AS known
RETURNING chunk_id
"""


@dataclass(frozen=True, slots=True)
class ChunkKey:
    """The key of a stored vector."""

    id: str
    source_id: str
    document_id: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class NewVectors:
    """New vectors by content hash, and their space."""

    space: OpenSpace
    by_hash: Mapping[str, HalfVector]


def unit_vectors(vectors: Sequence[Sequence[float]]) -> list[HalfVector]:
    """The vectors scaled to length 1, so that inner products are cosines; zero stays zero."""
    matrix = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    unit_rows = np.divide(matrix, lengths, out=matrix, where=lengths > 0).astype(np.float16)
    return [HalfVector(row) for row in unit_rows]


async def known_texts(connection: Connection, space: OpenSpace, hashes: Iterable[str]) -> set[str]:
    """The content hashes whose vectors are in the space."""
    rows = await fetch_all(connection, _KNOWN_TEXTS, {**asdict(space), "hashes": list(hashes)})
    return {row["content_hash"] for row in rows}


async def store_vectors(
    connection: Connection, keys: Sequence[ChunkKey], vectors: NewVectors
) -> set[str]:
    """Store vectors of chunks in the space, and return the ids of chunks that still have no vector.

    A vector is new, or a copy of the vector of the same text elsewhere.
    """
    space_columns = asdict(vectors.space)
    rows = await fetch_all(
        connection, _WITH_VECTORS, {**space_columns, "ids": [key.id for key in keys]}
    )
    ids_with_vector = {row["chunk_id"] for row in rows}
    keys_without_vector = [key for key in keys if key.id not in ids_with_vector]
    await _copy_vectors(
        connection,
        [key for key in keys_without_vector if key.content_hash in vectors.by_hash],
        vectors,
    )
    keys_to_copy = [key for key in keys_without_vector if key.content_hash not in vectors.by_hash]
    if not keys_to_copy:
        return set()
    columns = {
        "ids": [key.id for key in keys_to_copy],
        "sources": [key.source_id for key in keys_to_copy],
        "documents": [key.document_id for key in keys_to_copy],
        "hashes": [key.content_hash for key in keys_to_copy],
    }
    rows = await fetch_all(connection, _SHARE_VECTORS, {**space_columns, **columns})
    return {key.id for key in keys_to_copy} - {row["chunk_id"] for row in rows}


async def _copy_vectors(
    connection: Connection, keys: Sequence[ChunkKey], vectors: NewVectors
) -> None:
    if not keys:
        return
    space = vectors.space
    async with connection.cursor() as cursor, cursor.copy(_COPY_VECTORS) as copy:
        copy.set_types(_VECTOR_TYPES)
        for key in keys:
            await copy.write_row(
                (
                    *(key.id, space.model, space.dimensions, key.source_id, key.document_id),
                    key.content_hash,
                    vectors.by_hash[key.content_hash],
                )
            )
