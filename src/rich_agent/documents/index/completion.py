"""Completes a vector space that was filled in the background.

Its documents are noted, a large one gets an index, and questions use it from then on.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict

import structlog

from rich_agent.documents.index.locks import Lock, open_lock_session
from rich_agent.documents.index.vector_index import build_vector_index
from rich_agent.documents.index.vector_spaces import OpenSpace, find_space, is_complete, switch_to
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.repositories.database.pools import Connection, Pool, checkout, one_transaction
from rich_agent.repositories.database.repository import fetch_all, fetch_one

_PORTION = 500

_LACKS = """
EXISTS (
    SELECT FROM rag_chunks AS chunk WHERE chunk.document_id = document.id AND NOT EXISTS (
        SELECT FROM rag_embeddings AS vector WHERE vector.chunk_id = chunk.id
            AND model = %(model)s AND dimensions = %(dimensions)s
    ) AND NOT EXISTS (
        SELECT FROM rag_refused_chunks AS refused WHERE refused.chunk_id = chunk.id
            AND model = %(model)s AND dimensions = %(dimensions)s
    )
)
"""
_NOTE_COMPLETE = f"""
UPDATE rag_documents AS document SET space_id = %(id)s
WHERE document.id = ANY(%(documents)s) AND NOT {_LACKS}
"""
_DOUBT = f"""
UPDATE rag_documents AS document SET space_id = NULL WHERE document.space_id = %(id)s AND {_LACKS}
"""
_UNNOTED = """
FROM rag_documents AS document JOIN rag_sources AS source ON source.id = document.source_id
WHERE source.status IN ('active', 'private') AND document.space_id IS DISTINCT FROM %(id)s
"""
_HAS_UNNOTED = f"SELECT EXISTS (SELECT {_UNNOTED}) AS has_unnoted"
# What a sync writes now is noted later.
_LOCK_UNNOTED = f"""
SELECT document.id {_UNNOTED} AND document.id > %(after)s
ORDER BY document.id LIMIT {_PORTION} FOR NO KEY UPDATE OF document SKIP LOCKED
"""
_TRY_LOCK = "SELECT pg_try_advisory_xact_lock(%s, 0) AS is_held"
_log = structlog.get_logger(__name__)


async def lock_document(connection: Connection, document_id: int) -> None:
    """Have a sync that writes the document finish, or wait for this transaction.

    Statements after this one see all of its chunks.
    """
    await connection.execute(
        "SELECT FROM rag_documents WHERE id = %s FOR NO KEY UPDATE", (document_id,)
    )


async def note_complete(
    connection: Connection, space: OpenSpace, document_ids: Sequence[int]
) -> None:
    """Record those of these locked documents whose chunks all have vectors, or can have none."""
    parameters = {**asdict(space), "documents": list(document_ids)}
    await connection.execute(_NOTE_COMPLETE, parameters)


async def has_unnoted(connection: Connection, space: OpenSpace) -> bool:
    """Whether documents are not recorded as complete in the space."""
    return bool((await fetch_one(connection, _HAS_UNNOTED, asdict(space)))["has_unnoted"])


async def complete(pool: Pool, space: OpenSpace) -> bool:
    """Have questions use the space; return whether that is done.

    It is not while a sync keeps up the search data, or when chunks without vectors have come.

    Raises: DatabaseUnavailableError.
    """
    await _note_all(pool, space)
    async with _turn(pool) as is_ours:
        if not is_ours:
            return False
        async with checkout(pool) as connection:
            space = await find_space(connection, VectorSpace(space.model, space.dimensions))
            if space.is_retired or not await is_complete(connection, space):
                await connection.execute(_DOUBT, asdict(space))
                return False
        # Behind a pooler in transaction mode, settings for the building would reach others.
        if pool.keeps_sessions and (problem := await build_vector_index(pool, space, _tell)):
            _log.warning("vectors.without_index", reason=problem)
        if not space.is_active:
            async with checkout(pool) as connection:
                await switch_to(connection, space)
    return True


@asynccontextmanager
async def _turn(pool: Pool) -> AsyncIterator[bool]:
    """Whether this block alone keeps up the search data; a sync waits for its end."""
    if pool.keeps_sessions:
        async with open_lock_session(pool) as locks:
            yield await locks.try_lock(Lock.SEARCH_INDEX, 0)
    else:
        async with one_transaction(pool) as connection:
            row = await fetch_one(connection, _TRY_LOCK, (Lock.SEARCH_INDEX,))
            yield bool(row["is_held"])


async def _note_all(pool: Pool, space: OpenSpace) -> None:
    ids = [0]
    while ids:
        async with one_transaction(pool) as connection:
            parameters = {"id": space.id, "after": ids[-1]}
            ids = [row["id"] for row in await fetch_all(connection, _LOCK_UNNOTED, parameters)]
            await note_complete(connection, space, ids)


def _tell(step: str) -> None:
    _log.info("vectors.index", step=step)
