"""Long-term memory in LangGraph's store tables, namespace ("users", "<user_id>").

`store` holds the JSON of each kind, `store_vectors` a vector for each item; `field_name` is the
vector space with the item's mark. Of items that are rows of another table, the store holds a
copy, which stays as it is where the feature of the rows is absent. The library's own indexing would
embed the JSON as a whole, and block the queue of all users meanwhile.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from typing import Any

from langgraph.store.base import GetOp, Item
from langgraph.store.postgres import AsyncPostgresStore
from pgvector import Vector
from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.memory.items import (
    SUMMARY_KEY,
    LongTermMemory,
    MemoryItem,
    Namespace,
    by_nearness,
    mark_of,
    marks_of,
    owner_of,
)
from rich_agent.domain.memory.kinds import MEMORY_KINDS, MemoryKind
from rich_agent.domain.message import thread_of
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.ports.memories import Erased, FoundMemory, MemoryQuery
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import Connection, Pool, translate_database_errors
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.erasure import erase_things
from rich_agent.repositories.inbox.wakeups import TELL_PAGES
from rich_agent.repositories.memory_store import (
    RowsByKind,
    in_savepoint,
    lock_memory,
    prefix_of,
    row_of,
)

_Stored = Mapping[str, Mapping[str, Any]]
_KEYS = (*MEMORY_KINDS, SUMMARY_KEY)
_READ = "SELECT key, value FROM store WHERE prefix = %s AND key = ANY(%s)"
_WRITE = """
INSERT INTO store (prefix, key, value) VALUES (%s, %s, %s)
ON CONFLICT (prefix, key) DO UPDATE SET value = excluded.value, updated_at = CURRENT_TIMESTAMP
"""
_NEARNESS = """
SELECT split_part(field_name, ':', 2) AS mark, 1 - (embedding <=> %(vector)s) AS nearness
FROM store_vectors WHERE prefix = %(prefix)s AND starts_with(field_name, %(space)s)
"""
_MARKS = """
SELECT split_part(field_name, ':', 2) AS mark
FROM store_vectors WHERE prefix = %s AND starts_with(field_name, %s)
"""
_ADD_VECTOR = """
INSERT INTO store_vectors (prefix, key, field_name, embedding) VALUES (%s, %s, %s, %s)
ON CONFLICT (prefix, key, field_name) DO UPDATE SET embedding = excluded.embedding
"""
_DROP_LOST = f"""
WITH dropped AS (
    DELETE FROM store_vectors
    WHERE prefix = %(prefix)s AND split_part(field_name, ':', 2) <> ALL(%(marks)s)
)
{TELL_PAGES}
"""
_DROP_OTHER_SPACES = (
    "DELETE FROM store_vectors WHERE prefix = %s AND NOT starts_with(field_name, %s)"
)


class PostgresMemories(PostgresRepository):
    """Implements `Memories`; made inside a running event loop.

    Each request to the store is a separate batch: its `aget` would share one with all users, and a
    bad value of one user would fail them all. The store has no operation that reads and writes in
    one transaction, so its table is written here directly. `rows` keep the items of their kinds.
    """

    def __init__(self, pool: Pool, rows: RowsByKind | None = None) -> None:
        super().__init__(pool)
        self._rows_of = rows or {}
        self._store = AsyncPostgresStore(pool)

    async def load(self, user_id: int) -> LongTermMemory:
        # Not through the store, which reads with an UPDATE that a read-only session refuses.
        return self._memory_in(await self._read_values(user_id))

    async def change(
        self,
        user_id: int,
        change: Callable[[LongTermMemory], LongTermMemory],
        *,
        for_good: bool = False,
    ) -> LongTermMemory:
        old_memory = await self.load(user_id)
        if _with_fixed_items(old_memory, change(old_memory), for_good=for_good) == old_memory:
            return old_memory  # as after most turns, which teach nothing
        prefix = prefix_of(user_id)
        async with self._lock_values(user_id) as (connection, values_before):
            memory = self._memory_in(values_before)
            new_memory = _with_fixed_items(memory, change(memory), for_good=for_good)
            if new_memory != memory:
                if lost_rows := self._lost_rows(values_before, new_memory):
                    erasure = Erased(user_id, thread_of(user_id), things=lost_rows)
                    await erase_things(connection, erasure)
                values = storable(new_memory.to_json())
                await self._write(connection, prefix, values, values_before)
                result = LongTermMemory.from_json(values)
                values_to_drop = {"prefix": prefix, "marks": marks_of(result), "user_id": user_id}
                await connection.execute(_DROP_LOST, values_to_drop)
                for kind, rows in self._rows_of.items():
                    before, after = _items_in(values_before, kind), result.items(kind)
                    async with in_savepoint(connection, is_required=for_good):
                        await rows.replace(connection, user_id, before, after, for_good=for_good)
        return new_memory

    def _memory_in(self, values: _Stored) -> LongTermMemory:
        """The memory; copies of rows that this process cannot change are `fixed`."""
        fixed_marks = [_mark(kind, item) for kind, item in self._fixed_items(values)]
        return replace(LongTermMemory.from_json(values), fixed=frozenset(fixed_marks))

    def _lost_rows(self, values: _Stored, new_memory: LongTermMemory) -> frozenset[str]:
        """The rows of absent features whose copies the new memory does not have."""
        copies = self._fixed_items(values)
        marks = set(marks_of(new_memory)) if copies else set()
        return frozenset(row_of(item) for kind, item in copies if _mark(kind, item) not in marks)

    def _fixed_items(self, values: _Stored) -> list[tuple[MemoryKind, Mapping[str, Any]]]:
        kinds = [kind for kind in MEMORY_KINDS if kind not in self._rows_of]
        return [(kind, item) for kind in kinds for item in _items_in(values, kind) if row_of(item)]

    async def _write(
        self, connection: Connection, prefix: str, values: _Stored, values_before: _Stored
    ) -> None:
        """Write the values of all kinds, except those whose items are rows of other tables."""
        own: dict[str, Mapping[str, Any]] = {SUMMARY_KEY: values[SUMMARY_KEY]}
        for kind in MEMORY_KINDS:
            if kind not in self._rows_of:
                own[kind] = {
                    "items": _with_stored_fields(kind, values[kind]["items"], values_before)
                }
        async with connection.cursor() as cursor:
            rows = [(prefix, key, Jsonb(value)) for key, value in own.items()]
            await cursor.executemany(_WRITE, rows)

    async def get(self, namespace: Namespace, key: str) -> Mapping[str, Any] | None:
        with translate_database_errors(self._pool):
            (item,) = await self._store.abatch([GetOp(namespace, key, refresh_ttl=False)])
        return item.value if isinstance(item, Item) else None

    async def search(
        self, prefix: Namespace, query: MemoryQuery, *, limit: int = 10, offset: int = 0
    ) -> list[FoundMemory]:
        user_id = owner_of(prefix)
        memory = await self.load(user_id)
        nearness = await self._nearness(user_id, query)
        ranking = by_nearness(memory, nearness, query.text)
        return [FoundMemory(kind, item) for kind, item in ranking[offset : offset + limit]]

    async def without_vector(self, user_id: int, space: VectorSpace) -> list[FoundMemory]:
        memory = await self.load(user_id)
        rows = await self._rows(_MARKS, (prefix_of(user_id), _label(space)))
        marks = {row["mark"] for row in rows}
        return [FoundMemory(*one) for one in memory if mark_of(*one) not in marks]

    async def add_vectors(
        self, user_id: int, space: VectorSpace, vectors: Mapping[str, Sequence[float]]
    ) -> None:
        prefix, label = prefix_of(user_id), _label(space)
        async with self._lock_values(user_id) as (connection, values):
            await connection.execute(_DROP_OTHER_SPACES, (prefix, label))
            memory = LongTermMemory.from_json(values)
            kinds = {mark_of(kind, item): kind for kind, item in memory}
            async with connection.cursor() as cursor:
                await cursor.executemany(
                    _ADD_VECTOR,
                    [
                        (prefix, kinds[mark], f"{label}{mark}", Vector(list(vector)))
                        for mark, vector in vectors.items()
                        if mark in kinds
                    ],
                )

    @asynccontextmanager
    async def _lock_values(self, user_id: int) -> AsyncIterator[tuple[Connection, _Stored]]:
        """A transaction with the values of the store, which are locked until its end."""
        async with checkout_held(self._pool) as connection:
            await lock_memory(connection, user_id)
            yield connection, await self._read_values(user_id)

    async def _read_values(self, user_id: int) -> _Stored:
        rows = await self._rows(_READ, (prefix_of(user_id), list(_KEYS)))
        return {row["key"]: row["value"] for row in rows}

    async def _nearness(self, user_id: int, query: MemoryQuery) -> dict[str, float]:
        """The cosine similarity, -1..1, of each item with a vector, by its mark."""
        if query.vector is None or query.space is None:
            return {}
        parameters = {
            "prefix": prefix_of(user_id),
            "space": _label(query.space),
            "vector": Vector(list(query.vector)),
        }
        rows = await self._rows(_NEARNESS, parameters)
        return {row["mark"]: row["nearness"] for row in rows}


def _with_fixed_items(
    memory: LongTermMemory, new_memory: LongTermMemory, *, for_good: bool
) -> LongTermMemory:
    """The new memory, with `fixed` items as they were, except those that are deleted for good."""
    if not memory.fixed:
        return new_memory
    new_memory = LongTermMemory.from_json(storable(new_memory.to_json()))
    new_marks = set(marks_of(new_memory))
    items: dict[MemoryKind, tuple[MemoryItem, ...]] = {}
    for kind in MEMORY_KINDS:
        new_items = new_memory.items(kind)
        fixed_items = [
            item
            for item in memory.items(kind)
            if (mark := mark_of(kind, item)) in memory.fixed and (mark in new_marks or not for_good)
        ]
        own_items = (item for item in new_items if mark_of(kind, item) not in memory.fixed)
        is_as_before = all(item in new_items for item in fixed_items)
        items[kind] = new_items if is_as_before else (*fixed_items, *own_items)
    return replace(new_memory.with_items(items), fixed=memory.fixed)


def _items_in(values: _Stored, kind: MemoryKind) -> Sequence[Mapping[str, Any]]:
    items: Sequence[Mapping[str, Any]] = values.get(kind, {}).get("items", ())
    return items


def _with_stored_fields(
    kind: MemoryKind, items: Sequence[Mapping[str, Any]], values_before: _Stored
) -> list[dict[str, Any]]:
    """The items with fields that only the stored ones have, such as the number of a row.

    With it they are those rows again, as soon as these are there.
    """
    before: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for item in _items_in(values_before, kind):
        before[_mark(kind, item)].append(item)
    results = []
    for item in items:
        same_items = before[_mark(kind, item)]
        results.append({**(same_items.pop(0) if same_items else {}), **item})
    return results


def _mark(kind: MemoryKind, item: Mapping[str, Any]) -> str:
    return mark_of(kind, MemoryItem.from_json(item))


def _label(space: VectorSpace) -> str:
    """The prefix of the names of all vectors in a space."""
    name = f"{space.model}\n{space.dimensions}"
    return f"{sha256(name.encode()).hexdigest()[:12]}:"
