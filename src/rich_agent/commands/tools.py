"""`rich-agent tools`: every tool that a model may be offered, which ask first, which are hidden."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace

from rich_agent.commands.tool_rules import (
    SupposedCall,
    explanation,
    rule_in_words,
    supposed_call,
)
from rich_agent.composition.features import open_features
from rich_agent.composition.live_settings import load_live_settings
from rich_agent.composition.repositories import open_repositories
from rich_agent.composition.tools import (
    ToolUpstreams,
    make_tools,
    make_web_search,
)
from rich_agent.domain.permissions import Permission
from rich_agent.domain.rules import Ruling
from rich_agent.domain.tools import Effect, Policy, ToolCall, source_of
from rich_agent.errors import RichAgentError
from rich_agent.ports.tools import Asker, SourceTool
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import out, show_table, working
from rich_agent.tools.all_tools import AllTools
from rich_agent.tools.tool import Tool

_EFFECTS: Mapping[Effect, str] = {
    "read": "reads",
    "change": "changes",
    "delete": "deletes",
    "foreign": "acts elsewhere",
    "session": "belongs to a guided session",
}
_DENIED = "hidden: TOOL_POLICIES denies it"
_ANYBODY = Asker(0, "", "", files=(0,))


@dataclass(frozen=True, slots=True)
class ToolLine:
    """A tool, or a server without any; `note` says why it is hidden, or its policy is not another.

    `origin` is who runs it, "" for the product. `policy` is "" for what is hidden. `rule` says on
    what else it depends. `change` and `bounds` are as in `SourceTool`.
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
        """Its origin, and whether that is confined."""
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


def explain_call(text: str) -> None:
    """Print the ruling on a call that is written as JSON, and its reason.

    Raises: RichAgentError, SettingsError, DatabaseUnavailableError, SchemaError.
    """
    settings, call = Settings.load(), supposed_call(text)
    configure_logging(settings.logs.format, "error", settings.secrets)
    for line in explanation(call, asyncio.run(_rule_on(call, settings))):
        out(line)


async def _rule_on(call: SupposedCall, settings: Settings) -> Ruling:
    async with _open_tools(settings) as tools:
        entry_by_name = {one.name: one for one in await tools.catalogue()}
        entry = entry_by_name.get(call.tool)
        if entry is None and not any(own.is_called(call.tool) for own in tools.own.tools):
            raise RichAgentError(f"there is no tool {call.tool}", hint="`rich-agent tools` lists.")
        digest = entry.digest if entry else ""
        asker = replace(
            _ANYBODY,
            said=call.said,
            others=call.others,
            in_session=call.in_session,
            is_unattended=call.is_unattended,
            spent={call.tool: call.calls_today},
            permitted=tuple(Permission(0, digest, one) for one in call.permitted),
            planned=call.calls_of_plan,
        )
        (ruling,) = tools.decide([ToolCall("", call.tool, call.arguments)], asker)
        return ruling


def accept_changes(address: str) -> None:
    """Accept and print the waiting changes of a server, or of one of its tools.

    Raises: RichAgentError if nothing waits, SettingsError, DatabaseUnavailableError, SchemaError.
    """
    origin, _, tool = address.partition(":")
    changes = asyncio.run(_accept(Settings.load(), origin, tool))
    if not changes:
        raise RichAgentError(
            f"nothing of {address} waits to be accepted",
            hint="`rich-agent tools` shows what changed, below the list.",
        )
    for change in changes:
        out(change)
    out("Accepted.")


async def _accept(settings: Settings, origin: str, tool: str) -> Sequence[str]:
    async with _open_tools(settings) as tools:
        return await tools.accept(origin, tool)


@asynccontextmanager
async def _open_tools(settings: Settings) -> AsyncIterator[AllTools]:
    async with open_repositories(settings) as repositories:
        live = await load_live_settings(settings, repositories.setting_changes)
        async with open_features(live, repositories) as features:
            outside = ToolUpstreams(make_web_search(live.now, features))
            yield make_tools(live, repositories, None, outside, features)


async def _find_lines(settings: Settings) -> list[ToolLine]:
    async with _open_tools(settings) as tools:
        entries = await tools.catalogue()
        return [
            *(_own_line(tools, tool) for tool in tools.own.tools),
            *(_line_of(tools, entry) for entry in entries),
            *_lines_of_unknown(tools, entries),
        ]


def _own_line(tools: AllTools, tool: Tool) -> ToolLine:
    is_of_session = tool.effect == "session"
    policy = _policy_of(tools, tool.name, replace(_ANYBODY, in_session=is_of_session))
    is_denied = policy == "deny"
    note = _DENIED if is_denied else ""
    if is_of_session and not is_denied:
        note = "only in guided sessions"
    if tools.own.policies.get(tool.name) == "auto" and policy == "ask":
        note = "asks, for it deletes something"
    if is_denied:
        return ToolLine(tool.name, "", _EFFECTS[tool.effect], "", note=note)
    rule = rule_in_words(tool.effect, tool.rule)
    return ToolLine(tool.name, "", _EFFECTS[tool.effect], policy, rule, note)


def _line_of(tools: AllTools, entry: SourceTool) -> ToolLine:
    effect = _EFFECTS[entry.effect] if entry.effect else ""
    line = ToolLine(entry.name, entry.origin, effect, "", change=entry.change, bounds=entry.bounds)
    if entry.fault or entry.effect is None:
        return replace(line, note=f"hidden: {entry.fault}")
    policy = _policy_of(tools, entry.name, _ANYBODY)
    if policy == "deny":
        return replace(line, note=_DENIED)
    rule = rule_in_words(entry.effect, entry.rule)
    return replace(line, policy=policy, rule=rule, note=entry.note)


def _policy_of(tools: AllTools, name: str, asker: Asker) -> Policy:
    (ruling,) = tools.decide([ToolCall("", name, {})], asker)
    return ruling.policy


def _lines_of_unknown(tools: AllTools, entries: Sequence[SourceTool]) -> Iterator[ToolLine]:
    """Lines for names in TOOL_POLICIES that no tool has; one that is away may have them."""
    tool_names = {*(one.name for one in tools.own.tools), *(one.name for one in entries)}
    away = {one.origin for one in entries if one.effect is None}
    for name in sorted(tools.own.policies.keys() - tool_names):
        if source_of(name) not in away:
            yield ToolLine(
                name, "", "", "", note="TOOL_POLICIES names it, and there is no such tool"
            )
