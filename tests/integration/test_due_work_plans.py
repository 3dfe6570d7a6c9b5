"""Plans of PostgreSQL for due work when many reminders are to come."""

from collections.abc import AsyncIterator
from typing import LiteralString

import pytest

from rich_agent.repositories import due_work
from rich_agent.repositories.database.pools import Connection, open_pool
from tests.integration.query_plans import rows_read

FILL = """
INSERT INTO due_work (kind, key, user_id, due_at)
SELECT 'reminders', n, n, now() + n * interval '1 minute' FROM generate_series(1, 20000) AS n;
INSERT INTO due_work (kind, key)
SELECT 'busy', n FROM generate_series(1, 20000) AS n;
INSERT INTO due_work (kind, key, due_at, lease_until, holder)
SELECT 'reminders', -n, now(), now() + interval '1 minute', 1 FROM generate_series(1, 3) AS n;
INSERT INTO attempts (kind, key, holder, user_id, has_ended)
SELECT 'ordinary', n, 1, n, true FROM generate_series(1, 1000) AS n;
VACUUM ANALYZE due_work; VACUUM ANALYZE attempts;
"""
CHOICE = {
    "kinds": ["reminders", "lessons"],
    "leases": [60.0, 60.0],
    "ordered": ["lessons"],
    "is_lone": False,
    "holder": 1,
}


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[Connection]:
    """A database with 20,000 reminders to come, and as much due of a kind that has to wait."""
    async with open_pool(database_url, max_size=1) as pool, pool.connection() as opened:
        for statement in FILL.split(";")[:-1]:
            await opened.execute(statement.encode())
        yield opened


async def test_sums_read_no_more_rows_of_a_kind_than_they_count(connection: Connection) -> None:
    """Failures are found by their index, however much did not fail."""
    await connection.execute("UPDATE due_work SET last_error = 'x' WHERE key IN ('1', '2')")
    await connection.execute("VACUUM ANALYZE due_work")
    plan, most = await rows_read(connection, due_work._SUMS, {"most": 1_000})
    assert "Seq Scan on due_work" not in plan, plan
    assert most <= 1_000, plan
    plan, most = await rows_read(connection, due_work._FAILURES, (50,))
    assert (most, "due_work_failed_idx" in plan) == (4, True), plan


@pytest.mark.parametrize("statement", [due_work._CLAIM, due_work._NEXT_IN], ids=["claim", "next"])
async def test_search_for_due_work_reads_few_rows_of_many(
    connection: Connection, statement: LiteralString
) -> None:
    """Its cost depends neither on what is to come nor on what waits of other kinds."""
    plan, most = await rows_read(connection, statement, CHOICE)
    assert "Seq Scan on due_work" not in plan, plan
    assert most <= 6, plan
