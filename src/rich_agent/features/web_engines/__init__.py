"""Searches the web with SearXNG or with Brave, whichever the settings name."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Core, Group, Parts


def load_settings() -> "type[Group]":
    """Load the section of settings."""
    from rich_agent.features.web_engines.settings import WebEngineSettings

    return WebEngineSettings


@asynccontextmanager
async def open_web_engines(core: "Core") -> AsyncIterator["Parts"]:
    """Open the engines that are configured, the server of one's own first."""
    from rich_agent.feature import Parts, SearchEngine
    from rich_agent.features.web_engines.brave import Brave
    from rich_agent.features.web_engines.searxng import Searxng
    from rich_agent.features.web_engines.settings import WebEngineSettings

    settings = core.section(WebEngineSettings)
    engines = []
    async with AsyncExitStack() as stack:
        if settings.searxng_url:
            searxng = Searxng(settings.searxng_url)
            stack.push_async_callback(searxng.close)
            engines.append(SearchEngine("searxng", searxng.search))
        if settings.brave_api_key:
            brave = Brave(settings.brave_api_key.get_secret_value(), settings.brave_base_url)
            stack.push_async_callback(brave.close)
            engines.append(SearchEngine("brave", brave.search))
        yield Parts(search=engines)


feature = Feature(name="web_engines", open=open_web_engines, settings=load_settings)
