"""The registered documents for other programs: an MCP server with a search and a fetch."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Core, Parts


@asynccontextmanager
async def open_knowledge_api(core: "Core") -> AsyncIterator["Parts"]:
    """Open the route; the server and its model are loaded at the first request."""
    from rich_agent.feature import Parts
    from rich_agent.features.knowledge_api.routes import opened_routes

    async with opened_routes(core) as routes:
        yield Parts(routes=routes)


feature = Feature(name="knowledge_api", open=open_knowledge_api)
