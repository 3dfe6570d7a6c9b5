"""Gives vectors to stored chunks that have none, in the background.

One process does it at a time, under a lease. Each portion is stored when it is embedded, so that a
process that is killed loses no more than that, and the next one goes on from there.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import structlog

from rich_agent.documents.chunk.chunks import text_to_embed
from rich_agent.documents.index.embedding import Embedded, Embedder
from rich_agent.documents.index.vector_spaces import (
    OpenSpace,
    activate_first,
    is_complete,
    open_space,
    switch_to,
)
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import UpstreamUnavailableError
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Connection, Pool, checkout, one_transaction
from rich_agent.repositories.database.repository import fetch_all
from rich_agent.runtime.concurrency import repeat, unless

PORTION: Final = 8
"""Chunks that are embedded and stored at once: some seconds of a processor."""
_LEASE_S: Final = 120
_PAUSE_S: Final = 5.0

_LEASE = """
UPDATE rag_vector_spaces
SET filler = %(filler)s, filled_until = clock_timestamp() + make_interval(secs => %(lease_s)s)
WHERE id = %(id)s AND (
    filler IS NOT DISTINCT FROM %(filler)s OR coalesce(filled_until < clock_timestamp(), true)
)
RETURNING id
"""
_RELEASE = """
UPDATE rag_vector_spaces SET filler = NULL, filled_until = NULL
WHERE id = %(id)s AND filler = %(filler)s
"""
# What a user has just sent comes first.
_MISSING = """
SELECT chunk.id, chunk.document_id, chunk.source_id, chunk.content_hash, chunk.section,
    chunk.content, document.title
FROM rag_documents AS document JOIN rag_sources AS source ON source.id = document.source_id
JOIN rag_chunks AS chunk ON chunk.document_id = document.id
WHERE source.status IN ('active', 'private') AND document.space_id IS DISTINCT FROM %(id)s
    AND NOT EXISTS (
        SELECT FROM rag_embeddings AS vector WHERE vector.chunk_id = chunk.id
            AND model = %(model)s AND dimensions = %(dimensions)s
    ) AND NOT EXISTS (
        SELECT FROM rag_refused_chunks AS refused WHERE refused.chunk_id = chunk.id
            AND model = %(model)s AND dimensions = %(dimensions)s
    )
ORDER BY source.status = 'private' DESC, document.id, chunk.chunk_index LIMIT %(portion)s
"""
# A chunk that was deleted or embedded meanwhile is left out.
_STORE = """
INSERT INTO rag_embeddings
    (chunk_id, model, dimensions, source_id, document_id, content_hash, embedding)
SELECT id, %(model)s, %(dimensions)s, source_id, document_id, content_hash, %(vector)b
FROM rag_chunks WHERE id = %(chunk)s AND content_hash = %(hash)s FOR KEY SHARE
ON CONFLICT DO NOTHING
"""
_REFUSE = """
INSERT INTO rag_refused_chunks (chunk_id, model, dimensions, reason)
SELECT id, %(model)s, %(dimensions)s, %(reason)s FROM rag_chunks WHERE id = %(chunk)s FOR KEY SHARE
ON CONFLICT DO NOTHING
"""
_NOTE_COMPLETE = """
UPDATE rag_documents AS document SET space_id = %(id)s
WHERE document.id = ANY(%(documents)s) AND NOT EXISTS (
    SELECT FROM rag_chunks AS chunk WHERE chunk.document_id = document.id AND NOT EXISTS (
        SELECT FROM rag_embeddings AS vector WHERE vector.chunk_id = chunk.id
            AND model = %(model)s AND dimensions = %(dimensions)s
    ) AND NOT EXISTS (
        SELECT FROM rag_refused_chunks AS refused WHERE refused.chunk_id = chunk.id
            AND model = %(model)s AND dimensions = %(dimensions)s
    )
)
"""
_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class VectorFilling:
    """Makes the missing vectors of one model, for documents and for files of users."""

    pool: Pool
    model: EmbeddingModel
    filler: str = field(
        default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
    )
    _space: OpenSpace | None = None

    async def fill(self) -> int:
        """Make some vectors; return the number of chunks that were embedded or refused.

        It is 0 if nothing is missing, or if another process makes them now.

        Raises: DatabaseUnavailableError, UpstreamError if the model cannot be used.
        """
        async with checkout(self.pool) as connection:
            space = await open_space(
                connection, VectorSpace(self.model.name, self.model.dimensions)
            )
            rows = await fetch_all(connection, _MISSING, {**asdict(space), "portion": PORTION})
            if rows and not await self._lease(connection, space):
                return 0
        if not rows:
            await self._finish(space)
            return 0
        texts = {
            row["content_hash"]: text_to_embed(row["title"], row["section"], row["content"])
            for row in rows
        }
        embedder = Embedder(self.model.of_passages())
        result = await embedder.embed(texts)
        if embedder.failures:
            raise UpstreamUnavailableError("embeddings", next(iter(result.failed.values())))
        await self._store(space, rows, result)
        return len(rows)

    async def run(self, stop: asyncio.Event) -> None:
        """Make what is missing, and look for more, until `stop` is set."""
        await repeat("vectors", lambda: self._fill_all(stop), stop, _PAUSE_S)
        await self.release()

    async def _fill_all(self, stop: asyncio.Event) -> None:
        made: int | None = 1
        while made:
            made = await unless(stop, self.fill())

    async def release(self) -> None:
        """Let another process go on at once."""
        if self._space is not None:
            async with checkout(self.pool) as connection:
                await connection.execute(_RELEASE, {"id": self._space.id, "filler": self.filler})
            self._space = None

    async def _lease(self, connection: Connection, space: OpenSpace) -> bool:
        parameters = {"id": space.id, "filler": self.filler, "lease_s": _LEASE_S}
        is_ours = bool(await fetch_all(connection, _LEASE, parameters))
        self._space = space if is_ours else None
        return is_ours

    async def _store(
        self, space: OpenSpace, rows: Sequence[Mapping[str, Any]], result: Embedded
    ) -> None:
        keys = asdict(space)
        async with one_transaction(self.pool) as connection:
            for row in rows:
                chunk = {**keys, "chunk": row["id"], "hash": row["content_hash"]}
                if vector := result.vectors.get(row["content_hash"]):
                    await connection.execute(_STORE, {**chunk, "vector": vector})
                else:
                    reason = result.failed[row["content_hash"]]
                    await connection.execute(_REFUSE, {**chunk, "reason": reason})
                    _log.warning("chunk.not_embedded", chunk=row["id"], error=reason)
            documents = list({row["document_id"] for row in rows})
            await connection.execute(_NOTE_COMPLETE, {**keys, "documents": documents})
            await activate_first(connection, space)

    async def _finish(self, space: OpenSpace) -> None:
        """Have questions use the space if it was filled now, and give up the lease."""
        if self._space is None:
            return
        if not space.is_active:
            async with checkout(self.pool) as connection:
                if await is_complete(connection, space):
                    await switch_to(connection, space)
        await self.release()
