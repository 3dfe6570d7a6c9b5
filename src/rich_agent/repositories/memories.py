"""Long-term memory in LangGraph's store tables, namespace ("users", "<user_id>")."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from langgraph.store.base import GetOp, Item, PutOp
from langgraph.store.postgres import AsyncPostgresStore
from psycopg import AsyncCursor
from psycopg.rows import DictRow
from typing_extensions import override

from rich_agent.domain.memory import MEMORY_KINDS, SUMMARY_KEY, LongTermMemory
from rich_agent.repositories.database import Pool, translate_database_errors
from rich_agent.repositories.fences import held
from rich_agent.repositories.json_values import storable

_KEYS = (*MEMORY_KINDS, SUMMARY_KEY)


class _FencedStore(AsyncPostgresStore):
    """The library's store, which answers a batch under the task's fence."""

    @override
    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        async with super()._cursor() as cursor:
            if not pipeline:
                yield cursor
                return
            async with held(cursor.connection):
                yield cursor


class PostgresMemories:
    """Implements `ports.Memories`; made inside a running event loop.

    The store is asked in batches of its own: its `aget` and `aput` would share one with all users,
    and a bad value of one would fail them all.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._store = _FencedStore(pool)

    async def load(self, user_id: int) -> LongTermMemory:
        """See `ports.Memories.load`."""
        asked = [GetOp(_namespace(user_id), key, refresh_ttl=False) for key in _KEYS]
        with translate_database_errors(self._pool):
            found = await self._store.abatch(asked)
        values: dict[str, dict[str, Any]] = {
            item.key: item.value for item in found if isinstance(item, Item)
        }
        return LongTermMemory.from_json(values)

    async def save(self, user_id: int, memory: LongTermMemory) -> None:
        """See `ports.Memories.save`."""
        values: dict[str, dict[str, Any]] = storable(memory.to_json())
        with translate_database_errors(self._pool):
            await self._store.abatch(
                [PutOp(_namespace(user_id), key, value) for key, value in values.items()]
            )


def _namespace(user_id: int) -> tuple[str, str]:
    return ("users", str(user_id))
