"""People whom the provider vouches for: their user of the bot, their admission, their groups."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

import structlog

from rich_agent.feature import UpstreamError
from rich_agent.feature.accounts import Accounts, has_telegram
from rich_agent.feature.knowledge import is_account
from rich_agent.feature.secrets import Seal, SealError
from rich_agent.feature.times import zone_named
from rich_agent.features.oidc.provider import Provider, ProviderTokens, SignedIn
from rich_agent.features.oidc.refusals import SignInRefusedError
from rich_agent.features.oidc.repository import OidcIdentities, ProviderIdentity
from rich_agent.features.oidc.settings import OidcSettings
from rich_agent.features.oidc.verification import find_claim
from rich_agent.features.web_chat.public import BrowserSessions, SessionOrigin

PREFIX: Final = "external:oidc:"
GROUPS_HOLD_S: Final = 50.0
"""Seconds for which the provider's word on groups counts."""
_LOOK_AGAIN_S: Final = 20.0
"""Age of that word from which the provider is asked again before something is read."""
_AWAY_S: Final = 600.0
"""Age up to which the word counts while the provider cannot be reached, as with Telegram."""
_PATIENCE_S, _LOOK_S = 2.5, 0.2
_LONGEST_LOOK_S: Final = 12.0
"""Seconds for a look in all; less than its claim lasts, so that no token is used twice at once."""
_MOST_CHECKED: Final = 100
_MOST_GROUPS: Final = 500
_MOST_KEPT: Final = 10_000
_LONGEST: Final = 200
NoteNames = Callable[[int, str, Sequence[str], float], "Any"]
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ProviderPeople:
    """Signs people in, and keeps their groups at most a minute old.

    `note_names` records the principals that a user is known by, and how long they count. Without a
    `seal`, no token of the provider is kept, so that nothing can vouch for groups later.
    """

    provider: Provider
    settings: OidcSettings
    identities: OidcIdentities
    sessions: BrowserSessions
    accounts: Accounts
    note_names: NoteNames
    seal: Seal | None
    clock: Callable[[], float] = time.monotonic
    _quiet_until: OrderedDict[int, float] = field(default_factory=OrderedDict)
    _looks: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    async def sign_in(self, signed_in: SignedIn) -> ProviderIdentity:
        """The identity of a person who has just signed in, admitted and known by their groups.

        Raises: SignInRefusedError, DatabaseUnavailableError.
        """
        claims = signed_in.claims
        description = await self.provider.describe()
        identity = ProviderIdentity(
            description.issuer,
            str(claims["sub"]),
            0,
            _text(claims, "name") or _text(claims, "preferred_username"),
            _text(claims, "email"),
            session=_text(claims, "sid"),
        )
        try:
            identity = replace(identity, groups=self._groups_of(signed_in))
        except SignInRefusedError:
            await self._keep_out(identity)
            raise
        user_id = await self.identities.sign_in(self._sealed(identity, signed_in.tokens))
        identity = replace(identity, user_id=user_id)
        await self.identities.admit(user_id, is_allowed=True)
        if not has_telegram(user_id):
            await self._introduce(identity, claims)
        await self._note_groups(identity, GROUPS_HOLD_S)
        return identity

    async def refresh(self, user_id: int) -> None:
        """Find out in which groups a user is now, before something is read for the user.

        Raises: DatabaseUnavailableError.
        """
        if self._quiet_until.get(user_id, 0.0) > self.clock():
            return
        identity = await self.identities.of_user(user_id)
        age_s = 0.0
        if identity is not None and identity.tokens is None:
            await self._end_admission(identity)
        elif identity is not None and identity.age_s > _LOOK_AGAIN_S:
            await self._look(identity)
        elif identity is not None:
            age_s = identity.age_s
        self._quiet_until[user_id] = self.clock() + _LOOK_AGAIN_S - age_s
        self._quiet_until.move_to_end(user_id)
        if len(self._quiet_until) > _MOST_KEPT:
            self._quiet_until.popitem(last=False)

    async def end_sessions(self, identity: ProviderIdentity, session: str = "") -> int:
        """End the sessions of a person, or one of the provider's; return how many there were.

        The tokens that come from them are forgotten, and with them the groups.
        """
        origin = SessionOrigin(identity.issuer, identity.subject, session)
        ended = await self.sessions.end_of_provider(origin)
        if session in {"", identity.session}:
            await self.identities.drop_tokens(identity)
            await self._note_groups(replace(identity, groups=()), 0.0)
        self._quiet_until.pop(identity.user_id, None)
        return ended

    async def count_told_once(self) -> int:
        """The people whose groups the provider tells at the sign-in alone, among the latest."""
        count = 0
        for identity in await self.identities.with_tokens(_MOST_CHECKED):
            with suppress(SealError):
                tokens = self._open(identity)
                count += tokens.are_groups_inside and not tokens.refresh
        return count

    async def close(self) -> None:
        """End what is being asked."""
        looks = list(self._looks.values())
        for look in looks:
            look.cancel()
        await asyncio.gather(*looks, return_exceptions=True)

    async def _end_admission(self, identity: ProviderIdentity) -> None:
        """Take back an admission which nothing can vouch for, after the time of a session."""
        if identity.age_s > self.settings.session_hours * 3_600:
            await self._withdraw(identity)

    async def _withdraw(self, identity: ProviderIdentity) -> None:
        """Take back what the provider's word gave, until the next sign-in.

        The settings decide about an account of Telegram then.
        """
        if has_telegram(identity.user_id):
            await self.identities.dismiss(identity.user_id)
        else:
            await self.identities.admit(identity.user_id, is_allowed=False)

    async def _look(self, identity: ProviderIdentity) -> None:
        """Ask the provider about a person, and wait for its answer, but not for long.

        The look goes on when nobody waits any more: a token that it was given must not be lost.
        """
        look = self._looks.get(identity.user_id)
        if look is None:
            look = asyncio.create_task(self._look_again(identity))
            self._looks[identity.user_id] = look
            look.add_done_callback(lambda done: self._forget_look(identity.user_id, done))
        done, _ = await asyncio.wait({look}, timeout=_PATIENCE_S)
        if done:
            look.result()

    def _forget_look(self, user_id: int, look: asyncio.Task[None]) -> None:
        self._looks.pop(user_id, None)
        if not look.cancelled() and (error := look.exception()):
            _log.warning("oidc.look_failed", error=str(error))

    async def _look_again(self, identity: ProviderIdentity) -> None:
        """Ask the provider about a person; one process asks, and the others wait for it."""
        if not await self.identities.claim_check(identity):
            await self._wait_for_check(identity)
            return
        try:
            async with asyncio.timeout(_LONGEST_LOOK_S):
                tokens = self._open(identity)
                signed_in = await self.provider.look_again(identity.subject, tokens)
            groups = self._groups_of(signed_in) if signed_in.tells_groups else identity.groups
        except (SignInRefusedError, SealError) as error:
            await self._end(identity, error)
            return
        except (UpstreamError, TimeoutError) as error:
            _log.warning("oidc.groups_unknown", error=str(error) or "took too long")
            if await self.identities.release_check(identity):
                await self._note_groups(identity, min(GROUPS_HOLD_S, _AWAY_S - identity.age_s))
            return
        now = self._sealed(replace(identity, groups=groups), signed_in.tokens)
        if await self.identities.note_check(now, identity.tokens):
            await self._note_groups(now, GROUPS_HOLD_S)

    async def _end(self, identity: ProviderIdentity, error: SignInRefusedError | SealError) -> None:
        """End what a person has for whom the provider does not vouch any more."""
        gone = replace(identity, tokens=None, groups=())
        if not await self.identities.note_check(gone, identity.tokens):
            return  # They have signed in anew meanwhile, or a logout has ended it.
        _log.warning("oidc.sessions_ended", detail=str(error))
        if isinstance(error, SignInRefusedError) and error.reason == "group":
            await self.identities.admit(identity.user_id, is_allowed=False)
        else:
            await self._withdraw(identity)
        await self.end_sessions(identity)

    async def _wait_for_check(self, identity: ProviderIdentity) -> None:
        deadline = self.clock() + _PATIENCE_S
        current: ProviderIdentity | None = identity
        while current and current.age_s > _LOOK_AGAIN_S and self.clock() < deadline:
            await asyncio.sleep(_LOOK_S)
            current = await self.identities.of_user(identity.user_id)

    def _groups_of(self, signed_in: SignedIn) -> Sequence[str]:
        """The groups of a person. Raises: SignInRefusedError without the required one."""
        groups = groups_in(signed_in.claims, self.settings.groups_claim)
        if self.settings.required_group and self.settings.required_group not in groups:
            raise SignInRefusedError("group", "the person is not in OIDC_REQUIRED_GROUP")
        return groups

    async def _keep_out(self, identity: ProviderIdentity) -> None:
        """End what a person has who is not in the group any more."""
        if refused_identity := await self.identities.of_subject(identity.issuer, identity.subject):
            await self.identities.admit(refused_identity.user_id, is_allowed=False)
            await self.end_sessions(refused_identity)

    async def _introduce(self, identity: ProviderIdentity, claims: Mapping[str, Any]) -> None:
        language = _text(claims, "locale")
        name = _text(claims, "given_name") or identity.name or identity.email
        await self.accounts.introduce(identity.user_id, name, language or None)
        if zone := zone_named(_text(claims, "zoneinfo")):
            await self.accounts.learn_time_zone(identity.user_id, zone)

    async def _note_groups(self, identity: ProviderIdentity, holds_s: float) -> None:
        """Record the groups as principals, for as long as somebody vouches for them."""
        names = [PREFIX + group for group in identity.groups] if self.seal and holds_s > 0 else []
        principals = list(filter(is_account, names))
        await self.note_names(identity.user_id, PREFIX, principals, max(holds_s, 0.0))

    def _sealed(self, identity: ProviderIdentity, tokens: ProviderTokens) -> ProviderIdentity:
        """The identity with its tokens, which are kept only to ask about groups."""
        if self.seal is None or not self.settings.groups_claim:
            return replace(identity, tokens=None)
        return replace(identity, tokens=self.seal.close(_owner(identity), tokens.to_json()))

    def _open(self, identity: ProviderIdentity) -> ProviderTokens:
        """The tokens of an identity. Raises: SealError."""
        if self.seal is None or identity.tokens is None:
            raise SealError("CREDENTIALS_KEY is not set any more")
        return ProviderTokens.from_json(self.seal.open(_owner(identity), identity.tokens))


def groups_in(claims: Mapping[str, Any], claim: str) -> Sequence[str]:
    """The groups in a claim, which may be one of an object: `realm_access.roles`."""
    value = find_claim(claims, claim)
    values = value if isinstance(value, list) else [value]
    groups = {group for group in values[:_MOST_GROUPS] if isinstance(group, str) and group}
    return sorted(groups)


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return value.strip()[:_LONGEST] if isinstance(value, str) else ""


def _owner(identity: ProviderIdentity) -> str:
    """The owner of sealed tokens, without a colon."""
    return f"oidc {identity.issuer} {identity.subject}".replace(":", "%3A")
