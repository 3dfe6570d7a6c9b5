"""Searches the web with Tavily, if its key is set."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, Group, Secret, Url, setting

if TYPE_CHECKING:
    from rich_agent.feature import Core, Parts


class TavilySettings(Group):
    """The access to Tavily."""

    api_key: Secret = setting("Key for web search; unset: no web search.", demo="tvly-sandbox")
    base_url: Url = setting(
        "Address of Tavily's API.", "https://api.tavily.com", demo="{sandbox}/tavily"
    )


@asynccontextmanager
async def open_tavily(core: "Core") -> AsyncIterator["Parts"]:
    """The search engine, none without a key."""
    from rich_agent.feature import Parts, SearchEngine
    from rich_agent.features.tavily.engine import SERVICE, Tavily

    settings = core.section(TavilySettings)
    if settings.api_key is None:
        yield Parts()
        return
    async with Tavily(settings.api_key.get_secret_value(), settings.base_url) as tavily:
        yield Parts(search=[SearchEngine(SERVICE, tavily.search)])


feature = Feature(name="tavily", open=open_tavily, settings=TavilySettings)
