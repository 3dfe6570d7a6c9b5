"""The search of an HNSW index on PostgreSQL: as wide as was measured, and only what is wanted."""

from collections.abc import AsyncIterator

import numpy as np
import pytest
from pgvector import HalfVector
from psycopg import sql

from rich_agent.documents.index.vector_index import build_vector_index
from rich_agent.documents.index.vector_spaces import find_space
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.rights import Reader
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Pool, checkout, one_transaction, open_pool
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.vector_search import Nearest

SPACE = VectorSpace("model", 16)
CHUNKS = 3_000
FILL = """
INSERT INTO user_files (user_id, thread_id, name, media_type, size_bytes, sha256, ref, tokens)
VALUES (7, 'tg:7', 'mine', 'text/plain', 1, '', '', 1);
INSERT INTO rag_sources
    (id, type, root_url, name, status, chunks, owner_user_id, user_file_id)
VALUES ('src_a', 'folder', 'file:///a', 'a', 'active', 9000, NULL, NULL),
    ('src_b', 'folder', 'file:///b', 'b', 'active', 9000, NULL, NULL),
    ('src_off', 'folder', 'file:///off', 'off', 'inactive', 9000, NULL, NULL),
    ('src_mine', 'user-file', 'file:///mine', 'mine', 'private', 9000, 7, 1);
INSERT INTO rag_vector_spaces (model, dimensions, status) VALUES ('model', 16, 'active');
INSERT INTO rag_documents (source_id, url, identity, title, fetched_at, fetched_at_bucket, raw_hash,
    content_hash, raw_text, pipeline_version, chunk_count)
SELECT id, id, id, id, now(), now(), '', '', '', 1, 750 FROM rag_sources;
"""
_CHUNKS = """
INSERT INTO rag_chunks (id, document_id, source_id, section, anchor, link, chunk_index, content,
    token_count, content_hash)
SELECT 'chk_' || md5(n::text), document.id, document.source_id, '', '', '', n, n::text, 1, n::text
FROM generate_series(0, %s - 1) AS n JOIN rag_documents AS document
    ON document.source_id = (ARRAY['src_a', 'src_b', 'src_off', 'src_mine'])[n %% 4 + 1]
RETURNING id, source_id, content_hash
"""
_COPY = """
COPY rag_embeddings (chunk_id, model, dimensions, source_id, content_hash, embedding)
FROM STDIN (FORMAT BINARY)
"""


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """Four sources with 750 chunks each: two that all may search, an inactive and a private one."""
    numbers = np.random.default_rng(1)
    async with open_pool(database_url, max_size=4) as pool:
        async with checkout(pool) as connection:
            for statement in FILL.split(";")[:-1]:
                await connection.execute(statement.encode())
            rows = await (await connection.execute(_CHUNKS, (CHUNKS,))).fetchall()
            async with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
                copy.set_types(("text", "text", "int4", "text", "text", "halfvec"))
                for row in rows:
                    vector = numbers.standard_normal(SPACE.dimensions)
                    unit = HalfVector(vector / np.linalg.norm(vector))
                    place = (row["id"], SPACE.model, SPACE.dimensions, row["source_id"])
                    await copy.write_row((*place, row["content_hash"], unit))
            await connection.execute("ANALYZE rag_embeddings")
        await build(pool)
        yield pool


async def build(pool: Pool) -> None:
    """Build or measure the index, as a sync does."""
    async with checkout(pool) as connection:
        space = await find_space(connection, SPACE)
    assert await build_vector_index(pool, space, lambda _words: None, from_vectors=10) == ""


def asked(seed: int = 2) -> HalfVector:
    """A vector that no chunk has."""
    return HalfVector(np.random.default_rng(seed).standard_normal(SPACE.dimensions))


async def measured(pool: Pool) -> tuple[int, int]:
    """`ef_search` of the space, and for how many vectors it was measured."""
    async with checkout(pool) as connection:
        found = await connection.execute(
            "SELECT ef_search, measured_vectors FROM rag_vector_spaces"
        )
        (row,) = await found.fetchall()
    return row["ef_search"], row["measured_vectors"]


async def test_index_is_searched_as_widely_as_finds_nearly_all(pool: Pool) -> None:
    """With what was measured, 97 % of the ten nearest are among the first ten."""
    ef_search, vectors = await measured(pool)
    assert vectors == CHUNKS
    nearest = Nearest(SPACE, ["src_a", "src_b", "src_off", "src_mine"], 10)
    found = 0
    for seed in range(30):
        exact = {row["id"] for row in await nearest.exactly(pool, asked(seed))}
        near = await nearest.by_index(pool, asked(seed), ef_search)
        found += len(exact & {row["id"] for row in near})
    assert found >= 0.95 * 300


async def test_index_is_measured_again_when_the_corpus_has_grown(pool: Pool) -> None:
    """By half; until then what was measured stays."""
    for chunks, is_kept in ((CHUNKS, True), (2 * CHUNKS, False)):
        async with checkout(pool) as connection:
            await connection.execute("UPDATE rag_corpus SET chunks = %s", (chunks,))
            await connection.execute("UPDATE rag_vector_spaces SET ef_search = 33")
        await build(pool)
        assert ((await measured(pool))[0] == 33) == is_kept
    assert (await measured(pool))[1] == 2 * CHUNKS


async def test_search_of_the_index_sets_its_width_for_itself(pool: Pool) -> None:
    """Before the index is opened, and not for what the connection is used for afterwards."""
    show = "SELECT current_setting('hnsw.ef_search', true) AS width"
    nearest = Nearest(SPACE, ["src_a"], 10)
    async with one_transaction(pool) as connection:
        await connection.execute("SET LOCAL enable_seqscan = off")
        await connection.execute("SET LOCAL enable_sort = off")
        values = {"sources": ["src_a"], "vector": asked(), "ef_search": 123, "limit": 10}
        explained = sql.SQL("EXPLAIN (COSTS OFF) ") + nearest.index_statement
        plan = await (await connection.execute(explained, values)).fetchall()
        await nearest.by_index(pool, asked(), 123)
        inside = await (await connection.execute(show)).fetchone()
    async with checkout(pool) as connection:
        outside = await (await connection.execute(show)).fetchone()
    lines = [row["QUERY PLAN"] for row in plan]
    gate = next(at for at, line in enumerate(lines) if "One-Time Filter" in line)
    index = next(at for at, line in enumerate(lines) if "rag_embeddings_hnsw" in line)
    assert gate < index
    assert inside == {"width": "123"}
    assert outside != inside


async def test_search_of_the_index_keeps_to_what_may_be_searched(pool: Pool) -> None:
    """No inactive source, nobody else's file, and of two sources the one that is wanted."""
    passages = PostgresPassages(pool)
    vector = asked().to_list()

    async def sources(query: PassageQuery) -> set[str]:
        return {one.passage.title for one in (await passages.rank(query))}

    assert await sources(PassageQuery("", vector)) == {"src_a", "src_b"}
    assert await sources(PassageQuery("", vector, reader=Reader(8), files=True)) == {
        "src_a",
        "src_b",
    }
    mine = await sources(PassageQuery("", vector, reader=Reader(7), files=True))
    assert mine == {"src_a", "src_b", "src_mine"}
    assert await sources(PassageQuery("", vector, source_ids=("src_b",))) == {"src_b"}
    assert await sources(PassageQuery("", vector, source_ids=("src_off",))) == set()


async def test_few_vectors_are_all_compared_although_there_is_an_index(pool: Pool) -> None:
    """750 chunks are searched exactly: an index whose width is wrong does no harm."""
    async with checkout(pool) as connection:
        await connection.execute("UPDATE rag_vector_spaces SET ef_search = 0")
        await connection.execute("UPDATE rag_sources SET chunks = 750")
        await connection.execute("UPDATE rag_documents SET chunk_count = 750")
    nearest = await Nearest(SPACE, ["src_b"], 20).exactly(pool, asked())
    chunks = await PostgresPassages(pool).find(
        PassageQuery("", asked().to_list(), source_ids=("src_b",))
    )
    ids = {candidate.passage.id for candidate in chunks.candidates}
    assert {row["id"] for row in nearest} <= ids
