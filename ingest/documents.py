"""Documents and their chunks, in PostgreSQL; a document changes as a whole or not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pgvector import HalfVector

from ingest.chunks import Chunk, Page
from ingest.vectors import VectorSpace, write_vectors
from rich_agent.domain.search_terms import split_scripts
from rich_agent.domain.text import estimate_tokens
from rich_agent.repositories.database import Connection, Pool, checkout

# The texts stay where they are: what has changed is told by hashes.
_KNOWN = """
SELECT document.id, url, identity, raw_hash, document.content_hash, pipeline_version, etag,
    last_modified, last_error, count(chunk.id) AS chunks
FROM rag_documents AS document LEFT JOIN rag_chunks AS chunk ON chunk.document_id = document.id
WHERE source_id = %s
GROUP BY document.id
"""

_SAVE_DOCUMENT = """
INSERT INTO rag_documents (source_id, url, identity, title, fetched_at, fetched_at_bucket,
    raw_hash, content_hash, raw_text, pipeline_version, etag, last_modified)
VALUES (%(source_id)s, %(url)s, %(identity)s, %(title)s, %(fetched_at)s,
    date_trunc('hour', %(fetched_at)s), %(raw_hash)s, %(content_hash)s, %(text)s,
    %(pipeline_version)s, %(etag)s, %(last_modified)s)
ON CONFLICT (source_id, url) DO UPDATE SET title = excluded.title,
    fetched_at = excluded.fetched_at, fetched_at_bucket = excluded.fetched_at_bucket,
    raw_hash = excluded.raw_hash, content_hash = excluded.content_hash,
    raw_text = excluded.raw_text, pipeline_version = excluded.pipeline_version,
    etag = excluded.etag, last_modified = excluded.last_modified, last_error = NULL
RETURNING id
"""

_SAVE_CHUNK = """
INSERT INTO rag_chunks AS known (id, document_id, section, anchor, link, chunk_index, content,
    token_count, content_hash, search)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s,
    to_tsvector('english', %s) || to_tsvector('simple', %s))
ON CONFLICT (id) DO UPDATE SET anchor = excluded.anchor, link = excluded.link,
    chunk_index = excluded.chunk_index
WHERE (known.anchor, known.link, known.chunk_index)
    IS DISTINCT FROM (excluded.anchor, excluded.link, excluded.chunk_index)
"""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """By what a new version of a document is told from the last one.

    `raw_hash` is of the bytes, `content_hash` of what was made of them; HTTP's validators only
    save a transfer.
    """

    raw_hash: str
    content_hash: str
    pipeline_version: int
    etag: str | None
    last_modified: str | None


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What is stored of a document, without its text; `chunks` is how many."""

    id: int
    url: str
    identity: str
    fingerprint: Fingerprint
    last_error: str | None
    chunks: int


@dataclass(frozen=True, slots=True)
class Version:
    """A document as it was read just now."""

    source_id: str
    page: Page
    text: str
    fingerprint: Fingerprint
    fetched_at: datetime
    chunks: tuple[Chunk, ...]


class PostgresDocuments:
    """Reads and writes `rag_documents` and `rag_chunks`; `space` None stores no vectors."""

    def __init__(self, pool: Pool, space: VectorSpace | None) -> None:
        self._pool = pool
        self._space = space

    async def known(self, source_id: str) -> dict[str, KnownDocument]:
        """The documents of a source by their url."""
        async with checkout(self._pool) as connection:
            rows = await (await connection.execute(_KNOWN, (source_id,))).fetchall()
        return {
            row["url"]: KnownDocument(
                id=row["id"],
                url=row["url"],
                identity=row["identity"],
                fingerprint=Fingerprint(
                    raw_hash=row["raw_hash"],
                    content_hash=row["content_hash"],
                    pipeline_version=row["pipeline_version"],
                    etag=row["etag"],
                    last_modified=row["last_modified"],
                ),
                last_error=row["last_error"],
                chunks=row["chunks"],
            )
            for row in rows
        }

    async def identities(self, source_id: str, urls: Sequence[str]) -> dict[str, str]:
        """The identity of each new url: the url, unless another source holds it."""
        async with checkout(self._pool) as connection:
            found = await connection.execute(
                "SELECT identity FROM rag_documents WHERE identity = ANY(%s)", (list(urls),)
            )
            taken = {row["identity"] for row in await found.fetchall()}
        return {url: f"{source_id} {url}" if url in taken else url for url in urls}

    async def chunk_ids(self, document_id: int) -> set[str]:
        """The ids of a document's chunks."""
        async with checkout(self._pool) as connection:
            found = await connection.execute(
                "SELECT id FROM rag_chunks WHERE document_id = %s", (document_id,)
            )
            return {row["id"] for row in await found.fetchall()}

    async def save(self, version: Version, vectors: Mapping[str, HalfVector]) -> None:
        """Put this version in the place of the last one; `vectors` by content hash."""
        async with checkout(self._pool) as connection, connection.transaction():
            document_id = await _save_document(connection, version)
            await _save_chunks(connection, document_id, version.chunks)
            if self._space is not None:
                await write_vectors(connection, self._space, version.chunks, vectors)

    async def refresh(self, document_id: int, fingerprint: Fingerprint) -> None:
        """Note that other bytes hold the same content."""
        await self._execute(
            "UPDATE rag_documents SET raw_hash = %s, etag = %s, last_modified = %s, "
            "last_error = NULL WHERE id = %s",
            (fingerprint.raw_hash, fingerprint.etag, fingerprint.last_modified, document_id),
        )

    async def note_error(self, document_id: int, reason: str | None) -> None:
        """Remember why the document could not be brought up to date; None when it is."""
        await self._execute(
            "UPDATE rag_documents SET last_error = %s WHERE id = %s", (reason, document_id)
        )

    async def remove(self, document_id: int) -> None:
        """Forget a document, its chunks and their vectors."""
        await self._execute("DELETE FROM rag_documents WHERE id = %s", (document_id,))

    async def _execute(self, statement: str, values: Sequence[object]) -> None:
        async with checkout(self._pool) as connection:
            await connection.execute(statement, values)


async def _save_document(connection: Connection, version: Version) -> int:
    found = await connection.execute(
        _SAVE_DOCUMENT,
        {
            "source_id": version.source_id,
            "url": version.page.url,
            "identity": version.page.identity,
            "title": version.page.title,
            "fetched_at": version.fetched_at,
            "text": version.text,
            "raw_hash": version.fingerprint.raw_hash,
            "content_hash": version.fingerprint.content_hash,
            "pipeline_version": version.fingerprint.pipeline_version,
            "etag": version.fingerprint.etag,
            "last_modified": version.fingerprint.last_modified,
        },
    )
    row = await found.fetchone()
    if row is None:
        raise LookupError("an insert without its row")
    return int(row["id"])


async def _save_chunks(connection: Connection, document_id: int, chunks: Sequence[Chunk]) -> None:
    await connection.execute(
        "DELETE FROM rag_chunks WHERE document_id = %s AND id <> ALL(%s)",
        (document_id, [chunk.id for chunk in chunks]),
    )
    rows = [_row(document_id, number, chunk) for number, chunk in enumerate(chunks)]
    async with connection.cursor() as cursor:
        await cursor.executemany(_SAVE_CHUNK, rows)


def _row(document_id: int, number: int, chunk: Chunk) -> tuple[object, ...]:
    return (
        *(chunk.id, document_id, chunk.section, chunk.anchor, chunk.link, number, chunk.content),
        *(estimate_tokens(chunk.content), chunk.content_hash, *split_scripts(chunk.text)),
    )
