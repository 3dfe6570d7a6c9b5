"""Long-term memory in LangGraph's store tables, namespace ("users", "<user_id>")."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from langgraph.store.base import GetOp, Item, PutOp
from langgraph.store.postgres import AsyncPostgresStore
from psycopg import AsyncCursor
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb
from typing_extensions import override

from rich_agent.domain.memory import MEMORY_KINDS, SUMMARY_KEY, LongTermMemory
from rich_agent.repositories.database import Pool, translate_database_errors
from rich_agent.repositories.fences import checkout_held, held
from rich_agent.repositories.json_values import storable

_KEYS = (*MEMORY_KINDS, SUMMARY_KEY)
_READ = "SELECT key, value FROM store WHERE prefix = %s AND key = ANY(%s)"
_WRITE = """
INSERT INTO store (prefix, key, value) VALUES (%s, %s, %s)
ON CONFLICT (prefix, key) DO UPDATE SET value = excluded.value, updated_at = CURRENT_TIMESTAMP
"""


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

    async def change(
        self, user_id: int, change: Callable[[LongTermMemory], LongTermMemory]
    ) -> LongTermMemory:
        """See `ports.Memories.change`.

        The store has no such operation, so its table is written here in its own shape.
        """
        prefix = ".".join(_namespace(user_id))
        async with checkout_held(self._pool) as connection, connection.transaction():
            # A lock of its own: a user of whom nothing is remembered has no row to lock.
            await connection.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"memory:{prefix}",)
            )
            rows = await (await connection.execute(_READ, (prefix, list(_KEYS)))).fetchall()
            memory = LongTermMemory.from_json({row["key"]: row["value"] for row in rows})
            changed = change(memory)
            if changed != memory:
                values = storable(changed.to_json())
                async with connection.cursor() as cursor:
                    await cursor.executemany(
                        _WRITE, [(prefix, key, Jsonb(value)) for key, value in values.items()]
                    )
        return changed


def _namespace(user_id: int) -> tuple[str, str]:
    return ("users", str(user_id))
