"""The dead letters in PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from rich_agent.ports.inbox import Inbox, InboxRules, ReceivedUpdate
from rich_agent.ports.outbox import Place
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.dead_letters import PostgresDeadLetters
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.outbox import PostgresOutbox

Pair = tuple[Inbox, PostgresDeadLetters]
RULES = InboxRules(album_quiet_s=0)


@pytest.fixture
async def pair(database_url: str) -> AsyncIterator[Pair]:
    """An inbox and its dead letters."""
    async with open_pool(database_url, max_size=4) as pool, PostgresInbox(pool, RULES) as postgres:
        yield postgres, PostgresDeadLetters(pool)


def update(update_id: int, user_id: int = 42, group: str | None = None) -> ReceivedUpdate:
    """An update with content of its own."""
    return ReceivedUpdate(update_id, user_id, f"raw {update_id}".encode(), group)


async def bury_all(inbox: Inbox) -> None:
    """Give everything up that can be claimed."""
    while lane := await inbox.claim():
        await inbox.bury(lane, f"boom {lane.updates[0].update_id}")


async def claimed_ids(inbox: Inbox) -> list[list[int]]:
    """Serve all that waits; what was handed out, in order."""
    served = []
    while lane := await inbox.claim():
        served.append([stored.update_id for stored in lane.updates])
        await inbox.finish(lane)
    return served


async def test_dead_letters_tell_what_was_given_up_and_why(pair: Pair) -> None:
    """Content, user, attempts, times and the last error, by id; nothing that still waits."""
    inbox, letters = pair
    assert await letters.all() == ()
    await inbox.store([update(2), update(1, user_id=7)])
    await bury_all(inbox)
    await inbox.store([update(3)])
    one, two = await letters.all()
    assert (one.update_id, one.user_id, one.raw, one.attempts) == (1, 7, b"raw 1", 1)
    assert (two.last_error, two.dead_at >= two.received_at) == ("boom 2", True)
    found = await letters.find(2)
    assert found is not None
    assert (found.raw, found.last_error) == (two.raw, two.last_error)
    assert await letters.find(3) is None


async def test_dead_letters_come_back_in_order_and_as_if_new(pair: Pair) -> None:
    """Before what the user sent later, with all attempts to come."""
    inbox, letters = pair
    await inbox.store([update(1), update(2), update(3, user_id=7)])
    await bury_all(inbox)
    await inbox.store([update(4)])
    assert await letters.replay([2, 1, 99]) == (1, 2)
    lane = await inbox.claim()
    assert lane is not None
    assert [(stored.update_id, stored.attempt) for stored in lane.updates] == [(1, 1)]
    await inbox.finish(lane)
    assert await claimed_ids(inbox) == [[2], [4]]
    assert [letter.update_id for letter in await letters.all()] == [3]
    assert await letters.replay([1]) == ()


async def test_dead_letter_that_comes_back_may_replace_its_apology(
    pair: Pair, database_url: str
) -> None:
    """A reminder is brought only where nothing is shown as final."""
    inbox, letters = pair
    await inbox.store([update(1), update(2)])
    async with open_pool(database_url, max_size=2) as pool:
        outbox = PostgresOutbox(pool)
        for update_id in (1, 2):
            await outbox.begin(update_id, 0, Place(42))
            await outbox.note_sent(update_id, 0, 70 + update_id)
            await outbox.note_final(update_id, 0, "Sorry")
        await bury_all(inbox)
        await letters.replay([1])
        shown = [await outbox.find(update_id, 0) for update_id in (1, 2)]
    assert [(part.message_id, part.text) for part in shown if part] == [(71, ""), (72, "Sorry")]


async def test_dead_letters_of_one_album_stay_together(pair: Pair) -> None:
    """Whichever part is named."""
    inbox, letters = pair
    await inbox.store([update(1, group="g"), update(2, group="g"), update(3)])
    await bury_all(inbox)
    assert await letters.replay([2]) == (1, 2)
    assert await claimed_ids(inbox) == [[1, 2]]


async def test_dead_letters_are_forgotten_on_request(pair: Pair) -> None:
    """And nothing else is."""
    inbox, letters = pair
    await inbox.store([update(1), update(2)])
    await bury_all(inbox)
    await inbox.store([update(3)])
    assert await letters.drop([1, 3, 99]) == (1,)
    assert [letter.update_id for letter in await letters.all()] == [2]
    assert await claimed_ids(inbox) == [[3]]


async def test_dead_letters_wake_a_worker_when_they_come_back(pair: Pair) -> None:
    """A replay does not wait for the poll."""
    inbox, letters = pair
    await inbox.store([update(1)])
    await bury_all(inbox)
    await letters.replay([1])
    await inbox.wait(60)
    assert await claimed_ids(inbox) == [[1]]


async def test_dead_letters_are_pruned_by_their_own_age(pair: Pair) -> None:
    """Updates that are done have another term."""
    inbox, letters = pair
    await inbox.store([update(1)])
    await bury_all(inbox)
    assert await inbox.prune(days=-1) == 0
    assert await letters.prune(days=1) == 0
    assert await letters.prune(days=-1) == 1
    assert await letters.all() == ()
