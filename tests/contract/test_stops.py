"""One suite for stop requests in PostgreSQL and for their twin."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from rich_agent.ports.inbox import Inbox, ReceivedUpdate
from rich_agent.ports.outbox import Stops
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.outbox import PostgresStops
from tests.twins.inbox import InMemoryInbox
from tests.twins.stops import InMemoryStops

ADA, BOB = 42, 43


@dataclass(frozen=True, slots=True)
class Desk:
    """An inbox, and the stop requests on it."""

    inbox: Inbox
    stops: Stops

    async def begin(self, update_id: int, user_id: int = ADA) -> None:
        """An update that is being answered."""
        await self.inbox.store([ReceivedUpdate(update_id, user_id, b"{}")])
        assert await self.inbox.claim()


@pytest.fixture(params=["postgres", "in_memory"])
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    """Nothing received, nothing asked."""
    if request.param == "in_memory":
        inbox = InMemoryInbox()
        yield Desk(inbox, InMemoryStops(inbox))
        return
    url = request.getfixturevalue("database_url")
    async with open_pool(url, max_size=4) as pool, PostgresInbox(pool) as stored:
        yield Desk(stored, PostgresStops(pool))


async def test_stops_ask_finds_the_answer_being_written(desk: Desk) -> None:
    """With or without its id; a second request is not an error."""
    await desk.begin(7)
    assert not await desk.stops.is_asked(7)
    assert await desk.stops.ask(ADA) == 7
    assert await desk.stops.ask(ADA, 7) == 7
    assert await desk.stops.is_asked(7)


async def test_stops_ask_finds_nothing_when_nothing_is_in_hand(desk: Desk) -> None:
    """Neither a message that waits, nor a press, nor one that is done."""
    assert await desk.stops.ask(ADA) is None
    await desk.inbox.store([ReceivedUpdate(1, ADA, b"{}")])
    assert await desk.stops.ask(ADA) is None
    lane = await desk.inbox.claim()
    assert lane
    await desk.inbox.finish(lane)
    await desk.inbox.store([ReceivedUpdate(2, ADA, b"{}", urgent=True)])
    assert await desk.inbox.claim(urgent=True)
    assert await desk.stops.ask(ADA) is None
    assert await desk.stops.ask(ADA, 1) is None
    assert not await desk.stops.is_asked(1)


async def test_stops_ask_never_ends_the_answer_of_another_user(desk: Desk) -> None:
    """Whatever number a client sends."""
    await desk.begin(7, BOB)
    assert await desk.stops.ask(ADA, 7) is None
    assert await desk.stops.ask(ADA) is None
    assert not await desk.stops.is_asked(7)


async def test_stops_prune_by_age(desk: Desk) -> None:
    """Retention."""
    await desk.begin(7)
    await desk.stops.ask(ADA)
    assert await desk.stops.prune(days=1) == 0
    assert await desk.stops.prune(days=-1) == 1
    assert not await desk.stops.is_asked(7)
