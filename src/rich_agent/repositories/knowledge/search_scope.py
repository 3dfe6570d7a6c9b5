"""The scope of a search: the searched sources, and the measures of the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.abc import Params

from rich_agent.domain.retrieval.fusion import WordQuery, word_query
from rich_agent.domain.retrieval.language_trust import read_trusts, trust_in_vectors
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.retrieval.search_terms import IndexLanguages, question_terms, question_words
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import clean_text
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Pool, Query, execute
from rich_agent.repositories.knowledge.rights import AUDIENCES, CHOSEN, READABLE, rights_of

# The ids of so few documents, in so few places, are looked for; of more, only what a search finds
# is looked up.
_FEW_DOCUMENTS = 1_000
# Of so few chunks, all that hold a word are scored.
_FEW_FOR_WORDS = 3_000

_SCOPE = f"""
WITH wanted AS MATERIALIZED (
    SELECT id, chunks, has_rights AND NOT %(sees_all)s AS is_guarded FROM rag_sources AS source
    WHERE (
            status = 'active' AND {READABLE} AND {CHOSEN}
            OR %(files)s AND status = 'private' AND owner_user_id = %(reader)s::bigint
        )
        AND (%(internal)s::boolean IS NULL OR internal = %(internal)s)
        AND (%(source_ids)s::text[] IS NULL OR id = ANY(%(source_ids)s))
), audience AS MATERIALIZED (
    SELECT id FROM ({AUDIENCES}) AS own WHERE EXISTS (SELECT FROM wanted WHERE is_guarded)
), readable_place AS MATERIALIZED (
    SELECT id FROM rag_places
    WHERE EXISTS (SELECT FROM wanted WHERE is_guarded)
        AND source_id IN (SELECT id FROM wanted WHERE is_guarded)
        AND audience_id IN (SELECT id FROM audience)
    LIMIT %(few_documents)s + 1
), readable AS MATERIALIZED (
    SELECT document.id, document.chunk_count
    FROM readable_place AS place JOIN rag_documents AS document ON document.place_id = place.id
    WHERE (SELECT count(*) FROM readable_place) <= %(few_documents)s
    LIMIT %(few_documents)s + 1
)
SELECT corpus.chunks, corpus.language_chunks, corpus.measured_at, space.id AS space_id, space.model,
    space.dimensions, space.ef_search, space.trust, of_wanted.*, of_readable.*,
    (SELECT jsonb_object_agg(term, chunks) FROM rag_terms WHERE term = ANY(%(terms)s)) AS counts
FROM rag_corpus AS corpus LEFT JOIN rag_vector_spaces AS space ON space.status = 'active'
CROSS JOIN (
    SELECT array_agg(id) FILTER (WHERE NOT is_guarded) AS sources,
        array_agg(id) FILTER (WHERE is_guarded) AS guarded,
        coalesce(sum(chunks), 0)::integer AS wanted_chunks,
        coalesce(sum(chunks) FILTER (WHERE is_guarded), 0)::integer AS guarded_chunks
    FROM wanted
) AS of_wanted
CROSS JOIN (
    SELECT count(*) <= %(few_documents)s
            AND (SELECT count(*) FROM readable_place) <= %(few_documents)s AS are_few,
        coalesce(array_agg(id), '{{}}')::text AS documents,
        coalesce((SELECT array_agg(id) FROM audience), '{{}}')::text AS audiences,
        coalesce(sum(chunk_count), 0)::integer AS readable_chunks
    FROM readable
) AS of_readable
"""

# Used until a sync has measured the corpus, which is small then.
_COUNT_NOW = """
SELECT term, count(*) AS chunks, (SELECT count(*) FROM rag_chunks) AS total
FROM rag_chunks, unnest(terms) AS term
WHERE terms && %(terms)s::integer[] AND term = ANY(%(terms)s)
GROUP BY term
"""


@dataclass(frozen=True, slots=True)
class SearchedSpace:
    """The vector space that is searched.

    - `ef_search`: the parameter of its index, None while it has no index.
    - `version`: changes when the space is rebuilt or the corpus is measured; None before the first
      measurement.
    - `trust`: how well the model knows the language of the query, 0 to 1.
    """

    space: VectorSpace
    ef_search: int | None
    version: tuple[int, datetime] | None
    trust: float = 1.0


@dataclass(frozen=True, slots=True)
class Guarded:
    """Sources of whose documents the reader may read only some.

    - `audiences`: the ids of the audiences that the reader belongs to, in PostgreSQL's text form of
      an array.
    - `documents`: the ids of the readable documents if they are few, else None; in the same form.
    - `chunks`: the number of chunks in these documents.
    """

    sources: Sequence[str]
    reader: Reader
    audiences: str
    documents: str | None = None
    chunks: int = 0

    @property
    def are_few_chunks(self) -> bool:
        """Whether there are so few readable chunks that a search by words scores all of them."""
        return self.documents is not None and self.chunks <= _FEW_FOR_WORDS


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of a search: its sources, their approximate size, the vector space, and the words.

    All documents of `sources` are searched, and the readable ones of `guarded`, which is None if no
    searched source has rights.
    """

    sources: Sequence[str]
    chunks: int
    space: SearchedSpace | None
    words: WordQuery
    guarded: Guarded | None = None

    @property
    def spread(self) -> float:
        """The ratio of all counted chunks to those in scope if these are few, else 1."""
        if self.guarded is None or not self.guarded.are_few_chunks:
            return 1.0
        return max(1.0, self.words.chunks / max(self.chunks, 1))


def values_of(sources: Sequence[str], guarded_sources: Guarded | None) -> dict[str, object]:
    """The parameters of the conditions on sources and documents."""
    if guarded_sources is None:
        return {"sources": list(sources)}
    if guarded_sources.documents is not None:
        return {"sources": list(sources), "documents": guarded_sources.documents}
    return {
        "sources": list(sources),
        "guarded": list(guarded_sources.sources),
        "audiences": guarded_sources.audiences,
    }


async def find_scope(pool: Pool, query: PassageQuery) -> Scope:
    """Find the sources in scope, the active vector space, and the frequencies of the words."""
    text = clean_text(query.text)
    source_ids = None if query.source_ids is None else list(query.source_ids)
    values = {
        **rights_of(query.reader),
        "internal": query.internal,
        "files": query.files,
        "source_ids": source_ids,
        "spaces": None if query.spaces is None else list(query.spaces),
        "terms": question_terms(text),
        "few_documents": _FEW_DOCUMENTS,
    }
    (row,) = await read(pool, _SCOPE, values)
    index = IndexLanguages.of(row["language_chunks"])
    total_chunk_count, words = row["chunks"], question_words(text, index)
    chunk_count_by_term = {
        int(term): chunk_count for term, chunk_count in (row["counts"] or {}).items()
    }
    if not total_chunk_count:
        terms = list(frozenset[int]().union(*words))
        rows = await read(pool, _COUNT_NOW, {"terms": terms})
        chunk_count_by_term = {row["term"]: row["chunks"] for row in rows}
        total_chunk_count = max((row["total"] for row in rows), default=0)
    guarded_sources = _guarded_sources(row, query.reader) if row["guarded"] else None
    unread = (
        row["guarded_chunks"] - guarded_sources.chunks
        if guarded_sources and guarded_sources.documents
        else 0
    )
    return Scope(
        sources=row["sources"] or [],
        chunks=row["wanted_chunks"] - unread,
        space=_space(row, text) if row["model"] else None,
        words=word_query(words, chunk_count_by_term, total_chunk_count),
        guarded=guarded_sources,
    )


def _guarded_sources(row: dict[str, Any], reader: Reader) -> Guarded:
    if not row["are_few"]:
        return Guarded(row["guarded"], reader, row["audiences"])
    return Guarded(
        row["guarded"], reader, row["audiences"], row["documents"], row["readable_chunks"]
    )


def _space(row: dict[str, Any], text: str) -> SearchedSpace:
    measurement = row["measured_at"]
    return SearchedSpace(
        space=VectorSpace(row["model"], row["dimensions"]),
        ef_search=row["ef_search"],
        version=(row["space_id"], measurement) if measurement else None,
        trust=trust_in_vectors(text, read_trusts(row["trust"])),
    )


async def read(pool: Pool, query: Query, values: Params | None = None) -> list[dict[str, Any]]:
    """The rows of a statement, which runs in the task's transaction if there is one."""
    return await (await execute(pool, query, values)).fetchall()
