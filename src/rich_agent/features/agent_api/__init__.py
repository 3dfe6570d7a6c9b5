"""The small API, with which programs ask in a user's name, follow the answer, and approve calls."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Core, Parts


@asynccontextmanager
async def open_agent_api(core: "Core") -> AsyncIterator["Parts"]:
    """Open the endpoints."""
    from rich_agent.feature import Parts
    from rich_agent.features.agent_api.endpoints import ApiEndpoints

    yield Parts(routes=ApiEndpoints(core.runs).routes())


feature = Feature(name="agent_api", open=open_agent_api)
