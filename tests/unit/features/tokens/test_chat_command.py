"""/tokens where other programs cannot reach the bot, and where a user has too many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest
from rich_agent.domain.message import User
from rich_agent.domain.tokens import TokenHolder
from rich_agent.features.tokens.chat_command import MAKE_VERB, TokenCommand
from rich_agent.features.tokens.records import ApiToken, NewApiToken
from rich_agent.phrases import say

ME = User(42, "Ada", None, "en")


@dataclass(slots=True)
class FullTokens:
    """Implements `ApiTokens` for a user who may have no more."""

    tokens: Sequence[ApiToken] = ()
    requests: list[NewApiToken] = field(default_factory=list)

    async def make(self, request: NewApiToken) -> str | None:
        """See `ApiTokens`."""
        self.requests.append(request)
        return None

    async def all_of(self, user_id: int | None = None) -> Sequence[ApiToken]:
        """See `ApiTokens`."""
        return [one for one in self.tokens if one.user_id == user_id]

    async def revoke(self, token_id: int, user_id: int | None = None) -> bool:
        """See `ApiTokens`."""
        raise NotImplementedError

    async def holder(self, token: str) -> TokenHolder | None:
        """See `ApiTokens`."""
        raise NotImplementedError


def make_button() -> PressRequest:
    """A press of the button that makes a token."""
    return PressRequest(f"{MAKE_VERB}:laptop", ME, locale="en")


async def test_tokens_are_listed_and_not_made_without_a_public_address() -> None:
    """Existing tokens can still be revoked; a button of earlier says why it does nothing."""
    token = ApiToken(7, 42, "old", frozenset({"chat"}), datetime(2026, 3, 1, tzinfo=UTC))
    stored = FullTokens([token])
    tokens = TokenCommand(stored, None)
    reply = await tokens.answer(CommandRequest("tokens", "", ME, "en"))
    assert say("en", "tokens-unreachable") in reply.message.text
    assert "1. old · chat · made 1 Mar" in reply.message.text
    assert "· not used yet" in reply.message.text
    assert [[one.text for one in row] for row in reply.message.buttons] == [["✕ 1"]]
    assert await tokens.make(make_button()) == PressReply(say("en", "tokens-unreachable"))
    assert stored.requests == []


async def test_user_with_too_many_tokens_is_told_to_revoke_one() -> None:
    """The notice names the number; nothing is shown in place of the list."""
    stored = FullTokens()
    reply = await TokenCommand(stored, "https://b.example").make(make_button())
    assert reply == PressReply(say("en", "tokens-too-many", most=20))
    assert [one.name for one in stored.requests] == ["laptop"]


async def test_name_of_a_token_fits_into_its_button() -> None:
    """Telegram takes 64 bytes; a name in any script is cut at a character."""
    tokens = TokenCommand(FullTokens(), "https://b.example")
    for name in ("laptop " * 30, "提灯" * 40, "👩‍👩‍👧" * 20):
        reply = await tokens.answer(CommandRequest("tokens", name, ME, "ja"))
        ((button,),) = reply.message.buttons
        assert button.data.startswith(f"{MAKE_VERB}:")
        assert 20 < len(button.data.encode()) <= 64
