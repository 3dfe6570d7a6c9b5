"""Writes under a fence, which is checked in the same transaction.

A process that was paused for longer than its lease has lost its fence, so its writes are refused.
Source: Kleppmann, Designing Data-Intensive Applications, chapter 8, "Fencing tokens".
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

from psycopg import AsyncConnection, sql

from rich_agent.errors import LaneLostError
from rich_agent.repositories.database.pools import Connection, Pool, one_transaction
from rich_agent.runtime.fencing import current_fence

LockStrength = Literal["KEY SHARE", "UPDATE"]
LONGEST_PAUSE = "5s"
"""The time for which a process that is paused inside a transaction keeps its lane."""

LANE = """lane AS MATERIALIZED (
    SELECT fence FROM telegram_lanes WHERE fence = %(fence)s FOR KEY SHARE
)"""
"""A CTE for a statement that checks the lane by itself, by `IS_HELD` in each of its writes."""
IS_HELD = "(%(fence)s::bigint IS NULL OR EXISTS (SELECT FROM lane))"

_LOCK = sql.SQL("""
SELECT set_config('idle_in_transaction_session_timeout', %s, true)
FROM telegram_lanes WHERE fence = %s FOR {}
""")
_LOCKS: dict[LockStrength, sql.Composed] = {
    "KEY SHARE": _LOCK.format(sql.SQL("KEY SHARE")),
    "UPDATE": _LOCK.format(sql.SQL("UPDATE")),
}


async def lock_lane(connection: AsyncConnection[Any], fence: int, strength: LockStrength) -> None:
    """Lock the lane of `fence`, so that no other worker takes it over in this transaction.

    A KEY SHARE lock does not block renewals and other writers of the same lane.

    Raises: LaneLostError.
    """
    cursor = await connection.execute(_LOCKS[strength], (LONGEST_PAUSE, fence))
    if cursor.rowcount == 0:
        raise LaneLostError(f"lane of fence {fence}")


@asynccontextmanager
async def checkout_held(pool: Pool, lanes: Pool | None = None) -> AsyncIterator[Connection]:
    """A transaction during which the lane of this task, if it holds one, cannot be taken over.

    `lanes` is the pool of the database with the lanes, if that is another one than `pool`'s. Each
    `checkout` of `pool` by this task in the block uses the transaction's connection.

    Raises: LaneLostError, DatabaseUnavailableError.
    """
    fence = current_fence()
    if lanes is not None and lanes is not pool and fence is not None:
        async with checkout_held(lanes), one_transaction(pool) as connection:
            yield connection
        return
    async with one_transaction(pool) as connection:
        if fence is not None:
            await lock_lane(connection, fence, "KEY SHARE")
        yield connection
