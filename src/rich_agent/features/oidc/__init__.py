"""Sign-in with a provider of OpenID Connect, whose groups are principals of spaces."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from sqlalchemy import MetaData

    from rich_agent.feature import Core, Group, Parts, Settings

_HERE = Path(__file__).parent


def load_settings() -> "type[Group]":
    """Load the section of settings."""
    from rich_agent.features.oidc.settings import OidcSettings

    return OidcSettings


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.oidc.tables import metadata

    return metadata


def has_provider(settings: "Settings") -> bool:
    """Whether there is a provider, so that accounts can be linked."""
    from rich_agent.features.oidc.settings import OidcSettings

    return settings.section(OidcSettings).issuer is not None


@asynccontextmanager
async def open_oidc(core: "Core") -> AsyncIterator["Parts"]:
    """Open the sign-in; without OIDC_ISSUER it has no parts."""
    from rich_agent.feature import Parts, SettingsError
    from rich_agent.features.oidc.settings import OidcSettings

    if core.section(OidcSettings).issuer is None:
        yield Parts()
        return
    if find_spec("authlib") is None:
        from rich_agent.feature.errors import extra_hint

        problem = "it needs a library that is not installed"
        raise SettingsError("OIDC_ISSUER", problem, hint=extra_hint("oidc"))
    from rich_agent.features.oidc.opening import open_parts

    async with open_parts(core) as parts:
        yield parts


feature = Feature(
    name="oidc",
    open=open_oidc,
    menu=(MenuEntry("link", is_available=has_provider),),
    settings=load_settings,
    locales=_HERE / "locales",
    migrations=_HERE / "migrations",
    tables=load_tables,
    needs=("web_chat",),
)
