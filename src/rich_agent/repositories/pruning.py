"""Deletes what is old in steps, so that no transaction and no lock lasts long."""

from typing import LiteralString

from rich_agent.repositories.database import Pool, checkout

ROWS_AT_ONCE = 5_000


async def prune_in_steps(pool: Pool, statement: LiteralString, days: float) -> int:
    """Run a DELETE that takes (days, limit) until it finds nothing more; how many rows went."""
    gone = 0
    while True:
        async with checkout(pool) as connection:
            step = (await connection.execute(statement, (days, ROWS_AT_ONCE))).rowcount
        gone += step
        if step < ROWS_AT_ONCE:
            return gone
