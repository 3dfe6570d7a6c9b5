"""A tool of a server as the product offers it: its name, what it may do, and why it is hidden."""

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
    """`fault` is why it is hidden, "" if it is not. The hints of a trusted server alone count.

    `tool` is as it was pinned; one that `is_changed` asks until an admin accepts what it is now.
    """

    name: str
    tool: ServerTool
    server: McpServer
    fault: str = ""
    is_changed: bool = False

    @property
    def is_trusted(self) -> bool:
        """Whether what is said of the tool is believed."""
        return self.server.is_trusted and not self.is_changed

    @property
    def only_reads(self) -> bool:
        """Whether a call changes nothing, so that it may be made without asking."""
        return self.is_trusted and self.tool.is_read_only

    @property
    def may_repeat(self) -> bool:
        """Whether a call does no more when it is made twice."""
        return self.only_reads or (self.is_trusted and self.tool.is_idempotent)

    @property
    def effect(self) -> Effect:
        """The effect of the tool, as far as that is known."""
        return "read" if self.only_reads else "foreign"

    @property
    def title(self) -> str:
        """The title that users are shown: the server, and how it calls the tool."""
        return f"{self.server.name}: {self.tool.title or self.tool.name}"

    @property
    def words(self) -> Words:
        """The words that its server says of it."""
        return Words(f"{self.tool.title}\n{self.tool.description}", "server", self.server.name)

    @property
    def may_be_auto(self) -> bool:
        """Whether the operator can have it run at once: a trusted server says it destroys nothing.

        That counts for what only reads, too.
        """
        return self.only_reads or (self.is_trusted and not self.tool.is_destructive)

    @property
    def may_be_planned(self) -> bool:
        """Whether a plan of the user's words alone can have it run at once."""
        return self.may_be_auto and EFFECTS[self.effect].may_be_planned

    @property
    def rule(self) -> Rule:
        """The rule of the tool: the operator's, else that everything has to be given, and is sent.

        A tool that is not trusted has no other.
        """
        own = self.server.rules.get(self.tool.name) if self.is_trusted else None
        return replace(own or Rule(user_provided=EVERY, sends=EVERY), to=self.server.name)

    @property
    def digest(self) -> str:
        """The fingerprint to which permissions are bound, "" until a change is accepted."""
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
        """The tool as a model sees it; what its server says of it is quoted."""
        quotation = shorten(self.tool.description or self.tool.title, _DESCRIPTION_CHARS)
        about = f"A tool of the server {self.server.name}."
        description = f"{about} The server describes it so: “{quotation}”" if quotation else about
        parameters = {"type": "object", "properties": {}, **self.tool.parameters}
        return ToolSpec(
            self.name, description, parameters, self.effect, origin=self.server.name, asks=asks
        )


def tool_listing(
    tools: Iterable[ServerTool], servers: Mapping[str, McpServer]
) -> Mapping[str, McpTool]:
    """The tools as they are now, by the names that a model calls them by, hidden ones too."""
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
    """The tools as they were pinned; what their servers say otherwise since waits to be accepted.

    Raises: DatabaseUnavailableError.
    """
    sane = {name: one for name, one in tools.items() if one.fault in {"", _NOT_ALLOWED}}
    pin_by_tool = await pins.see([one.tool for one in sane.values()])
    drifts: dict[str, McpTool] = {}
    for name, one in sane.items():
        pin = pin_by_tool.get((one.server.name, one.tool.name))
        if pin is None or pin.digest != one.tool.digest:
            before = (pin and pin.tool) or one.tool
            drifts[name] = replace(one, tool=before, is_changed=True)
    await pins.note([tools[name].tool for name in drifts])
    return {**tools, **drifts}
