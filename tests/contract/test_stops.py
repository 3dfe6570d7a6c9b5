"""One suite for stop requests in PostgreSQL and for their twin."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from rich_agent.ports.inbox import Inbox, ReceivedUpdate
from rich_agent.ports.outbox import Stops
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.stops import PostgresStops
from rich_agent.runtime.concurrency import happens_within
from tests.twins.inbox import InMemoryInbox
from tests.twins.stops import InMemoryStops

ADA, BOB = 42, 43


@dataclass(frozen=True, slots=True)
class UnderTest:
    """An inbox, and the stop requests on it."""

    inbox: Inbox
    stops: Stops

    async def begin(self, update_id: int, user_id: int = ADA) -> None:
        """An update that is being answered."""
        await self.inbox.store([ReceivedUpdate(update_id, user_id, b"{}")])
        assert await self.inbox.claim()


@pytest.fixture(params=["postgres", "in_memory"])
async def under_test(request: pytest.FixtureRequest) -> AsyncIterator[UnderTest]:
    """Nothing received, nothing asked."""
    if request.param == "in_memory":
        inbox = InMemoryInbox()
        yield UnderTest(inbox, InMemoryStops(inbox))
        return
    url = request.getfixturevalue("database_url")
    async with open_pool(url, max_size=4) as pool, PostgresInbox(pool) as stored:
        yield UnderTest(stored, PostgresStops(pool, stored.hearing))


async def test_stops_ask_finds_the_answer_being_written(under_test: UnderTest) -> None:
    """With or without its id; a second request is not an error."""
    await under_test.begin(7)
    assert not await under_test.stops.is_asked(7)
    assert await under_test.stops.ask(ADA) == 7
    assert await under_test.stops.ask(ADA, 7) == 7
    assert await under_test.stops.is_asked(7)


async def test_stops_hearing_tells_of_a_request_for_this_answer(under_test: UnderTest) -> None:
    """The process that writes the answer need not look for requests."""
    await under_test.begin(7)
    await under_test.begin(8, BOB)
    async with under_test.stops.hearing(7) as asked, under_test.stops.hearing(8) as other:
        assert not asked.is_set()
        await under_test.stops.ask(ADA)
        assert await happens_within(asked, 30)
        assert not other.is_set()


async def test_stops_ask_finds_nothing_when_nothing_is_in_hand(under_test: UnderTest) -> None:
    """Neither a message that waits, nor a press, nor one that is done."""
    assert await under_test.stops.ask(ADA) is None
    await under_test.inbox.store([ReceivedUpdate(1, ADA, b"{}")])
    assert await under_test.stops.ask(ADA) is None
    lane = await under_test.inbox.claim()
    assert lane
    await under_test.inbox.finish(lane)
    await under_test.inbox.store([ReceivedUpdate(2, ADA, b"{}", urgent=True)])
    assert await under_test.inbox.claim(urgent=True)
    assert await under_test.stops.ask(ADA) is None
    assert await under_test.stops.ask(ADA, 1) is None
    assert not await under_test.stops.is_asked(1)


async def test_stops_ask_never_ends_the_answer_of_another_user(under_test: UnderTest) -> None:
    """Whatever number a client sends."""
    await under_test.begin(7, BOB)
    assert await under_test.stops.ask(ADA, 7) is None
    assert await under_test.stops.ask(ADA) is None
    assert not await under_test.stops.is_asked(7)
