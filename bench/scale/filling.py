"""Fills the tables as `ingest sync` does: documents, chunks, terms, vectors, then the indexes."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from pgvector import HalfVector

from bench.scale.texts import SOURCES, Texts
from bench.scale.vectors import DIMENSIONS, Vectors
from rich_agent.documents.index.documents import Version
from rich_agent.documents.index.search_index import refresh_search
from rich_agent.documents.index.storing import store_versions
from rich_agent.documents.index.vector_index import build_vector_index
from rich_agent.documents.index.vector_spaces import open_space
from rich_agent.documents.index.vectors import NewVectors, unit_vectors
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.repositories.database.pools import Pool, checkout, one_transaction

SPACE = VectorSpace("clusters", DIMENSIONS)
_CHUNKS_AT_ONCE = 250
_ADD_SOURCE = "INSERT INTO rag_sources (id, type, root_url, name) VALUES (%s, 'folder', %s, %s)"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents by number, and their vectors."""

    texts: Texts
    vectors: Vectors

    def groups(self, chunks: int) -> Iterator[tuple[list[Version], dict[str, HalfVector]]]:
        """Documents of one source to store together, and their vectors by content hash."""
        versions: list[Version] = []
        vectors: dict[str, HalfVector] = {}
        made = number = 0
        while made < chunks:
            version = self.texts.version(number)
            if versions and versions[0].source_id != version.source_id:
                yield versions, vectors
                versions, vectors = [], {}
            made += len(version.chunks)
            versions.append(version)
            vectors |= self._vectors_of(version, number)
            if len(vectors) >= _CHUNKS_AT_ONCE:
                yield versions, vectors
                versions, vectors = [], {}
            number += 1
        yield versions, vectors

    def _vectors_of(self, version: Version, number: int) -> dict[str, HalfVector]:
        topic, count = self.texts.topic(number), len(version.chunks)
        rows = unit_vectors(self.vectors.of_chunks(topic, number, count).tolist())
        hashes = [chunk.content_hash for chunk in version.chunks]
        return dict(zip(hashes, rows, strict=True))


@dataclass(frozen=True, slots=True)
class Filled:
    """Seconds that storing took, without making the texts; that the words' and vectors' took."""

    documents: int
    chunks: int
    stored_s: float
    words_s: float
    index_s: float


async def fill(pool: Pool, corpus: Corpus, chunks: int) -> Filled:
    """Store documents until there are so many chunks, and bring the indexes up to date."""
    async with checkout(pool) as connection:
        for source in SOURCES:
            await connection.execute(_ADD_SOURCE, (source, f"file:///{source}", source))
        space = await open_space(connection, SPACE)
    documents = stored = 0
    stored_s = 0.0
    for versions, vectors in corpus.groups(chunks):
        documents += len(versions)
        stored += sum(len(version.chunks) for version in versions)
        began = time.perf_counter()
        async with one_transaction(pool) as connection:
            await store_versions(connection, versions, NewVectors(space, vectors))
        stored_s += time.perf_counter() - began
    began = time.perf_counter()
    await refresh_search(pool)
    words_s = time.perf_counter() - began
    began = time.perf_counter()
    problem = await build_vector_index(pool, space, lambda _words: None)
    assert not problem, problem
    return Filled(documents, stored, stored_s, words_s, time.perf_counter() - began)
