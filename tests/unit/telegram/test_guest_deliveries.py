"""Failures in groups before it was decided who gets the answer."""

import json
from dataclasses import dataclass
from typing import Any, cast

import pytest

from rich_agent.domain.access import Access, UserTags
from rich_agent.ports.bot_api import EphemeralApi, TelegramApi
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.usage import GuestLimits, Guests
from rich_agent.telegram.deliver.ephemeral import EphemeralSupport
from rich_agent.telegram.deliver.limiter import Limiter, Rates
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.deliver.private import PrivateDelivery
from rich_agent.telegram.receive.envelope import GroupGate
from rich_agent.telegram.serve.guests import GuestAnswers, PrivateAnswers
from rich_agent.turns.runner import TurnRunner
from tests.twins.accounts import InMemoryAccounts
from tests.twins.outbox import InMemoryOutbox
from tests.twins.sending import InMemorySendingRate

_NAME = "@rich_bot"


@dataclass(frozen=True, slots=True)
class NobodyAdmitted:
    """The questions of groups while none was admitted."""

    async def is_private(self, update_id: int) -> bool:  # noqa: ARG002
        """See `Guests`."""
        return False


def answers() -> GuestAnswers:
    """Answers of which nothing but the deliveries is used."""
    accounts = InMemoryAccounts()
    api = cast("TelegramApi", None)
    limiter = Limiter(InMemorySendingRate(), Rates(1_000, 1_000))
    return GuestAnswers(
        turns=cast("TurnRunner", None),
        messenger=Messenger(api, InMemoryOutbox(), accounts.users, limiter),
        guests=cast("Guests", NobodyAdmitted()),
        accounts=accounts,
        access=Access(),
        mode="allowed",
        limits=lambda: GuestLimits(0, 0),
        tags=UserTags("test"),
        private=PrivateAnswers(EphemeralSupport(cast("EphemeralApi", None))),
    )


async def _hold() -> None:
    """No other process answers the user."""


@pytest.mark.parametrize(
    ("text", "kind", "more", "is_private"),
    [
        ("and the second?", "", {"message_id": 0, "ephemeral_message_id": 9}, True),
        (f"/tasks{_NAME}", "bot_command", {}, True),
        (f"{_NAME} when is the dinner?", "mention", {}, False),
    ],
    ids=["unseen", "command", "question"],
)
async def test_early_failure_is_told_to_those_who_saw_the_question(
    text: str, kind: str, more: dict[str, Any], *, is_private: bool
) -> None:
    """Nobody in the group sees that somebody wrote to the bot alone, or that it failed."""
    length = len(_NAME) if kind == "mention" else len(text)
    message = {
        "message_id": 3,
        "chat": {"id": -4, "type": "supergroup", "title": "The heron club"},
        "from": {"id": 42, "is_bot": False, "first_name": "Ada"},
        "date": 1,
        "text": text,
        "entities": [{"type": kind, "offset": 0, "length": length}] if kind else [],
        **more,
    }
    raw = json.dumps({"update_id": 1, "message": message}).encode()
    question = GroupGate(7, "rich_bot", is_open=True).admit(raw)
    assert question
    delivery = await answers().delivery_of(StoredUpdate(1, question, 1), _hold)
    assert delivery
    assert isinstance(delivery, PrivateDelivery) is is_private
