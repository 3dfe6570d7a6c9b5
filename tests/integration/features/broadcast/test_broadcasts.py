"""Broadcasts in PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from rich_agent.features.broadcast.records import Copy, CopyCounts, NewBroadcast, Result
from rich_agent.features.broadcast.repository import Broadcasts
from rich_agent.repositories.database.pools import open_pool

ADMIN = 7
RECIPIENTS = (1, 2, ADMIN)


@dataclass(frozen=True, slots=True)
class Office:
    """Broadcasts; `impatient` gives a silent sender up at once."""

    broadcasts: Broadcasts
    impatient: Broadcasts


@pytest.fixture
async def office(database_url: str) -> AsyncIterator[Office]:
    """No broadcast yet."""
    async with open_pool(database_url, max_size=4) as pool:
        yield Office(Broadcasts(pool), Broadcasts(pool, silent_for_s=-1))


def broadcast(broadcast_id: str = "b1") -> NewBroadcast:
    """A broadcast of the admin's."""
    return NewBroadcast(broadcast_id, ADMIN, 55, "en", "Hello\x00 all")


async def copies(broadcasts: Broadcasts) -> list[Copy]:
    """All copies that are handed out one after the other."""
    found: list[Copy] = []
    while copy := await broadcasts.next_copy("b1"):
        found.append(copy)
    return found


async def finished(broadcasts: Broadcasts) -> Result | None:
    """The result, once the broadcast is finished."""
    result = await broadcasts.result("b1")
    assert result
    return result if result.is_finished else None


@pytest.mark.req("IDEMP-1")
async def test_broadcast_hands_each_copy_out_once(office: Office) -> None:
    """However often it is started, and to whichever process that asks."""
    assert await office.broadcasts.start(broadcast(), RECIPIENTS) == 3
    assert await office.broadcasts.start(broadcast(), RECIPIENTS) == 0
    handed = await asyncio.gather(*(office.broadcasts.next_copy("b1") for _ in range(3)))
    rest = await copies(office.broadcasts)
    users = sorted(copy.user_id for copy in [*handed, *rest] if copy)
    assert users == [1, 2, ADMIN]
    assert {copy.text for copy in [*handed, *rest] if copy} == {"Hello all"}


async def test_broadcast_is_reported_once_with_its_tally(office: Office) -> None:
    """When every copy has come to its end, and not before."""
    await office.broadcasts.start(broadcast(), RECIPIENTS)
    first, second, third = await copies(office.broadcasts)
    await office.broadcasts.note(first, "sent")
    await office.broadcasts.note(second, "blocked")
    assert not await finished(office.broadcasts)
    await office.broadcasts.note(third, "failed")
    await office.broadcasts.note(third, "sent")
    result = await finished(office.broadcasts)
    assert result
    assert (result.id, result.admin_id, result.message_id) == ("b1", ADMIN, 55)
    assert result.tally == CopyCounts(sent=1, blocked=1, failed=1)
    assert not result.is_cancelled
    await office.broadcasts.note_report("b1")
    assert await office.broadcasts.result("b1") is None


async def test_broadcast_hands_out_again_what_was_not_sent(office: Office) -> None:
    """A copy that was put back, and no other."""
    await office.broadcasts.start(broadcast(), RECIPIENTS)
    first, *_ = await copies(office.broadcasts)
    await office.broadcasts.note(first, "pending")
    assert await copies(office.broadcasts) == [first]


async def test_broadcast_whose_sender_died_is_not_sent_again(office: Office) -> None:
    """The copy may have arrived: it counts as unknown."""
    await office.broadcasts.start(broadcast(), RECIPIENTS)
    first, second, _ = await copies(office.broadcasts)
    await office.broadcasts.note(first, "sent")
    await office.broadcasts.note(second, "sent")
    assert not await finished(office.broadcasts)
    result = await finished(office.impatient)
    assert result
    assert result.tally == CopyCounts(sent=2, unknown=1)
    assert await copies(office.broadcasts) == []


async def test_broadcast_is_cancelled_by_its_admin_alone(office: Office) -> None:
    """No more copies are sent; the sent ones are counted."""
    await office.broadcasts.start(broadcast(), RECIPIENTS)
    first = await office.broadcasts.next_copy("b1")
    assert first
    await office.broadcasts.note(first, "sent")
    assert not await office.broadcasts.cancel("b1", 1)
    assert not await office.broadcasts.cancel("b2", ADMIN)
    assert await office.broadcasts.cancel("b1", ADMIN)
    assert not await office.broadcasts.cancel("b1", ADMIN)
    assert await copies(office.broadcasts) == []
    result = await finished(office.broadcasts)
    assert result
    assert result.is_cancelled
    assert result.tally == CopyCounts(pending=2, sent=1)
