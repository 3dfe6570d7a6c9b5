"""Whether each configured server of tools can be used, and which of its tools are hidden."""

from collections.abc import Iterator, Sequence

from rich_agent.commands.diagnosis.check_results import CheckResult, failed
from rich_agent.composition.tools import open_mcp_servers
from rich_agent.domain.mcp import McpServer
from rich_agent.domain.text import counted
from rich_agent.ports.mcp import ServerReport
from rich_agent.runtime.confinement import SIGNALS_SINCE, offered_measures
from rich_agent.settings.settings import Settings

_NAMED = 3


async def check_mcp_servers(settings: Settings) -> list[CheckResult]:
    """One finding for each server, after a try to connect it; none without servers."""
    async with open_mcp_servers(settings) as servers:
        reports = await servers.report() if servers else ()
    return list(_findings(reports))


def _findings(reports: Sequence[ServerReport]) -> Iterator[CheckResult]:
    from rich_agent.tools.mcp.listing import tool_listing  # noqa: PLC0415 - loads a library

    for report in reports:
        server = report.server
        name = f"tool server {server.name}"
        if report.trouble:
            yield failed(name, report.trouble)
            continue
        offered = {tool.name for tool in report.tools}
        allowed = [one for one in report.tools if server.allows(one.name)]
        tools = tool_listing(allowed, {server.name: server})
        hidden = [one for one in tools.values() if one.fault]
        usable = counted(len(tools) - len(hidden), "tool")
        trust = "trusted" if server.is_trusted else "not trusted: each call asks first"
        detail = f"{report.about or 'connected'}: {usable} of {len(offered)}; {trust}"
        detail += _told(server)
        missing = sorted((server.tools or frozenset()) - offered)
        if missing:
            hint = f"Take {', '.join(missing)} out of its tools in MCP_SERVERS_FILE."
            yield CheckResult(name, "warn", f"{detail}; it has no {', '.join(missing)}", hint)
        elif hidden:
            why = "; ".join(f"{one.tool.name}: {one.fault}" for one in hidden[:_NAMED])
            yield CheckResult(name, "ok", f"{detail}; hidden: {why} (`rich-agent tools` lists all)")
        else:
            yield CheckResult(name, "ok", detail)


def _told(server: McpServer) -> str:
    """The bounds of a server's command, and their gaps; "" for one reached by its address."""
    if not server.command:
        return ""
    if server.bounds is None:
        return "; not confined: it can do whatever the bot's account can"
    version, _ = offered_measures()
    signals = "" if version >= SIGNALS_SINCE else "; this kernel lets it signal other processes"
    return f"; confined: {server.bounds.text()}{signals}"
