"""Chunks stored per second, without embedding: `python -m bench.store [CHUNKS]`.

Ours are stored like in `ingest sync`: documents, chunks with search terms, and vectors of 1536
dimensions, with all indexes except HNSW. For comparison, only id, text and vector are stored in a
table with no index but the primary key. All commit every 250 chunks.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import sqlalchemy
from pgvector import HalfVector
from pgvector.sqlalchemy import HALFVEC

from bench.database import running_database
from bench.peers import ROOT
from bench.prose import Prose, read_prose
from rich_agent.documents.chunk.chunking import cut_sections
from rich_agent.documents.chunk.chunks import DocumentRef, digest, make_chunks
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.index.documents import Fingerprint, Version
from rich_agent.documents.index.storing import store_versions
from rich_agent.documents.index.vector_spaces import OpenSpace, open_space
from rich_agent.documents.index.vectors import NewVectors
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.repositories.database.pools import Pool, checkout, open_pool

DIMENSIONS = 1536
GROUP = 250
SOURCE = "src_bench"

_BARE = """
CREATE TABLE {name} (id text PRIMARY KEY, content text NOT NULL, embedding halfvec(1536) NOT NULL)
"""
_PLAIN = "ALTER TABLE {name} ALTER COLUMN embedding SET STORAGE PLAIN"


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that are stored in one transaction, and the vectors by content hash."""

    versions: tuple[Version, ...]
    vectors: dict[str, HalfVector]

    def rows(self) -> Iterator[tuple[str, str, HalfVector]]:
        """Id, text and vector of each chunk."""
        for version in self.versions:
            for chunk in version.chunks:
                yield chunk.id, chunk.content, self.vectors[chunk.content_hash]


def make_groups(prose: Prose, chunks: int) -> list[Group]:
    """Generated documents in groups of at least 250 chunks, with random vectors."""
    numbers = np.random.default_rng(7)
    groups: list[Group] = []
    made = number = 0
    while made < chunks:
        versions: list[Version] = []
        vectors: dict[str, HalfVector] = {}
        while len(vectors) < GROUP:
            versions.append(_version(prose.document(number), f"file:///{number}.md"))
            number += 1
            for chunk in versions[-1].chunks:
                vectors[chunk.content_hash] = HalfVector(numbers.standard_normal(DIMENSIONS))
        groups.append(Group(tuple(versions), vectors))
        made += len(vectors)
    return groups


def _version(text: str, url: str) -> Version:
    extracted = extract(RawDocument(url, text.encode(), "text/markdown"))
    page = DocumentRef(url, url, extracted.title)
    return Version(
        source_id=SOURCE,
        page=page,
        text=extracted.text,
        fingerprint=Fingerprint(digest(text), digest(extracted.text), 0, None, None),
        fetched_at=datetime.now(UTC),
        chunks=make_chunks(page, cut_sections(extracted.sections, extracted.title)),
    )


async def store_ours(pool: Pool, group: Group, space: OpenSpace) -> None:
    """As `ingest sync` saves a group of documents."""
    async with checkout(pool) as connection, connection.transaction():
        await store_versions(connection, group.versions, NewVectors(space, group.vectors))


async def copy(pool: Pool, group: Group) -> None:
    """A binary COPY by psycopg."""
    statement = "COPY bare_copy (id, content, embedding) FROM STDIN (FORMAT BINARY)"
    async with (
        checkout(pool) as connection,
        connection.cursor() as cursor,
        cursor.copy(statement) as copied,
    ):
        copied.set_types(("text", "text", "halfvec"))
        for row in group.rows():
            await copied.write_row(row)


async def execute_many(pool: Pool, group: Group) -> None:
    """Executemany of psycopg, the vectors in binary."""
    statement = "INSERT INTO bare_executemany VALUES (%s, %s, %b)"
    async with checkout(pool) as connection, connection.transaction():
        await connection.cursor().executemany(statement, list(group.rows()))


def insert_by_sqlalchemy(engine: sqlalchemy.Engine, groups: Sequence[Group]) -> float:
    """SQLAlchemy Core with pgvector's column type; the seconds."""
    table = sqlalchemy.Table(
        "bare_sqlalchemy",
        sqlalchemy.MetaData(),
        sqlalchemy.Column("id", sqlalchemy.Text, primary_key=True),
        sqlalchemy.Column("content", sqlalchemy.Text),
        sqlalchemy.Column("embedding", HALFVEC(DIMENSIONS)),
    )
    began = time.perf_counter()
    for group in groups:
        rows = [dict(zip(("id", "content", "embedding"), row, strict=True)) for row in group.rows()]
        with engine.begin() as connection:
            connection.execute(sqlalchemy.insert(table), rows)
    return time.perf_counter() - began


async def timed(groups: Sequence[Group], store: Callable[[Group], Awaitable[None]]) -> float:
    """Seconds for all groups, one after another."""
    began = time.perf_counter()
    for group in groups:
        await store(group)
    return time.perf_counter() - began


async def measure(url: str, groups: Sequence[Group]) -> None:
    """Print the chunks a second of each way."""
    chunks = sum(len(group.vectors) for group in groups)
    async with open_pool(url, 2) as pool:
        async with checkout(pool) as connection:
            await connection.execute(
                "INSERT INTO rag_sources (id, type, root_url, name) VALUES (%s, %s, %s, %s)",
                (SOURCE, "folder", "file:///bench", "bench"),
            )
            space = await open_space(connection, VectorSpace("bench", DIMENSIONS))
            for name in ("bare_copy", "bare_executemany", "bare_sqlalchemy"):
                await connection.execute(_BARE.format(name=name).encode())
                await connection.execute(_PLAIN.format(name=name).encode())
        print(f"{f'{chunks:,} chunks, {DIMENSIONS} dimensions':48}{'seconds':>9}{'chunks/s':>10}")
        ours = await timed(groups, lambda group: store_ours(pool, group, space))
        _print("ingest: documents, chunks, terms, vectors", chunks, ours)
        seconds = await timed(groups, lambda group: copy(pool, group))
        _print("bare table, binary COPY", chunks, seconds)
        seconds = await timed(groups, lambda group: execute_many(pool, group))
        _print("bare table, executemany", chunks, seconds)
    engine = sqlalchemy.create_engine(url.replace("://", "+psycopg://", 1))
    seconds = insert_by_sqlalchemy(engine, groups)
    _print(f"bare table, SQLAlchemy {sqlalchemy.__version__}, pgvector's type", chunks, seconds)
    engine.dispose()


def _print(name: str, chunks: int, seconds: float) -> None:
    print(f"{name:48}{seconds:9.2f}{chunks / seconds:10.0f}", flush=True)


def main() -> None:
    """Store the same chunks in each way."""
    chunks = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    groups = make_groups(read_prose([ROOT / "docs", ROOT / "sample"]), chunks)
    with running_database() as database:
        asyncio.run(measure(database.url, groups))


if __name__ == "__main__":
    main()
