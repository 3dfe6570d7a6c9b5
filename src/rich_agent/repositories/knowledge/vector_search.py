"""The search by vectors, with an HNSW index if there is one, and the usual similarity of chunks."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import sql

from rich_agent.domain.retrieval.fusion import Background
from rich_agent.domain.retrieval.local_models import usual_similarity
from rich_agent.domain.retrieval.passage import VectorProgress, VectorSpace
from rich_agent.repositories.database.pools import Pool, execute
from rich_agent.repositories.knowledge.rights import IN_FEW, IN_SCOPE
from rich_agent.repositories.knowledge.search_scope import (
    Guarded,
    Scope,
    SearchedSpace,
    read,
    values_of,
)

# Searching so many vectors exactly takes as long as searching the HNSW index, and of an index over
# many more than are wanted, most of what it finds is thrown away.
_EXACT_BELOW = 8_000
_EXACT_BELOW_SHARE = 0.02
# For each chunk that may be shown, an index looks at many others: the nearest half has to do.
_GUARDED_SHARE = 2
_SAMPLED = 1_600
_SAMPLE_KEPT_S = 600.0

_BY_VECTOR = """
SELECT chunk_id AS id, -(embedding <#> %(vector)s) AS similarity FROM rag_embeddings
WHERE model = %(model)s AND dimensions = %(dimensions)s AND source_id = ANY(%(sources)s)
ORDER BY embedding <#> %(vector)s
LIMIT %(limit)s
"""

# Without the first condition, a plan for any sources would read the whole table for none.
_BY_VECTOR_IN_FEW = """
SELECT chunk_id AS id, -distance AS similarity FROM (
    SELECT chunk_id, embedding <#> %(vector)s AS distance FROM rag_embeddings
    WHERE cardinality(%(sources)s::text[]) > 0 AND source_id = ANY(%(sources)s)
        AND model = %(model)s AND dimensions = %(dimensions)s
    UNION ALL SELECT chunk_id, embedding <#> %(vector)s FROM rag_embeddings
    WHERE document_id = ANY(%(documents)s::bigint[])
        AND model = %(model)s AND dimensions = %(dimensions)s
) AS compared
ORDER BY distance
LIMIT %(limit)s
"""
# Rights are looked up nearest first, until there are enough.
_BY_VECTOR_IN_MANY = f"""
SELECT chunk_id AS id, similarity FROM (
    SELECT chunk_id, source_id, document_id, -(embedding <#> %(vector)s) AS similarity
    FROM rag_embeddings
    WHERE model = %(model)s AND dimensions = %(dimensions)s
        AND source_id = ANY(%(sources)s::text[] || %(guarded)s::text[])
    ORDER BY embedding <#> %(vector)s OFFSET 0
) AS compared
WHERE {IN_SCOPE}
LIMIT %(limit)s
"""

# Model and dimensions are literals: with parameters, the partial index would not be used. The first
# condition is evaluated once, before the index is opened; what it sets ends with the statement.
# Source: pgvector, README, HNSW query options.
_BY_INDEX = """
SELECT chunk_id AS id, -(embedding <#> %(vector)s) AS similarity FROM rag_embeddings
WHERE (
    SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true)
        || set_config('hnsw.ef_search', %(ef_search)s::text, true)
) <> '' AND model = {model} AND dimensions = {dimensions} AND {within}
ORDER BY (embedding::halfvec({dimensions})) <#> %(vector)s::halfvec({dimensions})
LIMIT %(limit)s
"""

_OF_SOURCES = sql.SQL("source_id = ANY(%(sources)s)")
_OF_FEW, _OF_MANY = sql.SQL(IN_FEW), sql.SQL(IN_SCOPE)

# Ids are hashes, so the first ones are a fair sample, and the same for the same chunks.
_SAMPLE = """
SELECT embedding FROM rag_embeddings WHERE model = %(model)s AND dimensions = %(dimensions)s
ORDER BY chunk_id LIMIT %(count)s
"""


def hnsw_name(model: str, dimensions: int) -> str:
    """The name of the HNSW index over the vectors of one space."""
    space = f"{model}\n{dimensions}"
    return f"rag_embeddings_hnsw_{sha256(space.encode()).hexdigest()[:8]}"


@dataclass(frozen=True, slots=True)
class Nearest:
    """A search for the nearest `limit` chunks of the sources and of readable guarded documents."""

    space: VectorSpace
    sources: Sequence[str]
    limit: int
    guarded: Guarded | None = None

    async def exactly(self, pool: Pool, vector: HalfVector) -> list[dict[str, Any]]:
        """The ids and similarities, nearest first, by a comparison with all vectors in scope."""
        statement = _BY_VECTOR
        if self.guarded:
            are_few = self.guarded.documents is not None
            statement = _BY_VECTOR_IN_FEW if are_few else _BY_VECTOR_IN_MANY
        return await read(pool, statement, {**self._values(vector), **asdict(self.space)})

    async def by_index(
        self, pool: Pool, vector: HalfVector, ef_search: int
    ) -> list[dict[str, Any]]:
        """The ids and similarities, nearest first; the index misses some chunks.

        The greater `ef_search` is, the fewer it misses.
        """
        values = {**self._values(vector), "ef_search": ef_search}
        rows = await read(pool, self.index_statement, values)
        # An index that is searched further gives them only about in order.
        return sorted(rows, key=lambda row: -row["similarity"])

    def _values(self, vector: HalfVector) -> dict[str, object]:
        return {**values_of(self.sources, self.guarded), "limit": self.limit, "vector": vector}

    @property
    def index_statement(self) -> sql.Composed:
        """The statement that searches by the index."""
        model, dimensions = sql.Literal(self.space.model), sql.Literal(self.space.dimensions)
        within = _OF_SOURCES
        if self.guarded:
            within = _OF_MANY if self.guarded.documents is None else _OF_FEW
        return sql.SQL(_BY_INDEX).format(model=model, dimensions=dimensions, within=within)


async def search_vectors(pool: Pool, scope: Scope, vector: HalfVector, limit: int) -> list[str]:
    """The ids of the chunks with the nearest vectors, nearest first.

    The search is exact for few vectors; for many, it uses the HNSW index if a sync has built one.
    If sources have rights, the index returns half as many.
    """
    if scope.space is None:
        return []
    nearest = Nearest(scope.space.space, scope.sources, limit, scope.guarded)
    few = max(_EXACT_BELOW, _EXACT_BELOW_SHARE * scope.words.chunks)
    if scope.space.ef_search is None or scope.chunks < few:
        rows = await nearest.exactly(pool, vector)
    else:
        if scope.guarded:
            nearest = replace(nearest, limit=-(-limit // _GUARDED_SHARE))
        rows = await nearest.by_index(pool, vector, scope.space.ef_search)
    return [row["id"] for row in rows]


@dataclass(frozen=True, slots=True)
class _Sample:
    version: tuple[int, datetime]
    read_at: float
    vectors: NDArray[np.float32]


class BackgroundSample:
    """Measures how similar a vector is to chunks in general, by a sample of the chunks.

    The sample is kept in memory for ten minutes, or until the corpus is measured again.
    """

    def __init__(self) -> None:
        self._kept: _Sample | None = None

    async def measure(self, pool: Pool, scope: Scope, vector: HalfVector) -> Background | None:
        """The mean and deviation of the similarities to the sample; None without a vector space."""
        if scope.space is None:
            return None
        vectors = await self._vectors(pool, scope.space, scope.words.chunks)
        usual = usual_similarity(scope.space.space)
        if not len(vectors):
            return Background.of_sample(0, 0.0, 0.0, usual)
        # Not `@`, whose threads take as long to wake as this to compute.
        similarity = np.einsum("ij,j->i", vectors, vector.to_numpy().astype(np.float32))
        background = Background.of_sample(
            len(vectors), float(similarity.mean()), float(similarity.std()), usual
        )
        return replace(background, trust=scope.space.trust)

    async def _vectors(self, pool: Pool, space: SearchedSpace, chunks: int) -> NDArray[np.float32]:
        sample, now = self._kept, time.monotonic()
        if sample and sample.version == space.version and now - sample.read_at < _SAMPLE_KEPT_S:
            return sample.vectors
        vectors = await sample_vectors(pool, space.space, _SAMPLED)
        if space.version and len(vectors) >= min(_SAMPLED, chunks):
            self._kept = _Sample(space.version, now, vectors)
        return vectors


async def sample_vectors(pool: Pool, space: VectorSpace, count: int) -> NDArray[np.float32]:
    """The vectors of `count` arbitrary chunks, or of all if there are fewer, one in each row."""
    # As text, a thousand vectors are a million numbers to read, while nobody else is served.
    cursor = await execute(pool, _SAMPLE, {**asdict(space), "count": count}, binary=True)
    rows = await cursor.fetchall()
    if not rows:
        return np.zeros((0, 0), np.float32)
    return np.stack([row["embedding"].to_numpy() for row in rows]).astype(np.float32)


_PROGRESS = """
SELECT count(*) AS chunks, count(vector.chunk_id) AS embedded, count(refused.chunk_id) AS refused
FROM rag_chunks AS chunk JOIN rag_sources AS source ON source.id = chunk.source_id
LEFT JOIN rag_embeddings AS vector ON vector.chunk_id = chunk.id
    AND vector.model = %(model)s AND vector.dimensions = %(dimensions)s
LEFT JOIN rag_refused_chunks AS refused ON refused.chunk_id = chunk.id
    AND refused.model = %(model)s AND refused.dimensions = %(dimensions)s
WHERE source.status = 'active'
"""


async def read_progress(pool: Pool, space: VectorSpace) -> VectorProgress:
    """The progress of making vectors in a space, for all documents."""
    (row,) = await read(pool, _PROGRESS, asdict(space))
    return VectorProgress(**row)
