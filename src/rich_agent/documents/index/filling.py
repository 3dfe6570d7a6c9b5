"""Gives vectors to stored chunks that have none, in the background.

One process does it at a time, under a lease. Each portion is stored when it is embedded, so that a
process that is killed loses no more than that, and the next one goes on from there.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import groupby
from operator import itemgetter
from time import monotonic
from typing import Any, Final

import structlog

from rich_agent.documents.chunk.chunks import text_to_embed
from rich_agent.documents.index.completion import (
    complete,
    has_unnoted,
    lock_document,
    note_complete,
)
from rich_agent.documents.index.embedding import Embedded, Embedder
from rich_agent.documents.index.vector_spaces import (
    OpenSpace,
    activate_first,
    find_space,
    open_space,
)
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import DatabaseUnavailableError, UpstreamUnavailableError
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Connection, Pool, checkout, one_transaction
from rich_agent.repositories.database.repository import fetch_all
from rich_agent.runtime.concurrency import alongside, repeat, unless

PORTION: Final = 8
"""Chunks that are embedded and stored at once: some seconds of a processor."""
_LEASE_S: Final = 120
_PAUSE_S: Final = 5.0
_REST_S: Final = 30.0
"""How long a process that failed leaves the work to others."""

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
_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class VectorFilling:
    """Makes the missing vectors of one model, for documents and for files of users."""

    pool: Pool
    model: EmbeddingModel
    filler: str = field(
        default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
    )
    _leased: OpenSpace | None = None
    _is_registered: bool = False
    _completed_id: int = 0
    _rests_until: float = 0.0

    async def fill(self) -> int:
        """Make some vectors; return the number of chunks that were embedded or refused.

        It is 0 if nothing is missing, if another process makes them now, or if a sync with another
        model has retired the space.

        Raises: DatabaseUnavailableError, UpstreamError if the model cannot be used.
        """
        async with checkout(self.pool) as connection:
            space = await self._find_space(connection)
            if not space.id or space.is_retired:
                return 0
            rows = await fetch_all(connection, _MISSING, {**asdict(space), "portion": PORTION})
            is_done = not rows and await self._is_done(connection, space)
            if is_done or not await self._lease(connection, space):
                return 0
        try:
            async with alongside(self._keep(space)):
                await (self._embed(space, rows) if rows else self._complete(space))
            if not rows:
                await self.release()
        except Exception:
            self._rests_until = monotonic() + _REST_S
            with suppress(DatabaseUnavailableError):
                await self.release()
            raise
        return len(rows)

    async def run(self, stop: asyncio.Event) -> None:
        """Make what is missing, and look for more, until `stop` is set."""
        await repeat("vectors", lambda: self._fill_all(stop), stop, _PAUSE_S)
        await self.release()

    async def _fill_all(self, stop: asyncio.Event) -> None:
        made: int | None = 1
        while made and monotonic() >= self._rests_until:
            made = await unless(stop, self.fill())

    async def release(self) -> None:
        """Let another process go on at once."""
        if self._leased is not None:
            async with checkout(self.pool) as connection:
                await connection.execute(_RELEASE, {"id": self._leased.id, "filler": self.filler})
            self._leased = None

    async def _find_space(self, connection: Connection) -> OpenSpace:
        """The space; only the first call registers it, or has a retired one built again."""
        space = VectorSpace(self.model.name, self.model.dimensions)
        if self._is_registered:
            return await find_space(connection, space)
        opened = await open_space(connection, space)
        self._is_registered = True
        return opened

    async def _is_done(self, connection: Connection, space: OpenSpace) -> bool:
        """Whether the space that lacks no vector is complete in all else."""
        is_completed = space.is_active and space.id == self._completed_id
        return is_completed and not await has_unnoted(connection, space)

    async def _lease(self, connection: Connection, space: OpenSpace) -> bool:
        parameters = {"id": space.id, "filler": self.filler, "lease_s": _LEASE_S}
        is_ours = bool(await fetch_all(connection, _LEASE, parameters))
        self._leased = space if is_ours else None
        return is_ours

    async def _keep(self, space: OpenSpace) -> None:
        """Renew the lease, because slow texts and the index take longer than it lasts."""
        while True:
            await asyncio.sleep(_LEASE_S / 4)
            async with checkout(self.pool) as connection:
                await self._lease(connection, space)

    async def _embed(self, space: OpenSpace, rows: Sequence[Mapping[str, Any]]) -> None:
        texts = {
            row["content_hash"]: text_to_embed(row["title"], row["section"], row["content"])
            for row in rows
        }
        embedder = Embedder(self.model.of_passages())
        result = await embedder.embed(texts)
        if embedder.failures:
            raise UpstreamUnavailableError("embeddings", next(iter(result.failed.values())))
        self._completed_id = 0
        # One document at a time, because a sync locks several, in an order of its own.
        for _, of_document in groupby(rows, itemgetter("document_id")):
            await self._store(space, list(of_document), result)
        if not space.is_active:
            async with checkout(self.pool) as connection:
                await activate_first(connection, space)

    async def _store(
        self, space: OpenSpace, rows: Sequence[Mapping[str, Any]], result: Embedded
    ) -> None:
        """Store the vectors of a document's chunks."""
        keys, document_id = asdict(space), rows[0]["document_id"]
        async with one_transaction(self.pool) as connection:
            await lock_document(connection, document_id)
            for row in rows:
                chunk = {**keys, "chunk": row["id"], "hash": row["content_hash"]}
                if vector := result.vectors.get(row["content_hash"]):
                    await connection.execute(_STORE, {**chunk, "vector": vector})
                else:
                    reason = result.failed[row["content_hash"]]
                    await connection.execute(_REFUSE, {**chunk, "reason": reason})
                    _log.warning("chunk.not_embedded", chunk=row["id"], error=reason)
            await note_complete(connection, space, [document_id])

    async def _complete(self, space: OpenSpace) -> None:
        """Have questions use what was filled, by this process or by one that ended before."""
        if await complete(self.pool, space):
            self._completed_id = space.id
