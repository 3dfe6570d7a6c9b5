"""Opens the sign-in: the addresses over HTTP, the command, the checks."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from rich_agent.feature import Core, Parts, SettingsError, fetch_all, say
from rich_agent.feature.database import checkout
from rich_agent.feature.pages import PageArea, surroundings_of
from rich_agent.feature.surface import Surface
from rich_agent.feature.web import OwnPages, SignInLink
from rich_agent.features.oidc.check import ProviderCheck
from rich_agent.features.oidc.linking import LinkCommand
from rich_agent.features.oidc.logout import BackChannelLogout
from rich_agent.features.oidc.people import ProviderPeople
from rich_agent.features.oidc.provider import Provider
from rich_agent.features.oidc.repository import OidcIdentities
from rich_agent.features.oidc.settings import OidcSettings
from rich_agent.features.oidc.sign_in import CALLBACK_PATH, SIGN_IN_PATH, OidcSignIn
from rich_agent.features.web_chat.public import BrowserSessions, PageCookies

_TEMPLATES: Final = Path(__file__).parent / "templates"
_SOURCE: Final = "oidc"
_HAS_SOURCE = """
SELECT 1 FROM rag_sources WHERE (id = %(name)s OR name = %(name)s) AND status <> 'private' LIMIT 1
"""


@asynccontextmanager
async def open_parts(core: Core) -> AsyncIterator[Parts]:
    """Open the connection to the provider, and make the parts.

    Raises: SettingsError without a public address.
    """
    settings, public_url = core.section(OidcSettings), core.settings.web.public_address
    if public_url is None:
        raise SettingsError(
            "PUBLIC_URL",
            "it is missing, and OIDC_ISSUER is set",
            hint="Set PUBLIC_URL to the address under which browsers reach the bot.",
        )
    redirect_uri = public_url + CALLBACK_PATH
    async with Provider(settings, redirect_uri) as provider:
        people = make_people(core, settings, provider)
        check = ProviderCheck(
            provider,
            settings,
            people.seal is not None,
            redirect_uri,
            lambda name: _has_source(core, name),
            people.count_told_once,
        )
        parts = Parts(memberships=[people.refresh], checks=[check.find])
        if core.surface is not None:
            parts = _with_surface(parts, core, core.surface, people)
        try:
            yield parts
        finally:
            await people.close()


def make_people(core: Core, settings: OidcSettings, provider: Provider) -> ProviderPeople:
    """Make what signs people in."""

    async def note_names(user_id: int, prefix: str, names: Sequence[str], holds_s: float) -> None:
        # The names would be those of its service, too.
        is_taken = bool(names) and await _has_source(core, _SOURCE)
        await core.spaces.note_names(user_id, prefix, () if is_taken else names, holds_s)

    return ProviderPeople(
        provider,
        settings,
        OidcIdentities(core.databases.app),
        BrowserSessions(core.databases.app),
        core.accounts,
        note_names,
        core.make_seal(),
    )


def _with_surface(parts: Parts, core: Core, surface: Surface, people: ProviderPeople) -> Parts:
    """The parts, with those of a process that serves: addresses and /link."""
    settings, around = people.settings, surroundings_of(core)
    assert around is not None  # noqa: S101 - there are a public address and a surface
    name = settings.shown_name
    lasts = timedelta(hours=settings.session_hours)
    cookies = PageCookies(people.sessions, OwnPages(around.pages.public_url), lasts)
    area = PageArea("/oidc", "pages-sign-in", _TEMPLATES, around)
    sign_in = OidcSignIn(
        people.provider,
        people.identities,
        people,
        core.accounts,
        core.access.permits,
        cookies,
        area,
        name,
        lasts,
    )
    command = LinkCommand(people, core.confirmations, surface.personal_data.export, name)
    link = SignInLink(SIGN_IN_PATH, lambda locale: say(locale, "oidc-sign-in", name=name))
    return replace(
        parts,
        commands={"link": command.answer},
        presses=command.presses(),
        sign_in_links=[link],
        open_routes=[*sign_in.routes(), BackChannelLogout(people.provider, people).route()],
    )


async def _has_source(core: Core, name: str) -> bool:
    """Whether a source of documents has this name."""
    async with checkout(core.databases.rag) as connection:
        return bool(await fetch_all(connection, _HAS_SOURCE, {"name": name}))
