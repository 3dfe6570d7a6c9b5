"""Notices of features: worded when they are sent, once, and no burden when they fail."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any, cast
from unittest.mock import AsyncMock

import pytest

from rich_agent.composition import feature_joining
from rich_agent.composition.feature_joining import join_parts
from rich_agent.domain.words import Words
from rich_agent.errors import DatabaseUnavailableError, TurnHeldError
from rich_agent.feature.parts import Parts
from rich_agent.installed import OWN_PACKAGE, installed_features
from rich_agent.notices import MakeContent, NoticeRequest, UserNotice
from rich_agent.ports.accounts import Account
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi
from rich_agent.ports.inbox import StoredUpdate, internal_update
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.messenger import Messenger, ReplyTarget
from rich_agent.telegram.serve.internal_work import InternalKinds, InternalWork
from rich_agent.telegram.serve.notices import Notices
from rich_agent.telegram.serve.unattended import UnattendedTurns
from tests.twins.accounts import InMemoryAccounts
from tests.twins.outbox import InMemoryOutbox
from tests.twins.sending import InMemorySendingRate

ADA = 42


@dataclass(slots=True)
class Chat:
    """The Bot API as far as a notice needs it; `sent` are the texts by chat."""

    sent: list[tuple[int, str]] = field(default_factory=list)

    async def send_message(self, chat_id: int, message: RenderedMessage, **_: Any) -> int:
        """The number of the message."""
        self.sent.append((chat_id, message.text))
        return len(self.sent)


async def hold() -> None:
    """The lane is ours."""


def stored(kind: str, update_id: int = -7) -> StoredUpdate:
    """A notice as the inbox hands it out."""
    return StoredUpdate(update_id, internal_update(update_id, ADA, kind, urgent=True).raw, 1)


async def word(request: NoticeRequest) -> RenderedMessage | None:
    """The number and the language; nothing for the number -8."""
    text = f"{request.number} {request.user_id} {request.locale} {request.clocks.zone}"
    return None if request.number == -8 else RenderedMessage(text)


async def forget(_request: NoticeRequest) -> RenderedMessage | None:
    """A wording that breaks."""
    raise KeyError("gone")


async def wait(_request: NoticeRequest) -> RenderedMessage | None:
    """A wording whose failure passes by itself."""
    raise DatabaseUnavailableError("away")


async def hang(_request: NoticeRequest) -> RenderedMessage | None:
    """A wording that never ends."""
    await asyncio.Event().wait()
    return None


@dataclass(slots=True)
class Turns:
    """The turns of notices; `answered` are their words with their topics, `written` messages."""

    answered: list[tuple[str, int | None]] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    async def answer(self, words: Words, _messenger: object, delivery: Delivery, _: object) -> None:
        """Answer with a message."""
        self.answered.append((words.text, delivery.target.topic_id))
        await delivery.complete([RenderedMessage("Sunny.")])

    async def write_down(self, message: RenderedMessage, _target: object) -> None:
        """Keep the text."""
        self.written.append(message.text)


@pytest.fixture
def chat() -> Chat:
    """A chat without messages."""
    return Chat()


@pytest.fixture
def notices(chat: Chat) -> Notices:
    """Three kinds of notices of a feature to a user who reads German in Berlin."""
    accounts = InMemoryAccounts(accounts={ADA: Account(locale="de", time_zone="Europe/Berlin")})
    limiter = Limiter(InMemorySendingRate())
    messenger = Messenger(cast("TelegramApi", chat), InMemoryOutbox(), accounts.users, limiter)
    words = {"poker_won": word, "poker_lost": forget, "poker": wait}
    return Notices(join_parts({"tea": Parts(notices=words)}).notices, accounts, messenger)


async def test_notice_is_worded_for_its_user_and_sent_once(notices: Notices, chat: Chat) -> None:
    """In their language and on their clocks, also if the work is done again."""
    for _ in range(2):
        assert await notices.send(stored("poker_won"), hold)
    assert await notices.send(stored("poker_won", -8), hold)
    assert chat.sent == [(ADA, f"-7 {ADA} de Europe/Berlin")]


async def test_notice_that_cannot_be_worded_is_tried_again(notices: Notices, chat: Chat) -> None:
    """As often as any update, and then it is kept; who would have waited for it is not known."""
    with pytest.raises(KeyError):
        await notices.send(stored("poker_lost"), hold)
    assert await notices.target_of(stored("poker_lost")) is None
    with pytest.raises(DatabaseUnavailableError):
        await notices.send(stored("poker"), hold)
    assert chat.sent == []


async def test_notice_whose_wording_is_late_is_tried_again(
    notices: Notices, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lane is given back; who would have waited for it is not known."""
    monkeypatch.setattr(feature_joining, "_LONGEST_WORDING_S", 0.0)
    wordings = join_parts({"poker": Parts(notices={"poker_late": hang})}).notices
    own = replace(notices, wordings=wordings)
    async with asyncio.timeout(5):
        with pytest.raises(TimeoutError):
            await own.send(stored("poker_late"), hold)
        assert await own.target_of(stored("poker_late")) is None
    assert chat.sent == []


async def test_notice_of_an_own_feature_waits_as_long_as_the_core(
    notices: Notices, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wording, content and note: a database without a free connection is known as an outage."""
    monkeypatch.setattr(feature_joining, "_LONGEST_WORDING_S", 0.0)
    monkeypatch.setattr(feature_joining, "_LONGEST_NOTE_S", 0.0)
    installed = replace(installed_features(), packages={"tea": f"{OWN_PACKAGE} 1.0"})
    monkeypatch.setattr(feature_joining, "installed_features", lambda: installed)
    notes: list[int | None] = []

    async def word_slowly(_request: NoticeRequest) -> UserNotice:
        await asyncio.sleep(0.001)
        return UserNotice(make_content, note=note)

    async def make_content() -> RenderedMessage:
        await asyncio.sleep(0.001)
        return RenderedMessage("Tea")

    async def note(message_id: int | None) -> None:
        await asyncio.sleep(0.001)
        notes.append(message_id)

    wordings = join_parts({"tea": Parts(notices={"tea": word_slowly})}).notices
    assert await replace(notices, wordings=wordings).send(stored("tea"), hold)
    assert (chat.sent, notes) == ([(ADA, "Tea")], [1])


@pytest.mark.parametrize("failure", [KeyError("tea"), TurnHeldError(60, "busy")])
async def test_note_that_breaks_leaves_a_notice_that_came(
    notices: Notices, chat: Chat, failure: Exception
) -> None:
    """It is done, so that its user is told of no failure."""
    noted: list[int | None] = []

    async def note(message_id: int | None) -> None:
        noted.append(message_id)
        raise failure

    async def word_noted(_request: NoticeRequest) -> UserNotice:
        return UserNotice(RenderedMessage("Tea"), is_awaited=True, note=note)

    wordings = join_parts({"tea": Parts(notices={"tea": word_noted})}).notices
    assert await replace(notices, wordings=wordings).send(stored("tea"), hold)
    assert (chat.sent, noted) == ([(ADA, "Tea")], [1])


async def test_note_that_is_late_is_called_again(
    notices: Notices, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message is not sent again, and its user is told of no failure."""
    monkeypatch.setattr(feature_joining, "_LONGEST_NOTE_S", 0.0)
    pauses = [AsyncMock(side_effect=asyncio.Event().wait), AsyncMock()]
    notes: list[int | None] = []

    async def note(message_id: int | None) -> None:
        await pauses.pop(0)()
        notes.append(message_id)

    word_noted = AsyncMock(return_value=UserNotice(RenderedMessage("Tea"), note=note))
    wordings = join_parts({"tea": Parts(notices={"tea": word_noted})}).notices
    own = replace(notices, wordings=wordings)
    async with asyncio.timeout(5):
        with pytest.raises(TimeoutError):
            await own.send(stored("tea"), hold)
        assert await own.send(stored("tea"), hold)
    assert (chat.sent, notes) == ([(ADA, "Tea")], [1])
    target = ReplyTarget(-7, ADA, "de")
    assert await Delivery(own.messenger, target, hold).is_answered()


@pytest.mark.parametrize("is_awaited", [True, False])
@pytest.mark.parametrize("failure", [KeyError("tea"), None])
async def test_notice_whose_content_breaks_or_is_late_is_tried_again(
    notices: Notices,
    monkeypatch: pytest.MonkeyPatch,
    failure: Exception | None,
    *,
    is_awaited: bool,
) -> None:
    """Its user is told in the end if they have asked for it, in its topic."""
    monkeypatch.setattr(feature_joining, "_LONGEST_WORDING_S", 0.0)

    async def make_content() -> RenderedMessage:
        if failure:
            raise failure
        await asyncio.Event().wait()
        return RenderedMessage("Tea")

    async def word_late(_request: NoticeRequest) -> UserNotice:
        return UserNotice(make_content, topic_id=5, is_awaited=is_awaited)

    wordings = join_parts({"tea": Parts(notices={"tea": word_late})}).notices
    own = replace(notices, wordings=wordings)
    async with asyncio.timeout(5):
        with pytest.raises(type(failure) if failure else TimeoutError):
            await own.send(stored("tea"), hold)
    target = await own.target_of(stored("tea"))
    assert (target.topic_id if target else None) == (5 if is_awaited else None)


async def test_note_without_database_is_called_again(notices: Notices, chat: Chat) -> None:
    """The message is not sent again."""
    note = AsyncMock(side_effect=[DatabaseUnavailableError("away"), None])
    word_noted = AsyncMock(return_value=UserNotice(RenderedMessage("Tea"), note=note))
    wordings = join_parts({"tea": Parts(notices={"tea": word_noted})}).notices
    own = replace(notices, wordings=wordings)
    with pytest.raises(DatabaseUnavailableError):
        await own.send(stored("tea"), hold)
    assert await own.send(stored("tea"), hold)
    assert (len(chat.sent), note.await_count) == (1, 2)


async def test_notice_is_never_what_telegram_sends(notices: Notices, chat: Chat) -> None:
    """Neither an update with a number of Telegram's, nor another kind."""
    for update in (stored("poker_won", 7), stored("poker_drawn"), StoredUpdate(-8, b"garbage", 1)):
        assert not await notices.send(update, hold)
    assert chat.sent == []


async def test_internal_work_of_the_core_is_done_next_to_notices(
    notices: Notices, chat: Chat
) -> None:
    """A notice is sent, and anything else is the core's."""
    done: list[int] = []

    async def do(update_id: int, _hold: object) -> None:
        done.append(update_id)

    kinds = InternalKinds({"chore": InternalWork(do)}, notices=notices)
    assert await kinds.do([stored("poker_won")], hold)
    assert await kinds.do([stored("chore", -9)], hold)
    assert (len(chat.sent), done) == (1, [-9])


@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        (RenderedMessage("Tea"), (["Tea"], [], ["Tea"])),
        (Words("Weather?", "user"), (["Sunny."], [("Weather?", 5)], [])),
        (AsyncMock(return_value=RenderedMessage("Tea")), (["Tea"], [], ["Tea"])),
    ],
)
async def test_notice_that_was_asked_for_comes_once_and_is_noted(
    notices: Notices,
    chat: Chat,
    content: RenderedMessage | Words | MakeContent,
    outcome: tuple[list[str], list[tuple[str, int]], list[str]],
) -> None:
    """As a message or as the answer to its words; noted again if the work is done again."""
    turns, noted = Turns(), list[int | None]()

    async def note(message_id: int | None) -> None:
        noted.append(message_id)

    async def word_reminder(_request: NoticeRequest) -> UserNotice:
        return UserNotice(content, topic_id=5, is_awaited=True, note=note)

    own = replace(
        notices, wordings={"tea": word_reminder}, unattended=cast("UnattendedTurns", turns)
    )
    for _ in range(2):
        assert await own.send(stored("tea"), hold)
    assert noted == [1, 1]
    assert ([text for _, text in chat.sent], turns.answered, turns.written) == outcome
    target = await own.target_of(stored("tea"))
    assert target is not None
    assert (target.chat_id, target.topic_id) == (ADA, 5)


async def test_nobody_waits_for_a_notice_that_was_not_asked_for(notices: Notices) -> None:
    """Nor for one that breaks; the user is told nothing when it fails."""
    kinds = ("poker_won", "poker_lost", "chess")
    assert [await notices.target_of(stored(kind)) for kind in kinds] == [None] * 3
