"""Tools of servers for operators, and servers that are away."""

from collections.abc import Iterator, Mapping, Sequence

from rich_agent.feature.tool_sources import (
    NAME_SEPARATOR,
    Circumstances,
    Policy,
    SourceTool,
    public_name,
)
from rich_agent.features.mcp.definitions import ToolChange
from rich_agent.features.mcp.listing import McpTool
from rich_agent.features.mcp.ports import ServerReport


def catalogue_of(
    reports: Sequence[ServerReport],
    tools: Sequence[McpTool],
    waiting: Sequence[ToolChange],
    policies: Mapping[str, Policy],
) -> Iterator[SourceTool]:
    """The tools by server. A server that is away precedes the tools that it had."""
    change_texts = {
        public_name(change.current.server, change.current.name): change.text() for change in waiting
    }
    for report in reports:
        server, bounds = report.server, report.server.bounds
        if report.trouble:
            all_tools = f"{server.name}{NAME_SEPARATOR}*"
            yield SourceTool(all_tools, server.name, fault=str(report.trouble))
        for tool in tools:
            if tool.server == server:
                yield SourceTool(
                    tool.name,
                    server.name,
                    tool.effect,
                    tool.rule,
                    fault=tool.fault,
                    note=_reason_to_ask(tool, policies.get(tool.name)),
                    change=change_texts.get(tool.name, ""),
                    bounds=bounds.text() if bounds else "",
                    digest=tool.digest,
                )


def _reason_to_ask(tool: McpTool, operator_policy: Policy | None) -> str:
    """Why a tool asks first although the operator's policy is "auto"; "" if it does not ask."""
    server = tool.server
    if tool.is_changed:
        command = f"rich-agent tools --accept {server.name}:{tool.tool.name}"
        return f"asks, for its server changed it, or added it; `{command}` accepts that"
    policy = tool.decide({}, Circumstances(operator_policy=operator_policy)).policy
    if operator_policy != "auto" or policy != "ask":
        return ""
    reason = "may destroy something" if server.is_trusted else "comes from no trusted server"
    return f"asks, for it {reason}"
