"""Opens the configured servers, and returns their tools."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from rich_agent.feature import Core, Parts
from rich_agent.features.mcp.alerts import ServerAlerts
from rich_agent.features.mcp.check import ServerCheck
from rich_agent.features.mcp.connected import open_mcp_servers
from rich_agent.features.mcp.definitions import McpServer
from rich_agent.features.mcp.repository import PostgresToolPins
from rich_agent.features.mcp.tools import McpTools


@asynccontextmanager
async def open_parts(core: Core, servers: Sequence[McpServer]) -> AsyncIterator[Parts]:
    """Keep the servers connected, each from the time when it is first needed."""
    alerts = ServerAlerts(core.alert_admins)
    async with open_mcp_servers(servers, alerts.alert) as connections:
        pins = PostgresToolPins(core.databases.app)
        tools = McpTools(connections, pins, alerts.alert, core.settings.tools.policies)
        yield Parts(tool_sources=[tools], checks=[ServerCheck(connections).check])
