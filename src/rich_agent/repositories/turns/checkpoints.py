"""LangGraph's checkpointer on our pool."""

import contextlib
from collections.abc import AsyncIterator

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow
from typing_extensions import override

from rich_agent.repositories.database.fences import held
from rich_agent.repositories.database.pools import Pool, translate_database_errors
from rich_agent.runtime.fencing import note_progress


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
