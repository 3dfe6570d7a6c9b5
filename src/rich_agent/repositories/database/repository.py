"""Base class of the repositories, which runs single statements on connections of a pool."""

from collections.abc import Mapping
from typing import LiteralString

from psycopg.abc import Params
from psycopg.rows import DictRow

from rich_agent.errors import LaneLostError
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import Connection, Pool, Query, execute
from rich_agent.runtime.fencing import current_fence

_ROWS_AT_ONCE = 5_000
_HAS_LANE = "SELECT FROM telegram_lanes WHERE fence = %s"


async def fetch_all(
    connection: Connection, query: Query, values: Params | None = None
) -> list[DictRow]:
    """The rows of a statement."""
    return await (await connection.execute(query, values)).fetchall()


async def fetch_one(connection: Connection, query: Query, values: Params | None = None) -> DictRow:
    """The row of a statement that always returns one, such as a sum or an upsert.

    Raises: LookupError if it returns none.
    """
    row = await (await connection.execute(query, values)).fetchone()
    if row is None:
        raise LookupError("a statement without its row")
    return row


class PostgresRepository:
    """Base of the classes that implement ports in PostgreSQL.

    `lanes` is the pool of the database with the lanes, if that is another one than `pool`'s.

    Raises: DatabaseUnavailableError; LaneLostError for writes of a lost lane.
    """

    def __init__(self, pool: Pool, lanes: Pool | None = None) -> None:
        self._pool = pool
        self._lanes = lanes

    async def _rows(self, query: Query, values: Params | None = None) -> list[DictRow]:
        return await (await execute(self._pool, query, values)).fetchall()

    async def _one(self, query: Query, values: Params | None = None) -> DictRow:
        """The row of a statement that always returns one.

        Raises: LookupError if it returns none.
        """
        row = await self._row(query, values)
        if row is None:
            raise LookupError("a statement without its row")
        return row

    async def _row(self, query: Query, values: Params | None = None) -> DictRow | None:
        return await (await execute(self._pool, query, values)).fetchone()

    async def _run(self, query: Query, values: Params | None = None) -> int:
        """Run a statement; return the number of affected rows."""
        return (await execute(self._pool, query, values)).rowcount

    async def _run_in_lane(self, query: Query, values: Params | None = None) -> int:
        """As `_run`, and the lane of this task cannot be taken over meanwhile."""
        async with checkout_held(self._pool, self._lanes) as connection:
            return (await connection.execute(query, values)).rowcount

    async def _run_with_fence(self, query: Query, values: Mapping[str, object]) -> int:
        """As `_run`, for a statement that checks the lane by itself with `fences.LANE`."""
        fence = current_fence()
        count = await self._run(query, {**values, "fence": fence})
        if count == 0 and fence is not None and await self._run(_HAS_LANE, (fence,)) == 0:
            raise LaneLostError(f"lane of fence {fence}")  # else there was nothing to change
        return count

    async def _row_in_lane(self, query: Query, values: Params | None = None) -> DictRow | None:
        async with checkout_held(self._pool, self._lanes) as connection:
            return await (await connection.execute(query, values)).fetchone()

    async def _prune(
        self, table: LiteralString, moment: LiteralString, days: float, also: LiteralString = "true"
    ) -> int:
        """Delete rows whose column `moment` is more than `days` ago; return their number.

        This works in steps, so that transactions and locks stay short.
        """
        statement: LiteralString = f"""
        DELETE FROM {table} WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM {table}
            WHERE {moment} < clock_timestamp() - make_interval(secs => %s * 86400) AND {also}
            LIMIT {_ROWS_AT_ONCE}
        ))
        """
        count = 0
        while True:
            step = await self._run(statement, (days,))
            count += step
            if step < _ROWS_AT_ONCE:
                return count
