"""Which texts are being embedded, so that no two processes embed the same one.

A text is claimed by a row that is not committed before its vector is stored: the next one to want
the same text waits for that transaction, then finds the vector. Claims of a dead process vanish.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict

from pgvector import HalfVector

from ingest.index.spaces import OpenSpace
from rich_agent.repositories.database.pools import Connection

# In one order everywhere, so that two who wait for each other's texts cannot be.
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
    """Claim texts until the transaction ends; waits for those that other processes claimed.

    What they embedded meanwhile has to be looked up afterwards.
    """
    await connection.execute(_CLAIM, {**asdict(space), "hashes": sorted(hashes)})


async def stage_vectors(
    connection: Connection, space: OpenSpace, vectors: Mapping[str, HalfVector]
) -> None:
    """Keep the vectors of claimed texts whose documents cannot be stored yet."""
    async with connection.cursor() as cursor:
        await cursor.executemany(
            _STAGE,
            [(vector, space.model, space.dimensions, key) for key, vector in vectors.items()],
        )


async def drop_claims(connection: Connection, space: OpenSpace, hashes: Collection[str]) -> None:
    """Forget claims and staged vectors, which chunks have by now."""
    await connection.execute(_DROP, {**asdict(space), "hashes": list(hashes)})


async def prune_staged(connection: Connection) -> None:
    """Forget vectors that were staged a week ago, and whose documents were never stored."""
    await connection.execute(_PRUNE)
