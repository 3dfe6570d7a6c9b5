"""Opening the search with Tavily."""

from types import SimpleNamespace
from typing import cast

import pytest
from pydantic import SecretStr

from rich_agent.feature import Core
from rich_agent.features.tavily import open_tavily
from rich_agent.features.tavily.settings import TavilySettings


@pytest.mark.req("TOOL-1")
@pytest.mark.parametrize(("key", "names"), [(None, []), ("tvly-any", ["tavily"])])
async def test_open_tavily_offers_the_engine_with_a_key_only(
    key: str | None, names: list[str]
) -> None:
    """Without a key, nothing is searched and nothing fails."""
    settings = TavilySettings(api_key=SecretStr(key) if key else None)
    core = cast("Core", SimpleNamespace(section=lambda _group: settings))
    async with open_tavily(core) as parts:
        assert [engine.name for engine in parts.search] == names
