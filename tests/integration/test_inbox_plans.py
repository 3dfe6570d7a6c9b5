"""Plans of PostgreSQL for the inbox when there is much in it."""

from collections.abc import AsyncIterator, Mapping
from typing import LiteralString

import pytest

from rich_agent.repositories.database.pools import Connection, open_pool
from rich_agent.repositories.inbox import inbox, lanes, wakeups
from tests.integration.query_plans import rows_read

DONE, USERS = 100_000, 10_000
FILL = f"""
INSERT INTO telegram_inbox (update_id, user_id, urgent, raw, done_at)
SELECT n, n % {USERS}, false, '{{}}', now() FROM generate_series(1, {DONE}) AS n;
INSERT INTO telegram_inbox (update_id, user_id, urgent, raw)
SELECT {DONE} + n, n % {USERS}, false, '{{}}' FROM generate_series(1, {3 * USERS}) AS n;
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
SELECT n, false, now() FROM generate_series(0, {USERS - 1}) AS n;
INSERT INTO attempts (kind, key, holder, user_id, has_ended)
SELECT 'ordinary', n, 1, {USERS} + n, true FROM generate_series(1, 1000) AS n;
INSERT INTO due_work (kind, key, user_id)
SELECT 'lesson', n, n FROM generate_series(1, {USERS}) AS n;
VACUUM ANALYZE due_work; VACUUM ANALYZE telegram_inbox;
VACUUM ANALYZE telegram_lanes; VACUUM ANALYZE attempts;
"""
LANE = {
    "user_id": 7,
    "urgent": False,
    "kind": "ordinary",
    "alone": True,
    "is_lone": False,
    "mine": [1],
    "lease_s": 10.0,
    "holder": 1,
    "launch": None,
    "untold_s": None,
}


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[Connection]:
    """A database with 100,000 updates done, and 10,000 users of whom 3 wait each."""
    async with open_pool(database_url, max_size=1) as pool, pool.connection() as opened:
        for statement in FILL.split(";")[:-1]:
            await opened.execute(statement.encode())
        yield opened


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [
        (inbox._CLAIM, LANE),
        (inbox._CLAIM, {**LANE, "alone": False}),
        (inbox._CLAIM, {**LANE, "alone": False, "untold_s": 1.0}),
        (inbox._PLACE, (7,)),
        (lanes._WAITING, LANE),
        (lanes.FINISH, {"fence": 7, "ids": [7]}),
        (lanes._FREE_IF_IDLE, ([7], 7)),
        (lanes.READY_IN, LANE),
        (wakeups._MISSING, ()),
    ],
    ids=[
        "claim",
        "claim_of_none_before",
        "claim_untold",
        "place",
        "waiting",
        "finish",
        "free_if_idle",
        "ready_in",
        "missing",
    ],
)
async def test_inbox_statements_read_few_rows_of_a_full_inbox(
    connection: Connection,
    statement: LiteralString,
    parameters: Mapping[str, object] | tuple[object, ...],
) -> None:
    """The cost of a claim depends neither on the users who wait nor on what was done."""
    plan, most = await rows_read(connection, statement, parameters)
    assert "Seq Scan" not in plan, plan
    assert most <= 3, plan
