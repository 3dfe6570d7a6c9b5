"""The route of the MCP server, which is loaded at the first request."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from starlette.types import ASGIApp

from rich_agent.feature import Core
from rich_agent.feature.knowledge import Documents
from rich_agent.feature.web import GuardedRoute, OnDemand, PassageAddresses


@asynccontextmanager
async def opened_routes(core: Core) -> AsyncIterator[Sequence[GuardedRoute]]:
    """Open the routes, which need the scope `knowledge`."""
    async with AsyncExitStack() as stack:

        async def open_server() -> ASGIApp:
            documents = await stack.enter_async_context(core.open_documents())
            return await asyncio.to_thread(_make_server, core, documents)

        yield (GuardedRoute("/mcp", "knowledge", OnDemand(open_server), ("POST",)),)


def _make_server(core: Core, documents: Documents) -> ASGIApp:
    # The SDK is loaded in a thread, so that updates are still received and stored.
    from rich_agent.features.knowledge_api.knowledge import Knowledge  # noqa: PLC0415
    from rich_agent.features.knowledge_api.mcp_server import McpEndpoint  # noqa: PLC0415

    addresses = PassageAddresses(core.settings.web.public_address)
    billing = replace(core.billing, turn_tokens=0)  # a search is no turn
    return McpEndpoint(Knowledge(documents.search, documents.catalogue, billing, addresses))
