"""Opening the search with Tavily."""

from types import SimpleNamespace
from typing import cast

import pytest
from pydantic import SecretStr

from rich_agent.feature import Core, UpstreamRefusedError
from rich_agent.features.tavily import KEYLESS_TERMS, open_tavily
from rich_agent.features.tavily.settings import TavilySettings
from rich_agent.settings.tools import ToolSettings


def core_with(key: str | None, *names: str) -> Core:
    """A core with this key, and these names in WEB_SEARCH."""
    section = TavilySettings(api_key=SecretStr(key) if key else None)
    settings = SimpleNamespace(tools=ToolSettings(web_search=names))
    return cast("Core", SimpleNamespace(section=lambda _group: section, settings=settings))


@pytest.mark.req("TOOL-1")
@pytest.mark.parametrize(
    ("key", "names", "terms"),
    [("tvly-any", (), ""), (None, (), KEYLESS_TERMS), (None, ("tavily",), KEYLESS_TERMS)],
)
async def test_engine_without_a_key_has_terms(
    key: str | None, names: tuple[str, ...], terms: str
) -> None:
    """They keep it from being asked until the operator names it."""
    async with open_tavily(core_with(key, *names)) as parts:
        assert [(engine.name, engine.terms) for engine in parts.search] == [("tavily", terms)]


async def test_engine_that_is_not_named_sends_nothing() -> None:
    """Whoever asks it anyway is refused."""
    async with open_tavily(core_with(None)) as parts:
        with pytest.raises(UpstreamRefusedError):
            await parts.search[0].search("tea", 1)
