"""Pages on which users see and change what the bot keeps for them, as in the chat."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Core, Parts

HERE = Path(__file__).parent


@asynccontextmanager
async def open_pages(core: "Core") -> "AsyncIterator[Parts]":
    """Make the pages."""
    from rich_agent.features.user_pages.opening import make_parts

    yield make_parts(core)


feature = Feature(name="user_pages", open=open_pages, locales=HERE / "locales")
