"""Direct messages give way to answers, are sent once, and are known to the outbox."""

from dataclasses import dataclass, field
from typing import cast

import pytest

from rich_agent.domain.message import User
from rich_agent.errors import (
    BadGatewayError,
    ChatBlockedError,
    MessageGoneError,
    OutcomeUnknownError,
    TokenRefusedError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi
from rich_agent.ports.outbox import Place, SendResult
from rich_agent.telegram.deliver.direct import DirectMessenger
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.messenger import Messenger
from tests.twins.conversations import InMemoryUsers
from tests.twins.outbox import InMemoryOutbox
from tests.twins.sending import InMemorySendingRate

ADA, MESSAGE = 42, RenderedMessage("We pause at noon.")


@dataclass(slots=True)
class ScriptedApi:
    """Telegram, which fails once if there is a failure."""

    failure: UpstreamError | None = None
    texts: list[str] = field(default_factory=list)

    async def send_message(
        self, _chat_id: int, message: RenderedMessage, **_place: int | None
    ) -> int:
        """A message, by the number 80."""
        if self.failure:
            raise self.failure
        self.texts.append(message.text)
        return 80

    async def edit_message(self, _chat_id: int, _id: int, message: RenderedMessage) -> None:
        """A change of a message."""
        await self.send_message(_chat_id, message)


def messenger_of(api: ScriptedApi) -> Messenger:
    """A messenger without a database."""
    limiter = Limiter(InMemorySendingRate())
    return Messenger(cast("TelegramApi", api), InMemoryOutbox(), InMemoryUsers(), limiter)


@pytest.mark.parametrize(
    ("failure", "result", "under_way"),
    [
        (None, "sent", 0),
        (ChatBlockedError("telegram", "blocked"), "blocked", 0),
        (UpstreamRefusedError("telegram", "too long"), "refused", 0),
        (TokenRefusedError("telegram", "unknown"), "later", 0),
        (BadGatewayError("telegram", "502"), "later", 0),
        (UpstreamRateLimitedError("telegram", 9.0), "later", 0),
        (UpstreamUnavailableError("telegram", "no connection"), "later", 0),
        (UpstreamTimeoutError("telegram", 5.0), "unknown", 1),
        (OutcomeUnknownError("telegram", "cut short"), "unknown", 1),
    ],
)
async def test_direct_message_is_only_repeated_if_it_was_certainly_not_sent(
    failure: UpstreamError | None, result: SendResult, under_way: int
) -> None:
    """One that may have arrived is looked for by nobody until it must have."""
    messenger = messenger_of(ScriptedApi(failure))
    await messenger.users.remember(User(ADA, "Ada"))
    await messenger.outbox.begin(1, 0, Place(ADA, 70))
    assert await DirectMessenger(messenger).send(ADA, MESSAGE) == result
    accounted = await messenger.outbox.account_before(1, 0, 90)
    assert accounted.message_ids == ({80} if result == "sent" else set())
    assert accounted.under_way == under_way
    assert cast("InMemoryUsers", messenger.users).blocked == (
        {ADA} if result == "blocked" else set()
    )
    assert (messenger.limiter.closed_for_s(ADA) > 8) == isinstance(
        failure, UpstreamRateLimitedError
    )


async def test_direct_message_gives_way_to_answers() -> None:
    """Nothing is sent or noted as long as the rate of the chat is used up."""
    api = ScriptedApi()
    messenger = messenger_of(api)
    while await messenger.limiter.try_take(ADA):
        pass
    assert await DirectMessenger(messenger).send(ADA, MESSAGE) == "later"
    assert api.texts == []


async def test_direct_message_tells_whether_it_could_be_edited() -> None:
    """A refusal is no error; what may pass is one."""
    gone = MessageGoneError("telegram", "gone")
    assert await DirectMessenger(messenger_of(ScriptedApi())).edit(ADA, 80, MESSAGE)
    assert not await DirectMessenger(messenger_of(ScriptedApi(gone))).edit(ADA, 80, MESSAGE)
    away = DirectMessenger(messenger_of(ScriptedApi(BadGatewayError("telegram", "502"))))
    with pytest.raises(BadGatewayError):
        await away.edit(ADA, 80, MESSAGE)
