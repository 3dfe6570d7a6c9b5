"""Asks the product's search, by itself and in its halves, one at a time and many at once."""

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import psutil
from pgvector import HalfVector

from bench.load.metering import processor_s
from bench.scale.filling import Corpus
from bench.scale.texts import question
from bench.scale.vectors import Matrix
from bench.turn import percentiles
from rich_agent.domain.rights import ANYBODY, Reader
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.search_scope import Scope, find_scope, read
from rich_agent.repositories.knowledge.vector_search import search_vectors
from rich_agent.repositories.knowledge.word_search import search_words, sparse

BEST = 10
_LIMIT = 30
_EXACTLY = """
SELECT chunk_id AS id, -(embedding <#> %(vector)s) AS similarity FROM rag_embeddings
ORDER BY embedding <#> %(vector)s LIMIT 10
"""
_BEST_SCORES = """
SELECT sum(score) AS best, (
    SELECT coalesce(sum(-(impacts <#> %(query)s)), 0) FROM rag_chunks WHERE id = ANY(%(found)s)
) AS found
FROM (
    SELECT -(impacts <#> %(query)s) AS score FROM rag_chunks WHERE terms && %(terms)s::integer[]
    ORDER BY impacts <#> %(query)s LIMIT 10
) AS scored
"""


@dataclass(frozen=True, slots=True)
class Question:
    """Words, and a vector near that of the chunk they are from."""

    text: str
    vector: Matrix

    @property
    def half(self) -> HalfVector:
        """The vector as it is stored."""
        return HalfVector(self.vector)


def make_questions(corpus: Corpus, documents: int, count: int, seed: int) -> list[Question]:
    """Questions about chunks that are stored, the same for a seed."""
    source = random.Random(seed)  # noqa: S311 - the same questions each time
    questions: list[Question] = []
    while len(questions) < count:
        number = source.randrange(documents)
        version = corpus.texts.version(number)
        place = source.randrange(len(version.chunks))
        topic = corpus.texts.topic(number)
        vector = corpus.vectors.of_question(topic, number, place)
        questions.append(Question(question(version, place, source), vector))
    return questions


@dataclass(frozen=True, slots=True)
class Speed:
    """Percentiles of the time of a search, searches a second, processor time of each in ms."""

    p50_ms: float
    p95_ms: float
    each_s: float
    ours_ms: float
    postgres_ms: float


Search = Callable[[Question], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Searches:
    """The searches of a reader over one database; `postmaster` is its first process."""

    pool: Pool
    passages: PostgresPassages
    postmaster: psutil.Process
    reader: Reader = ANYBODY

    def for_reader(self, reader: Reader) -> "Searches":
        """The searches of another reader."""
        return replace(self, reader=reader)

    async def fused(self, one: Question) -> object:
        """As a turn searches."""
        return await self.passages.search(self._query(one))

    async def scope(self, one: Question) -> Scope:
        """The scope that is searched."""
        return await find_scope(self.pool, self._query(one))

    async def words(self, one: Question) -> list[str]:
        """The half by words."""
        return await search_words(self.pool, await self.scope(one), _LIMIT)

    async def vectors(self, one: Question) -> list[str]:
        """The half by vectors."""
        return await search_vectors(self.pool, await self.scope(one), one.half, _LIMIT)

    def _query(self, one: Question) -> PassageQuery:
        return PassageQuery(one.text, one.vector.tolist(), reader=self.reader)

    async def measure(self, search: Search, questions: Sequence[Question], at_once: int) -> Speed:
        """Ask all questions, so many at the same time."""
        seconds: list[float] = []
        waiting = iter(questions)

        async def ask() -> None:
            for one in waiting:
                began = time.perf_counter()
                await search(one)
                seconds.append(time.perf_counter() - began)

        ours = psutil.Process(os.getpid())
        before = ours.cpu_times(), processor_s([self.postmaster])
        began = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(ask())
        took_s = time.perf_counter() - began
        after = ours.cpu_times()
        ours_s = sum(after[:2]) - sum(before[0][:2])
        postgres_s = processor_s([self.postmaster]) - before[1]
        p50, p95 = percentiles(seconds)
        count = len(questions)
        return Speed(p50, p95, count / took_s, 1000 * ours_s / count, 1000 * postgres_s / count)

    async def recall(self, questions: Sequence[Question]) -> float:
        """The share of the ten nearest that the half by vectors has among its first ten."""
        found = 0
        for one in questions:
            values = {"vector": one.half}
            near = {row["id"] for row in await read(self.pool, _EXACTLY, values)}
            found += len(near & set((await self.vectors(one))[:BEST]))
        return found / (BEST * len(questions))

    async def share(self, questions: Sequence[Question]) -> float:
        """The scores of the ten first of the half by words, as a share of the ten highest."""
        shares: list[float] = []
        for one in questions:
            weights = (await self.scope(one)).words.weights
            found = (await self.words(one))[:BEST]
            values = {"query": sparse(weights), "terms": list(weights), "found": found}
            (row,) = await read(self.pool, _BEST_SCORES, values)
            shares += [row["found"] / row["best"]] if row["best"] else []
        return sum(shares) / len(shares)
