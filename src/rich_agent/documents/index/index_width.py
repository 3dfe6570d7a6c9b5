"""Measures how widely an HNSW index has to be searched to find nearly all nearest vectors."""

from pgvector import HalfVector

from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.knowledge.search_scope import read
from rich_agent.repositories.knowledge.vector_search import Nearest, sample_vectors

_QUESTIONS = 40
_COMPARED = 10
_ENOUGH = 0.97
_WIDTHS = (50, 75, 100, 150, 200, 300, 400)


async def measure_ef_search(pool: Pool, space: VectorSpace) -> int:
    """The least `ef_search` with which the index gives 97 % of the ten nearest; at most 400.

    Vectors between those of two chunks stand in for questions. Each is compared with all vectors
    once, which takes a second for a million.
    """
    vectors = await sample_vectors(pool, space, 2 * _QUESTIONS)
    questions = [
        HalfVector(one + other / 2) for one, other in zip(vectors[::2], vectors[1::2], strict=False)
    ]
    sources = [row["id"] for row in await read(pool, "SELECT id FROM rag_sources")]
    nearest = Nearest(space, sources, _COMPARED)
    tenth = [(await nearest.exactly(pool, vector))[-1]["similarity"] for vector in questions]
    for ef_search in _WIDTHS:
        hits = 0
        for vector, least in zip(questions, tenth, strict=True):
            rows = await nearest.by_index(pool, vector, ef_search)
            hits += sum(row["similarity"] >= least for row in rows)
        if hits >= _ENOUGH * _COMPARED * len(questions):
            return ef_search
    return _WIDTHS[-1]
