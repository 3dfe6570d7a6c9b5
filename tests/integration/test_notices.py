"""Notices in PostgreSQL: they stand or fall with the change that they tell of."""

from contextlib import suppress

from rich_agent.repositories.database.pools import Connection, one_transaction, open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.storing import add_notice
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


async def _add_and_fail(connection: Connection) -> None:
    await add_notice(connection, ADA, "poker_won")
    raise ValueError
