"""Retrieval over many chunks of real text: `python -m bench.retrieval DIRECTORY [CHUNKS...]`.

Documents of the directory are synced by `ingest sync`, with vectors made of their words. Measured
are the time of a search without the call that embeds the question, the recall of the vector half
compared with an exact search, and the score of what the word half finds compared with bm25s.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from bench.corpus import copy_files, take_documents
from bench.embedding_server import serving
from bench.hashed_vectors import DIMENSIONS, HashedVectors
from bench.ingesting import add_folder, ingest_settings, sync_sources
from bench.peers import ROOT, peer_python
from bench.turn import percentiles
from rich_agent.documents.chunk.chunks import text_to_embed
from rich_agent.domain.retrieval.search_terms import term_counts
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.pools import Pool, checkout, open_pool
from rich_agent.repositories.knowledge.passage_search import (
    find_scope,
    search_vectors,
    search_words,
)
from rich_agent.repositories.knowledge.passages import PostgresPassages
from tests.database import temporary_data_dir

MODEL = "hashed-words"
BEST = 10
QUERIES = 200
WARM_UP = 20
_SEED = 7
_SENTENCE = re.compile(r"[A-Z][^.!?\n|<>]{40,160}[.?](?=\s|$)")


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its vector, and how often each of its terms stands in it."""

    text: str
    vector: NDArray[np.float64]

    @property
    def counts(self) -> Mapping[int, int]:
        """The terms by number."""
        return term_counts(self.text)


@dataclass(frozen=True, slots=True)
class Stored:
    """The content of the database: ids, texts and vectors of all chunks, row by row."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    vectors: NDArray[np.float32]


def make_queries(texts: Sequence[str], vectors: HashedVectors) -> list[Query]:
    """Headings and sentences of the texts, drawn with a fixed seed."""
    source = random.Random(_SEED)  # noqa: S311 - the same queries each time
    asked: dict[str, None] = {}
    for text in source.sample(texts, len(texts)):
        heading, _, content = text.partition("\n")
        sentences = _SENTENCE.findall(content)
        words = heading.split(" > ")[-1] if len(asked) % 2 else "".join(sentences[:1])
        if term_counts(words):
            asked[words] = None
        if len(asked) == QUERIES + WARM_UP:
            break
    return [Query(text, vectors.vector(text)) for text in asked]


async def read_stored(pool: Pool) -> Stored:
    """Read all chunks and their vectors."""
    async with checkout(pool) as connection:
        found = await connection.execute(
            "SELECT chunk.id, title, section, content, embedding FROM rag_chunks AS chunk "
            "JOIN rag_documents AS document ON document.id = document_id "
            "JOIN rag_embeddings ON chunk_id = chunk.id ORDER BY chunk.id"
        )
        rows = await found.fetchall()
    return Stored(
        ids=tuple(row["id"] for row in rows),
        texts=tuple(text_to_embed(row["title"], row["section"], row["content"]) for row in rows),
        vectors=np.stack([row["embedding"].to_numpy().astype(np.float32) for row in rows]),
    )


async def timed(queries: Sequence[Query], search: Callable[[Query], Awaitable[object]]) -> str:
    """p50 and p95 of the searches, one after another, in milliseconds."""
    seconds = []
    for query in queries:
        began = time.perf_counter()
        await search(query)
        seconds.append(time.perf_counter() - began)
    p50, p95 = percentiles(seconds[WARM_UP:])
    return f"{p50:9.1f}{p95:9.1f}"


class Halves:
    """The two halves of the product's search, each by itself."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def words(self, query: Query) -> list[str]:
        """Chunk ids by words."""
        async with checkout(self._pool) as connection:
            scope = await find_scope(connection, PassageQuery(query.text))
            return await search_words(connection, scope, BEST)

    async def vectors(self, query: Query) -> list[str]:
        """Chunk ids by vector."""
        async with checkout(self._pool) as connection:
            scope = await find_scope(connection, PassageQuery(query.text))
            return await search_vectors(connection, scope, HalfVector(query.vector), BEST)


def recall(stored: Stored, query: Query, found: Sequence[str]) -> float:
    """The share of the 10 nearest that was found; vectors that tie with the tenth count too."""
    scores = stored.vectors @ query.vector.astype(np.float32)
    tenth = np.partition(scores, -BEST)[-BEST]
    near = {stored.ids[at] for at in np.flatnonzero(scores >= tenth - 1e-4)}
    return len(near.intersection(found)) / BEST


def mass(stored: Stored, queries: Sequence[Query], found: Sequence[Sequence[str]]) -> list[float]:
    """The share of bm25s' best scores that was found, by query."""
    numbers = {key: at for at, key in enumerate(stored.ids)}
    task = {
        "chunks": [_terms(term_counts(text)) for text in stored.texts],
        "queries": [_terms(query.counts) for query in queries],
        "found": [[numbers[key] for key in keys] for keys in found],
    }
    done = subprocess.run(
        [peer_python(), "-m", "bench.bm25s_mass"],
        input=json.dumps(task).encode(),
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
    )
    shares: list[float] = json.loads(done.stdout)
    return shares


def _terms(counts: Mapping[int, int]) -> list[str]:
    return [str(term) for term, count in counts.items() for _ in range(count)]


async def measure(url: str, queries: Sequence[Query]) -> None:
    """Print what one corpus showed."""
    async with open_pool(url, 4) as pool:
        passages, halves = PostgresPassages(pool), Halves(pool)

        async def fused(query: Query) -> object:
            embedding = query.vector.tolist()
            return await passages.search(PassageQuery(query.text, embedding, limit=BEST))

        print(f"  {'search, k = 10':40}{'p50 ms':>9}{'p95 ms':>9}")
        for name, search in (
            ("fused", fused),
            ("words alone", halves.words),
            ("vectors alone", halves.vectors),
        ):
            print(f"  {name:40}{await timed(queries, search)}", flush=True)
        stored = await read_stored(pool)
        near = [recall(stored, query, await halves.vectors(query)) for query in queries]
        found = mass(stored, queries, [await halves.words(query) for query in queries])
    print(f"  vectors: recall@10 against exact search   mean {np.mean(near):.3f}")
    print(f"  words: score against bm25s' best 10       mean {np.mean(found):.4f}", end="")
    print(f"  lowest {min(found):.4f}")


def run(directory: Path, chunks: int) -> None:
    """Sync a corpus of about so many chunks, and measure."""
    corpus = take_documents(directory, chunks)
    vectors = HashedVectors(corpus.texts)
    queries = make_queries(corpus.texts, vectors)
    with (
        temporary_data_dir() as data,
        EmbeddedPostgres(Path(data) / "data") as server,
        serving(MODEL, vectors.embed) as upstream,
    ):
        folder = Path(data) / "documents"
        copy_files(corpus.files, folder)
        migrate(server.url(), server.url())
        settings = ingest_settings(server.url(), upstream, MODEL, DIMENSIONS)
        add_folder(folder, settings)
        done = sync_sources(settings)
        print(
            f"{len(corpus.files):,} documents, {done.embedded:,} chunks, {DIMENSIONS} dimensions, "
            f"synced in {done.seconds:.0f} s"
        )
        asyncio.run(measure(server.url(), queries))


def main() -> None:
    """Measure each size."""
    directory = Path(sys.argv[1])
    for chunks in map(int, sys.argv[2:] or ["10000", "100000"]):
        run(directory, chunks)


if __name__ == "__main__":
    main()
