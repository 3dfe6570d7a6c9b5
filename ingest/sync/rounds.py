"""Rounds, in which one or several processes sync a source and share its batches.

A round is a source's listing, cut into batches. A participant holds a lock on the round and on each
batch in work, which are free at once when the process dies. Other participants take over its
batches. A round without participants is dropped by the next sync, which lists the source again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ingest.sync.locks import Lock, LockConnection
from rich_agent.documents.fetch.outcomes import Listing
from rich_agent.documents.source import Source
from rich_agent.repositories.database.repository import fetch_one

POLL_S = 0.1
_FILES_PER_BATCH = 256
_PAGES_PER_BATCH = 64

_FIND = """
SELECT id, source_id, documents, is_complete, problem FROM rag_sync_rounds WHERE source_id = %s
"""

_OPEN = """
INSERT INTO rag_sync_rounds (source_id, documents, is_complete, problem, is_forced)
VALUES (%s, %s, %s, %s, false) RETURNING id
"""

# The lock is tried for one batch after the other, so that at most one is taken.
_CLAIM = """
WITH open AS MATERIALIZED (
    SELECT id FROM rag_sync_batches
    WHERE round_id = %(round)s AND done_at IS NULL AND id <> ALL(%(held)s) ORDER BY id
)
SELECT id FROM open WHERE pg_try_advisory_lock(%(lock)s, id) LIMIT 1
"""

_STATE = """
SELECT EXISTS (
    SELECT FROM rag_sync_batches WHERE round_id = round.id AND done_at IS NULL
) AS is_open
FROM rag_sync_rounds AS round WHERE id = %s
"""


@dataclass(frozen=True, slots=True)
class Round:
    """A source's listing: the number of documents, and the problem if it is incomplete."""

    id: int
    source_id: str
    documents: int
    is_complete: bool
    problem: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Some documents of a round that no other process works on."""

    id: int
    urls: tuple[str, ...]


class Rounds:
    """The rounds of this process, one after the other."""

    def __init__(self, locks: LockConnection, began: datetime) -> None:
        self._locks = locks
        self._began = began
        self._held: set[int] = set()

    async def enter(
        self, source: Source, list_documents: Callable[[Source], Awaitable[Listing]]
    ) -> Round | None:
        """Join the source's round, or open one; None if one has ended since this sync began.

        Waits while another process lists the source.
        """
        while True:
            sync_round = await self._join(source)
            if isinstance(sync_round, Round):
                return sync_round
            if await self._was_finished(source):
                return None
            if sync_round == "vacant":
                new_round = await self._try_open(source, list_documents)
                if new_round is not None:
                    return new_round
            await asyncio.sleep(POLL_S)

    async def claim(self, sync_round: Round) -> Batch | None:
        """A batch that no process works on, None if there is none at the moment."""
        values = {"round": sync_round.id, "held": list(self._held), "lock": Lock.BATCH}
        while True:
            candidate = await (await self._locks.connection.execute(_CLAIM, values)).fetchone()
            if candidate is None:
                return None
            # It may have been finished between the query and the lock.
            cursor = await self._locks.connection.execute(
                "SELECT urls FROM rag_sync_batches WHERE id = %s AND done_at IS NULL",
                (candidate["id"],),
            )
            row = await cursor.fetchone()
            if row is not None:
                self._held.add(candidate["id"])
                return Batch(candidate["id"], tuple(row["urls"]))
            await self._locks.unlock(Lock.BATCH, candidate["id"])

    async def complete(self, batch_id: int, missing: Sequence[int]) -> None:
        """Record that a batch is stored; `missing` ones are removed at the end of the round."""
        await self._locks.connection.execute(
            "UPDATE rag_sync_batches SET done_at = now(), gone = %s WHERE id = %s",
            (list(missing), batch_id),
        )
        await self._locks.unlock(Lock.BATCH, batch_id)
        self._held.remove(batch_id)

    async def state(self, sync_round: Round) -> Literal["open", "done", "ended"]:
        """Whether there are batches left, all are done, or the round has ended."""
        cursor = await self._locks.connection.execute(_STATE, (sync_round.id,))
        row = await cursor.fetchone()
        if row is None:
            return "ended"
        return "open" if row["is_open"] else "done"

    async def try_end(self, sync_round: Round) -> bool:
        """Claim the end of the round; False if another process is ending it, or has ended it."""
        if not await self._locks.try_lock(Lock.ROUND_END, sync_round.id):
            return False
        if await self.state(sync_round) == "done":
            return True
        await self._locks.unlock(Lock.ROUND_END, sync_round.id)
        return False

    async def release_end(self, sync_round: Round) -> None:
        """Release the claim to end the round."""
        await self._locks.unlock(Lock.ROUND_END, sync_round.id)

    async def leave(self, sync_round: Round) -> None:
        """Leave the round."""
        await self._locks.unlock(Lock.ROUND, sync_round.id, is_shared=True)

    async def force(self, sync_round: Round) -> None:
        """Allow the round to remove any number of documents."""
        await self._locks.connection.execute(
            "UPDATE rag_sync_rounds SET is_forced = true WHERE id = %s", (sync_round.id,)
        )

    async def _join(self, source: Source) -> Round | Literal["vacant", "busy"]:
        sync_round = await self._find(source)
        if sync_round is None:
            return "vacant"
        if await self._locks.try_lock(Lock.ROUND, sync_round.id):
            # It has no participants any more.
            await self._locks.connection.execute(
                "DELETE FROM rag_sync_rounds WHERE id = %s", (sync_round.id,)
            )
            await self._locks.unlock(Lock.ROUND, sync_round.id)
            return "vacant"
        if not await self._locks.try_lock(Lock.ROUND, sync_round.id, is_shared=True):
            return "busy"
        if await self._find(source) == sync_round:
            return sync_round
        await self._locks.unlock(Lock.ROUND, sync_round.id, is_shared=True)
        return "busy"

    async def _find(self, source: Source) -> Round | None:
        cursor = await self._locks.connection.execute(_FIND, (source.id,))
        row = await cursor.fetchone()
        return Round(**row) if row else None

    async def _was_finished(self, source: Source) -> bool:
        cursor = await self._locks.connection.execute(
            "SELECT FROM rag_sources WHERE id = %s AND last_synced_at >= %s",
            (source.id, self._began),
        )
        return await cursor.fetchone() is not None

    async def _try_open(
        self, source: Source, list_documents: Callable[[Source], Awaitable[Listing]]
    ) -> Round | None:
        key = await self._key_of(source)
        if not await self._locks.try_lock(Lock.ROUND_OPENING, key):
            return None
        try:
            if await self._find(source) is not None or await self._was_finished(source):
                return None
            return await self._open(source, await list_documents(source))
        finally:
            await self._locks.unlock(Lock.ROUND_OPENING, key)

    async def _open(self, source: Source, listing: Listing) -> Round | None:
        connection = self._locks.connection
        values = (source.id, len(listing.urls), listing.is_complete, listing.problem)
        size = _FILES_PER_BATCH if source.type in {"file", "folder"} else _PAGES_PER_BATCH
        async with connection.transaction(), connection.cursor() as cursor:
            row = await fetch_one(connection, _OPEN, values)
            # Others see the round when the transaction ends; by then it has a participant.
            await self._locks.try_lock(Lock.ROUND, row["id"], is_shared=True)
            await cursor.executemany(
                "INSERT INTO rag_sync_batches (round_id, urls) VALUES (%s, %s)",
                [(row["id"], urls) for urls in _batches(listing.urls, size)],
            )
        return Round(row["id"], source.id, values[1], listing.is_complete, listing.problem)

    async def _key_of(self, source: Source) -> int:
        query = "SELECT hashtext(%s) AS key"
        return int((await fetch_one(self._locks.connection, query, (source.id,)))["key"])


def _batches(urls: Sequence[str], size: int) -> Iterator[list[str]]:
    for at in range(0, len(urls), size):
        yield list(urls[at : at + size])
