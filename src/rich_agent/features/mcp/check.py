"""Findings of doctor: whether each server can be used, and its hidden tools."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.feature import Finding
from rich_agent.feature.confinement import SIGNALS_SINCE, offered_measures
from rich_agent.feature.errors import UpstreamError
from rich_agent.feature.text import counted
from rich_agent.features.mcp.definitions import McpServer
from rich_agent.features.mcp.listing import tool_listing
from rich_agent.features.mcp.ports import McpServers, ServerReport

_MOST_HIDDEN = 3


@dataclass(frozen=True, slots=True)
class ServerCheck:
    """Makes one finding for each server, after an attempt to connect to it."""

    servers: McpServers

    async def check(self) -> Sequence[Finding]:
        """See `Check`."""
        return [_finding_of(report) for report in await self.servers.report()]


def _finding_of(report: ServerReport) -> Finding:
    server = report.server
    name = f"tool server {server.name}"
    if report.trouble:
        return _failure(name, report.trouble)
    permissible = [listed_tool for listed_tool in report.tools if server.allows(listed_tool.name)]
    tools = tool_listing(permissible, {server.name: server})
    hidden_tools = [listed_tool for listed_tool in tools.values() if listed_tool.fault]
    existing_names = {tool.name for tool in report.tools}
    usable_count = counted(len(tools) - len(hidden_tools), "tool")
    trust_note = "trusted" if server.is_trusted else "not trusted: each call asks first"
    detail = f"{report.about or 'connected'}: {usable_count} of {len(existing_names)}; {trust_note}"
    detail += _bounds_of(server)
    if missing_names := sorted((server.tools or frozenset()) - existing_names):
        name_list = ", ".join(missing_names)
        hint = f"Take {name_list} out of its tools in MCP_SERVERS_FILE."
        return Finding(f"{detail}; it has no {name_list}", hint, is_well=False, name=name)
    if hidden_tools:
        reason_list = "; ".join(
            f"{listed_tool.tool.name}: {listed_tool.fault}"
            for listed_tool in hidden_tools[:_MOST_HIDDEN]
        )
        detail += f"; hidden: {reason_list} (`rich-agent tools` lists all)"
    return Finding(detail, name=name)


def _failure(name: str, error: UpstreamError) -> Finding:
    detail = str(error).removeprefix(f"{error.service}: ")
    return Finding(detail, error.hint, is_well=False, is_failure=True, name=name)


def _bounds_of(server: McpServer) -> str:
    """The bounds of a server's command, and their gaps; "" for a server with an address."""
    if not server.command:
        return ""
    if server.bounds is None:
        return "; not confined: it can do whatever the bot's account can"
    version, _ = offered_measures()
    signals = "" if version >= SIGNALS_SINCE else "; this kernel lets it signal other processes"
    return f"; confined: {server.bounds.text()}{signals}"
