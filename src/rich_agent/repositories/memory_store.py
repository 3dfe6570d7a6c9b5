"""The namespace and the lock of a user's memory, and memory items that are rows of other tables."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, LiteralString, Protocol, runtime_checkable

import psycopg
import structlog

from rich_agent.domain.memory.items import MemoryItem, namespace_of
from rich_agent.domain.memory.kinds import MemoryKind
from rich_agent.repositories.database.pools import Connection

ROW_OF_ITEM: LiteralString = "coalesce(item ->> 'row', 'tasks:' || (item ->> 'task_id'), '')"
"""`row_of` in SQL."""
_LONGEST_PART_S = 10.0
"""Longest for the rows of a feature: the user's memory is locked meanwhile."""
_log = structlog.get_logger()


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


def row_of(item: Mapping[str, Any]) -> str:
    """The row (`table:key`) of which a stored item is the copy, "" if it is none.

    Copies that were written before they had a `row` have the number of a task.
    """
    number = item.get("task_id")
    return str(item.get("row") or (f"tasks:{number}" if number is not None else ""))


@runtime_checkable
class MemoryRows(Protocol):
    """Rows of a table that are the items of one kind of memory; the store holds a copy of them.

    Each item of the copy names its row in the field `row` (`table:key`), so that the item and the
    row are deleted together where the feature is absent. All methods need a transaction that holds
    the lock of the user's memory, and have ten seconds. What fails in one undoes what that one did.
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

        A row without an item is put away, or deleted with `for_good`; if that fails, the items
        stay, too.
        """

    async def project(self, connection: Connection, user_id: int) -> None:
        """Write the copy of the rows to the store, after some of them were deleted."""

    async def keys(self, connection: Connection, user_id: int) -> Collection[str]:
        """The keys (`table:key`) of the rows whose words the memory shows completely."""


RowsByKind = Mapping[MemoryKind, MemoryRows]
"""Rows by the kind of their memory items; items of other kinds are only in the store."""


@asynccontextmanager
async def in_savepoint(connection: Connection, *, is_required: bool = False) -> AsyncIterator[None]:
    """Let a feature work on its rows; what fails is logged, and undoes only the feature's part.

    Raises: the error if the part is required, psycopg.OperationalError if the database fails.
    """
    try:
        async with asyncio.timeout(_LONGEST_PART_S), connection.transaction():
            yield
    except psycopg.OperationalError:
        raise
    except Exception:
        _log.exception("memory.rows_failed")
        if is_required:
            raise
