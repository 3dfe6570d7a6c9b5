"""All tools of a process: the product's own and those of servers, as many as a prompt may hold."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.tools import (
    ASK_TOOL,
    MOST_TOOLS,
    TABLE_TOOL,
    Policy,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from rich_agent.domain.words import Words
from rich_agent.ports.tools import Asker
from rich_agent.tools.fitting import ToolChooser
from rich_agent.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from rich_agent.tools.mcp.mcp_tools import McpTools

FOREIGN_PLACES = 6
"""Places in a prompt that are kept for tools of servers when there are too many of both."""
ALWAYS_OFFERED = frozenset(
    {"get_tasks", "create_task", "update_task", "remind", "list_reminders", ASK_TOOL, TABLE_TOOL}
)
"""What most messages are about: an embedding model that knows their language badly leaves it in."""
MOST_FOREIGN_CHARS = 16_000
"""Of descriptions and schemas of servers in one prompt: about 4,000 tokens."""


@dataclass(frozen=True, slots=True)
class AllTools:
    """Implements `Tools`: a call goes to whom its name belongs."""

    own: Toolbox
    foreign: "McpTools | None"
    chooser: ToolChooser

    async def offered(self, asker: Asker) -> Sequence[ToolSpec]:
        """See `Tools.offered`; the product's own come first."""
        own = list(await self.own.offered(asker))
        foreign = list(await self.foreign.offered(asker)) if self.foreign and asker.acts else []
        room = MOST_TOOLS - min(len(foreign), FOREIGN_PLACES)
        own = await self._fitting(own, asker, room)
        return [*own, *await self._fitting(foreign, asker, MOST_TOOLS - len(own))]

    async def names(self, asker: Asker) -> Sequence[str]:
        """See `Tools.names`; the product's own come first."""
        foreign = await self.foreign.offered(asker) if self.foreign else ()
        return [*await self.own.allowed_names(asker), *(tool.name for tool in foreign)]

    def words(self) -> Sequence[Words]:
        """See `Tools.words`."""
        return self.foreign.words() if self.foreign else ()

    async def _fitting(self, tools: list[ToolSpec], asker: Asker, most: int) -> list[ToolSpec]:
        """The tools that fit best, in the order in which they were given."""
        sizes = {tool.name: _size_of(tool) for tool in tools if tool.origin}
        if len(tools) <= most and sum(sizes.values()) <= MOST_FOREIGN_CHARS:
            return tools
        chosen: set[str] = set()
        left = MOST_FOREIGN_CHARS
        ranked = await self.chooser.best_first(tools, asker.words)
        for tool in sorted(ranked, key=lambda one: one.name not in ALWAYS_OFFERED):
            size = sizes.get(tool.name, 0)
            if len(chosen) < most and size <= left:
                chosen.add(tool.name)
                left -= size
        return [tool for tool in tools if tool.name in chosen]

    def policies_of(self, calls: Sequence[ToolCall], asker: Asker) -> Sequence[Policy]:
        """See `Tools.policies_of`; several changes at once ask, wherever they are made."""
        if sum(map(self._changes, calls)) > 1:
            # They ask whoever said their words, so the prompt is not searched for each of them.
            asker = replace(asker, said="")
        policies = [(self._owner_of(call) or self.own).policy_of(call, asker) for call in calls]
        changes = [
            policy == "auto" and self._changes(call)
            for call, policy in zip(calls, policies, strict=True)
        ]
        is_one = sum(changes) < 2
        return [
            policy if is_one or not change else "ask"
            for change, policy in zip(changes, policies, strict=True)
        ]

    def _changes(self, call: ToolCall) -> bool:
        foreign = self._owner_of(call)
        return not foreign.only_reads(call.name) if foreign else self.own.changes(call.name)

    def only_read(self, names: Sequence[str]) -> bool:
        """See `Tools.only_read`."""
        return all(
            self.foreign.only_reads(name)
            if self.foreign and self.foreign.has(name)
            else self.own.only_read([name])
            for name in names
        )

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """See `Tools.parameters_of`."""
        foreign = self.foreign if self.foreign and self.foreign.has(name) else None
        return (foreign or self.own).parameters_of(name)

    async def card(self, call: ToolCall, asker: Asker) -> ApprovalCard:
        """See `Tools.card`."""
        if foreign := self._owner_of(call):
            return foreign.card(call)
        return await self.own.card(call, asker)

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """See `Tools.run`."""
        return await (self._owner_of(call) or self.own).run(call, asker)

    async def undo(self, user_id: int, request_id: str, locale: str) -> Sequence[str]:
        """See `Tools.undo`; what a server did cannot be taken back."""
        return await self.own.undo(user_id, request_id, locale)

    def _owner_of(self, call: ToolCall) -> "McpTools | None":
        """The tools of servers if the call is for one of them, None if it is for our own."""
        return self.foreign if self.foreign and self.foreign.has(call.name) else None


def _size_of(tool: ToolSpec) -> int:
    return len(tool.description) + len(json.dumps(dict(tool.parameters), ensure_ascii=False))
