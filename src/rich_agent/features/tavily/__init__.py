"""Searches the web with Tavily, if its key is set."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Core, Group, Parts


def load_settings() -> "type[Group]":
    """Load the section of settings."""
    from rich_agent.features.tavily.settings import TavilySettings

    return TavilySettings


@asynccontextmanager
async def open_tavily(core: "Core") -> AsyncIterator["Parts"]:
    """Open the search engine; without a key, there is none."""
    from rich_agent.feature import Parts, SearchEngine
    from rich_agent.features.tavily.engine import SERVICE, Tavily
    from rich_agent.features.tavily.settings import TavilySettings

    settings = core.section(TavilySettings)
    if settings.api_key is None:
        yield Parts()
        return
    async with Tavily(settings.api_key.get_secret_value(), settings.base_url) as tavily:
        yield Parts(search=[SearchEngine(SERVICE, tavily.search)])


feature = Feature(name="tavily", open=open_tavily, settings=load_settings)
