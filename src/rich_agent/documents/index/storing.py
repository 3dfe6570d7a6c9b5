"""Replaces the documents of a group by new versions, with COPY.

Everything happens in the caller's transaction, so that a document changes completely or not at all.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from psycopg.types.json import Jsonb

from rich_agent.documents.chunk.chunks import Chunk
from rich_agent.documents.index.documents import Version
from rich_agent.documents.index.search_index import note_changes
from rich_agent.documents.index.terms import Terms, count_languages, weigh_texts
from rich_agent.documents.index.vector_spaces import activate_first
from rich_agent.documents.index.vectors import ChunkKey, NewVectors, store_vectors
from rich_agent.domain.retrieval.search_terms import ANALYSIS_VERSION, term_counts
from rich_agent.domain.text import estimate_tokens
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.database.repository import fetch_all, fetch_one

_CHUNKS_PER_PORTION = 64
_SAMPLE = 256

_KEY = ("source_id", "url", "identity")
_TEXTS = ("title", "raw_hash", "content_hash", "raw_text", "etag", "last_modified", "canonical_url")
_TYPES = {
    **dict.fromkeys((*_KEY, *_TEXTS), "text"),
    "fetched_at": "timestamptz",
    "pipeline_version": "integer",
    "chunk_count": "integer",
    "inventory": "jsonb",
}
_GIVEN = ", ".join(_TYPES)
_REPLACED = [name for name in (*_TYPES, "fetched_at_bucket", "space_id") if name not in _KEY]
_SAVE_DOCUMENTS = f"""
INSERT INTO rag_documents ({_GIVEN}, fetched_at_bucket, space_id)
SELECT {_GIVEN}, date_trunc('hour', fetched_at), %(space_id)s
FROM unnest({", ".join(f"%({name})s::{kind}[]" for name, kind in _TYPES.items())})
    AS version ({_GIVEN})
ON CONFLICT (source_id, url) DO UPDATE
SET {", ".join(f"{name} = excluded.{name}" for name in _REPLACED)}, last_error = NULL
RETURNING id, source_id, url
"""

_STORED = """
SELECT id, document_id, anchor, link, chunk_index FROM rag_chunks WHERE document_id = ANY(%s)
"""

_COPY_CHUNKS = """
COPY rag_chunks (id, document_id, source_id, section, anchor, link, chunk_index, content,
    token_count, content_hash, analysis, length, terms, impacts) FROM STDIN (FORMAT BINARY)
"""
# Terms are already in binary form, so the bytes are sent unchanged.
_CHUNK_TYPES = (
    *("text", "int8", "text", "text", "text", "text", "int4", "text"),
    *("int4", "text", "int2", "int4", "bytea", "bytea"),
)

_MOVE_CHUNKS = """
UPDATE rag_chunks AS chunk
SET anchor = moved.anchor, link = moved.link, chunk_index = moved.chunk_index
FROM unnest(%s::text[], %s::text[], %s::text[], %s::integer[])
    AS moved (id, anchor, link, chunk_index)
WHERE chunk.id = moved.id
"""

_NOTE_BARE = """
UPDATE rag_documents SET space_id = NULL
WHERE id IN (SELECT document_id FROM rag_chunks WHERE id = ANY(%s))
"""


_AVERAGE = "SELECT average_length FROM rag_corpus"
_SET_FIRST_AVERAGE = """
UPDATE rag_corpus SET average_length = CASE average_length WHEN 0 THEN %s ELSE average_length END
RETURNING average_length
"""


@dataclass(frozen=True, slots=True)
class _NewChunk:
    document_id: int
    source_id: str
    number: int
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class Stored:
    """The changes of chunks by storing versions."""

    removed: Mapping[str, int]
    """Number of removed chunks, by url."""
    changes: int
    """Number of chunk rows that were written or removed."""
    languages: Mapping[str, int]
    """Number of new chunks, by language."""


async def store_versions(
    connection: Connection, versions: Sequence[Version], vectors: NewVectors | None
) -> Stored:
    """Replace documents of one source by these versions; without `vectors`, store no vectors.

    Call it in a transaction that ends soon.
    """
    average = await _average_length(connection, versions)
    result = await _replace(connection, versions, average, vectors)
    if vectors is not None:
        await activate_first(connection, vectors.space)
    if result.changes:
        await note_changes(connection, result.changes, result.languages)
    return result


async def _average_length(connection: Connection, versions: Sequence[Version]) -> float:
    """The average length for weights, the same for all chunks until the next measurement.

    If nothing is stored yet, it is the average of these chunks.
    """
    row = await fetch_one(connection, _AVERAGE)
    if row["average_length"] == 0:
        texts = [chunk.text for version in versions for chunk in version.chunks][:_SAMPLE]
        first_average = await asyncio.to_thread(_mean_length, texts)
        row = await fetch_one(connection, _SET_FIRST_AVERAGE, (first_average,))
    return float(row["average_length"])


def _mean_length(texts: Sequence[str]) -> float:
    lengths = [sum(term_counts(text).values()) for text in texts]
    return max(fmean(lengths), 1.0) if lengths else 0.0


async def _replace(
    connection: Connection,
    versions: Sequence[Version],
    average_length: float,
    vectors: NewVectors | None,
) -> Stored:
    """Store documents of one source, and their vectors unless `vectors` is None.

    `average_length` is the average number of terms in a chunk. If a vector is missing, the document
    is recorded as being in no space.
    """
    document_ids = await _save_documents(connection, versions, vectors)
    rows = await fetch_all(connection, _STORED, (list(document_ids.values()),))
    old_chunk_by_id = {row["id"]: row for row in rows}
    new_ids = {chunk.id for version in versions for chunk in version.chunks}
    new_chunks = _new_chunks(versions, document_ids, old_chunk_by_id.keys())
    languages = await _copy_chunks(connection, new_chunks, average_length)
    await _move_chunks(connection, versions, old_chunk_by_id)
    if vectors is not None:
        await _give_vectors(connection, versions, document_ids, vectors)
    # Last, because another chunk may have copied the vector of a deleted one.
    obsolete_ids = old_chunk_by_id.keys() - new_ids
    if obsolete_ids:
        await connection.execute("DELETE FROM rag_chunks WHERE id = ANY(%s)", (list(obsolete_ids),))
    url_by_document_id = {document_id: url for url, document_id in document_ids.items()}
    return Stored(
        removed=Counter(
            url_by_document_id[old_chunk_by_id[chunk_id]["document_id"]]
            for chunk_id in obsolete_ids
        ),
        changes=len(new_ids - old_chunk_by_id.keys()) + len(obsolete_ids),
        languages=languages,
    )


async def _save_documents(
    connection: Connection, versions: Sequence[Version], vectors: NewVectors | None
) -> dict[str, int]:
    """The ids of the documents, by url."""
    columns = {
        "source_id": [version.source_id for version in versions],
        "url": [version.page.url for version in versions],
        "identity": [version.page.identity for version in versions],
        "title": [version.page.title for version in versions],
        "fetched_at": [version.fetched_at for version in versions],
        "raw_hash": [version.fingerprint.raw_hash for version in versions],
        "content_hash": [version.fingerprint.content_hash for version in versions],
        "raw_text": [version.text for version in versions],
        "pipeline_version": [version.fingerprint.pipeline_version for version in versions],
        "etag": [version.fingerprint.etag for version in versions],
        "last_modified": [version.fingerprint.last_modified for version in versions],
        "canonical_url": [version.canonical_url for version in versions],
        "chunk_count": [len(version.chunks) for version in versions],
        "inventory": [Jsonb(version.inventory.to_json()) for version in versions],
    }
    parameters = {**columns, "space_id": vectors.space.id if vectors else None}
    return {
        row["url"]: row["id"] for row in await fetch_all(connection, _SAVE_DOCUMENTS, parameters)
    }


def _new_chunks(
    versions: Sequence[Version], document_ids: Mapping[str, int], old_ids: Collection[str]
) -> list[_NewChunk]:
    return [
        _NewChunk(document_ids[version.page.url], version.source_id, position, chunk)
        for version in versions
        for position, chunk in enumerate(version.chunks)
        if chunk.id not in old_ids
    ]


async def _copy_chunks(
    connection: Connection, chunks: Sequence[_NewChunk], average_length: float
) -> Counter[str]:
    """Store the chunks with their terms; return the number of chunks by language."""
    chunk_count_by_language: Counter[str] = Counter()
    if not chunks:
        return chunk_count_by_language
    async with connection.cursor() as cursor, cursor.copy(_COPY_CHUNKS) as copy:
        copy.set_types(_CHUNK_TYPES)
        # The server stores a portion while the next one is analysed.
        for offset in range(0, len(chunks), _CHUNKS_PER_PORTION):
            portion = chunks[offset : offset + _CHUNKS_PER_PORTION]
            texts = [new_chunk.chunk.text for new_chunk in portion]
            all_terms = await asyncio.to_thread(weigh_texts, texts, average_length)
            for new_chunk, terms in zip(portion, all_terms, strict=True):
                await copy.write_row(_row(new_chunk, terms))
            chunk_count_by_language += count_languages(all_terms)
    return chunk_count_by_language


def _row(new_chunk: _NewChunk, terms: Terms) -> tuple[object, ...]:
    chunk = new_chunk.chunk
    return (
        *(
            chunk.id,
            new_chunk.document_id,
            new_chunk.source_id,
            chunk.section,
            chunk.anchor,
            chunk.link,
        ),
        *(new_chunk.number, chunk.content, estimate_tokens(chunk.content), chunk.content_hash),
        *(ANALYSIS_VERSION, terms.length, terms.numbers, terms.impacts),
    )


async def _move_chunks(
    connection: Connection, versions: Sequence[Version], old_chunks: Mapping[str, Mapping[str, Any]]
) -> None:
    """Update chunks whose text is the same, but whose position or link has changed."""
    rows = [
        (chunk.id, chunk.anchor, chunk.link, position)
        for version in versions
        for position, chunk in enumerate(version.chunks)
        if (row := old_chunks.get(chunk.id))
        and (row["anchor"], row["link"], row["chunk_index"]) != (chunk.anchor, chunk.link, position)
    ]
    if rows:
        await connection.execute(_MOVE_CHUNKS, [list(column) for column in zip(*rows, strict=True)])


async def _give_vectors(
    connection: Connection,
    versions: Sequence[Version],
    document_ids: Mapping[str, int],
    vectors: NewVectors,
) -> None:
    keys = [
        ChunkKey(chunk.id, version.source_id, document_ids[version.page.url], chunk.content_hash)
        for version in versions
        for chunk in version.chunks
    ]
    ids_without_vector = await store_vectors(connection, keys, vectors)
    if ids_without_vector:
        await connection.execute(_NOTE_BARE, (list(ids_without_vector),))
