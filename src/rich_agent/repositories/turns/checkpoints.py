"""LangGraph's checkpointer on our pool and our tables."""

import contextlib
from collections.abc import AsyncIterator

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow
from typing_extensions import override

from rich_agent.repositories.database.fences import held
from rich_agent.repositories.database.pools import Pool, translate_database_errors


class _PoolSaver(AsyncPostgresSaver):
    """The library's saver without its lock, and with our errors.

    The pool gives every operation a connection of its own; the lock would let one turn at a time
    write. What it stores is stored under the task's fence.
    """

    def __init__(self, pool: Pool, serializer: JsonPlusSerializer) -> None:
        super().__init__(pool, serde=serializer)
        self._pool = pool
        self.lock = contextlib.nullcontext()  # type: ignore[assignment]  # see above

    @override
    @contextlib.asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        # The library asks for a pipeline when it writes. None here: the time limit of a
        # transaction that was left alone does not count inside one.
        with translate_database_errors(self._pool):
            async with super()._cursor() as cursor:
                if not pipeline:
                    yield cursor
                    return
                async with held(cursor.connection):
                    yield cursor


def make_checkpointer(pool: Pool) -> AsyncPostgresSaver:
    """A saver that never makes tables and never imports what a stored row names.

    Its serializer is strict whatever the environment says: the library's default would run any
    callable that a crafted row names. Its methods raise DatabaseUnavailableError.
    """
    serializer = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)
    return _PoolSaver(pool, serializer)
