"""Searches the web with SearXNG, Brave or DuckDuckGo, whichever the settings name."""

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
    """Open the engines that are configured, the server of one's own first, and the free one."""
    from rich_agent.feature import Parts, SearchEngine
    from rich_agent.features.web_engines import brave, duckduckgo, searxng
    from rich_agent.features.web_engines.settings import WebEngineSettings

    settings = core.section(WebEngineSettings)
    engines = []
    async with AsyncExitStack() as stack:
        if settings.searxng_url:
            server = searxng.Searxng(settings.searxng_url)
            stack.push_async_callback(server.close)
            engines.append(SearchEngine(searxng.NAME, server.search))
        if settings.brave_api_key:
            key = settings.brave_api_key.get_secret_value()
            paid = brave.Brave(key, settings.brave_base_url)
            stack.push_async_callback(paid.close)
            engines.append(SearchEngine(brave.NAME, paid.search))
        free = SearchEngine(
            duckduckgo.NAME,
            duckduckgo.Duckduckgo().search,
            at_once=duckduckgo.AT_ONCE,
            terms=duckduckgo.TERMS,
        )
        engines.append(free)
        yield Parts(search=engines)


feature = Feature(name="web_engines", open=open_web_engines, settings=load_settings)
