"""Claims and ends of lanes, one statement each, and what happens at the same time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest

from rich_agent.ports.inbox import SPLIT_TEXT_UNITS, Lane, ReceivedUpdate
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.wakeups import USERS_CHANNEL
from tests.integration.telegram_support import until

_IS_BLOCKED = "SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"
_STORE = """
INSERT INTO telegram_inbox (update_id, user_id, urgent, raw) VALUES (2, 42, false, 'later')
"""
_LOCK_LANE = "UPDATE telegram_lanes SET ready_at = ready_at WHERE user_id = 42"


def update(number: int, **fields: object) -> ReceivedUpdate:
    """An ordinary update of user 42."""
    return ReceivedUpdate(number, 42, b"raw", **fields)  # type: ignore[arg-type]  # any field


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[tuple[Pool, PostgresInbox]]:
    """A pool and its inbox."""
    async with open_pool(url, max_size=4) as pool, PostgresInbox(pool) as inbox:
        yield pool, inbox


async def claimed(inbox: PostgresInbox) -> Lane:
    """The lane that is ready."""
    lane = await inbox.claim()
    assert lane
    return lane


async def _is_blocked(url: str) -> bool:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        return await (await connection.execute(_IS_BLOCKED)).fetchone() is not None


@pytest.mark.req("REL-1")
async def test_lane_stays_if_an_update_is_stored_while_it_ends(database_url: str) -> None:
    """The end waits for the transaction that stores, and leaves the lane to the new update."""
    async with opened(database_url) as (_, inbox):
        await inbox.store([update(1)])
        lane = await claimed(inbox)
        async with asyncio.TaskGroup() as group:
            with psycopg.connect(database_url) as receiver:
                receiver.execute(_LOCK_LANE)
                receiver.execute(_STORE)
                finish_task = group.create_task(inbox.finish(lane))
                await until(lambda: _is_blocked(database_url))
            await finish_task
        assert [one.raw for one in (await claimed(inbox)).updates] == [b"later"]


async def test_lane_is_not_handed_out_with_an_update_that_was_just_finished(
    database_url: str,
) -> None:
    """Another worker's end, which the claim had to wait for, is not answered again."""
    async with opened(database_url) as (_, inbox):
        await inbox.store([update(1)])
        async with asyncio.TaskGroup() as group:
            with psycopg.connect(database_url) as worker:
                worker.execute("UPDATE telegram_inbox SET done_at = now() WHERE update_id = 1")
                claim_task = group.create_task(inbox.claim())
                await until(lambda: _is_blocked(database_url))
            assert await claim_task is None
        with psycopg.connect(database_url) as connection:
            assert connection.execute("SELECT FROM telegram_lanes").fetchall() == []
            assert connection.execute("SELECT FROM attempts").fetchall() == []


@pytest.mark.parametrize(
    ("fields", "connections"),
    [
        ({}, 1),
        ({"text_units": 20}, 1),
        ({"text_units": SPLIT_TEXT_UNITS}, 3),
        ({"media_group_id": "album"}, 3),
    ],
)
async def test_claim_of_a_message_that_is_alone_is_one_statement(
    database_url: str, fields: dict[str, object], connections: int
) -> None:
    """An album and a text that may go on are looked at before they are handed out."""
    async with opened(database_url) as (pool, inbox):
        await inbox.store([update(1, **fields)])
        await inbox.claim(urgent=True)  # which starts to listen
        pool.pop_stats()
        await inbox.claim()
        assert pool.pop_stats()["requests_num"] == connections


async def test_wait_after_a_claim_asks_the_database_nothing(database_url: str) -> None:
    """The claim has told when the next lane is ready, unless there were news since."""
    async with opened(database_url) as (pool, inbox):
        assert inbox.may_be_ready(urgent=False)
        assert await inbox.claim() is None
        pool.pop_stats()
        await inbox.wait(0.01)
        assert not inbox.may_be_ready(urgent=False)
        assert "requests_num" not in pool.pop_stats()
        await inbox.store([update(1), ReceivedUpdate(2, 43, b"raw")])
        await asyncio.wait_for(inbox.wait(60), 30)
        await claimed(inbox)
        assert inbox.may_be_ready(urgent=False)
        await claimed(inbox)
        assert not inbox.may_be_ready(urgent=False)


async def test_lane_is_quiet_until_something_is_stored_after_its_claim(database_url: str) -> None:
    """A message before the claim, and the notification of a later one, call for a look."""
    async with opened(database_url) as (_, inbox):
        assert await inbox.claim() is None  # which starts to listen
        before = inbox._wakeups.count(USERS_CHANNEL)
        await inbox.store([update(1)])

        async def is_told() -> bool:
            return inbox._wakeups.count(USERS_CHANNEL) > before

        await until(is_told)
        lane = await claimed(inbox)
        assert inbox.is_quiet(lane)
        await inbox.store([update(2)])

        async def is_heard() -> bool:
            return not inbox.is_quiet(lane)

        await until(is_heard)
        await inbox.finish(lane)
        await inbox.store([update(3)])
        assert not inbox.is_quiet(await claimed(inbox))
