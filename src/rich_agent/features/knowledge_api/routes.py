"""The route of the MCP server, which is loaded at its first request."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.types import ASGIApp

from rich_agent.feature import Core
from rich_agent.feature.knowledge import Documents
from rich_agent.feature.web import GuardedRoute, OnDemand, PassageAddresses
from rich_agent.features.knowledge_api.knowledge import Knowledge


@asynccontextmanager
async def opened_routes(core: Core) -> AsyncIterator[Sequence[GuardedRoute]]:
    """The routes, with the scope `knowledge`."""
    async with AsyncExitStack() as stack:

        async def open_server() -> ASGIApp:
            documents = await stack.enter_async_context(core.open_documents())
            addresses = PassageAddresses(core.settings.web.public_address)
            return await asyncio.to_thread(_make_server, documents, addresses)

        yield (GuardedRoute("/mcp", "knowledge", OnDemand(open_server), ("POST",)),)


def _make_server(documents: Documents, addresses: PassageAddresses) -> ASGIApp:
    # It loads the SDK, in a thread: what comes meanwhile is received and stored.
    from rich_agent.features.knowledge_api.mcp_server import McpEndpoint  # noqa: PLC0415

    search, catalogue, billing = documents.search, documents.catalogue, documents.billing
    return McpEndpoint(Knowledge(search, catalogue, billing, addresses))
