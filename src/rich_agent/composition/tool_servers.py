"""Connects the servers of tools; without any, their library is not even loaded."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from rich_agent.errors import UpstreamError
from rich_agent.ports.tool_servers import ToolServers
from rich_agent.settings.settings import Settings

if TYPE_CHECKING:
    from rich_agent.ports.tools import ToolExecutions
    from rich_agent.tools.foreign.foreign_tools import ForeignTools


OnTrouble = Callable[[UpstreamError], Awaitable[None]]


async def unreported(_trouble: UpstreamError) -> None:
    """Nobody is told."""


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
    from rich_agent.upstreams.mcp.servers import open_mcp_servers  # noqa: PLC0415 - takes a second

    async with open_mcp_servers(servers, on_trouble) as opened:
        yield opened


def make_foreign_tools(
    settings: Settings, servers: ToolServers | None, executions: "ToolExecutions"
) -> "ForeignTools | None":
    """The tools of these servers, None without servers."""
    if servers is None:
        return None
    from rich_agent.tools.foreign.foreign_tools import ForeignTools  # noqa: PLC0415 - the same

    return ForeignTools(servers, executions, settings.tool_policies)
