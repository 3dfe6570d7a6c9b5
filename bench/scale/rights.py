"""Searches for readers who may read a part of the documents: 1 %, 10 %, all.

Every document gets one of a thousand places, each with readers of its own. Each question is asked
three times with rights and three times without, in turns, and the quickest counts: so what else
runs on the machine slows both alike, and little. Recall and the share of the highest scores are
compared with an exact search of what the reader may read.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.load.metering import processor_s
from bench.scale.filling import Filled
from bench.scale.searching import BEST, Question, Searches
from bench.scale.texts import SOURCES
from bench.turn import percentiles
from rich_agent.domain.rights import PlaceReaders, Reader
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.knowledge.places import PostgresPlaces
from rich_agent.repositories.knowledge.search_scope import read
from rich_agent.repositories.knowledge.word_search import sparse

_PLACES = 1_000
_TIMES = 3
_IN_A_ROW = 5
_WARMING = 25
_COMPARED = 50
READERS = {"1 %": Reader(1), "10 %": Reader(2), "all": Reader(3)}
_EVERY = {1: 100, 2: 10, 3: 1}
_READABLE = """
SELECT document.id FROM rag_documents AS document JOIN rag_places AS place ON place.id = place_id
WHERE substr(place.key, 2)::integer %% %(every)s = 0
"""
_NEAREST = f"""
SELECT chunk_id AS id FROM rag_embeddings JOIN rag_chunks AS chunk ON chunk.id = chunk_id
WHERE chunk.document_id IN ({_READABLE}) ORDER BY embedding <#> %(vector)s LIMIT {BEST}
"""
_BEST_SCORES = f"""
SELECT sum(score) AS best, (
    SELECT coalesce(sum(-(impacts <#> %(query)s)), 0) FROM rag_chunks WHERE id = ANY(%(found)s)
) AS found
FROM (
    SELECT -(impacts <#> %(query)s) AS score FROM rag_chunks
    WHERE terms && %(terms)s::integer[] AND document_id IN ({_READABLE})
    ORDER BY impacts <#> %(query)s LIMIT {BEST}
) AS scored
"""


async def give_rights(pool: Pool, done: Filled) -> None:
    """Put each document into a place, and open the places to their readers."""
    places = PostgresPlaces(pool)
    accesses = [PlaceReaders(f"p{number}", _readers_of(number)) for number in range(_PLACES)]
    urls = {f"https://docs.example/{n}": f"p{n % _PLACES}" for n in range(done.documents)}
    for source in SOURCES:
        await places.assign(source, urls)
        await places.store(source, accesses, [], is_whole=True)
    async with checkout(pool) as connection:
        for table in ("rag_documents", "rag_places", "rag_audiences"):
            await connection.execute(f"ANALYZE {table}")


async def switch_rights(pool: Pool, *, on: bool) -> None:
    """Put the rights in force, or open all documents to everybody."""
    async with checkout(pool) as connection:
        await connection.execute("UPDATE rag_sources SET has_rights = %s", (on,))


def _readers_of(number: int) -> frozenset[str]:
    some = [user for user, every in _EVERY.items() if number % every == 0]
    return frozenset(f"user:{user}" for user in (*some, 1_000 + number))


@dataclass(slots=True)
class Side:
    """The quickest search of each question, in seconds, and the server's processor time of all."""

    quickest_s: dict[int, float] = field(default_factory=dict)
    server_s: float = 0.0
    searches: int = 0

    async def ask(self, searches: Searches, some: Sequence[tuple[int, Question]]) -> None:
        """Ask some questions by number, once more or for the first time."""
        before = processor_s([searches.postmaster])
        for number, one in some:
            began = time.perf_counter()
            await searches.fused(one)
            took_s = time.perf_counter() - began
            self.quickest_s[number] = min(self.quickest_s.get(number, took_s), took_s)
        self.server_s += processor_s([searches.postmaster]) - before
        self.searches += len(some)

    @property
    def times_ms(self) -> tuple[float, float, float]:
        """p50 and p95 of the questions, and the server's processor time of a search."""
        p50, p95 = percentiles([*self.quickest_s.values()])
        return p50, p95, 1000 * self.server_s / self.searches


async def ask_both(searches: Searches, asked: Sequence[Question]) -> tuple[Side, Side]:
    """The searches of a reader without rights, and with them; one at a time, in turns."""
    sides = {False: Side(), True: Side()}
    numbered = list(enumerate(asked))
    for at in range(0, len(asked), _IN_A_ROW):
        for turn in range(2 * _TIMES):
            on = turn % 2 == 0
            await switch_rights(searches.pool, on=on)
            await sides[on].ask(searches, numbered[at : at + _IN_A_ROW])
    return sides[False], sides[True]


async def compare(searches: Searches, asked: Sequence[Question]) -> tuple[float, float]:
    """The recall of the ten nearest vectors, and the share of the ten highest scores by words."""
    every = _EVERY[searches.reader.user_id or 0]
    near = hits = 0
    shares: list[float] = []
    for one in asked:
        values = {"every": every, "vector": one.half}
        exact = {row["id"] for row in await read(searches.pool, _NEAREST, values)}
        nearest = (await searches.vectors(one))[:BEST]
        near, hits = near + len(exact), hits + len(exact & set(nearest))
        weights = (await searches.scope(one)).words.weights
        found = (await searches.words(one))[:BEST]
        named = {"query": sparse(weights), "terms": list(weights), "found": found}
        (row,) = await read(searches.pool, _BEST_SCORES, {**named, "every": every})
        shares += [row["found"] / row["best"]] if row["best"] else []
    return hits / near, sum(shares) / len(shares)


async def print_rights(searches: Searches, done: Filled, asked: Sequence[Question]) -> None:
    """Print what rights cost readers who may read some documents, and what these find."""
    await give_rights(searches.pool, done)
    print(f"  {'quickest of three':24}{'p50 ms':>9}{'p95 ms':>9}{'server ms':>12}")
    for name, reader in READERS.items():
        mine = searches.for_reader(reader)
        await ask_both(mine, asked[:_WARMING])
        without, with_rights = (side.times_ms for side in await ask_both(mine, asked))
        await switch_rights(searches.pool, on=True)
        recall, share = await compare(mine, asked[:_COMPARED])
        ratios = [mine / other for mine, other in zip(with_rights, without, strict=True)]
        for words, row in (("without rights", without), (f"may read {name}", with_rights)):
            print(f"  {words:24}{row[0]:9.1f}{row[1]:9.1f}{row[2]:12.1f}")
        print(f"  {'times as much':24}{ratios[0]:9.2f}{ratios[1]:9.2f}{ratios[2]:12.2f}")
        print(f"    vectors: recall@10 {recall:.3f}; words: {share:.4f}", flush=True)
    await switch_rights(searches.pool, on=False)
