"""`rich-agent tools`: every tool that a model may be offered, which ask first, which are hidden."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from rich_agent.composition.repositories import open_repositories
from rich_agent.composition.telegram_server import IMAGE_LIMITS
from rich_agent.composition.tools import (
    ToolUpstreams,
    make_tools,
    open_mcp_servers,
    open_web_search,
)
from rich_agent.domain.mcp import ToolChange, public_name, server_of
from rich_agent.domain.tools import Effect, Policy, ToolCall
from rich_agent.errors import RichAgentError
from rich_agent.ports.mcp import ServerReport, ToolPins
from rich_agent.ports.tools import Asker
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import out, show_table, working
from rich_agent.tools.mcp.listing import McpTool, as_pinned, listed
from rich_agent.tools.tool import Tool
from rich_agent.tools.toolbox import Toolbox
from rich_agent.upstreams.local_files import LocalImageFiles

_EFFECTS: Mapping[Effect, str] = {
    "read": "reads",
    "change": "changes",
    "delete": "deletes",
    "foreign": "acts elsewhere",
    "session": "belongs to a guided session",
}


_ANYBODY = Asker(0, "", "", files=(0,))


@dataclass(frozen=True, slots=True)
class ToolLine:
    """A tool, or a server without any; `note` says why it is hidden, or its policy is not another.

    `origin` is its server, "" for the product's own. `policy` is "" for what is hidden. `change` is
    what its server changed of it, until that is accepted.
    """

    name: str
    origin: str
    effect: str
    policy: str
    note: str = ""
    change: str = ""


def show_tools(*, as_json: bool) -> None:
    """Print the tools, the product's own first.

    Raises: SettingsError, DatabaseUnavailableError, SchemaError.
    """
    settings = Settings.load()
    configure_logging(settings.logs.format, "error", settings.secrets)
    with working("Asking the servers…"):
        lines = asyncio.run(_find_lines(settings))
    if as_json:
        out(json.dumps([asdict(line) for line in lines], ensure_ascii=False, indent=2))
    else:
        columns = ("tool", "from", "what it does", "policy", "note")
        rows = [(one.name, one.origin, one.effect, one.policy, one.note) for one in lines]
        show_table(columns, rows)
        for change in filter(None, (line.change for line in lines)):
            out(f"\n{change}")


def accept_changes(named: str) -> None:
    """Accept what waits of a server, or of one tool of it, and print what that was.

    Raises: RichAgentError if nothing waits, SettingsError, DatabaseUnavailableError, SchemaError.
    """
    server, _, tool = named.partition(":")
    accepted = asyncio.run(_accept(Settings.load(), server, tool))
    if not accepted:
        raise RichAgentError(
            f"nothing of {named} waits to be accepted",
            hint="`rich-agent tools` shows what changed, below the list.",
        )
    for change in accepted:
        out(change.text())
    out("Accepted.")


async def _accept(settings: Settings, server: str, tool: str) -> Sequence[ToolChange]:
    async with open_repositories(settings) as repositories:
        return await repositories.tool_pins.accept(server, tool)


async def _find_lines(settings: Settings) -> list[ToolLine]:
    async with (
        open_repositories(settings) as repositories,
        open_web_search(settings) as web,
        open_mcp_servers(settings) as servers,
    ):
        files = LocalImageFiles(IMAGE_LIMITS.max_bytes)
        own = make_tools(settings, repositories, None, ToolUpstreams(web, servers, files)).own
        reports = await servers.report() if servers else ()
        tools = await _pinned(reports, repositories.tool_pins)
        waiting = await repositories.tool_pins.waiting() if servers else ()
    changes = {public_name(one.found.server, one.found.name): one.text() for one in waiting}
    lines = [*map(partial(_own, own), own.tools), *_mcp_lines(settings, own, reports, tools)]
    return [replace(line, change=changes.get(line.name, "")) for line in lines]


async def _pinned(reports: Sequence[ServerReport], pins: ToolPins) -> Mapping[str, McpTool]:
    """The tools of all servers by name, as they were when they were first seen: now, if never."""
    every = [tool for report in reports for tool in report.tools]
    servers = {report.server.name: report.server for report in reports}
    return await as_pinned(listed(every, servers), pins) if every else {}


def _own(own: Toolbox, tool: Tool) -> ToolLine:
    is_of_session = tool.effect == "session"
    policy = own.policy_of(ToolCall("", tool.name, {}), replace(_ANYBODY, in_session=is_of_session))
    is_denied = policy == "deny"
    note = "hidden: TOOL_POLICIES denies it" if is_denied else ""
    if is_of_session and not is_denied:
        note = "only in guided sessions"
    if own.policies.get(tool.name) == "auto" and policy == "ask":
        note = "asks, for it deletes something"
    return ToolLine(tool.name, "", _EFFECTS[tool.effect], "" if is_denied else policy, note)


def _mcp_lines(
    settings: Settings,
    own: Toolbox,
    reports: Sequence[ServerReport],
    tools: Mapping[str, McpTool],
) -> Iterator[ToolLine]:
    policies = settings.tools.policies
    known = {tool.name for tool in own.tools}
    for report in reports:
        if report.trouble:
            name = f"{report.server.name}__*"
            yield ToolLine(name, report.server.name, "", "", f"hidden: {report.trouble}")
        for tool in tools.values():
            if tool.server == report.server:
                known.add(tool.name)
                yield _mcp_line(tool, policies.get(tool.name))
    away = {report.server.name for report in reports if report.trouble}
    for name in sorted(policies.keys() - known):
        if server_of(name) not in away:
            yield ToolLine(name, "", "", "", "TOOL_POLICIES names it, and there is no such tool")


def _mcp_line(tool: McpTool, wanted: Policy | None) -> ToolLine:
    origin, effect = tool.server.name, _EFFECTS[tool.effect]
    policy = tool.policy(wanted, asks_for_changes=False)
    if tool.fault:
        return ToolLine(tool.name, origin, effect, "", f"hidden: {tool.fault}")
    if policy == "deny":
        return ToolLine(tool.name, origin, effect, "", "hidden: TOOL_POLICIES denies it")
    note = ""
    if tool.is_changed:
        accept = f"rich-agent tools --accept {origin}:{tool.tool.name}"
        note = f"asks, for its server changed it, or added it; `{accept}` accepts that"
    elif wanted == "auto" and policy == "ask":
        why = "may destroy something" if tool.server.is_trusted else "comes from no trusted server"
        note = f"asks, for it {why}"
    return ToolLine(tool.name, origin, effect, policy, note)
