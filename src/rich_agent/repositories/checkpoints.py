"""LangGraph's checkpointer on our pool and our tables."""

import contextlib

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from rich_agent.repositories.database import Pool


def make_checkpointer(pool: Pool) -> AsyncPostgresSaver:
    """A saver that never makes tables and never imports what a stored row names.

    Its serializer is strict whatever the environment says: the library's default would run any
    callable that a crafted row names. Its lock is removed, as the pool gives every operation a
    connection of its own and the lock would let one turn at a time write.
    """
    serializer = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)
    saver = AsyncPostgresSaver(pool, serde=serializer)
    saver.lock = contextlib.nullcontext()  # type: ignore[assignment]
    return saver
