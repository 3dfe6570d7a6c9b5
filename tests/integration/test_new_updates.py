"""Whether a process hears of new updates, and what its figures tell of them."""

import asyncio

import psycopg

from rich_agent.ports.outbox import Place
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.telegram.receive.envelope import envelope
from tests.integration.telegram_support import until

_END_LISTENER = """
SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND classid = 1918977908 AND datname = current_database()
"""
UPDATE = b'{"update_id": 7, "message": {"from": {"id": 42}, "text": "hi"}}'


async def end_listener(url: str) -> bool:
    """Cut the connection that listens; whether there was one."""
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(_END_LISTENER).fetchone() is not None


async def _is(inbox: PostgresInbox, *, deaf: bool) -> bool:
    return inbox.is_deaf == deaf


async def test_inbox_knows_that_its_listener_is_gone_until_it_is_back(database_url: str) -> None:
    """Its connection is cut, and it connects again by itself."""
    async with open_pool(database_url, max_size=3) as pool, PostgresInbox(pool) as inbox:
        assert not inbox.is_deaf
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(inbox.wait(60))
            await until(lambda: end_listener(database_url))
            await until(lambda: _is(inbox, deaf=True))
            await until(lambda: _is(inbox, deaf=False))
            waiting.cancel()


async def test_inbox_tells_how_long_a_message_waits_to_be_sent(database_url: str) -> None:
    """As long as its update is not done, and its sending has not ended."""
    async with open_pool(database_url, max_size=3) as pool, PostgresInbox(pool) as inbox:
        await inbox.store([envelope(UPDATE)])
        assert (await inbox.depth()).unsent_s == 0
        outbox = PostgresOutbox(pool)
        await outbox.begin(7, 0, Place(42))
        assert (await inbox.depth()).unsent_s > 0
        await outbox.note_sent(7, 0, 100)
        assert (await inbox.depth()).unsent_s == 0
