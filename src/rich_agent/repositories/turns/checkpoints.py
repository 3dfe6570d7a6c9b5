"""LangGraph's checkpointer on our pool, and the threads in it that nobody uses any more."""

import contextlib
from collections.abc import AsyncIterator

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow
from typing_extensions import override

from rich_agent.domain.message import thread_of
from rich_agent.ports.turns import IdleThread
from rich_agent.repositories.database.fences import held
from rich_agent.repositories.database.pools import Pool, checkout, translate_database_errors
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.database.threads import THREADS_OF_USER
from rich_agent.runtime.fencing import note_progress

_SILENT = """
WITH term AS (SELECT clock_timestamp() - make_interval(secs => %s * 86400) AS ends_at)
SELECT conversation.user_id, conversation.thread_id, coalesce(person.fresh_from, 0) AS fresh_from
FROM term, conversations AS conversation
LEFT JOIN users AS person ON person.telegram_user_id = conversation.user_id
WHERE conversation.started_at < ends_at
    AND (person.last_seen_at IS NULL OR person.last_seen_at < ends_at)
    AND EXISTS (SELECT FROM checkpoints WHERE thread_id = conversation.thread_id)
    AND NOT EXISTS (
        SELECT FROM messages
        WHERE conversation_id = conversation.id AND created_at >= ends_at
    )
LIMIT 100
"""
_OTHERS = f"""
SELECT DISTINCT thread_id, coalesce(fresh_from, 0) AS fresh_from
FROM checkpoints LEFT JOIN users ON telegram_user_id = %(user_id)s
WHERE {THREADS_OF_USER} AND thread_id <> %(but)s
"""
_TAKE = """
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
VALUES (%s, false, clock_timestamp() + make_interval(secs => 60))
ON CONFLICT DO NOTHING
RETURNING fence
"""
_GIVE_BACK = "UPDATE telegram_lanes SET ready_at = clock_timestamp() WHERE fence = %s"
# As long as another conversation has a state, it may still have to heed it.
_HEED_NEW = f"""
UPDATE users SET fresh_from = 0
WHERE telegram_user_id = %(user_id)s AND fresh_from = %(fresh_from)s AND NOT EXISTS (
    SELECT FROM checkpoints WHERE {THREADS_OF_USER} AND thread_id <> %(but)s
)
"""


class PostgresIdleThreads(PostgresRepository):
    """Implements `IdleThreads`."""

    async def silent_for(self, days: float) -> list[IdleThread]:
        found = await self._rows(_SILENT, (days,))
        return [IdleThread(**row) for row in found]

    async def others(self, user_id: int, thread_id: str) -> list[IdleThread]:
        named = {"user_id": user_id, "thread_id": thread_of(user_id), "but": thread_id}
        found = await self._rows(_OTHERS, named)
        return [IdleThread(user_id, **row) for row in found]

    async def take(self, thread: IdleThread) -> int | None:
        row = await self._row(_TAKE, (thread.user_id,))
        return int(row["fence"]) if row else None

    async def give_back(self, fence: int) -> None:
        async with checkout(self._pool) as connection, connection.transaction():
            # The next worker to claim the lane finds later updates, or frees it.
            await connection.execute(_GIVE_BACK, (fence,))
            await connection.execute("NOTIFY telegram_inbox")

    async def heed_new(self, thread: IdleThread) -> None:
        named = {"thread_id": thread_of(thread.user_id), "but": thread.thread_id}
        values = {"user_id": thread.user_id, "fresh_from": thread.fresh_from}
        await self._run_held(_HEED_NEW, {**named, **values})


class _PoolSaver(AsyncPostgresSaver):
    """The library's saver without its lock, with our errors.

    The pool gives every operation a separate connection; with the lock, only one turn at a time
    could write. All writes are under the task's fence.
    """

    def __init__(self, pool: Pool, serializer: JsonPlusSerializer) -> None:
        super().__init__(pool, serde=serializer)
        self._pool = pool
        self.lock = contextlib.nullcontext()  # type: ignore[assignment]  # see above

    @override
    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        stored = await super().aput(config, checkpoint, metadata, new_versions)
        # What a turn begins with is stored again by each attempt.
        if metadata.get("source") == "loop":
            await note_progress()
        return stored

    @override
    @contextlib.asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        # The library uses a pipeline for writes. Not here: inside a pipeline, the timeout for
        # idle transactions does not apply.
        with translate_database_errors(self._pool):
            async with super()._cursor() as cursor:
                if not pipeline:
                    yield cursor
                    return
                async with held(cursor.connection):
                    yield cursor


def make_checkpointer(pool: Pool) -> AsyncPostgresSaver:
    """A saver that never creates tables, and never imports anything named in a stored row.

    Its serializer is strict regardless of the environment: the library's default would run any
    callable that a crafted row names. Its methods raise DatabaseUnavailableError.
    """
    serializer = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)
    return _PoolSaver(pool, serializer)
