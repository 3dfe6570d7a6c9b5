"""Lanes of processes that are gone, and of those that only lost a connection."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from rich_agent.ports.inbox import InboxRules, Lane, ReceivedUpdate
from rich_agent.repositories.database.pools import checkout, open_pool
from rich_agent.repositories.inbox import wakeups
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.wakeups import LOOK_S, Presence
from rich_agent.telegram.receive.envelope import envelope
from tests.integration.catalogue import execute, read
from tests.integration.telegram_support import until
from tests.integration.test_new_updates import end_listener

RULES = InboxRules(lease_s=600)
ADA = 42
UPDATE = b'{"update_id": 7, "message": {"from": {"id": 42}, "text": "hi"}}'


async def open_inbox(stack: AsyncExitStack, url: str) -> PostgresInbox:
    """The inbox of one process."""
    pool = await stack.enter_async_context(open_pool(url, max_size=3))
    return await stack.enter_async_context(PostgresInbox(pool, RULES))


def replace_function(url: str, signature: str, body: str) -> None:
    """Have whoever connects from now on find another function than that of PostgreSQL."""
    execute(
        url,
        "CREATE SCHEMA ahead",
        f"CREATE FUNCTION ahead.{signature} LANGUAGE plpgsql AS $$ BEGIN {body}; END $$",
        """
        DO $$ BEGIN
            EXECUTE format(
                'ALTER DATABASE %I SET search_path = ahead, pg_catalog, public', current_database()
            );
        END $$
        """,
    )


async def claimed(inbox: PostgresInbox) -> Lane:
    """The next lane, waited for as a worker does."""
    while (lane := await inbox.claim()) is None:
        await inbox.wait(5)
    return lane


@pytest.mark.req("DUR-1", "REL-1")
async def test_lane_of_a_dead_process_is_taken_at_once(database_url: str) -> None:
    """Nobody waits for a lease of ten minutes, neither a worker nor the terminal."""
    async with AsyncExitStack() as stack, asyncio.timeout(45):
        survivor = await open_inbox(stack, database_url)
        async with AsyncExitStack() as dying:
            dead = await open_inbox(dying, database_url)
            await dead.store([envelope(UPDATE)])
            first = await claimed(dead)
            assert await survivor.claim() is None
        second = await claimed(survivor)
        assert (second.user_id, second.fence > first.fence) == (ADA, True)
        await survivor.finish(second)
        async with AsyncExitStack() as dying:
            assert await (await open_inbox(dying, database_url)).claim_user(ADA)
            assert await survivor.claim_user(ADA) is None
        while await survivor.claim_user(ADA) is None:
            await survivor.wait(0.2)


async def test_dead_process_is_told_after_the_clock_was_set_back(database_url: str) -> None:
    """PostgreSQL seems to have started in an hour; nobody waits for that long."""
    start = "pg_postmaster_start_time() RETURNS timestamptz"
    replace_function(database_url, start, "RETURN now() + interval '1 hour'")
    async with AsyncExitStack() as stack, asyncio.timeout(20):
        async with AsyncExitStack() as dying:
            dead = await open_inbox(dying, database_url)
            await dead.store([envelope(UPDATE)])
            await claimed(dead)
        survivor = await open_inbox(stack, database_url)
        await survivor.finish(await claimed(survivor))


async def test_process_keeps_its_lanes_when_it_loses_its_connection(database_url: str) -> None:
    """It shows itself on a new one before anybody has looked twice."""
    async with AsyncExitStack() as stack, asyncio.timeout(45):
        holder, other = [await open_inbox(stack, database_url) for _ in range(2)]
        await holder.store([envelope(UPDATE)])
        lane = await claimed(holder)
        assert await other.claim() is None
        execute(database_url, "UPDATE telegram_lanes SET ready_at = ready_at")
        await until(lambda: end_listener(database_url))

        async def hear_again() -> bool:
            return not holder.is_deaf and not other.is_deaf

        await until(hear_again)
        await asyncio.sleep(LOOK_S * 3)
        assert await other.claim() is None
        await holder.extend(lane)
        await holder.finish(lane)


async def test_process_that_had_to_connect_anew_gives_the_others_time(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failover no process has its lock, and a slow one is not dead."""
    monkeypatch.setattr(wakeups, "_OTHERS_RETURN_S", 1.0)
    async with open_pool(database_url, max_size=3) as pool:
        first, other = Presence(), Presence()
        async with checkout(pool) as lost, checkout(pool) as lost_too:
            await first.show(lost)
            await other.show(lost_too)
            execute(
                database_url,
                "INSERT INTO telegram_lanes (user_id, urgent, ready_at, holder) "
                f"VALUES ({ADA}, false, now(), {other.number})",
            )
            await lost.close()
            await lost_too.close()
        async with checkout(pool) as connection:
            await first.show(connection)
            for _ in range(3):
                await first.look(connection)
            assert read(database_url, "SELECT holder FROM telegram_lanes") == {(other.number,)}
            await asyncio.sleep(1.1)
            await first.look(connection)
            assert read(database_url, "SELECT holder FROM telegram_lanes") == {(None,)}


async def test_clock_of_the_database_that_is_set_back_stops_no_lane(database_url: str) -> None:
    """A lane that was ready before is ready after, and not a hundred seconds later."""
    execute(database_url, "CREATE TABLE public.clock AS SELECT 100 AS ahead_s")
    replace_function(
        database_url,
        "clock_timestamp() RETURNS timestamptz",
        "RETURN pg_catalog.clock_timestamp() + (SELECT ahead_s FROM public.clock) * interval '1 s'",
    )
    execute(
        database_url,
        "CREATE FUNCTION ahead.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE "
        "AS 'SELECT ahead.clock_timestamp()'",
    )
    async with (
        asyncio.timeout(30),
        open_pool(database_url, max_size=4) as pool,
        PostgresInbox(pool) as inbox,
    ):
        await inbox.store([ReceivedUpdate(1, 43, b"{}")])
        await inbox.finish(await claimed(inbox))
        await inbox.store([ReceivedUpdate(2, 42, b"{}")])
        execute(database_url, "UPDATE public.clock SET ahead_s = 0")
        assert (await claimed(inbox)).user_id == 42
