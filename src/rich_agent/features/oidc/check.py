"""The checks of `rich-agent doctor`: the description of the provider, its keys, and its clock."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rich_agent.feature import Finding, UpstreamError
from rich_agent.features.oidc.provider import Provider
from rich_agent.features.oidc.refusals import SignInRefusedError
from rich_agent.features.oidc.settings import OidcSettings
from rich_agent.features.oidc.verification import CLOCK_SKEW_S

_SOURCE: Final = "oidc"


@dataclass(frozen=True, slots=True)
class ProviderCheck:
    """Checks the provider. `has_source` tells whether a source of documents has a name.

    `count_told_once` counts the people whose groups nothing tells after the sign-in.
    """

    provider: Provider
    settings: OidcSettings
    can_seal: bool
    redirect_uri: str
    has_source: Callable[[str], Awaitable[bool]]
    count_told_once: Callable[[], Awaitable[int]]

    async def find(self) -> Sequence[Finding]:
        """The findings, one for each thing that sign-ins need."""
        try:
            described, keys = await self._described(), await self._keys()
            return [described, keys, await self._clock(), *await self._groups()]
        except (UpstreamError, SignInRefusedError) as error:
            hint = error.hint or "Set OIDC_ISSUER to what the provider calls itself."
            return [Finding(str(error), hint, is_well=False, is_failure=True)]

    async def _described(self) -> Finding:
        description = await self.provider.describe()
        notices = "" if description.backchannel_logout_supported else ", and tells of no logouts"
        detail = (
            f"{description.issuer} is the provider{notices}; the bot's redirect address there is "
            f"{self.redirect_uri}"
        )
        return Finding(detail, name="provider")

    async def _keys(self) -> Finding:
        description = await self.provider.describe()
        keys = await self.provider.keys(None)
        algorithms = ", ".join(sorted(description.algorithms))
        if keys and algorithms:
            return Finding(f"{len(keys)} keys for {algorithms}", name="keys")
        hint = "Have the provider sign ID tokens with an asymmetric algorithm, such as RS256."
        detail = "the provider has no key with which tokens can be checked"
        return Finding(detail, hint, is_well=False, is_failure=True, name="keys")

    async def _clock(self) -> Finding:
        difference_s = await self.provider.time_difference_s()
        if difference_s is None:
            return Finding("the provider tells no time", name="clock")
        detail = f"the provider's clock differs by {abs(difference_s):.0f} s"
        if abs(difference_s) < CLOCK_SKEW_S:
            return Finding(detail, name="clock")
        hint = f"Set the clock of this machine; tokens allow {CLOCK_SKEW_S} s."
        return Finding(detail, hint, is_well=False, is_failure=True, name="clock")

    async def _groups(self) -> Sequence[Finding]:
        if not self.settings.groups_claim:
            return ()
        if await self.has_source(_SOURCE):
            hint = "Register the source again under another name."
            detail = f"a source of documents is called {_SOURCE}, so groups open no space"
            return [Finding(detail, hint, is_well=False, is_failure=True, name="groups")]
        if not self.can_seal:
            hint = "Set CREDENTIALS_KEY, see .env.example."
            detail = "groups open no space, because nothing can ask the provider about them later"
            return [Finding(detail, hint, is_well=False, name="groups")]
        claim = self.settings.groups_claim
        if people := await self.count_told_once():
            hint = "Add offline_access to OIDC_SCOPES, or have the provider tell them by userinfo."
            detail = f"the groups of {people} people are those of their sign-in, as {claim} is only"
            detail += " in the ID token, and the provider gave no refresh token"
            return [Finding(detail, hint, is_well=False, name="groups")]
        return [Finding(f"groups are in the claim {claim}", name="groups")]
