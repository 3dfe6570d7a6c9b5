"""Retrieval: the chunks of active sources, by vector or by words."""

from collections.abc import Sequence
from typing import Any

from pgvector import HalfVector

from rich_agent.domain.passage import Passage, cap_per_document
from rich_agent.domain.search_terms import split_scripts
from rich_agent.domain.text import clean_text
from rich_agent.ports import PassageQuery
from rich_agent.repositories.database import Pool, checkout

_TITLES_LISTED = 50
_CANDIDATES_PER_PASSAGE = 5

_FROM = """
FROM rag_chunks AS chunk
JOIN rag_documents AS document ON document.id = chunk.document_id
JOIN rag_sources AS source ON source.id = document.source_id
"""
_COLUMNS = """
chunk.id, chunk.content, chunk.section, chunk.link,
document.url, document.title, source.internal
"""
_WANTED = "source.status = 'active' AND (%(internal)s::boolean IS NULL OR internal = %(internal)s)"

# The vectors of another length are those of a model whose EMBEDDING_DIMENSIONS changed since.
_BY_VECTOR = f"""
SELECT {_COLUMNS}, 1 - (vector.embedding <=> %(vector)s) AS score
{_FROM} JOIN rag_embeddings AS vector ON vector.chunk_id = chunk.id
WHERE {_WANTED} AND vector.model = %(model)s
    AND vector_dims(vector.embedding) = %(dimensions)s
ORDER BY vector.embedding <=> %(vector)s, chunk.id
LIMIT %(candidates)s
"""

# The share of the query's words that a chunk holds, each word weighing more the rarer it is.
# Words are joined by OR: a question is a sentence, and no passage holds all of its words.
_BY_WORDS = f"""
WITH word AS (
    SELECT lexeme, quote_literal(lexeme)::tsquery AS query
    FROM unnest(to_tsvector('english', %(words)s) || to_tsvector('simple', %(grams)s))
), weighted AS (
    SELECT query, ln(1 + (SELECT count(*) FROM rag_chunks)::float
        / (1 + (SELECT count(*) FROM rag_chunks WHERE search @@ query))) AS weight
    FROM word
)
SELECT {_COLUMNS},
    (SELECT sum(weight) FROM weighted WHERE chunk.search @@ query)
        / (SELECT sum(weight) FROM weighted) AS score
{_FROM}
WHERE {_WANTED}
    AND chunk.search @@ (SELECT string_agg(query::text, ' | ')::tsquery FROM weighted)
ORDER BY score DESC, chunk.id
LIMIT %(candidates)s
"""


class PostgresPassages:
    """Implements `ports.Passages`; `model` None searches by words only."""

    def __init__(self, pool: Pool, model: str | None, per_document: int = 3) -> None:
        self._pool = pool
        self._model = model
        self._per_document = per_document

    async def search(self, query: PassageQuery) -> list[Passage]:
        """See `ports.Passages.search`."""
        values: dict[str, Any] = {
            "internal": query.internal,
            "candidates": query.limit * _CANDIDATES_PER_PASSAGE,
        }
        if query.embedding is None or self._model is None:
            words, grams = split_scripts(clean_text(query.text))
            statement, values = _BY_WORDS, values | {"words": words, "grams": grams}
        else:
            statement = _BY_VECTOR
            values |= {
                "vector": HalfVector(list(query.embedding)),
                "dimensions": len(query.embedding),
                "model": self._model,
            }
        async with checkout(self._pool) as connection:
            rows = await (await connection.execute(statement, values)).fetchall()
        return cap_per_document(_passages(rows), self._per_document)[: query.limit]

    async def source_titles(self) -> list[str]:
        """See `ports.Passages.source_titles`."""
        async with checkout(self._pool) as connection:
            found = await connection.execute(
                "SELECT name FROM rag_sources WHERE status = 'active' ORDER BY name LIMIT %s",
                (_TITLES_LISTED,),
            )
            return [row["name"] for row in await found.fetchall()]


def _passages(rows: Sequence[dict[str, Any]]) -> list[Passage]:
    return [
        Passage(
            id=row["id"],
            kind="document",
            content=row["content"],
            source_url=row["url"],
            title=row["title"],
            section=row["section"],
            link=row["link"],
            score=min(max(float(row["score"]), 0.0), 1.0),
            internal=row["internal"],
        )
        for row in rows
    ]
