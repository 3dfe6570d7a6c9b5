"""The search in documents for the graph, on a replica if there is one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from pgvector import HalfVector

from rich_agent.domain.retrieval.candidate import Candidate
from rich_agent.domain.retrieval.fusion import (
    Background,
    WordQuery,
    rank,
    rank_lazily,
    select,
)
from rich_agent.domain.retrieval.language_trust import UNKNOWN_BELOW
from rich_agent.domain.retrieval.passage import Passage, VectorSpace
from rich_agent.domain.rights import Reader
from rich_agent.ports.knowledge import PassageQuery, RegisteredNames
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.database.replica import Replica
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.knowledge.domain_store import MAY_READ_DOMAIN
from rich_agent.repositories.knowledge.passage_search import read_candidates
from rich_agent.repositories.knowledge.rights import SHOWN, rights_of
from rich_agent.repositories.knowledge.search_scope import Scope, find_scope
from rich_agent.repositories.knowledge.vector_search import BackgroundSample, search_vectors
from rich_agent.repositories.knowledge.word_search import holds_words, search_words
from rich_agent.runtime.concurrency import task_group
from rich_agent.runtime.fencing import lane_cache

_HAS_PRIVATE = """
SELECT EXISTS (
    SELECT FROM rag_sources WHERE owner_user_id = %s AND status = 'private'
) AS has_private
"""
_NAMES_LISTED = 50
_NAMES = f"""
WITH readable AS MATERIALIZED (
    SELECT name, space_id FROM rag_sources AS source WHERE status = 'active' AND {SHOWN}
), domain AS MATERIALIZED (
    SELECT description, examples FROM rag_domain WHERE {MAY_READ_DOMAIN}
)
(SELECT 'source' AS kind, 0 AS id, name FROM readable ORDER BY name LIMIT %(limit)s)
UNION ALL
(
    SELECT 'space', id, name FROM rag_spaces WHERE id IN (SELECT space_id FROM readable)
    ORDER BY name LIMIT %(limit)s
)
UNION ALL SELECT 'about', 0, description FROM domain
UNION ALL SELECT 'example', 0, unnest(examples) FROM domain
"""
_KINDS = ("source", "about", "example")
_CANDIDATES_PER_PASSAGE = 5
_FEWEST_CANDIDATES = 30


@dataclass(frozen=True, slots=True)
class FoundChunks:
    """The input of `fusion.rank`."""

    candidates: Sequence[Candidate]
    words: WordQuery
    background: Background | None


class PostgresPassages(PostgresRepository):
    """Implements `Passages`; searches documents on a replica if there is one."""

    def __init__(self, pool: Pool, replica: Replica | None = None) -> None:
        super().__init__(pool)
        self._replica = replica
        self._background = BackgroundSample()

    async def space(self) -> VectorSpace | None:
        # A turn embeds all of its texts in one space.
        cache: dict[str, VectorSpace | None] | None = lane_cache(self)
        if cache and "space" in cache:
            return cache["space"]
        row = await self._row(
            "SELECT model, dimensions FROM rag_vector_spaces WHERE status = 'active'"
        )
        space = VectorSpace(row["model"], row["dimensions"]) if row else None
        if cache is not None:
            cache["space"] = space
        return space

    async def search(self, query: PassageQuery) -> list[Passage]:
        if query.reordering:
            return select(await self.rank(query), query.limit)
        chunks = await self.find(query)
        return select(rank_lazily(chunks.candidates, chunks.words, chunks.background), query.limit)

    async def rank(self, query: PassageQuery) -> list[Candidate]:
        """The best chunks, some dozens, best first; a search makes passages of some of them."""
        chunks = await self.find(query)
        best_first = rank(chunks.candidates, chunks.words, chunks.background)
        return await query.reordering.of(best_first) if query.reordering else best_first

    async def find(self, query: PassageQuery) -> FoundChunks:
        """Some dozens of unsorted chunks, with the input for their ranking."""
        if self._replica is None or (query.files and await self._has_files(query.reader)):
            return await self._find(self._pool, query)
        # The primary has no file of this user: what was forgotten just now may still be on the
        # replica.
        without_private = replace(query, files=False)
        return await self._replica.read(lambda pool: self._find(pool, without_private))

    async def _find(self, pool: Pool, query: PassageQuery) -> FoundChunks:
        scope = await find_scope(pool, query)
        vector = _comparable(query.embedding, scope)
        candidates_to_order = query.reordering.candidates if query.reordering else 0
        limit = max(_FEWEST_CANDIDATES, _CANDIDATES_PER_PASSAGE * query.limit, candidates_to_order)
        # Both halves at once, on separate connections.
        async with task_group() as group:
            word_task = group.create_task(search_words(pool, scope, limit))
            vector_task = group.create_task(self._by_vector(pool, scope, vector, limit))
        (near_ids, background), ids = vector_task.result(), set(word_task.result())
        # Chunks that are near for no reason would only push aside others.
        if len(ids) < query.limit or background is None or background.trust >= UNKNOWN_BELOW:
            ids |= set(near_ids)
        candidates = await read_candidates(pool, scope, vector, ids)
        return FoundChunks(candidates, scope.words, background)

    async def _by_vector(
        self, pool: Pool, scope: Scope, vector: HalfVector | None, limit: int
    ) -> tuple[list[str], Background | None]:
        if vector is None:
            return [], None
        ids = await search_vectors(pool, scope, vector, limit)
        return ids, await self._background.measure(pool, scope, vector)

    async def _has_files(self, reader: Reader) -> bool:
        row = await self._one(_HAS_PRIVATE, (reader.user_id,))
        return bool(row["has_private"])

    async def hold_word(self, word: str, reader: Reader) -> bool:
        if self._replica is None:
            return await holds_words(self._pool, word, reader)
        return await self._replica.read(lambda pool: holds_words(pool, word, reader))

    async def names(self, reader: Reader) -> RegisteredNames:
        rows = await self._rows(_NAMES, {**rights_of(reader), "limit": _NAMES_LISTED})
        names = {kind: [row["name"] for row in rows if row["kind"] == kind] for kind in _KINDS}
        return RegisteredNames(
            tuple(names["source"]),
            tuple((row["id"], row["name"]) for row in rows if row["kind"] == "space"),
            "".join(names["about"]),
            tuple(names["example"]),
        )


def _comparable(embedding: Sequence[float] | None, scope: Scope) -> HalfVector | None:
    """The vector scaled to length 1; None if it does not fit the searched space."""
    if embedding is None or scope.space is None or len(embedding) != scope.space.space.dimensions:
        return None
    vector = np.asarray(embedding, dtype=np.float32)
    length = float(np.linalg.norm(vector))
    return HalfVector(vector / length if length else vector)
