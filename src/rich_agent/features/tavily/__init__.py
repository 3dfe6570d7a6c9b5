"""Searches the web with Tavily, with a key or, if the operator names it, without."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Core, Group, Parts, WebResult

NAME: Final = "tavily"
KEYLESS_TERMS: Final = (
    "It sends queries to Tavily without an account, which Tavily allows for light use, up to a "
    "limit (https://docs.tavily.com/documentation/keyless)."
)


def load_settings() -> "type[Group]":
    """Load the section of settings."""
    from rich_agent.features.tavily.settings import TavilySettings

    return TavilySettings


@asynccontextmanager
async def open_tavily(core: "Core") -> AsyncIterator["Parts"]:
    """Open the search engine; without a key, it has terms."""
    from rich_agent.feature import Parts, SearchEngine
    from rich_agent.features.tavily.settings import TavilySettings

    settings = core.section(TavilySettings)
    key = settings.api_key.get_secret_value() if settings.api_key else None
    terms = "" if key else KEYLESS_TERMS
    if terms and NAME not in core.settings.tools.engine_names:
        yield Parts(search=[SearchEngine(NAME, _refuse, terms=terms)])
        return
    from rich_agent.features.tavily.engine import Tavily  # its client loads slowly

    async with Tavily(key, settings.base_url) as tavily:
        yield Parts(search=[SearchEngine(NAME, tavily.search, terms=terms)])


async def _refuse(_query: str, _limit: int) -> "Sequence[WebResult]":
    """Refuse to search without the operator's consent. Raises: UpstreamRefusedError."""
    from rich_agent.feature import UpstreamRefusedError

    raise UpstreamRefusedError(NAME, "it has no key, and WEB_SEARCH does not name it")


feature = Feature(name="tavily", open=open_tavily, settings=load_settings)
