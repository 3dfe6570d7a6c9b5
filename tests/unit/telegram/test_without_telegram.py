"""People without Telegram: what the bot says unasked is written into their conversation."""

import asyncio
from dataclasses import dataclass, field
from typing import cast

import pytest

from rich_agent.domain.people import LARGEST_ID, has_telegram, id_without_telegram
from rich_agent.errors import ChatBlockedError, DatabaseUnavailableError, RichAgentError
from rich_agent.notices import NoticeRequest, UserNotice
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi
from rich_agent.ports.inbox import StoredUpdate, internal_update
from rich_agent.ports.models import ModelAccountError
from rich_agent.runtime.memberships import Memberships
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.direct import DirectMessenger
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.messenger import Messenger, ReplyTarget
from rich_agent.telegram.serve.alarm import Alarm
from rich_agent.telegram.serve.notices import Notices
from rich_agent.upstreams.telegram.bot_api import TelegramClient
from tests.twins.accounts import InMemoryAccounts
from tests.twins.outbox import InMemoryOutbox
from tests.twins.sending import InMemorySendingRate

ANNA = id_without_telegram("https://login.example.org\nanna")


def stored_update() -> StoredUpdate:
    """The update of the notice."""
    update = internal_update(-7, ANNA, "tea", urgent=True)
    return StoredUpdate(update.update_id, update.raw, 1)


async def hold() -> None:
    """The lane is held."""


@dataclass(slots=True)
class Notes:
    """The conversations of people without Telegram; the next `failures` are raised first."""

    told: list[tuple[int, int, str]] = field(default_factory=list)
    failures: list[RichAgentError] = field(default_factory=list)

    async def tell(self, user_id: int, update_id: int, text: str) -> None:
        """See `ConversationNotes.tell`."""
        if self.failures:
            raise self.failures.pop()
        self.told.append((user_id, update_id, text))


@pytest.fixture
def notes() -> Notes:
    """No conversations yet."""
    return Notes()


@pytest.fixture
def messenger(notes: Notes) -> Messenger:
    """A messenger whose Telegram fails whatever it is asked."""
    limiter = Limiter(InMemorySendingRate())
    accounts = InMemoryAccounts()
    telegram = cast("TelegramApi", object())
    return Messenger(telegram, InMemoryOutbox(), accounts.users, limiter, notes=notes)


def test_ids_of_people_without_telegram_are_none_of_telegram() -> None:
    """Telegram's have at most 52 bits; the others have 53, which JavaScript still has exactly."""
    assert has_telegram(2**52 - 1)
    assert has_telegram(-1_001_234)
    ids = {id_without_telegram(f"person {number}") for number in range(500)}
    assert len(ids) == 500
    assert not any(map(has_telegram, ids))
    assert max(ids) <= LARGEST_ID == 2**53 - 1
    assert id_without_telegram("person 1") == id_without_telegram("person 1")


async def test_notice_is_written_into_the_conversation(messenger: Messenger, notes: Notes) -> None:
    """Its feature is told that it has come, and a database that is away has it tried again."""
    noted: list[int | None] = []

    async def note(message_id: int | None) -> None:
        noted.append(message_id)

    async def word(_request: NoticeRequest) -> UserNotice:
        return UserNotice(RenderedMessage("Tea is *ready*."), is_awaited=True, note=note)

    notices = Notices({"tea": word}, InMemoryAccounts(), messenger)
    notes.failures.append(DatabaseUnavailableError("away"))
    with pytest.raises(DatabaseUnavailableError):
        await notices.send(stored_update(), hold)
    assert noted == []
    assert await notices.send(stored_update(), hold)
    assert (notes.told, noted) == ([(ANNA, -7, r"Tea is \*ready\*.")], [0])


async def test_apology_is_written_into_the_conversation(messenger: Messenger, notes: Notes) -> None:
    """Nothing that is temporary is shown, and pictures of Telegram are left out."""
    delivery = Delivery(messenger, ReplyTarget(-8, ANNA, "en"), hold)
    assert not await delivery.is_answered()
    assert await delivery.announce(RenderedMessage("Wait."))
    assert await delivery.grow(RenderedMessage("Wait."))
    await delivery.complete([RenderedMessage("Sorry,"), RenderedMessage("that failed.")])
    assert notes.told == [(ANNA, -8, "Sorry,\n\nthat failed.")]


async def test_messages_that_answer_nothing_are_written_into_the_conversation(
    messenger: Messenger, notes: Notes
) -> None:
    """A broadcast, and an alert if the person is an admin."""
    direct = DirectMessenger(messenger)
    assert await direct.send(ANNA, RenderedMessage("Closed on Monday.")) == "sent"
    assert not await direct.edit(ANNA, 0, RenderedMessage("Open on Monday."))
    alarm = Alarm(cast("object", _Alerts()), InMemoryAccounts(), messenger, {ANNA})  # type: ignore[arg-type]
    assert await alarm.sound(ModelAccountError("model", "credit", "no credit", hint="Pay."))
    assert notes.told[0][2] == "Closed on Monday."
    assert [user_id for user_id, _, _ in notes.told] == [ANNA, ANNA]


class _Alerts:
    async def may_tell(self, _cause: str, _pause_s: float) -> bool:
        """Whether nobody was told of the cause lately."""
        return True


async def test_telegram_is_never_asked_about_a_person_without_it() -> None:
    """Whatever calls it: no request leaves, and memberships of groups are not looked for."""
    async with TelegramClient("1:token", "http://127.0.0.1:9") as client, asyncio.timeout(5):
        for call in (
            client.send_message(ANNA, RenderedMessage("Hi")),
            client.send_typing(ANNA),
            client.set_commands([("help", "Help")], chat_id=ANNA),
        ):
            with pytest.raises(ChatBlockedError, match="has no Telegram"):
                await call
        assert not await client.is_member(-100, ANNA)
    await Memberships(cast("object", None), cast("object", None)).refresh(ANNA)  # type: ignore[arg-type]
