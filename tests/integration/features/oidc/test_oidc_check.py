"""`rich-agent doctor` about the provider: its description, keys, clock, and groups."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rich_agent.features.oidc.check import ProviderCheck
from rich_agent.features.oidc.provider import Provider
from rich_agent.features.oidc.settings import OidcSettings
from tests.stand_ins.oidc.provider import CLIENT, HostileProvider, hostile_provider


@pytest.fixture
async def hostile() -> AsyncIterator[HostileProvider]:
    """A provider that is not bent yet."""
    async with hostile_provider() as provider:
        yield provider


@pytest.fixture
async def check(hostile: HostileProvider) -> AsyncIterator[ProviderCheck]:
    """The check of an installation that reads groups and has a key."""
    settings = OidcSettings(issuer=hostile.url, client_id=CLIENT, groups_claim="groups")

    async def has_no_source(_name: str) -> bool:
        return False

    async def count_nobody() -> int:
        return 0

    async with Provider(settings, "https://bot/oidc/callback") as provider:
        yield ProviderCheck(
            provider,
            settings,
            can_seal=True,
            redirect_uri="https://bot/oidc/callback",
            has_source=has_no_source,
            count_told_once=count_nobody,
        )


async def test_provider_that_is_well_is_told_with_the_redirect_address(
    check: ProviderCheck,
) -> None:
    """The operator has to enter that address there."""
    findings = await check.find()
    assert [one.name for one in findings] == ["provider", "keys", "clock", "groups"]
    assert all(one.is_well for one in findings)
    assert "https://bot/oidc/callback" in findings[0].detail


async def test_provider_without_usable_keys_is_a_failure(
    check: ProviderCheck, hostile: HostileProvider
) -> None:
    """One that signs with shared secrets alone cannot be checked."""
    hostile.described["id_token_signing_alg_values_supported"] = ["HS256", "none"]
    keys = next(one for one in await check.find() if one.name == "keys")
    assert (keys.is_failure, "RS256" in keys.hint) == (True, True)


async def test_provider_that_is_not_there_is_a_failure(
    check: ProviderCheck, hostile: HostileProvider
) -> None:
    """One that is away, and one that calls itself otherwise."""
    hostile.described["issuer"] = "https://elsewhere.example"
    (finding,) = await check.find()
    assert finding.is_failure
    assert "calls itself https://elsewhere.example" in finding.detail
    hostile.is_away = True
    (finding,) = await check.find()
    assert (finding.is_failure, "OIDC_ISSUER" in finding.hint) == (True, True)


async def test_groups_that_open_nothing_are_told(check: ProviderCheck) -> None:
    """Without a key, where a source has their name, and where only the sign-in tells of them."""

    async def has_source(_name: str) -> bool:
        return True

    async def count_one() -> int:
        return 1

    for bent, hint in (
        (replace(check, count_told_once=count_one), "offline_access"),
        (replace(check, can_seal=False), "CREDENTIALS_KEY"),
        (replace(check, has_source=has_source), "another name"),
    ):
        groups = next(one for one in await bent.find() if one.name == "groups")
        assert (groups.is_well, hint in groups.hint) == (False, True)
