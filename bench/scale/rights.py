"""Searches for readers who may read a part of the documents: 1 %, 10 %, all.

Every document gets one of a thousand places, each with readers of its own. Recall and the share of
the highest scores are compared with an exact search of what the reader may read.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.scale.filling import Filled
from bench.scale.searching import BEST, Question, Searches, Speed
from bench.scale.texts import SOURCES
from rich_agent.domain.rights import PlaceReaders, Reader
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.knowledge.places import PostgresPlaces
from rich_agent.repositories.knowledge.search_scope import read
from rich_agent.repositories.knowledge.word_search import sparse

_PLACES = 1_000
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


async def take_rights(pool: Pool) -> None:
    """Open all documents to everybody."""
    async with checkout(pool) as connection:
        await connection.execute("UPDATE rag_sources SET has_rights = false")


def _readers_of(number: int) -> frozenset[str]:
    some = [user for user, every in _EVERY.items() if number % every == 0]
    return frozenset(f"user:{user}" for user in (*some, 1_000 + number))


@dataclass(frozen=True, slots=True)
class Found:
    """The passages that a reader finds, next to those of an exact search."""

    speed: Speed
    recall: float
    share: float


async def found_by(
    reader: Reader, mine: Searches, asked: Sequence[Question], compared: Sequence[Question]
) -> Found:
    """Ask for a reader; one search at a time."""
    speed = await mine.measure(mine.fused, asked, 1)
    every = _EVERY[reader.user_id or 0]
    near = hits = 0
    shares: list[float] = []
    for one in compared:
        values = {"every": every, "vector": one.half}
        exact = {row["id"] for row in await read(mine.pool, _NEAREST, values)}
        near, hits = near + len(exact), hits + len(exact & set((await mine.vectors(one))[:BEST]))
        weights = (await mine.scope(one)).words.weights
        found = (await mine.words(one))[:BEST]
        named = {"query": sparse(weights), "terms": list(weights), "found": found}
        (row,) = await read(mine.pool, _BEST_SCORES, {**named, "every": every})
        shares += [row["found"] / row["best"]] if row["best"] else []
    return Found(speed, hits / near, sum(shares) / len(shares))
