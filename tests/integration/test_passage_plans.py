"""Plans of PostgreSQL for what a search reads: the chunks of many documents, and their scores."""

import re
from collections.abc import AsyncIterator, Collection, Iterator

import numpy as np
import psycopg
import pytest
from pgvector import HalfVector

from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.knowledge.passage_search import candidates_query, read_candidates
from rich_agent.repositories.knowledge.search_scope import Scope, find_scope
from tests.database import PostgresServer
from tests.integration.query_plans import rows_read

DOCUMENTS, CHUNKS_EACH, LONG_DOCUMENT = 100, 10, 60
FILL = f"""
INSERT INTO rag_sources (id, type, root_url, name, chunks)
VALUES ('src_a', 'folder', 'file:///a', 'a', {DOCUMENTS * CHUNKS_EACH});
INSERT INTO rag_vector_spaces (model, dimensions, status) VALUES ('model', 3, 'active');
INSERT INTO rag_documents (source_id, url, identity, title, fetched_at, fetched_at_bucket, raw_hash,
    content_hash, raw_text, pipeline_version, chunk_count)
SELECT 'src_a', n, n, n, now(), now(), '', '', '', 1,
    CASE n WHEN {DOCUMENTS} THEN {LONG_DOCUMENT} ELSE {CHUNKS_EACH} END
FROM generate_series(1, {DOCUMENTS}) AS n;
INSERT INTO rag_chunks (id, document_id, source_id, section, anchor, link, chunk_index, content,
    token_count, content_hash, terms, impacts)
SELECT document.url || '-' || n, document.id, 'src_a', '', '', '', n, n, 1, n, ARRAY[n],
    ('{{' || n || ':' || 1.0 / n || '}}/1000000000')::sparsevec
FROM rag_documents AS document, generate_series(1, chunk_count) AS n;
INSERT INTO rag_embeddings
    (chunk_id, model, dimensions, source_id, document_id, content_hash, embedding)
SELECT id, 'model', 3, source_id, document_id, '',
    l2_normalize(ARRAY[chunk_index, document_id, 1]::real[]::halfvec(3))
FROM rag_chunks
"""
NEAR = HalfVector(np.asarray([0.6, 0.8, 0.0]))
# Of twelve documents with ten chunks each, of the long one, and of the one whose vectors are old.
IDS = [*(f"{document}-{chunk}" for document in range(1, 13) for chunk in (1, 2)), "100-7", "20-3"]


@pytest.fixture(scope="module")
def filled_url(database_server: PostgresServer, database_template: str) -> Iterator[str]:
    """A hundred documents with vectors, of which one is long; the vectors of one are of old."""
    with database_server.database(database_template) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in FILL.split(";"):
                connection.execute(statement.encode())
            connection.execute(
                "UPDATE rag_embeddings SET document_id = NULL WHERE starts_with(chunk_id, '20-')"
            )
            connection.execute("ANALYZE")
        yield url


@pytest.fixture
async def pool(filled_url: str) -> AsyncIterator[Pool]:
    """Connections to the documents."""
    async with open_pool(filled_url, max_size=1) as pool:
        yield pool


async def scope_of(pool: Pool) -> Scope:
    """The scope of a question whose words are in no chunk."""
    return await find_scope(pool, PassageQuery("lease", NEAR.to_list()))


def searches_of(plan: str, index: str) -> int:
    """The number of searches of an index."""
    return sum(map(int, re.findall(rf"using {index} on.*?Index Searches: (\d+)", plan, re.DOTALL)))


def expected_mean(ids: Collection[str]) -> float:
    """The mean similarity of chunks, computed from how they were made."""
    rows = [[float(chunk), float(document), 1.0] for document, chunk in (i.split("-") for i in ids)]
    vectors = np.asarray(rows) / np.linalg.norm(rows, axis=1, keepdims=True)
    return float((vectors @ np.asarray([0.6, 0.8, 0.0])).mean())


async def test_vectors_of_candidates_are_read_by_document(pool: Pool) -> None:
    """One search of an index for a document, instead of one for each of its chunks."""
    query, values = candidates_query(await scope_of(pool), NEAR, IDS)
    async with pool.connection() as connection:
        # The tables are small enough to be read whole.
        await connection.execute("SET enable_seqscan = off")
        plan, _ = await rows_read(connection, query, values)
    assert searches_of(plan, "rag_embeddings_document") == 13, plan
    # The chunk of the long document, and those of the document with old vectors, once and as one.
    assert searches_of(plan, "rag_embeddings_pkey") <= 1 + 1 + CHUNKS_EACH, plan


async def test_similarity_of_a_document_does_not_depend_on_how_its_vectors_are_read(
    pool: Pool,
) -> None:
    """Vectors that name their document, and older ones that do not, have the same mean."""
    candidates = await read_candidates(pool, await scope_of(pool), NEAR, IDS)
    assert {candidate.passage.id for candidate in candidates} == set(IDS)
    for candidate in candidates:
        assert candidate.vector == pytest.approx(expected_mean([candidate.passage.id]), abs=2e-3)
        document, whole = candidate.passage.title, candidate.whole
        if document == str(DOCUMENTS):
            assert whole is None
            continue
        assert whole
        assert whole.chunks == CHUNKS_EACH
        siblings = [f"{document}-{chunk}" for chunk in range(1, CHUNKS_EACH + 1)]
        assert whole.vector == pytest.approx(expected_mean(siblings), abs=2e-3)
