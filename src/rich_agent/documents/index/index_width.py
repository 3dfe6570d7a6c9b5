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
    """The least `ef_search` that finds 97 % of the ten nearest vectors by the index; at most 400.

    Vectors between the vectors of two chunks stand in for questions. Each is compared with all
    vectors once, which takes a second for a million vectors.
    """
    vectors = await sample_vectors(pool, space, 2 * _QUESTIONS)
    questions = [
        HalfVector(vector_a + vector_b / 2)
        for vector_a, vector_b in zip(vectors[::2], vectors[1::2], strict=False)
    ]
    source_ids = [row["id"] for row in await read(pool, "SELECT id FROM rag_sources")]
    nearest = Nearest(space, source_ids, _COMPARED)
    tenth_similarities = [
        (await nearest.exactly(pool, vector))[-1]["similarity"] for vector in questions
    ]
    for ef_search in _WIDTHS:
        hit_count = 0
        for vector, tenth_similarity in zip(questions, tenth_similarities, strict=True):
            rows = await nearest.by_index(pool, vector, ef_search)
            hit_count += sum(row["similarity"] >= tenth_similarity for row in rows)
        if hit_count >= _ENOUGH * _COMPARED * len(questions):
            return ef_search
    return _WIDTHS[-1]
