"""Notices in PostgreSQL: they stand or fall with the change that they tell of."""

from contextlib import suppress

import pytest

from rich_agent.ports.inbox import ReceivedUpdate
from rich_agent.repositories.database.pools import Connection, one_transaction, open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.storing import add_notice, current_topic
from rich_agent.runtime.fencing import about_update
from rich_agent.telegram.receive.envelope import kind_of

ADA = 42


async def test_notice_is_added_with_the_transaction_of_its_caller(database_url: str) -> None:
    """Not if that is undone; then it waits in the user's urgent lane, under its number."""
    async with open_pool(database_url, max_size=4) as pool, PostgresInbox(pool) as inbox:
        with suppress(ValueError):
            async with one_transaction(pool) as connection:
                await _add_and_fail(connection)
        async with one_transaction(pool) as connection:
            number = await add_notice(connection, ADA, "poker_won")
            assert (await inbox.depth()).pending == 1
        lane = await inbox.claim(urgent=True)
        assert lane is not None
        assert lane.user_id == ADA
        assert [one.update_id for one in lane.updates] == [number]
        assert number < 0
        assert kind_of(lane.updates[0].raw) == "poker_won"


async def test_notice_that_is_not_urgent_waits_while_its_user_is_answered(
    database_url: str,
) -> None:
    """It is handed out in the lane of questions, once that is free."""
    async with open_pool(database_url, max_size=4) as pool, PostgresInbox(pool) as inbox:
        await inbox.store([ReceivedUpdate(7, ADA, b"{}")])
        question = await inbox.claim()
        assert question is not None
        async with one_transaction(pool) as connection:
            number = await add_notice(connection, ADA, "poker_won", is_urgent=False)
        assert await inbox.claim(urgent=True) is None
        assert await inbox.claim() is None
        await inbox.finish(question)
        lane = await inbox.claim()
        assert lane is not None
        assert [one.update_id for one in lane.updates] == [number]


@pytest.mark.parametrize("topic_id", [None, 5])
async def test_topic_is_that_of_the_message_that_is_answered(
    database_url: str, topic_id: int | None
) -> None:
    """None without a message."""
    async with open_pool(database_url, max_size=4) as pool, PostgresInbox(pool) as inbox:
        await inbox.store([ReceivedUpdate(7, ADA, b"{}", topic_id=topic_id)])
        async with one_transaction(pool) as connection:
            assert await current_topic(connection) is None
            with about_update(7):
                assert await current_topic(connection) == topic_id


async def _add_and_fail(connection: Connection) -> None:
    await add_notice(connection, ADA, "poker_won")
    raise ValueError
