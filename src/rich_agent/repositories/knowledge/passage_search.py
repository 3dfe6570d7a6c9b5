"""The candidates of a search, with their scores by words and by vectors."""

from collections.abc import Collection, Mapping
from typing import Any, LiteralString

from pgvector import HalfVector

from rich_agent.domain.inventory import Inventory
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
# The vectors of a document lie next to each other, so they are read by document: one search of an
# index for each document instead of one for each chunk. Older vectors do not name their document:
# they are looked up by chunk, as are those of long documents. A search for NULL reads nothing.
_CANDIDATES = f"""
WITH chunk AS MATERIALIZED (
    SELECT id, document_id, source_id, section, link, chunk_index, content, terms,
        -(impacts <#> %(query)s) AS words
    FROM rag_chunks WHERE id = ANY(%(ids)s)
), document AS MATERIALIZED (
    SELECT id, coalesce(canonical_url, url) AS source_url, title, place_id, chunk_count, inventory
    FROM rag_documents WHERE id IN (SELECT document_id FROM chunk)
), short AS MATERIALIZED (
    SELECT id, sum(chunk_count) OVER (ORDER BY chunk_count, id) AS together
    FROM document WHERE chunk_count BETWEEN 2 AND 50
), near AS MATERIALIZED (
    SELECT chunk_id, -(embedding <#> %(vector)s) AS similarity FROM rag_embeddings
    WHERE document_id IN (SELECT id FROM short WHERE together <= {_CHUNKS_OF_WHOLES})
        AND model = %(model)s AND dimensions = %(dimensions)s
), whole AS MATERIALIZED (
    SELECT each.document_id, count(*) AS chunks, avg(-(each.impacts <#> %(query)s)) AS words,
        avg(coalesce(near.similarity, -(vector.embedding <#> %(vector)s))) AS similarity
    FROM short JOIN rag_chunks AS each ON each.document_id = short.id
    LEFT JOIN near ON near.chunk_id = each.id
    LEFT JOIN rag_embeddings AS vector
        ON vector.chunk_id = CASE WHEN near.chunk_id IS NULL THEN each.id END
        AND vector.model = %(model)s AND vector.dimensions = %(dimensions)s
    WHERE together <= {_CHUNKS_OF_WHOLES}
    GROUP BY each.document_id
)
SELECT chunk.id, chunk.content, chunk.section, chunk.link, chunk.document_id, chunk.chunk_index,
    document.source_url, document.title, document.inventory, source.internal,
    source.user_file_id IS NOT NULL AS is_private, source.space_id,
    source.has_rights,
    chunk.words, coalesce(near.similarity, -(vector.embedding <#> %(vector)s)) AS similarity,
    ARRAY(SELECT term FROM unnest(chunk.terms) AS term WHERE term = ANY(%(terms)s)) AS matched,
    whole.chunks, whole.words AS whole_words, whole.similarity AS whole_similarity
FROM chunk JOIN document ON document.id = chunk.document_id
LEFT JOIN whole ON whole.document_id = chunk.document_id
JOIN rag_sources AS source ON source.id = chunk.source_id
LEFT JOIN near ON near.chunk_id = chunk.id
LEFT JOIN rag_embeddings AS vector
    ON vector.chunk_id = CASE WHEN near.chunk_id IS NULL THEN chunk.id END
    AND vector.model = %(model)s AND vector.dimensions = %(dimensions)s
"""
_OPEN_CANDIDATES = f"{_CANDIDATES} WHERE {OPEN}"


async def read_candidates(
    pool: Pool, scope: Scope, vector: HalfVector | None, ids: Collection[str]
) -> list[Candidate]:
    """The chunks with these ids that the reader may read now, with scores by words and vectors."""
    return [_candidate(row) for row in await read(pool, *candidates_query(scope, vector, ids))]


def candidates_query(
    scope: Scope, vector: HalfVector | None, ids: Collection[str]
) -> tuple[LiteralString, dict[str, object]]:
    """The statement that reads candidates, and its parameters."""
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
        return _CANDIDATES, values
    return _OPEN_CANDIDATES, values | rights_of(scope.guarded.reader)


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
        unread = Inventory.from_json(row["inventory"]).unread
        return Passage(kind="document", **columns, guards=_guards(row), unread=unread)
    return Passage(kind="file", **{**columns, "source_url": "", "link": ""})


def _guards(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The rights that reading a chunk depends on, in addition to the access to its space."""
    if row["has_rights"]:
        return (document_guard(row["document_id"]),)
    return () if row["space_id"] is None else (space_guard(row["space_id"]),)
