"""Saves documents with all that retrieval searches: chunks, their terms, their vectors."""

import asyncio
from collections.abc import Sequence
from statistics import fmean

from ingest.index.documents import Version
from ingest.index.spaces import activate_first
from ingest.index.storing import Stored, store
from ingest.index.vectors import NewVectors
from rich_agent.domain.retrieval.search_terms import term_counts
from rich_agent.repositories.database.pools import Connection

_SAMPLE = 256

_AVERAGE = "SELECT average_length FROM rag_corpus"
_SET_FIRST_AVERAGE = """
UPDATE rag_corpus SET average_length = CASE average_length WHEN 0 THEN %s ELSE average_length END
RETURNING average_length
"""
_ADD_CHANGES = "UPDATE rag_corpus SET changes = changes + %s"


async def save(
    connection: Connection, versions: Sequence[Version], vectors: NewVectors | None
) -> Stored:
    """Put these versions, all of one source, in the place of the last ones.

    `vectors` None stores none. To be called in a transaction, which ends soon.
    """
    average = await _average_length(connection, versions)
    stored = await store(connection, versions, average, vectors)
    if vectors is not None:
        await activate_first(connection, vectors.space)
    if stored.changes:
        await connection.execute(_ADD_CHANGES, (stored.changes,))
    return stored


async def _average_length(connection: Connection, versions: Sequence[Version]) -> float:
    """What impacts are made with: one number for all chunks, until it is measured again.

    Where nothing was stored yet it is the average of these chunks.
    """
    row = await (await connection.execute(_AVERAGE)).fetchone()
    if row is not None and row["average_length"] == 0:
        texts = [chunk.text for version in versions for chunk in version.chunks][:_SAMPLE]
        first = await asyncio.to_thread(_mean_length, texts)
        row = await (await connection.execute(_SET_FIRST_AVERAGE, (first,))).fetchone()
    return float(row["average_length"]) if row else 0.0


def _mean_length(texts: Sequence[str]) -> float:
    lengths = [sum(term_counts(text).values()) for text in texts]
    return max(fmean(lengths), 1.0) if lengths else 0.0
