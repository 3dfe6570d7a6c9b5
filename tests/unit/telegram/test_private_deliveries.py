"""Private answers in groups whose deliveries fail, and what is then left in the group."""

from dataclasses import dataclass, field
from typing import cast

import pytest
from telegram.error import ChatMigrated

from rich_agent.errors import (
    DeliveryPostponedError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamUnavailableError,
)
from rich_agent.ports.bot_api import EphemeralApi, EphemeralPlace, RenderedMessage, TelegramApi
from rich_agent.ports.outbox import EPHEMERAL_CHAT, Place
from rich_agent.telegram.deliver.ephemeral import FIRST, EphemeralSupport
from rich_agent.telegram.deliver.limiter import Limiter, Rates
from rich_agent.telegram.deliver.messenger import Messenger, ReplyTarget
from rich_agent.telegram.deliver.private import PrivateDelivery, WayToAsker
from rich_agent.upstreams.telegram.calls import Route, translate_telegram_error
from tests.twins.accounts import InMemoryAccounts
from tests.twins.outbox import InMemoryOutbox
from tests.twins.sending import InMemorySendingRate

ASKER, GROUP = 42, -4


@dataclass(slots=True)
class Telegram:
    """A server that knows ephemeral messages, unless it fails, and remembers what was deleted."""

    failure: UpstreamError | None = None
    deleted: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    async def is_known(self, place: EphemeralPlace) -> bool:  # noqa: ARG002 - the port's
        """See `EphemeralApi`."""
        if self.failure:
            raise self.failure
        return True

    async def delete(self, place: EphemeralPlace, message_id: int) -> None:  # noqa: ARG002
        """See `EphemeralApi`."""
        self.deleted.append(message_id)

    async def send_typing(self, chat_id: int) -> None:
        """See `TelegramApi`."""

    async def send_message(
        self,
        chat_id: int,
        message: RenderedMessage,
        **_: object,
    ) -> int:
        """See `TelegramApi`."""
        self.texts.append(f"{chat_id}: {message.text}")
        return len(self.texts)


def delivery(telegram: Telegram, outbox: InMemoryOutbox) -> PrivateDelivery:
    """The delivery of an answer to a question in the group."""
    limiter = Limiter(InMemorySendingRate(), Rates(1_000, 1_000))
    api = cast("TelegramApi", telegram)
    messenger = Messenger(api, outbox, InMemoryAccounts().users, limiter)
    way = WayToAsker(ASKER, EphemeralSupport(cast("EphemeralApi", telegram)))
    return PrivateDelivery(messenger, ReplyTarget(1, GROUP, "en", reply_to=3), _hold, way)


async def _hold() -> None:
    """No other process answers the user."""


@pytest.mark.parametrize(
    ("failure", "wait_s"),
    [
        (UpstreamUnavailableError("telegram", "502"), 30.0),
        (UpstreamRateLimitedError("telegram", 7.0), 7.0),
    ],
    ids=["outage", "flood"],
)
async def test_answer_waits_while_it_is_unknown_what_the_server_knows(
    failure: UpstreamError, wait_s: float
) -> None:
    """As for a send that fails, no attempt is used up."""
    with pytest.raises(DeliveryPostponedError) as raised:
        await delivery(Telegram(failure), InMemoryOutbox()).open()
    assert raised.value.retry_after_s == wait_s


async def test_what_a_dead_process_gave_up_is_taken_back() -> None:
    """It died before it could delete the beginning that the asker sees in the group."""
    telegram, outbox = Telegram(), InMemoryOutbox()
    await outbox.begin(1, FIRST, Place(EPHEMERAL_CHAT))
    await outbox.note_sent(1, FIRST, 9)
    await outbox.note_failure(1, FIRST, "blocked")
    assert await delivery(telegram, outbox).open()
    assert telegram.deleted == [9]


def test_group_that_became_a_supergroup_refuses_what_is_sent() -> None:
    """Another try would be refused, too."""
    route = Route.of("https://api.telegram.org", trust_env=False)
    failure = translate_telegram_error(ChatMigrated(-1_000_004), 5.0, route)
    assert isinstance(failure, UpstreamRefusedError)
