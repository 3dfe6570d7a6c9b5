"""Connects the servers of tools; without any, their library is not even loaded."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from rich_agent.composition.repositories import Repositories
from rich_agent.domain.mcp import McpServer
from rich_agent.errors import UpstreamError
from rich_agent.ports.mcp import McpServers
from rich_agent.settings.settings import Settings

if TYPE_CHECKING:
    from rich_agent.tools.mcp.mcp_tools import McpTools

OnTrouble = Callable[[UpstreamError], Awaitable[bool]]
OpenServers = Callable[[Sequence[McpServer], OnTrouble], AbstractAsyncContextManager[McpServers]]


async def unreported(_trouble: UpstreamError) -> bool:
    """Nobody is told."""
    return False


@asynccontextmanager
async def open_mcp_servers(
    settings: Settings, on_trouble: OnTrouble = unreported
) -> AsyncIterator[McpServers | None]:
    """The configured servers, None without any; they are connected when they are needed.

    `on_trouble` is told once when a server is away for long, or refuses the login.
    """
    servers = settings.tools.mcp_servers.servers
    if not servers:
        yield None
        return
    # In a thread: what comes meanwhile is received and stored.
    open_servers = await asyncio.to_thread(_load)
    async with open_servers(servers, on_trouble) as opened:
        yield opened


def _load() -> OpenServers:
    from rich_agent.upstreams.mcp.servers import open_mcp_servers  # noqa: PLC0415 - takes a second

    return open_mcp_servers


def make_mcp_tools(
    settings: Settings,
    servers: McpServers | None,
    repositories: Repositories,
    on_trouble: OnTrouble,
) -> "McpTools | None":
    """The tools of these servers, None without servers."""
    if servers is None:
        return None
    from rich_agent.tools.mcp.mcp_tools import McpTools  # noqa: PLC0415 - the same

    return McpTools(
        servers=servers,
        executions=repositories.tool_executions,
        pins=repositories.tool_pins,
        on_change=on_trouble,
        policies=settings.tools.policies,
    )
