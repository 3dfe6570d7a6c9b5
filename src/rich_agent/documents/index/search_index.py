"""Keeps the data for word search current: the terms of chunks, with weight and rarity."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from rich_agent.documents.chunk.chunks import text_to_embed
from rich_agent.documents.index.terms import count_languages, weigh_texts
from rich_agent.domain.retrieval.search_terms import ANALYSIS_VERSION, languages_in
from rich_agent.repositories.database.pools import Connection, Pool, checkout
from rich_agent.repositories.database.repository import fetch_all, fetch_one

_STALE_SHARE = 0.05
_MOVED_SHARE = 0.1
_CHUNKS_AT_ONCE = 512

_CORPUS = """
SELECT chunks, average_length, changes, measured_at IS NOT NULL AS is_measured, weighed_to,
    (SELECT coalesce(sum(chunk_count), 0) FROM rag_documents)::integer AS stored
FROM rag_corpus
"""

_CHUNKS = """
SELECT chunk.id, chunk.section, chunk.content, document.title
FROM rag_chunks AS chunk JOIN rag_documents AS document ON document.id = chunk.document_id
"""
_OLD_CHUNKS = f"{_CHUNKS} WHERE analysis < %s LIMIT {_CHUNKS_AT_ONCE}"
_SAMPLED_CHUNKS = 2_000
# Ids are hashes, so the first chunks are a fair sample.
_FIRST_CHUNKS = f"{_CHUNKS} ORDER BY chunk.id LIMIT {_SAMPLED_CHUNKS}"
_NEXT_CHUNKS = f"{_CHUNKS} WHERE chunk.id > %s ORDER BY chunk.id LIMIT {_CHUNKS_AT_ONCE}"

_WEIGHED_TABLE = """
CREATE TEMPORARY TABLE weighed ON COMMIT DROP AS
SELECT id, length, terms, impacts FROM rag_chunks WITH NO DATA
"""
_COPY_WEIGHED = "COPY weighed (id, length, terms, impacts) FROM STDIN (FORMAT BINARY)"
_WEIGHED_TYPES = ("text", "int4", "bytea", "bytea")
_UPDATE_WEIGHED = """
UPDATE rag_chunks AS chunk SET analysis = %s, length = weighed.length, terms = weighed.terms,
    impacts = weighed.impacts
FROM weighed WHERE weighed.id = chunk.id
"""

_COUNT_TERMS = """
INSERT INTO rag_terms (term, chunks)
SELECT term, count(*) FROM rag_chunks, unnest(terms) AS term GROUP BY term
"""

_MEASURE = """
UPDATE rag_corpus SET chunks = measured.chunks, changes = changes - %(seen)s, measured_at = now(),
    average_length = CASE WHEN moved THEN measured.length ELSE average_length END,
    weighed_to = CASE WHEN moved THEN '' ELSE weighed_to END
FROM (
    SELECT count(*) AS chunks, coalesce(avg(length), 0) AS length,
        coalesce(abs(avg(length) / nullif(%(average)s::real, 0) - 1) > %(most)s, true) AS moved
    FROM rag_chunks
) AS measured
"""

_COUNT_BY_SOURCE = """
UPDATE rag_sources AS source SET chunks = coalesce(counted.chunks, 0)
FROM rag_sources AS each LEFT JOIN (
    SELECT source_id, count(*) AS chunks FROM rag_chunks GROUP BY source_id
) AS counted ON counted.source_id = each.id
WHERE source.id = each.id AND source.chunks <> coalesce(counted.chunks, 0)
"""

_NOTE_CHANGES = """
UPDATE rag_corpus SET changes = changes + %(changes)s,
    languages = ARRAY(
        SELECT unnest(languages) UNION SELECT jsonb_object_keys(%(counts)s) ORDER BY 1
    ),
    language_chunks = coalesce((
        SELECT jsonb_object_agg(language, number) FROM (
            SELECT key AS language, sum(value::integer) AS number FROM (
                SELECT * FROM jsonb_each_text(language_chunks)
                UNION ALL SELECT * FROM jsonb_each_text(%(counts)s)
            ) AS every GROUP BY key
        ) AS summed
    ), '{}')
"""
_SET_LANGUAGES = "UPDATE rag_corpus SET language_chunks = %s"

# For PostgreSQL's planner, and to merge pending index entries, which slow down searches.
_AFTERWARDS = (
    "ANALYZE rag_documents, rag_chunks, rag_embeddings, rag_terms",
    "SELECT gin_clean_pending_list('rag_chunks_terms')",
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Measures of all chunks."""

    chunks: int
    """Number of chunks when they were last measured."""
    average_length: float
    changes: int
    is_measured: bool
    weighed_to: str | None
    """Id of the last chunk with current weights, None if all chunks have them."""
    stored: int
    """Current number of chunks."""

    @property
    def is_current(self) -> bool:
        """Whether the measures are close enough to the stored chunks."""
        if not self.is_measured:
            return not self.stored
        drift = max(self.changes, abs(self.stored - self.chunks))
        return drift <= _STALE_SHARE * self.chunks


async def read_corpus(connection: Connection) -> Corpus:
    """Read the stored measures."""
    return Corpus(**await fetch_one(connection, _CORPUS))


async def refresh_search(pool: Pool) -> None:
    """Analyse chunks again after a change of rules, and measure again after many changes.

    The work continues after a crash, and is cheap if there is nothing to do.

    Raises: DatabaseUnavailableError.
    """
    async with checkout(pool) as connection:
        await _analyse_old_chunks(connection)
        corpus = await read_corpus(connection)
        if not corpus.is_current:
            await _measure(connection, corpus)
            await _measure_languages(connection)
            corpus = await read_corpus(connection)
            await _tidy_up(connection)
        if corpus.weighed_to is not None:
            await _weigh_all(connection, corpus)


async def note_changes(connection: Connection, chunks: int, languages: Mapping[str, int]) -> None:
    """Add to the counts of changed chunks and, by language, of new chunks."""
    parameters = {"changes": chunks, "counts": Jsonb(dict(languages))}
    await connection.execute(_NOTE_CHANGES, parameters)


async def _analyse_old_chunks(connection: Connection) -> None:
    while True:
        rows = await fetch_all(connection, _OLD_CHUNKS, (ANALYSIS_VERSION,))
        if not rows:
            return
        average = (await read_corpus(connection)).average_length
        async with connection.transaction():
            languages = await _weigh(connection, rows, average)
            await note_changes(connection, len(rows), languages)


async def _measure(connection: Connection, corpus: Corpus) -> None:
    """Count again. Readers see the old numbers until all new numbers are stored."""
    async with connection.transaction():
        await connection.execute("SELECT set_config('work_mem', '64MB', true)")
        await connection.execute("DELETE FROM rag_terms")
        await connection.execute(_COUNT_TERMS)
        await connection.execute(
            _MEASURE,
            {"seen": corpus.changes, "average": corpus.average_length, "most": _MOVED_SHARE},
        )
        await connection.execute(_COUNT_BY_SOURCE)


async def _measure_languages(connection: Connection) -> None:
    """Count the languages of a sample of the chunks, so that removed chunks no longer count."""
    rows = await fetch_all(connection, _FIRST_CHUNKS)
    corpus = await read_corpus(connection)
    sampled_count_by_language = await asyncio.to_thread(_count_languages, _texts(rows))
    scale = max(corpus.chunks, len(rows)) / max(len(rows), 1)
    chunk_count_by_language = {
        language: max(round(chunk_count * scale), 1)
        for language, chunk_count in sampled_count_by_language.items()
    }
    await connection.execute(_SET_LANGUAGES, (Jsonb(chunk_count_by_language),))


def _count_languages(texts: Sequence[str]) -> Counter[str]:
    return Counter(chain.from_iterable(map(languages_in, texts)))


async def _weigh_all(connection: Connection, corpus: Corpus) -> None:
    """Compute all impacts with the last measured average length."""
    last_id = corpus.weighed_to
    while last_id is not None:
        rows = await fetch_all(connection, _NEXT_CHUNKS, (last_id,))
        last_id = rows[-1]["id"] if rows else None
        async with connection.transaction():
            await _weigh(connection, rows, corpus.average_length)
            await connection.execute("UPDATE rag_corpus SET weighed_to = %s", (last_id,))


async def _weigh(
    connection: Connection, rows: Sequence[dict[str, Any]], average_length: float
) -> Counter[str]:
    """Store the terms of these chunks; return the number of chunks by language."""
    all_terms = await asyncio.to_thread(weigh_texts, _texts(rows), average_length)
    async with connection.cursor() as cursor:
        await cursor.execute(_WEIGHED_TABLE)
        async with cursor.copy(_COPY_WEIGHED) as copy:
            copy.set_types(_WEIGHED_TYPES)
            for row, terms in zip(rows, all_terms, strict=True):
                await copy.write_row((row["id"], terms.length, terms.numbers, terms.impacts))
        await cursor.execute(_UPDATE_WEIGHED, (ANALYSIS_VERSION,))
    return count_languages(all_terms)


def _texts(rows: Sequence[dict[str, Any]]) -> list[str]:
    return [text_to_embed(row["title"], row["section"], row["content"]) for row in rows]


async def _tidy_up(connection: Connection) -> None:
    for statement in _AFTERWARDS:
        try:
            await connection.execute(statement)
        except psycopg.errors.InsufficientPrivilege:
            # The server does this later by itself.
            continue
