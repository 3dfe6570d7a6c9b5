"""All configured servers, which are connected while the block runs."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from typing_extensions import override

from rich_agent.feature.concurrency import run_all, task_group
from rich_agent.features.mcp.connection import Connection, OnTrouble
from rich_agent.features.mcp.definitions import McpServer, ServerTool
from rich_agent.features.mcp.limits import FIRST_WAIT_S, REPORT_WAIT_S
from rich_agent.features.mcp.ports import McpServers, ServerAnswer, ServerReport


class ConnectedMcpServers(McpServers):
    """Connections to the servers, by name."""

    def __init__(self, connections: Sequence[Connection]) -> None:
        self._connections = {connection.server.name: connection for connection in connections}

    @property
    @override
    def servers(self) -> Mapping[str, McpServer]:
        return {name: connection.server for name, connection in self._connections.items()}

    @override
    async def tools(self) -> Sequence[ServerTool]:
        await self._settle(FIRST_WAIT_S)
        return [tool for connection in self._connections.values() for tool in connection.tools]

    @override
    async def call(self, tool: ServerTool, arguments: Mapping[str, Any]) -> ServerAnswer:
        return await self._connections[tool.server].call(tool.name, arguments)

    @override
    async def report(self) -> Sequence[ServerReport]:
        await self._settle(REPORT_WAIT_S)
        return [connection.report() for connection in self._connections.values()]

    async def _settle(self, wait_s: float) -> None:
        await run_all(connection.settle(wait_s) for connection in self._connections.values())


@asynccontextmanager
async def open_mcp_servers(
    servers: Sequence[McpServer], on_trouble: OnTrouble
) -> AsyncIterator[ConnectedMcpServers]:
    """The servers.

    They are connected when they are first needed, until the block ends. `on_trouble` is called once
    each time that a server is away for long, or refuses the login.
    """
    stop = asyncio.Event()
    async with task_group() as group:
        connections = [Connection(server, on_trouble) for server in servers]
        for connection in connections:
            group.create_task(connection.run(stop))
        try:
            yield ConnectedMcpServers(connections)
        finally:
            stop.set()
