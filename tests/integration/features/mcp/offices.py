"""Starts offices: real servers of tools, over both transports."""

import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

from rich_agent.errors import UpstreamError
from rich_agent.features.mcp.connected import open_mcp_servers
from rich_agent.features.mcp.definitions import McpServer, ServerTool
from rich_agent.features.mcp.ports import McpServers
from tests.stand_ins.mcp_servers.starting import OFFICE, HttpOffice, at_address

Transport = Literal["stdio", "http"]


def by_command(**env: str) -> McpServer:
    """An office that is started by its command."""
    return McpServer("office", command=sys.executable, args=(str(OFFICE), "stdio"), env=env)


def server_at(office: HttpOffice) -> McpServer:
    """The server as it is reached at an address."""
    return McpServer("office", url=office.url)


@contextmanager
def office_over(transport: Transport, **env: str) -> Iterator[McpServer]:
    """An office, started when it is needed or right now."""
    if transport == "stdio":
        yield by_command(**env)
        return
    with at_address(**env) as office:
        yield server_at(office)


@dataclass(slots=True)
class Connected:
    """The servers, and the troubles that admins were told of."""

    servers: McpServers
    troubles: list[UpstreamError] = field(default_factory=list)


@asynccontextmanager
async def connected(servers: Sequence[McpServer]) -> AsyncIterator[Connected]:
    """The servers, connected once; however slow the machine is, the first wait is long enough."""
    troubles: list[UpstreamError] = []

    async def keep(trouble: UpstreamError) -> None:
        troubles.append(trouble)

    async with open_mcp_servers(servers, keep) as opened:
        await opened.report()
        yield Connected(opened, troubles)


def within(server: McpServer, timeout_s: float) -> McpServer:
    """The same with a deadline."""
    return replace(server, timeout_s=timeout_s)


def tool(name: str) -> ServerTool:
    """A tool of the office by its name."""
    return ServerTool("office", name)
