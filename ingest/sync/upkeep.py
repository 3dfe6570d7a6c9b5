"""Upkeep at the end of a sync, by one process at a time."""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from ingest.sync.locks import Lock, LockConnection
from ingest.sync.report import SyncProgress
from ingest.sync.rounds import POLL_S
from rich_agent.documents.index.claims import prune_staged
from rich_agent.documents.index.search_index import refresh_search
from rich_agent.documents.index.spaces import (
    OpenSpace,
    delete_space,
    find_space,
    is_complete,
    superfluous_spaces,
    switch_to,
)
from rich_agent.documents.index.vector_index import build_vector_index, drop_vector_index
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.repositories.database.pools import Pool, checkout


@dataclass(frozen=True, slots=True)
class Upkeep:
    """The parts that upkeep needs; messages for the person are added to `notes`."""

    pool: Pool
    locks: LockConnection
    began: datetime
    progress: SyncProgress
    notes: list[str]


async def keep_up(upkeep: Upkeep, space: OpenSpace | None) -> None:
    """Refresh the search data, build the vector index, and switch to `space` if it is complete.

    Raises: DatabaseUnavailableError.
    """
    await _lock(upkeep)
    try:
        await refresh_search(upkeep.pool)
        if space is not None:
            await _complete(upkeep, space)
        await _prune(upkeep, space)
    finally:
        await upkeep.locks.unlock(Lock.SEARCH_INDEX, 0)


async def _complete(upkeep: Upkeep, space: OpenSpace) -> None:
    async with checkout(upkeep.pool) as connection:
        # The first space becomes active while it is being filled.
        space = await find_space(connection, VectorSpace(space.model, space.dimensions))
        if not space.is_active and not await is_complete(connection, space):
            upkeep.notes.append(
                f"not all chunks have vectors of {space.model} yet; "
                "until then questions use those of the previous model"
            )
            return
    note = await build_vector_index(upkeep.pool, space, upkeep.progress.say)
    if note:
        upkeep.notes.append(note)
    if not space.is_active:
        async with checkout(upkeep.pool) as connection:
            await switch_to(connection, space)


async def _prune(upkeep: Upkeep, space: OpenSpace | None) -> None:
    async with checkout(upkeep.pool) as connection:
        await prune_staged(connection)
        for old in await superfluous_spaces(connection, upkeep.began, space):
            await drop_vector_index(connection, old.model, old.dimensions)
            await delete_space(connection, old)


async def _lock(upkeep: Upkeep) -> None:
    while not await upkeep.locks.try_lock(Lock.SEARCH_INDEX, 0):  # noqa: ASYNC110 - in PostgreSQL
        await asyncio.sleep(POLL_S)
