"""Query plans: how PostgreSQL carries a statement out, and how many rows it reads for it."""

import re
from collections.abc import Mapping
from typing import LiteralString

from psycopg import AsyncClientCursor
from psycopg.rows import tuple_row

from rich_agent.repositories.database.pools import Connection


async def rows_read(
    connection: Connection,
    statement: LiteralString,
    parameters: Mapping[str, object] | tuple[object, ...],
) -> tuple[str, int]:
    """The plan that was carried out, and the most rows that one of its steps gave or threw away."""
    async with connection.transaction(force_rollback=True):
        cursor = AsyncClientCursor(connection, row_factory=tuple_row)
        await cursor.execute("EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) " + statement, parameters)
        plan = "\n".join(str(row[0]) for row in await cursor.fetchall())
    found = re.findall(r"(?:actual rows=|Removed by Filter: )([\d.]+)", plan)
    return plan, max(int(float(number)) for number in found)
