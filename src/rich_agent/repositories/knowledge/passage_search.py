"""The two halves of retrieval in SQL: search by words, and by vectors."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from pgvector import HalfVector, SparseVector
from psycopg import sql

from rich_agent.domain.retrieval.fusion import (
    Background,
    Candidate,
    Whole,
    WordQuery,
    word_query,
)
from rich_agent.domain.retrieval.passage import Passage, VectorSpace
from rich_agent.domain.retrieval.search_terms import TERM_SPACE, question_terms, question_words
from rich_agent.domain.text import clean_text
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.database.repository import fetch_all, fetch_one


def hnsw_name(model: str, dimensions: int) -> str:
    """The name of the HNSW index over the vectors of one space."""
    space = f"{model}\n{dimensions}"
    return f"rag_embeddings_hnsw_{sha256(space.encode()).hexdigest()[:8]}"


_OF_PASSAGE = ("id", "content", "source_url", "title", "section", "link", "internal")
_SCORED_FIRST = 3_000
_SCORED_AT_MOST = 15_000
_EXACT_WITHIN = 10
_SAMPLED = 1_600
# Searching so many vectors exactly takes as long as searching the HNSW index, if there is one.
_EXACT_BELOW = 8_000

_SCOPE = """
SELECT corpus.chunks, corpus.languages, space.model, space.dimensions,
    (SELECT array_agg(id) FROM rag_sources
        WHERE (status = 'active' OR status = 'private' AND owner_user_id = %(owner)s::bigint)
        AND (%(internal)s::boolean IS NULL OR internal = %(internal)s)
        AND (%(source_ids)s::text[] IS NULL OR id = ANY(%(source_ids)s))) AS sources,
    (SELECT jsonb_object_agg(term, chunks) FROM rag_terms WHERE term = ANY(%(terms)s)) AS counts
FROM rag_corpus AS corpus LEFT JOIN rag_vector_spaces AS space ON space.status = 'active'
"""

# Used until a sync has measured the corpus, which is small then.
_COUNT_NOW = """
SELECT term, count(*) AS chunks, (SELECT count(*) FROM rag_chunks) AS total
FROM rag_chunks, unnest(terms) AS term
WHERE terms && %(terms)s AND term = ANY(%(terms)s)
GROUP BY term
"""

_BY_WORDS = """
SELECT id, -(impacts <#> %(query)s) AS score FROM rag_chunks
WHERE terms && %(terms)s AND source_id = ANY(%(sources)s)
ORDER BY impacts <#> %(query)s
LIMIT %(limit)s
"""

_BACKGROUND = """
SELECT count(*) AS count, coalesce(avg(similarity), 0) AS mean,
    coalesce(stddev_pop(similarity), 0) AS deviation
FROM (
    SELECT -(embedding <#> %(vector)s) AS similarity
    FROM rag_embeddings TABLESAMPLE SYSTEM (%(percent)s) REPEATABLE (1)
    WHERE model = %(model)s AND dimensions = %(dimensions)s
    LIMIT %(most)s
) AS sample
"""

# In a document with more than 50 chunks, the mean would change their scores by less than 2 %.
_CANDIDATES = """
WITH whole AS MATERIALIZED (
    SELECT chunk.document_id, count(*) AS chunks, avg(-(chunk.impacts <#> %(query)s)) AS words,
        avg(-(vector.embedding <#> %(vector)s)) AS similarity
    FROM rag_documents AS document JOIN rag_chunks AS chunk ON chunk.document_id = document.id
    LEFT JOIN rag_embeddings AS vector ON vector.chunk_id = chunk.id
        AND vector.model = %(model)s AND vector.dimensions = %(dimensions)s
    WHERE document.chunk_count BETWEEN 2 AND 50
        AND document.id IN (SELECT document_id FROM rag_chunks WHERE id = ANY(%(ids)s))
    GROUP BY chunk.document_id
)
SELECT chunk.id, chunk.content, chunk.section, chunk.link, chunk.document_id, chunk.chunk_index,
    coalesce(document.canonical_url, document.url) AS source_url, document.title, source.internal,
    source.user_file_id IS NOT NULL AS is_private,
    -(chunk.impacts <#> %(query)s) AS words, -(vector.embedding <#> %(vector)s) AS similarity,
    ARRAY(SELECT term FROM unnest(chunk.terms) AS term WHERE term = ANY(%(terms)s)) AS matched,
    whole.chunks, whole.words AS whole_words, whole.similarity AS whole_similarity
FROM rag_chunks AS chunk
JOIN rag_documents AS document ON document.id = chunk.document_id
LEFT JOIN whole ON whole.document_id = chunk.document_id
JOIN rag_sources AS source ON source.id = chunk.source_id
LEFT JOIN rag_embeddings AS vector ON vector.chunk_id = chunk.id
    AND vector.model = %(model)s AND vector.dimensions = %(dimensions)s
WHERE chunk.id = ANY(%(ids)s)
"""

_BY_VECTOR = """
SELECT chunk_id AS id FROM rag_embeddings
WHERE model = %(model)s AND dimensions = %(dimensions)s AND source_id = ANY(%(sources)s)
ORDER BY embedding <#> %(vector)s
LIMIT %(limit)s
"""

_HOLDS = """
SELECT EXISTS (
    SELECT FROM rag_chunks AS chunk JOIN rag_sources AS source ON source.id = chunk.source_id
    WHERE {holds_all} AND source.status = 'active' AND NOT (
        source.internal
        AND EXISTS (SELECT FROM rag_sources WHERE status = 'active' AND NOT internal)
    )
) AS holds
"""

# As literals: with a parameter, the partial index would not be used.
_BY_INDEX = """
SELECT chunk_id AS id FROM rag_embeddings
WHERE model = {model} AND dimensions = {dimensions} AND source_id = ANY(%(sources)s)
ORDER BY (embedding::halfvec({dimensions})) <#> %(vector)s::halfvec({dimensions})
LIMIT %(limit)s
"""


_LARGE = """
SELECT EXISTS (
    SELECT FROM pg_index WHERE indexrelid = to_regclass(%(name)s) AND indisvalid
) AND (
    SELECT count(*) FROM (
        SELECT FROM rag_embeddings WHERE source_id = ANY(%(sources)s) LIMIT %(most)s
    ) AS vector
) >= %(most)s AS is_large
"""

# Source: pgvector, README, HNSW query options; `bench/retrieval.py` measures the effect.
_SEARCH_WIDELY = """
SELECT set_config('hnsw.ef_search', '300', true),
    set_config('hnsw.iterative_scan', 'relaxed_order', true)
"""


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of a search: ids of sources, the vector space, and the words."""

    sources: Sequence[str]
    space: VectorSpace | None
    words: WordQuery


async def find_scope(connection: Connection, query: PassageQuery) -> Scope:
    """The wanted sources, the active space, and the rarity of the query's words."""
    text = clean_text(query.text)
    source_ids = None if query.source_ids is None else list(query.source_ids)
    values = {
        "internal": query.internal,
        "owner": query.owner_user_id,
        "source_ids": source_ids,
        "terms": question_terms(text),
    }
    row = await fetch_one(connection, _SCOPE, values)
    chunks, words = row["chunks"], question_words(text, frozenset(row["languages"]))
    chunks_with = {int(term): number for term, number in (row["counts"] or {}).items()}
    if not chunks:
        terms = list(frozenset[int]().union(*words))
        rows = await fetch_all(connection, _COUNT_NOW, {"terms": terms})
        chunks_with = {row["term"]: row["chunks"] for row in rows}
        chunks = max((row["total"] for row in rows), default=0)
    return Scope(
        sources=row["sources"] or [],
        space=VectorSpace(row["model"], row["dimensions"]) if row["model"] else None,
        words=word_query(words, chunks_with, chunks),
    )


async def holds_words(connection: Connection, text: str) -> bool:
    """Whether one chunk contains all words of the text; False if the text has none."""
    row = await fetch_one(connection, "SELECT languages FROM rag_corpus")
    words = question_words(clean_text(text), frozenset(row["languages"]))
    if not words:
        return False
    each = [sql.SQL("chunk.terms && {}::integer[]").format(list(word)) for word in words]
    statement = sql.SQL(_HOLDS).format(holds_all=sql.SQL(" AND ").join(each))
    return bool((await fetch_one(connection, statement))["holds"])


def sparse(weights: Mapping[int, float]) -> SparseVector:
    """Weights by term, as pgvector's type."""
    return SparseVector(dict(weights), TERM_SPACE)


async def search_words(connection: Connection, scope: Scope, limit: int) -> list[str]:
    """The ids of the chunks with the highest BM25 scores, best first.

    The weightiest words select the chunks to score. If a chunk without any of them could still be
    among the ten best, more words are used.
    """
    words = scope.words
    terms = words.choose(_SCORED_FIRST)
    rows = await _score(connection, scope, terms, limit)
    least = rows[_EXACT_WITHIN - 1]["score"] if len(rows) >= _EXACT_WITHIN else 0.0
    if words.bound_without(terms) > least:
        more = words.choose(_SCORED_AT_MOST, least)
        if len(more) > len(terms):
            rows = await _score(connection, scope, more, limit)
    return [row["id"] for row in rows]


async def _score(
    connection: Connection, scope: Scope, terms: frozenset[int], limit: int
) -> list[dict[str, Any]]:
    values = {
        "query": sparse(scope.words.weights),
        "terms": list(terms),
        "sources": scope.sources,
        "limit": limit,
    }
    return await fetch_all(connection, _BY_WORDS, values)


async def search_vectors(
    connection: Connection, scope: Scope, vector: HalfVector, limit: int
) -> list[str]:
    """The ids of the chunks with the nearest vectors, nearest first.

    The search is exact for few vectors, else it uses the HNSW index if a sync has built it.
    """
    space = scope.space
    if space is None:
        return []
    values = {**asdict(space), "sources": scope.sources, "vector": vector, "limit": limit}
    if not await _uses_index(connection, scope, space):
        rows = await fetch_all(connection, _BY_VECTOR, values)
        return [row["id"] for row in rows]
    statement = sql.SQL(_BY_INDEX).format(
        model=sql.Literal(space.model), dimensions=sql.Literal(space.dimensions)
    )
    async with connection.transaction():
        await connection.execute(_SEARCH_WIDELY)
        rows = await fetch_all(connection, statement, values)
    return [row["id"] for row in rows]


async def _uses_index(connection: Connection, scope: Scope, space: VectorSpace) -> bool:
    """Whether the index exists, and enough vectors are searched to make it worthwhile."""
    values = {
        "sources": scope.sources,
        "name": hnsw_name(space.model, space.dimensions),
        "most": _EXACT_BELOW,
    }
    return bool((await fetch_one(connection, _LARGE, values))["is_large"])


async def measure_background(
    connection: Connection, scope: Scope, vector: HalfVector
) -> Background | None:
    """Measure how similar the vector is to chunks in general, from a sample."""
    if scope.space is None:
        return None
    percent = 100 * _SAMPLED / scope.words.chunks if scope.words.chunks > _SAMPLED else 100
    sample = {"vector": vector, "percent": percent, "most": 2 * _SAMPLED}
    row = await fetch_one(connection, _BACKGROUND, {**asdict(scope.space), **sample})
    return Background.of_sample(row["count"], row["mean"], row["deviation"])


async def read_candidates(
    connection: Connection, scope: Scope, vector: HalfVector | None, ids: Collection[str]
) -> list[Candidate]:
    """The chunks with these ids, each with the scores of both halves."""
    values = {
        "query": sparse(scope.words.weights),
        "terms": list(scope.words.weights),
        "vector": vector,
        "model": scope.space and scope.space.model,
        "dimensions": scope.space and scope.space.dimensions,
        "ids": list(ids),
    }
    rows = await fetch_all(connection, _CANDIDATES, values)
    return [_candidate(row) for row in rows]


def _candidate(row: Mapping[str, Any]) -> Candidate:
    whole = Whole(row["chunks"], row["whole_words"], row["whole_similarity"])
    return Candidate(
        passage=_passage(row),
        words=row["words"],
        vector=row["similarity"],
        matched=frozenset(row["matched"]),
        document=row["document_id"],
        position=row["chunk_index"],
        whole=whole if row["chunks"] else None,
    )


def _passage(row: Mapping[str, Any]) -> Passage:
    """A chunk as a passage; that of a private file has no address that would open it."""
    found = {name: row[name] for name in _OF_PASSAGE}
    if not row["is_private"]:
        return Passage(kind="document", **found)
    return Passage(kind="file", **{**found, "source_url": "", "link": ""})
