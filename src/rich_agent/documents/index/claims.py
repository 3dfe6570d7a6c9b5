"""Claims texts for embedding, so that no two processes embed the same one.

A claim is a row that is committed together with its vector. Another process that wants the same
text waits for that transaction, and then finds the vector. Claims of a dead process disappear.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict

from pgvector import HalfVector

from rich_agent.documents.index.vector_spaces import OpenSpace
from rich_agent.repositories.database.pools import Connection

# Always in the same order, so that two processes cannot deadlock.
_CLAIM = """
INSERT INTO rag_embedded_texts (model, dimensions, content_hash)
SELECT %(model)s, %(dimensions)s, hash FROM unnest(%(hashes)s::text[]) AS hash
ON CONFLICT DO NOTHING
"""

_STAGE = """
UPDATE rag_embedded_texts SET embedding = %b
WHERE model = %s AND dimensions = %s AND content_hash = %s
"""

_DROP = """
DELETE FROM rag_embedded_texts
WHERE model = %(model)s AND dimensions = %(dimensions)s AND content_hash = ANY(%(hashes)s)
"""

_PRUNE = "DELETE FROM rag_embedded_texts WHERE created_at < now() - interval '7 days'"


async def claim_texts(connection: Connection, space: OpenSpace, hashes: Iterable[str]) -> None:
    """Claim texts until the transaction ends.

    Waits for texts that other processes have claimed. Look up afterwards which of the texts they
    have embedded meanwhile.
    """
    await connection.execute(_CLAIM, {**asdict(space), "hashes": sorted(hashes)})


async def stage_vectors(
    connection: Connection, space: OpenSpace, vectors: Mapping[str, HalfVector]
) -> None:
    """Store the vectors of claimed texts whose documents cannot be stored yet."""
    async with connection.cursor() as cursor:
        await cursor.executemany(
            _STAGE,
            [
                (vector, space.model, space.dimensions, content_hash)
                for content_hash, vector in vectors.items()
            ],
        )


async def drop_claims(connection: Connection, space: OpenSpace, hashes: Collection[str]) -> None:
    """Delete claims and staged vectors of texts whose vectors are stored with chunks."""
    await connection.execute(_DROP, {**asdict(space), "hashes": list(hashes)})


async def prune_staged_vectors(connection: Connection) -> None:
    """Delete vectors that were staged a week ago and whose documents were never stored."""
    await connection.execute(_PRUNE)
