"""Connects the servers of tools; without any, their library is not even loaded."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from rich_agent.composition.repositories import Repositories
from rich_agent.domain.tool_servers import ToolServer
from rich_agent.errors import UpstreamError
from rich_agent.ports.tool_servers import ToolServers
from rich_agent.settings.settings import Settings

if TYPE_CHECKING:
    from rich_agent.tools.foreign.foreign_tools import ForeignTools

OnTrouble = Callable[[UpstreamError], Awaitable[bool]]
OpenServers = Callable[[Sequence[ToolServer], OnTrouble], AbstractAsyncContextManager[ToolServers]]


async def unreported(_trouble: UpstreamError) -> bool:
    """Nobody is told."""
    return False


@asynccontextmanager
async def open_tool_servers(
    settings: Settings, on_trouble: OnTrouble = unreported
) -> AsyncIterator[ToolServers | None]:
    """The configured servers, None without any; they are connected when they are needed.

    `on_trouble` is told once when a server is away for long, or refuses the login.
    """
    servers = settings.tool_servers.servers
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


def make_foreign_tools(
    settings: Settings,
    servers: ToolServers | None,
    repositories: Repositories,
    on_trouble: OnTrouble,
) -> "ForeignTools | None":
    """The tools of these servers, None without servers."""
    if servers is None:
        return None
    from rich_agent.tools.foreign.foreign_tools import ForeignTools  # noqa: PLC0415 - the same

    executions, pins = repositories.tool_executions, repositories.tool_pins
    return ForeignTools(servers, executions, pins, on_trouble, settings.tool_policies)
