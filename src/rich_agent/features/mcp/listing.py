"""A tool of a server as the product offers it: its name, its permissions, and why it is hidden."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rich_agent.feature.json_schema import fault_of
from rich_agent.feature.text import shorten
from rich_agent.feature.tool_sources import (
    EFFECTS,
    EVERY,
    Circumstances,
    Effect,
    Rule,
    Ruling,
    ToolSpec,
    Words,
    decide,
    public_name,
    with_schema,
)
from rich_agent.features.mcp.definitions import McpServer, ServerTool
from rich_agent.features.mcp.ports import ToolPins

_DESCRIPTION_CHARS = 600
_NOT_ALLOWED = "not among the tools of its server"


@dataclass(frozen=True, slots=True)
class McpTool:
    """A tool of a server as the product offers it. Only the hints of trusted servers count.

    `tool`: the tool in its pinned form.
    `fault`: why the tool is hidden, "" if it is not.
    `is_changed`: whether its server describes it differently now. Its calls then ask first, until
    an admin accepts the change.
    """

    name: str
    tool: ServerTool
    server: McpServer
    fault: str = ""
    is_changed: bool = False

    @property
    def is_trusted(self) -> bool:
        """Whether the server's description of the tool is believed."""
        return self.server.is_trusted and not self.is_changed

    @property
    def only_reads(self) -> bool:
        """Whether a call changes nothing, so that the call may be made without asking."""
        return self.is_trusted and self.tool.is_read_only

    @property
    def may_repeat(self) -> bool:
        """Whether a second call has no further effect."""
        return self.only_reads or (self.is_trusted and self.tool.is_idempotent)

    @property
    def effect(self) -> Effect:
        """The effect of the tool, if it is known."""
        return "read" if self.only_reads else "foreign"

    @property
    def title(self) -> str:
        """The title for users: the name of the server, and its title for the tool."""
        return f"{self.server.name}: {self.tool.title or self.tool.name}"

    @property
    def words(self) -> Words:
        """The server's words about the tool."""
        return Words(f"{self.tool.title}\n{self.tool.description}", "server", self.server.name)

    @property
    def may_be_auto(self) -> bool:
        """Whether the operator may let it run at once, because it destroys nothing.

        Only a trusted server is believed to say so. Tools that only read may run at once, too.
        """
        return self.only_reads or (self.is_trusted and not self.tool.is_destructive)

    @property
    def may_be_planned(self) -> bool:
        """Whether a plan made of the user's words alone may let it run at once."""
        return self.may_be_auto and EFFECTS[self.effect].may_be_planned

    @property
    def rule(self) -> Rule:
        """The rule of the tool: the operator's, or a strict default.

        By default, the user has to provide all arguments, and all are sent. An untrusted tool
        always has the default.
        """
        operator_rule = self.server.rules.get(self.tool.name) if self.is_trusted else None
        return replace(operator_rule or Rule(user_provided=EVERY, sends=EVERY), to=self.server.name)

    @property
    def digest(self) -> str:
        """The fingerprint to which permissions are bound, "" while a change waits."""
        return "" if self.is_changed else self.tool.digest

    def decide(self, arguments: Mapping[str, Any], now: Circumstances) -> Ruling:
        """The decision on a call with these arguments."""
        now = replace(now, may_be_auto=self.may_be_auto, digest=self.digest)
        # Tools are listed in every turn, and few are called.
        rule = self.rule
        if arguments:
            rule = with_schema(rule, self.words.text, self.tool.parameters)
        return decide(self.effect, rule, arguments, now)

    def spec(self, *, asks: bool) -> ToolSpec:
        """The tool as a model sees it. The server's description is quoted."""
        quotation = shorten(self.tool.description or self.tool.title, _DESCRIPTION_CHARS)
        origin_note = f"A tool of the server {self.server.name}."
        description = (
            f"{origin_note} The server describes it so: “{quotation}”" if quotation else origin_note
        )
        parameters = {"type": "object", "properties": {}, **self.tool.parameters}
        return ToolSpec(
            self.name, description, parameters, self.effect, origin=self.server.name, asks=asks
        )


def tool_listing(
    tools: Iterable[ServerTool], servers: Mapping[str, McpServer]
) -> Mapping[str, McpTool]:
    """The present tools with the names by which a model calls them, including hidden tools."""
    tools_by_name: dict[str, McpTool] = {}
    for tool in tools:
        name, server = public_name(tool.server, tool.name), servers[tool.server]
        fault = "it has no name" if not tool.name else fault_of(tool.parameters)
        if name in tools_by_name:
            name, fault = f"{name} (again)", "another tool of the server has the same name"
        elif not server.allows(tool.name):
            fault = fault or _NOT_ALLOWED
        tools_by_name[name] = McpTool(name, tool, server, fault)
    return tools_by_name


async def with_pins(tools: Mapping[str, McpTool], pins: ToolPins) -> Mapping[str, McpTool]:
    """The tools in their pinned form. Descriptions that differ now wait to be accepted.

    Raises: DatabaseUnavailableError.
    """
    usable_tools = {name: tool for name, tool in tools.items() if tool.fault in {"", _NOT_ALLOWED}}
    pins_by_tool = await pins.see([tool.tool for tool in usable_tools.values()])
    changed_tools: dict[str, McpTool] = {}
    for name, tool in usable_tools.items():
        pin = pins_by_tool.get((tool.server.name, tool.tool.name))
        if pin is None or pin.digest != tool.tool.digest:
            pinned_form = (pin and pin.tool) or tool.tool
            changed_tools[name] = replace(tool, tool=pinned_form, is_changed=True)
    await pins.note([tools[name].tool for name in changed_tools])
    return {**tools, **changed_tools}
