"""`rich-agent tools`: every tool that a model may be offered, which ask first, which are hidden."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial

from rich_agent.commands.tool_rules import (
    SupposedCall,
    explained,
    rule_in_words,
    supposed_call,
)
from rich_agent.composition.features import open_features
from rich_agent.composition.repositories import open_repositories
from rich_agent.composition.tools import (
    ToolUpstreams,
    make_tools,
    open_mcp_servers,
)
from rich_agent.domain.mcp import ToolChange
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.permissions import Permission
from rich_agent.domain.rules import Circumstances, Ruling
from rich_agent.domain.tools import Effect, Policy, ToolCall, public_name, source_of
from rich_agent.errors import RichAgentError
from rich_agent.ports.mcp import ServerReport, ToolPins
from rich_agent.ports.tools import Asker
from rich_agent.runtime.logs import configure_logging
from rich_agent.runtime.web_search import first_engine
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import out, show_table, working
from rich_agent.tools.mcp.listing import McpTool, tool_listing, with_pins
from rich_agent.tools.tool import Tool
from rich_agent.tools.toolbox import Toolbox

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

    `origin` is its server, "" for the product's own. `policy` is "" for what is hidden. `rule` says
    on what else it depends. `change` is what its server changed of it, until that is accepted.
    `bounds` are what the kernel holds the command of its server to, "" for nothing.
    """

    name: str
    origin: str
    effect: str
    policy: str
    rule: str = ""
    note: str = ""
    change: str = ""
    bounds: str = ""

    @property
    def place(self) -> str:
        """Its server, and whether that is confined."""
        return f"{self.origin} (confined)" if self.bounds else self.origin


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
        columns = ("tool", "from", "what it does", "policy", "rule", "note")
        rows = [(one.name, one.place, one.effect, one.policy, one.rule, one.note) for one in lines]
        show_table(columns, rows)
        for change in filter(None, (line.change for line in lines)):
            out(f"\n{change}")


def explain_call(written: str) -> None:
    """Print what the rules say of a call that is written as JSON, and why.

    Raises: RichAgentError, SettingsError, DatabaseUnavailableError, SchemaError.
    """
    settings, call = Settings.load(), supposed_call(written)
    configure_logging(settings.logs.format, "error", settings.secrets)
    for line in explained(call, asyncio.run(_rule_on(call, settings))):
        out(line)


async def _rule_on(call: SupposedCall, settings: Settings) -> Ruling:
    provenance = PromptProvenance(call.said, call.others)
    async with _opened(settings) as found:
        tool = found.tools.get(call.tool)
        if tool is not None:
            policy = settings.tools.policies.get(tool.name)
            permissions = tuple(Permission(0, tool.digest, one) for one in call.permitted)
            now = Circumstances(
                provenance,
                call.in_session,
                call.is_unattended,
                policy,
                spending=call.spent,
                planned_calls=call.planned,
            )
            return tool.decide(call.arguments, replace(now, permissions=permissions))
        if not any(own.is_called(call.tool) for own in found.own.tools):
            raise RichAgentError(f"there is no tool {call.tool}", hint="`rich-agent tools` lists.")
        asker = replace(
            _ANYBODY,
            in_session=call.in_session,
            is_unattended=call.is_unattended,
            spent={call.tool: call.spent},
            planned=call.planned,
        )
        return found.own.decide(ToolCall("", call.tool, call.arguments), asker, provenance)


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


@dataclass(frozen=True, slots=True)
class _Found:
    """The tools of the product, and those of servers as they were pinned, by name."""

    own: Toolbox
    reports: Sequence[ServerReport]
    tools: Mapping[str, McpTool]
    waiting: Sequence[ToolChange]


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[_Found]:
    async with (
        open_repositories(settings) as repositories,
        open_mcp_servers(settings) as servers,
        open_features(settings, repositories) as features,
    ):
        outside = ToolUpstreams(first_engine(features.parts.search), servers)
        own = make_tools(settings, repositories, None, outside, features).own
        reports = await servers.report() if servers else ()
        tools = await _pinned(reports, repositories.tool_pins)
        waiting = await repositories.tool_pins.waiting() if servers else ()
        yield _Found(own, reports, tools, waiting)


async def _find_lines(settings: Settings) -> list[ToolLine]:
    async with _opened(settings) as found:
        own, changed = found.own, found.waiting
        changes = {public_name(one.found.server, one.found.name): one.text() for one in changed}
        of_servers = _mcp_lines(settings, own, found.reports, found.tools)
        lines = [*map(partial(_own, own), own.tools), *of_servers]
        servers = [report.server for report in found.reports]
        bounds = {one.name: one.bounds.text() for one in servers if one.bounds}
    return [
        replace(line, change=changes.get(line.name, ""), bounds=bounds.get(line.origin, ""))
        for line in lines
    ]


async def _pinned(reports: Sequence[ServerReport], pins: ToolPins) -> Mapping[str, McpTool]:
    """The tools of all servers by name, as they were when they were first seen: now, if never."""
    every = [tool for report in reports for tool in report.tools]
    servers = {report.server.name: report.server for report in reports}
    return await with_pins(tool_listing(every, servers), pins) if every else {}


def _own(own: Toolbox, tool: Tool) -> ToolLine:
    is_of_session = tool.effect == "session"
    asker = replace(_ANYBODY, in_session=is_of_session)
    policy = own.decide(ToolCall("", tool.name, {}), asker, asker.provenance()).policy
    is_denied = policy == "deny"
    note = "hidden: TOOL_POLICIES denies it" if is_denied else ""
    if is_of_session and not is_denied:
        note = "only in guided sessions"
    if own.policies.get(tool.name) == "auto" and policy == "ask":
        note = "asks, for it deletes something"
    if is_denied:
        return ToolLine(tool.name, "", _EFFECTS[tool.effect], "", note=note)
    rule = rule_in_words(tool.effect, tool.rule)
    return ToolLine(tool.name, "", _EFFECTS[tool.effect], policy, rule, note)


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
            yield ToolLine(name, report.server.name, "", "", note=f"hidden: {report.trouble}")
        for tool in tools.values():
            if tool.server == report.server:
                known.add(tool.name)
                yield _mcp_line(tool, policies.get(tool.name))
    away = {report.server.name for report in reports if report.trouble}
    for name in sorted(policies.keys() - known):
        if source_of(name) not in away:
            note = "TOOL_POLICIES names it, and there is no such tool"
            yield ToolLine(name, "", "", "", note=note)


def _mcp_line(tool: McpTool, wanted: Policy | None) -> ToolLine:
    origin, effect = tool.server.name, _EFFECTS[tool.effect]
    policy = tool.decide({}, Circumstances(operator_policy=wanted)).policy
    if tool.fault:
        return ToolLine(tool.name, origin, effect, "", note=f"hidden: {tool.fault}")
    if policy == "deny":
        return ToolLine(tool.name, origin, effect, "", note="hidden: TOOL_POLICIES denies it")
    note = ""
    if tool.is_changed:
        accept = f"rich-agent tools --accept {origin}:{tool.tool.name}"
        note = f"asks, for its server changed it, or added it; `{accept}` accepts that"
    elif wanted == "auto" and policy == "ask":
        why = "may destroy something" if tool.server.is_trusted else "comes from no trusted server"
        note = f"asks, for it {why}"
    return ToolLine(tool.name, origin, effect, policy, rule_in_words(tool.effect, tool.rule), note)
