"""/link: gives what somebody is at the provider to their account in Telegram, by a code.

A code is shown where the person signed in with the provider, and sent to the bot in Telegram. There
the bot says whose code it is and asks, so that nobody links an account by being told to send one.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from rich_agent.feature import Button, CommandRequest, PressReply, PressRequest, Reply, say
from rich_agent.feature.accounts import Confirmations, has_telegram
from rich_agent.feature.conversation import PressAnswer
from rich_agent.feature.telegram import RenderedMessage, unlinked
from rich_agent.feature.web import RateLimit, hash_token
from rich_agent.features.oidc.people import ProviderPeople
from rich_agent.features.oidc.repository import CODE_LASTS_S, ProviderIdentity

LINK_VERB: Final = "oidclink1"
UNLINK_VERB: Final = "oidcunlink1"
_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and letters that nobody mistakes for one another."""
_CODE_CHARS: Final = 12
_TRIES_A_MINUTE: Final = 5
_ACCOUNT_SECTIONS: Final = frozenset(
    {"profile", "web_sessions", "oidc_identities", "oidc_link_codes", "memberships", "usage"}
)
"""Parts of the export that are no data of their own: who somebody is, and what they cost."""


@dataclass(frozen=True, slots=True)
class LinkCommand:
    """Answers /link. `export` returns all that is stored about a user."""

    people: ProviderPeople
    confirmations: Confirmations
    export: Callable[[int], Awaitable[Mapping[str, Any]]]
    provider_name: str
    tries: RateLimit = field(default_factory=lambda: RateLimit(_TRIES_A_MINUTE))

    def presses(self) -> Mapping[str, PressAnswer]:
        """The answers to presses of the command's buttons, by verb."""
        return {LINK_VERB: self.link, UNLINK_VERB: self.unlink}

    async def answer(self, request: CommandRequest) -> Reply:
        """A code, on a page; in Telegram, the question whether to link what a code stands for."""
        locale, user_id = request.locale, request.user_id
        if not has_telegram(user_id):
            return Reply(unlinked(await self._code(user_id, locale)))
        if request.args:
            return Reply(await self._offer(user_id, request.args, locale))
        identity = await self.people.identities.of_user(user_id)
        if identity is None:
            return Reply(unlinked(say(locale, "oidc-link-how", name=self.provider_name)))
        text = say(locale, "oidc-link-is", who=_who(identity))
        return Reply(_with_button(text, say(locale, "oidc-link-end"), f"{UNLINK_VERB}:now"))

    async def link(self, press: PressRequest) -> PressReply:
        """Link what the user said yes to, if that is still possible."""
        locale, identities = press.locale, self.people.identities
        code = await self.confirmations.find(press.user_id, press.argument)
        identity = await identities.of_code(hash_token(code)) if code else None
        if code is None or identity is None:
            return PressReply(say(locale, "button-outdated"))
        if await self._has_data(identity.user_id):
            return _reply_of(say(locale, "oidc-link-has-data", who=_who(identity)))
        await self.confirmations.close(press.user_id, press.argument)
        if await identities.link(hash_token(code), press.user_id) is None:
            return _reply_of(say(locale, "oidc-link-taken"))
        await self.people.end_sessions(identity)
        return _reply_of(say(locale, "oidc-link-done", who=_who(identity)))

    async def unlink(self, press: PressRequest) -> PressReply:
        """End the link, and the sessions that come from it."""
        identity = await self.people.identities.of_user(press.user_id)
        if identity is None:
            return PressReply(say(press.locale, "button-outdated"))
        await self.people.end_sessions(identity)
        await self.people.identities.unlink(identity)
        return _reply_of(say(press.locale, "oidc-link-ended", who=_who(identity)))

    async def _code(self, user_id: int, locale: str) -> str:
        code = "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_CHARS))
        await self.people.identities.offer_code(user_id, hash_token(code))
        return say(locale, "oidc-link-code", command=f"/link {code}", minutes=CODE_LASTS_S // 60)

    async def _offer(self, user_id: int, words: str, locale: str) -> RenderedMessage:
        """The question whether to link, or why not."""
        if self.tries.take(user_id):
            return unlinked(say(locale, "oidc-link-busy"))
        if await self.people.identities.of_user(user_id):
            return unlinked(say(locale, "oidc-link-taken"))
        code = "".join(words.split()).upper()[: 2 * _CODE_CHARS]
        identity = await self.people.identities.of_code(hash_token(code))
        if identity is None:
            return unlinked(say(locale, "oidc-link-unknown"))
        if await self._has_data(identity.user_id):
            return unlinked(say(locale, "oidc-link-has-data", who=_who(identity)))
        token = await self.confirmations.offer(user_id, code)
        text = say(locale, "oidc-link-ask", who=_who(identity))
        return _with_button(text, say(locale, "oidc-link-yes"), f"{LINK_VERB}:{token}")

    async def _has_data(self, user_id: int) -> bool:
        """Whether anything of its own is stored for an account that is to be given up."""
        data = await self.export(user_id)
        return any(_holds(part) for name, part in data.items() if name not in _ACCOUNT_SECTIONS)


def _holds(part: object) -> bool:
    """Whether a part of an export holds rows; times and names of formats are none."""
    if isinstance(part, Mapping):
        return any(_holds(value) for value in part.values())
    return isinstance(part, list) and bool(part)


def _who(identity: ProviderIdentity) -> str:
    return f"{identity.label} ({urlsplit(identity.issuer).hostname})"


def _with_button(text: str, words: str, data: str) -> RenderedMessage:
    message = unlinked(text)
    return RenderedMessage(message.text, message.entities, ((Button(words, data),),))


def _reply_of(text: str) -> PressReply:
    return PressReply(message=unlinked(text))
