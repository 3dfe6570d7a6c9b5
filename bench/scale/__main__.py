"""Retrieval at growing numbers of chunks: `python -m bench.scale [--quick] [--chunks N…] …`.

The tables are filled by the code of `ingest sync` with texts of installed packages, varied, and
with clustered vectors (see `texts` and `vectors`). Then the server is started again, with nothing
of its files in memory, and asked: the first searches are cold. Recall compares the ten nearest
vectors with those of an exact search. `--keep` leaves the tables in a directory, or uses them;
`--plot` draws the times into an SVG file; `--rights` asks only what rights cost (see `rights`).
"""

import argparse
import asyncio
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import psutil
import psycopg

from bench.scale.filling import Corpus, Filled, fill
from bench.scale.plot import draw
from bench.scale.rights import print_rights
from bench.scale.searching import Question, Searches, Speed, make_questions
from bench.scale.texts import read_texts
from bench.scale.vectors import Vectors
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.knowledge.passages import PostgresPassages
from tests.database import await_unused, temporary_data_dir

_CONNECTIONS = 12
_COMPARED = 100
_SIZES = """
SELECT pg_database_size(current_database()) AS whole,
    pg_total_relation_size('rag_chunks') AS chunks,
    pg_relation_size('rag_chunks_terms') AS terms,
    pg_total_relation_size('rag_embeddings') AS vectors,
    (SELECT coalesce(sum(pg_relation_size(indexrelid)), 0) FROM pg_index
        WHERE starts_with(indexrelid::regclass::text, 'rag_embeddings_hnsw_')) AS hnsw
"""


def fill_tables(data: Path, corpus: Corpus, chunks: int) -> Filled:
    """Fill a new server's tables."""
    with EmbeddedPostgres(data) as server:
        migrate(server.url(), server.url())

        async def filled() -> Filled:
            async with open_pool(server.url(), 4) as pool:
                return await fill(pool, corpus, chunks)

        done = asyncio.run(filled())
    await_unused(data)
    return done


def forget_files(data: Path) -> None:
    """Have the operating system forget what it read of the stopped server's files."""
    for path in (path for path in data.rglob("*") if path.is_file()):
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def postmaster(data: Path) -> psutil.Process:
    """The server's first process."""
    return psutil.Process(int((data / "postgres" / "postmaster.pid").read_text().split("\n")[0]))


def memory_mb(process: psutil.Process) -> float:
    """Memory of the server's processes; what they share counts once."""
    members = [process, *process.children(recursive=True)]
    return sum(float(member.memory_full_info().pss) for member in members) / 1e6


def print_filled(done: Filled, url: str) -> None:
    """Print rates, times and sizes."""
    with psycopg.connect(url) as connection:
        row = connection.execute(_SIZES).fetchone()
    assert row
    whole, chunks, terms, vectors, hnsw = (int(size) / 2**20 for size in row)
    print(
        f"{done.chunks:,} chunks in {done.documents:,} documents\n"
        f"  stored {done.chunks / done.stored_s:,.0f}/s; words {done.words_s:.0f} s, "
        f"index of the vectors {done.index_s:.0f} s\n"
        f"  database {whole:,.0f} MB: chunks {chunks:,.0f} (their words {terms:,.0f}), "
        f"vectors {vectors:,.0f} (their index {hnsw:,.0f})",
        flush=True,
    )


def print_speed(name: str, speed: Speed) -> None:
    """Print a line of the table."""
    print(
        f"  {name:24}{speed.p50_ms:9.1f}{speed.p95_ms:9.1f}{speed.each_s:12.0f}"
        f"{speed.ours_ms:9.1f}{speed.postgres_ms:12.1f}",
        flush=True,
    )


async def ask(
    url: str, server: psutil.Process, corpus: Corpus, done: Filled, count: int
) -> dict[int, Speed]:
    """Print the times of searches, cold and warm, and the recall; the warm ones by how many."""
    warm: dict[int, Speed] = {}
    async with open_pool(url, _CONNECTIONS) as pool:
        searches = Searches(pool, PostgresPassages(pool), server)

        def questions(many: int, seed: int) -> Sequence[Question]:
            return make_questions(corpus, done.documents, many, seed)

        print(
            f"  {'':24}{'p50 ms':>9}{'p95 ms':>9}{'searches/s':>12}{'bot ms':>9}{'server ms':>12}"
        )
        cold = questions(40, 1)
        began = time.perf_counter()
        await searches.fused(cold[0])
        print(f"  {'the very first':24}{1000 * (time.perf_counter() - began):9.1f}")
        print_speed("cold, 40 searches", await searches.measure(searches.fused, cold[1:], 1))
        await searches.measure(searches.fused, questions(4 * count, 2), 8)
        for at_once in (1, 8, 32):
            asked = questions(count * (1 if at_once == 1 else 4), 3 + at_once)
            warm[at_once] = await searches.measure(searches.fused, asked, at_once)
            print_speed(f"warm, {at_once} at once", warm[at_once])
        asked = questions(count, 4)
        print_speed("words alone", await searches.measure(searches.words, asked, 1))
        print_speed("vectors alone", await searches.measure(searches.vectors, asked, 1))
        print(
            f"  vectors: recall@10 {await searches.recall(asked[:_COMPARED]):.3f}; words: "
            f"{await searches.share(asked[:_COMPARED]):.4f} of the ten highest scores\n"
            f"  memory of the server {memory_mb(server):,.0f} MB; load of the machine "
            f"{', '.join(f'{load:.1f}' for load in os.getloadavg())}",
            flush=True,
        )
        await print_rights(searches, done, questions(count, 5))
    return warm


async def ask_with_rights(
    url: str, server: psutil.Process, corpus: Corpus, done: Filled, count: int
) -> dict[int, Speed]:
    """Print what rights cost, and nothing else."""
    async with open_pool(url, _CONNECTIONS) as pool:
        searches = Searches(pool, PostgresPassages(pool), server)
        await print_rights(searches, done, make_questions(corpus, done.documents, count, 5))
    return {}


@contextmanager
def data_dir(keep: Path | None, chunks: int) -> Iterator[Path]:
    """A directory for the server, temporary unless it is to be kept."""
    if keep is None:
        with temporary_data_dir() as data:
            yield Path(data)
        return
    data = keep / str(chunks)
    data.mkdir(parents=True, exist_ok=True)
    data.chmod(0o711)
    yield data


def run(
    corpus: Corpus, chunks: int, count: int, keep: Path | None, *, only_rights: bool
) -> dict[int, Speed]:
    """Fill, start again, and ask; the times by how many searches at once."""
    asking = ask_with_rights if only_rights else ask
    with data_dir(keep, chunks) as data:
        told = data / "filled.json"
        if not told.exists():
            told.write_text(json.dumps(asdict(fill_tables(data, corpus, chunks))))
        done = Filled(**json.loads(told.read_text()))
        forget_files(data)
        with EmbeddedPostgres(data) as server:
            print_filled(done, server.url())
            return asyncio.run(asking(server.url(), postmaster(data), corpus, done, count))


def main() -> None:
    """Measure each number of chunks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--chunks", type=int, nargs="+")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--rights", action="store_true")
    arguments = parser.parse_args()
    quick = arguments.quick
    corpus = Corpus(read_texts(5_000 if quick else 100_000), Vectors.make())
    sizes = arguments.chunks or ([1_000] if quick else [10_000, 100_000])
    count = 25 if quick else 250
    keep, only_rights = arguments.keep, arguments.rights
    speeds = {size: run(corpus, size, count, keep, only_rights=only_rights) for size in sizes}
    if arguments.plot:
        arguments.plot.write_text(draw(speeds), "utf-8")


if __name__ == "__main__":
    main()
