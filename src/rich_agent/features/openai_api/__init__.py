"""The bot as a model of the OpenAI API, for clients of that API."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Core, Parts


@asynccontextmanager
async def open_openai_api(core: "Core") -> AsyncIterator["Parts"]:
    """Open the endpoints."""
    from rich_agent.feature import Parts
    from rich_agent.features.openai_api.endpoints import OpenAIEndpoints

    yield Parts(routes=OpenAIEndpoints(core.runs, core.uploads).routes())


feature = Feature(name="openai_api", open=open_openai_api)
