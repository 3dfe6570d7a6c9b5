"""The candidates of a search, with their scores by words and by vectors."""

from collections.abc import Collection, Mapping
from typing import Any

from pgvector import HalfVector

from rich_agent.domain.retrieval.candidate import Candidate, Whole
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.rights import document_guard, space_guard
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.knowledge.rights import OPEN, rights_of
from rich_agent.repositories.knowledge.search_scope import Scope, read
from rich_agent.repositories.knowledge.word_search import sparse

_OF_PASSAGE = ("id", "content", "source_url", "title", "section", "link", "internal")

# In a document with more than 50 chunks, the mean would change their scores by less than 2 %. The
# shortest documents, where it changes them most, come first, until their chunks are too many.
_CHUNKS_OF_WHOLES = 150
_CANDIDATES = f"""
WITH chunk AS MATERIALIZED (
    SELECT id, document_id, source_id, section, link, chunk_index, content, terms,
        -(impacts <#> %(query)s) AS words
    FROM rag_chunks WHERE id = ANY(%(ids)s)
), asked AS MATERIALIZED (
    SELECT id, sum(chunk_count) OVER (ORDER BY chunk_count, id) AS together
    FROM rag_documents
    WHERE chunk_count BETWEEN 2 AND 50 AND id IN (SELECT document_id FROM chunk)
), whole AS MATERIALIZED (
    SELECT each.document_id, count(*) AS chunks, avg(-(each.impacts <#> %(query)s)) AS words,
        avg(-(vector.embedding <#> %(vector)s)) AS similarity
    FROM asked JOIN rag_chunks AS each ON each.document_id = asked.id
    LEFT JOIN rag_embeddings AS vector ON vector.chunk_id = each.id
        AND vector.model = %(model)s AND vector.dimensions = %(dimensions)s
    WHERE together <= {_CHUNKS_OF_WHOLES}
    GROUP BY each.document_id
)
SELECT chunk.id, chunk.content, chunk.section, chunk.link, chunk.document_id, chunk.chunk_index,
    coalesce(document.canonical_url, document.url) AS source_url, document.title, source.internal,
    source.user_file_id IS NOT NULL AS is_private, source.space_id,
    source.has_rights,
    chunk.words, -(vector.embedding <#> %(vector)s) AS similarity,
    ARRAY(SELECT term FROM unnest(chunk.terms) AS term WHERE term = ANY(%(terms)s)) AS matched,
    whole.chunks, whole.words AS whole_words, whole.similarity AS whole_similarity
FROM chunk JOIN rag_documents AS document ON document.id = chunk.document_id
LEFT JOIN whole ON whole.document_id = chunk.document_id
JOIN rag_sources AS source ON source.id = chunk.source_id
LEFT JOIN rag_embeddings AS vector ON vector.chunk_id = chunk.id
    AND vector.model = %(model)s AND vector.dimensions = %(dimensions)s
"""
_OPEN_CANDIDATES = f"{_CANDIDATES} WHERE {OPEN}"


async def read_candidates(
    pool: Pool, scope: Scope, vector: HalfVector | None, ids: Collection[str]
) -> list[Candidate]:
    """The chunks with these ids that the reader may read now, with scores by words and vectors."""
    space = scope.space and scope.space.space
    values = {
        "query": sparse(scope.words.weights),
        "terms": list(scope.words.weights),
        "vector": vector,
        "model": space and space.model,
        "dimensions": space and space.dimensions,
        "ids": list(ids),
    }
    if scope.guarded is None:
        rows = await read(pool, _CANDIDATES, values)
    else:
        rows = await read(pool, _OPEN_CANDIDATES, values | rights_of(scope.guarded.reader))
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
    """A chunk as a passage; a chunk of a private file gets no address that could be opened."""
    columns = {name: row[name] for name in _OF_PASSAGE}
    if not row["is_private"]:
        return Passage(kind="document", **columns, guards=_guards(row))
    return Passage(kind="file", **{**columns, "source_url": "", "link": ""})


def _guards(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The rights that reading a chunk depends on, in addition to the access to its space."""
    if row["has_rights"]:
        return (document_guard(row["document_id"]),)
    return () if row["space_id"] is None else (space_guard(row["space_id"]),)
