"""The memory of a user in the store's tables: its namespace, its lock, and items that are rows."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from rich_agent.domain.memory.items import MemoryItem, MemoryKind, namespace_of
from rich_agent.repositories.database.pools import Connection


def prefix_of(user_id: int) -> str:
    """The namespace as written in the store's tables."""
    return ".".join(namespace_of(user_id))


async def lock_memory(connection: Connection, user_id: int) -> None:
    """Lock the user's memory against other changes until the transaction ends.

    An advisory lock, because a user without memories has no row to lock.
    """
    await connection.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"memory:{prefix_of(user_id)}",)
    )


class MemoryRows(Protocol):
    """Rows of a table that are the items of one kind of memory; the store holds an image of them.

    Whatever is done to them is done in a transaction that holds the lock of the user's memory.
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
        """Make the rows, and the image, what the items became; `before` are those of the store.

        A row whose item is gone is put away, or deleted `for_good`.
        """

    async def project(self, connection: Connection, user_id: int) -> None:
        """Write the image of the rows, of which some were deleted."""

    async def keys(self, connection: Connection, user_id: int) -> Collection[str]:
        """Keys (`table:key`) of the rows of which the memory shows all words."""


RowsByKind = Mapping[MemoryKind, MemoryRows]
"""Rows by the kind of memory whose items they are; other kinds are kept in the store alone."""
