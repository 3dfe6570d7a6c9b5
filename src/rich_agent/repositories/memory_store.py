"""The namespace and the lock of a user's memory, and memory items that are rows of other tables."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from rich_agent.domain.memory.items import MemoryItem, MemoryKind, namespace_of
from rich_agent.repositories.database.pools import Connection


def prefix_of(user_id: int) -> str:
    """The namespace of a user's memory, as the store's tables contain it."""
    return ".".join(namespace_of(user_id))


async def lock_memory(connection: Connection, user_id: int) -> None:
    """Lock the user's memory against other changes until the transaction ends.

    This is an advisory lock, because a user without memories has no row to lock.
    """
    await connection.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"memory:{prefix_of(user_id)}",)
    )


class MemoryRows(Protocol):
    """Rows of a table that are the items of one kind of memory; the store holds a copy of them.

    All methods need a transaction that holds the lock of the user's memory.
    """

    async def replace(
        self,
        connection: Connection,
        user_id: int,
        before: Sequence[Mapping[str, Any]],
        after: Sequence[MemoryItem],
        *,
        for_good: bool,
    ) -> None:
        """Change the rows and the copy from the stored items `before` to the items `after`.

        A row without an item is put away, or deleted with `for_good`.
        """

    async def project(self, connection: Connection, user_id: int) -> None:
        """Write the copy of the rows to the store, after some of them were deleted."""

    async def keys(self, connection: Connection, user_id: int) -> Collection[str]:
        """The keys (`table:key`) of the rows whose words the memory shows completely."""


RowsByKind = Mapping[MemoryKind, MemoryRows]
"""Rows by the kind of their memory items; items of other kinds are only in the store."""
