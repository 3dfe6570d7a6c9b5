"""Writing under a fence: checked in the transaction that writes, so that no moment lies between.

A process that was stopped past its lease finds its fence gone, and its write is refused. Source:
Kleppmann, Designing Data-Intensive Applications, chapter 8, "Fencing tokens".
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

from psycopg import AsyncConnection, sql

from rich_agent.errors import LaneLostError
from rich_agent.repositories.database.pools import Connection, Pool, checkout
from rich_agent.runtime.fencing import current_fence

LockStrength = Literal["KEY SHARE", "UPDATE"]
LONGEST_PAUSE = "5s"
"""How long a process that stops in the middle of a transaction keeps its lane."""

_LOCK = sql.SQL("""
SELECT set_config('idle_in_transaction_session_timeout', %s, true)
FROM telegram_lanes WHERE fence = %s FOR {}
""")
_LOCKS: dict[LockStrength, sql.Composed] = {
    "KEY SHARE": _LOCK.format(sql.SQL("KEY SHARE")),
    "UPDATE": _LOCK.format(sql.SQL("UPDATE")),
}


async def lock_lane(connection: AsyncConnection[Any], fence: int, strength: LockStrength) -> None:
    """Keep the lane of `fence` from being taken over until the transaction ends.

    A key share leaves room for renewals and for others of the same lane.

    Raises: LaneLostError.
    """
    found = await connection.execute(_LOCKS[strength], (LONGEST_PAUSE, fence))
    if found.rowcount == 0:
        raise LaneLostError(f"lane of fence {fence}")


@asynccontextmanager
async def held(connection: AsyncConnection[Any]) -> AsyncIterator[None]:
    """A transaction in which nobody can take over the lane that this task holds, if it holds one.

    Raises: LaneLostError.
    """
    fence = current_fence()
    if fence is None:
        yield
        return
    async with connection.transaction():
        await lock_lane(connection, fence, "KEY SHARE")
        yield


@asynccontextmanager
async def checkout_held(pool: Pool, lanes: Pool | None = None) -> AsyncIterator[Connection]:
    """A connection to write on, while nobody can take over the lane that this task holds.

    `lanes` is the pool of the database with the lanes, when `pool` is that of another one.

    Raises: LaneLostError, DatabaseUnavailableError.
    """
    if lanes is not None and lanes is not pool:
        async with checkout_held(lanes), checkout(pool) as connection:
            yield connection
        return
    async with checkout(pool) as connection, held(connection):
        yield connection
