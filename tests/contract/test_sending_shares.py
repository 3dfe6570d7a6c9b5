"""One suite for the shares of what Telegram takes, in PostgreSQL and for their twin."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

import pytest

from rich_agent.ports.outbox import SendingShares
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.outbox import PostgresSendingShares
from tests.twins.sending import InMemorySendingShares

ONE, TWO, THREE = (UUID(int=number) for number in (1, 2, 3))


@dataclass(frozen=True, slots=True)
class Desk:
    """The shares; `impatient` takes everybody else's share as lapsed."""

    shares: SendingShares
    impatient: SendingShares


@pytest.fixture(params=["postgres", "in_memory"])
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    """Nobody sends."""
    if request.param == "in_memory":
        shares = InMemorySendingShares()
        yield Desk(shares, InMemorySendingShares(lease_s=-1, _given=shares._given))
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield Desk(PostgresSendingShares(pool), PostgresSendingShares(pool, lease_s=-1))


async def test_shares_are_what_telegram_takes_for_one_process(desk: Desk) -> None:
    """Also when it asks again."""
    assert await desk.shares.renew(ONE, 0) == 30
    assert await desk.shares.renew(ONE, 100) == 30


async def test_shares_of_two_processes_are_those_of_one(desk: Desk) -> None:
    """The newcomer has its whole part once the first has asked again; then it goes by wants."""
    assert await desk.shares.renew(ONE, 5) == 30
    assert await desk.shares.renew(TWO, 5) == 7.5
    assert await desk.shares.renew(ONE, 5) == 15
    assert await desk.shares.renew(TWO, 5) == 15
    assert await desk.shares.renew(TWO, 1) == 5
    assert await desk.shares.renew(ONE, 5) == 25


async def test_share_of_a_process_that_ends_is_free_at_once(desk: Desk) -> None:
    """A second release is not an error."""
    await desk.shares.renew(ONE, 5)
    await desk.shares.renew(TWO, 5)
    await desk.shares.release(ONE)
    await desk.shares.release(ONE)
    assert await desk.shares.renew(TWO, 5) == 30


async def test_share_of_a_process_that_died_lapses(desk: Desk) -> None:
    """By the database's clock; a process that was only slow is given a new one."""
    await desk.shares.renew(ONE, 5)
    await desk.shares.renew(TWO, 5)
    assert await desk.impatient.renew(TWO, 5) == 30
    assert await desk.shares.renew(ONE, 5) == 7.5


async def test_shares_asked_for_at_once_are_given_one_after_the_other(desk: Desk) -> None:
    """Nothing is given away twice."""
    processes = [UUID(int=number) for number in range(10)]
    first = await asyncio.gather(*(desk.shares.renew(process, 9) for process in processes))
    assert sorted(first) == pytest.approx([15 / n for n in range(10, 1, -1)] + [30])
    for _ in range(2):
        shares = await asyncio.gather(*(desk.shares.renew(process, 9) for process in processes))
        assert max(shares) <= 30
    assert shares == pytest.approx([3.0] * 10)
