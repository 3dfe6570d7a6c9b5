"""One suite for what Telegram takes of all processes, in PostgreSQL and for its twin."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from rich_agent.ports.outbox import SendingRate
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.sending_rate import PostgresSendingRate
from tests.integration.catalogue import read
from tests.twins.sending import InMemorySendingRate

A_YEAR_S = 365 * 86400.0


@pytest.fixture(params=["postgres", "in_memory"])
async def slow(request: pytest.FixtureRequest) -> AsyncIterator[SendingRate]:
    """Two messages a year: what passes of a test does not count."""
    per_s = 2 / A_YEAR_S
    if request.param == "in_memory":
        yield InMemorySendingRate(per_s, burst_s=A_YEAR_S)
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield PostgresSendingRate(pool, total_per_s=per_s, burst_s=A_YEAR_S)


async def test_rate_lets_as_many_go_at_once_as_it_holds(slow: SendingRate) -> None:
    """A refused message does not count."""
    assert [await slow.try_take() for _ in range(4)] == [True, True, False, False]
    assert await slow.reserve() == pytest.approx(A_YEAR_S / 2, rel=0.01)


async def test_rate_keeps_what_is_to_be_spared(slow: SendingRate) -> None:
    """Of two messages, the first leaves one; the second cannot, and does not count."""
    assert [await slow.try_take(spare=1) for _ in range(3)] == [True, False, False]
    assert [await slow.try_take() for _ in range(2)] == [True, False]


async def test_rate_reserves_one_moment_after_another(slow: SendingRate) -> None:
    """Whoever reserved is before those who only try."""
    waits_s = [await slow.reserve() for _ in range(4)]
    assert waits_s == pytest.approx([0, 0, A_YEAR_S / 2, A_YEAR_S], rel=0.01)
    assert not await slow.try_take()


async def test_rate_gives_no_moment_twice(slow: SendingRate) -> None:
    """Asked by many at once, and by a second process."""
    taken = await asyncio.gather(*(slow.try_take() for _ in range(20)))
    assert sum(taken) == 2
    waits_s = sorted(await asyncio.gather(*(slow.reserve() for _ in range(4))))
    expected = [A_YEAR_S / 2 * number for number in range(1, 5)]
    assert waits_s == pytest.approx(expected, rel=0.01)


async def test_rate_of_two_processes_is_one(database_url: str) -> None:
    """It is kept in the database, in one row."""
    async with (
        open_pool(database_url, max_size=2) as one,
        open_pool(database_url, max_size=2) as two,
    ):
        rates = [
            PostgresSendingRate(pool, total_per_s=2 / A_YEAR_S, burst_s=A_YEAR_S)
            for pool in (one, two, one)
        ]
        assert [await rate.try_take() for rate in rates] == [True, True, False]
    assert len(read(database_url, "SELECT * FROM telegram_rate")) == 1
