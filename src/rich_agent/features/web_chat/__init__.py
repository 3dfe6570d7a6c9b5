"""The web chat: a page in the browser, and AG-UI, the protocol of the page and of other clients.

The page reaches the bot only by AG-UI, so both are one feature.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from sqlalchemy import MetaData

    from rich_agent.feature import Core, Parts, Settings

HERE = Path(__file__).parent


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.web_chat.tables import metadata

    return metadata


def has_address(settings: "Settings") -> bool:
    """Whether there is a public address, at which browsers find the page."""
    return bool(settings.web.public_address)


@asynccontextmanager
async def open_web_chat(core: "Core") -> "AsyncIterator[Parts]":
    """Open the endpoints."""
    from rich_agent.features.web_chat.opening import make_parts

    yield make_parts(core)


feature = Feature(
    name="web_chat",
    open=open_web_chat,
    menu=(MenuEntry("web", needs_telegram=True, is_available=has_address),),
    locales=HERE / "locales",
    migrations=HERE / "migrations",
    tables=load_tables,
)
