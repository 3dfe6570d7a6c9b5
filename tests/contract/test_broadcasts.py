"""One suite for broadcasts in PostgreSQL and for their twin."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from rich_agent.domain.message import User
from rich_agent.ports.accounts import Accounts, Users
from rich_agent.ports.broadcasts import Audience, Broadcasts, Copy, NewBroadcast, Result, Tally
from rich_agent.ports.turns import Transcript, TurnRecord
from rich_agent.repositories.accounts import PostgresAccounts, PostgresUsers
from rich_agent.repositories.broadcasts import PostgresBroadcasts
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.turns.past_turns import PostgresTranscript
from tests.twins.accounts import InMemoryAccounts
from tests.twins.broadcasts import InMemoryBroadcasts
from tests.twins.conversations import InMemoryTranscript, InMemoryUsers

ADMIN = 7
EVERYBODY = Audience(admins=frozenset({ADMIN}))


@dataclass(frozen=True, slots=True)
class Office:
    """Broadcasts, and who would get them; `impatient` gives a silent sender up at once."""

    users: Users
    accounts: Accounts
    broadcasts: Broadcasts
    impatient: Broadcasts
    transcript: Transcript


@pytest.fixture(params=["postgres", "in_memory"])
async def office(request: pytest.FixtureRequest) -> AsyncIterator[Office]:
    """Three users and the admin are known; the third blocked the bot."""
    if request.param == "in_memory":
        users = InMemoryUsers()
        accounts = InMemoryAccounts(users)
        broadcasts = InMemoryBroadcasts(accounts)
        impatient = InMemoryBroadcasts(accounts, silent_for_s=-1, _begun=broadcasts._begun)
        opened = Office(users, accounts, broadcasts, impatient, InMemoryTranscript())
        await _introduce(opened)
        yield opened
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        opened = Office(
            PostgresUsers(pool),
            PostgresAccounts(pool),
            PostgresBroadcasts(pool),
            PostgresBroadcasts(pool, silent_for_s=-1),
            PostgresTranscript(pool),
        )
        await _introduce(opened)
        yield opened


async def _introduce(office: Office) -> None:
    for user_id in (1, 2, 3, ADMIN):
        await office.users.remember(User(user_id, f"User {user_id}"))
    await office.users.mark_blocked(3)


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


async def test_broadcast_counts_those_who_may_use_the_bot(office: Office) -> None:
    """By the settings and the access list; nobody who blocked the bot; admins always."""
    count = office.broadcasts.count
    assert await count(EVERYBODY) == 3
    assert await count(Audience(frozenset({2, 3}), frozenset({ADMIN}))) == 2
    await office.accounts.set_access(1, is_allowed=True, by=ADMIN)
    await office.accounts.set_access(2, is_allowed=False, by=ADMIN)
    await office.accounts.set_access(ADMIN, is_allowed=False, by=ADMIN)
    assert await count(Audience(frozenset({2, 3}), frozenset({ADMIN}))) == 2
    assert await count(EVERYBODY) == 2


async def test_broadcast_passes_those_over_who_only_asked_at_the_terminal(office: Office) -> None:
    """The bot cannot write to them in Telegram, whatever they chose at the terminal."""
    await office.transcript.record(TurnRecord(5, "tg:5", "cli:1", "Hi", "Hello", {}))
    await office.accounts.choose_locale(5, "ja")
    await office.accounts.begin_afresh(6, 100)
    assert await office.broadcasts.count(EVERYBODY) == 3
    assert await office.broadcasts.start(broadcast(), EVERYBODY) == 3
    assert {copy.user_id for copy in await copies(office.broadcasts)} == {1, 2, ADMIN}
    listed, total = await office.accounts.page(0, 10)
    assert (sorted(user.telegram_user_id for user in listed), total) == ([1, 2, 3, ADMIN], 4)
    await office.users.remember(User(5, "Eve"))
    assert await office.broadcasts.count(EVERYBODY) == 4


@pytest.mark.req("IDEMP-1")
async def test_broadcast_hands_each_copy_out_once(office: Office) -> None:
    """However often it is started, and to whichever process that asks."""
    assert await office.broadcasts.start(broadcast(), EVERYBODY) == 3
    assert await office.broadcasts.start(broadcast(), EVERYBODY) == 0
    handed = await asyncio.gather(*(office.broadcasts.next_copy("b1") for _ in range(3)))
    rest = await copies(office.broadcasts)
    users = sorted(copy.user_id for copy in [*handed, *rest] if copy)
    assert users == [1, 2, ADMIN]
    assert {copy.text for copy in [*handed, *rest] if copy} == {"Hello all"}


async def test_broadcast_is_reported_once_with_its_tally(office: Office) -> None:
    """When every copy has come to its end, and not before."""
    await office.broadcasts.start(broadcast(), EVERYBODY)
    first, second, third = await copies(office.broadcasts)
    await office.broadcasts.note(first, "sent")
    await office.broadcasts.note(second, "blocked")
    assert not await finished(office.broadcasts)
    await office.broadcasts.note(third, "failed")
    await office.broadcasts.note(third, "sent")
    result = await finished(office.broadcasts)
    assert result
    assert (result.id, result.admin_id, result.message_id) == ("b1", ADMIN, 55)
    assert result.tally == Tally(sent=1, blocked=1, failed=1)
    assert not result.is_cancelled
    await office.broadcasts.reported("b1")
    assert await office.broadcasts.result("b1") is None


async def test_broadcast_hands_out_again_what_was_not_sent(office: Office) -> None:
    """A copy that was put back, and no other."""
    await office.broadcasts.start(broadcast(), EVERYBODY)
    first, *_ = await copies(office.broadcasts)
    await office.broadcasts.note(first, "pending")
    assert await copies(office.broadcasts) == [first]


async def test_broadcast_whose_sender_died_is_not_sent_again(office: Office) -> None:
    """The copy may have arrived: it counts as unknown."""
    await office.broadcasts.start(broadcast(), EVERYBODY)
    first, second, _ = await copies(office.broadcasts)
    await office.broadcasts.note(first, "sent")
    await office.broadcasts.note(second, "sent")
    assert not await finished(office.broadcasts)
    result = await finished(office.impatient)
    assert result
    assert result.tally == Tally(sent=2, unknown=1)
    assert await copies(office.broadcasts) == []


async def test_broadcast_is_cancelled_by_its_admin_alone(office: Office) -> None:
    """No more copies are sent; the sent ones are counted."""
    await office.broadcasts.start(broadcast(), EVERYBODY)
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
    assert result.tally == Tally(pending=2, sent=1)
