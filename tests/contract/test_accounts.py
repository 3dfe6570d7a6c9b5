"""One suite for accounts, confirmations and feedback in PostgreSQL and for their twins."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import time

import pytest

from rich_agent.domain.access import Access
from rich_agent.domain.answer.citation import Decision
from rich_agent.domain.memory.items import LongTermMemory, MemoryItem
from rich_agent.domain.message import User
from rich_agent.domain.time.wall_time import QuietHours
from rich_agent.ports.accounts import Account, Accounts, Confirmations, Feedback, Users
from rich_agent.ports.memories import Memories
from rich_agent.ports.turns import Decisions, Transcript, TurnRecord
from rich_agent.repositories.accounts import PostgresAccounts, PostgresUsers
from rich_agent.repositories.confirmations import PostgresConfirmations
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.feedback import PostgresFeedback
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.turns.past_turns import PostgresDecisions, PostgresTranscript
from tests import make
from tests.twins.accounts import (
    InMemoryAccounts,
    InMemoryConfirmations,
    InMemoryFeedback,
)
from tests.twins.conversations import InMemoryTranscript, InMemoryUsers
from tests.twins.knowledge import InMemoryDecisions
from tests.twins.memories import InMemoryMemories

ADMIN = 7


@dataclass(frozen=True, slots=True)
class Office:
    """The repositories of one database; questions in `expired` are over at once."""

    users: Users
    accounts: Accounts
    confirmations: Confirmations
    expired: Confirmations
    decisions: Decisions
    feedback: Feedback
    memories: Memories
    transcript: Transcript


def _in_memory() -> Office:
    users, decisions, memories = InMemoryUsers(), InMemoryDecisions(), InMemoryMemories()
    return Office(
        users,
        InMemoryAccounts(users, memories=memories),
        InMemoryConfirmations(),
        InMemoryConfirmations(open_s=0),
        decisions,
        InMemoryFeedback(decisions),
        memories,
        InMemoryTranscript(),
    )


@pytest.fixture(params=["postgres", "in_memory"])
async def office(request: pytest.FixtureRequest) -> AsyncIterator[Office]:
    """Nobody is known yet."""
    if request.param == "in_memory":
        yield _in_memory()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=2) as pool:
        yield Office(
            PostgresUsers(pool),
            PostgresAccounts(pool),
            PostgresConfirmations(pool),
            PostgresConfirmations(pool, open_s=0),
            PostgresDecisions(pool),
            PostgresFeedback(pool),
            PostgresMemories(pool),
            PostgresTranscript(pool),
        )


async def test_account_speaks_the_language_that_is_preferred(office: Office) -> None:
    """As the memory holds it; what was chosen with /language comes before."""
    wish = MemoryItem("Answer in Japanese", "r1", "2026-01-01", "language", language="ja")
    await make.store_memory(office.memories, 42, LongTermMemory(preferences=(wish,)))
    found = await office.accounts.find(42)
    assert (found.locale, found.language) == (None, "ja")
    await office.accounts.choose_locale(42, "en")
    assert (await office.accounts.find(42)).language == "en"
    assert (await office.accounts.find(4)).language is None


async def test_account_of_a_stranger_has_the_defaults(office: Office) -> None:
    """A query does not create a user."""
    assert await office.accounts.find(42) == Account()
    assert await office.accounts.page(0, 10) == ([], 0)


async def test_account_keeps_what_was_chosen(office: Office) -> None:
    """Language, access, /new, quiet hours, each by itself; writing again changes none of them."""
    await office.accounts.choose_locale(42, "ja")
    await office.accounts.set_access(42, is_allowed=False, by=7)
    await office.accounts.begin_afresh(42, 100)
    await office.users.remember(User(42, "Ann", None, "en"))
    night = QuietHours(time(22), time(7))
    await office.accounts.keep_quiet_hours(42, night)
    kept = Account("ja", is_allowed=False, fresh_from=100, client="en", quiet_hours=night)
    assert await office.accounts.find(42) == kept
    assert await office.accounts.find(4) == Account()
    await office.accounts.choose_locale(42, None)
    await office.accounts.set_access(42, is_allowed=True, by=7)
    await office.accounts.keep_quiet_hours(42, None)
    changed = replace(kept, locale=None, is_allowed=True, quiet_hours=None)
    assert await office.accounts.find(42) == changed


@pytest.mark.req("DUR-2")
async def test_account_begins_afresh_at_the_newest_update(office: Office) -> None:
    """An older /new that comes a second time does not bring the old conversation back."""
    for update_id in (100, 200, 100):
        await office.accounts.begin_afresh(42, update_id)
    assert (await office.accounts.find(42)).fresh_from == 200


async def test_accounts_are_listed_by_page(office: Office) -> None:
    """Everybody once: those who wrote, and those who are only in the access list."""
    for number in range(1, 6):
        await office.users.remember(User(number, f"User {number}"))
    await office.accounts.set_access(9, is_allowed=True, by=None)
    await office.accounts.set_access(2, is_allowed=False, by=7)
    await office.users.mark_blocked(3)
    pages = [await office.accounts.page(offset, 4) for offset in (0, 4, 8)]
    assert [total for _, total in pages] == [6, 6, 6]
    users = {user.telegram_user_id: user for shown, _ in pages for user in shown}
    assert sorted(users) == [1, 2, 3, 4, 5, 9]
    assert [len(shown) for shown, _ in pages] == [4, 2, 0]
    assert (users[2].is_allowed, users[9].is_allowed, users[1].is_allowed) == (False, True, None)
    assert (users[3].is_blocking, users[1].is_blocking) == (True, False)
    assert (users[1].first_name, users[9].first_name) == ("User 1", "")


async def test_accounts_name_those_who_may_be_written_to(office: Office) -> None:
    """By the settings and the access list; nobody who blocked the bot; admins always."""
    everybody = Access(admins=frozenset({ADMIN}))
    chosen = Access(frozenset({2, 3}), frozenset({ADMIN}))
    for user_id in (1, 2, 3, ADMIN):
        await office.users.remember(User(user_id, f"User {user_id}"))
    await office.users.mark_blocked(3)
    recipients = office.accounts.recipients
    assert await recipients(everybody) == [1, 2, ADMIN]
    assert await recipients(chosen) == [2, ADMIN]
    await office.accounts.set_access(1, is_allowed=True, by=ADMIN)
    await office.accounts.set_access(2, is_allowed=False, by=ADMIN)
    await office.accounts.set_access(ADMIN, is_allowed=False, by=ADMIN)
    assert await recipients(chosen) == [1, ADMIN]
    assert await recipients(everybody) == [1, ADMIN]


async def test_accounts_leave_out_those_who_only_asked_at_the_terminal(office: Office) -> None:
    """The bot cannot write to them in Telegram, whatever they chose at the terminal."""
    await office.users.remember(User(1, "Ada"))
    await office.transcript.record(TurnRecord(5, "tg:5", "cli:1", "Hi", "Hello", {}))
    await office.accounts.choose_locale(5, "ja")
    await office.accounts.begin_afresh(6, 100)
    assert await office.accounts.recipients(Access()) == [1]
    listed, total = await office.accounts.page(0, 10)
    assert ([user.telegram_user_id for user in listed], total) == ([1], 1)
    await office.users.remember(User(5, "Eve"))
    assert await office.accounts.recipients(Access()) == [1, 5]


async def test_accounts_tell_the_names_that_are_known(office: Office) -> None:
    """Of those asked for; somebody without a name is left out."""
    await office.users.remember(User(1, "Ann"))
    await office.users.remember(User(2, "Bob"))
    await office.accounts.choose_locale(3, "ja")
    assert await office.accounts.names([1, 3, 4]) == {1: "Ann"}
    assert await office.accounts.names([]) == {}


async def test_confirmation_is_found_by_its_owner_alone(office: Office) -> None:
    """It is valid until it is closed; an unknown token is not valid."""
    token = await office.confirmations.offer(42, "everything\x00")
    assert len(f"verb12:{token}") <= 64
    assert await office.confirmations.find(42, token) == "everything"
    assert await office.confirmations.find(43, token) is None
    assert await office.confirmations.find(42, "another") is None
    await office.confirmations.close(43, token)
    assert await office.confirmations.find(42, token) == "everything"
    await office.confirmations.close(42, token)
    assert await office.confirmations.find(42, token) is None


async def test_confirmation_ends_by_itself(office: Office) -> None:
    """A late yes does not count."""
    token = await office.expired.offer(42, "everything")
    assert await office.expired.find(42, token) is None


async def test_feedback_is_kept_changed_and_taken_back(office: Office) -> None:
    """One rating for an answer, however often it is pressed."""
    await office.decisions.record(Decision("tg:42", "tg:5", "general_question", "direct", "r"))
    for rating in ("up", "up", "down", None, None, "up"):
        assert await office.feedback.rate("tg:42", "tg:5", rating)


async def test_feedback_on_an_answer_of_somebody_else_is_refused(office: Office) -> None:
    """The thread decides, and the request alone is no key."""
    await office.decisions.record(Decision("tg:42", "tg:5", "general_question", "direct", "r"))
    assert not await office.feedback.rate("tg:43", "tg:5", "up")
    assert not await office.feedback.rate("tg:42", "tg:6", "up")
