"""All tools of a process: its own and those of servers, chosen and called as one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.permissions import Permission
from rich_agent.domain.planned_calls import still_planned
from rich_agent.domain.rules import MOST_CHANGES_AT_ONCE, Ruling, SpentToday
from rich_agent.domain.tools import (
    ASK_TOOL,
    MOST_TOOLS,
    TABLE_TOOL,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from rich_agent.domain.words import Words
from rich_agent.ports.tools import Asker
from rich_agent.tools.toolbox import Toolbox, ToolChooser

if TYPE_CHECKING:
    from rich_agent.tools.mcp.mcp_tools import McpTools

FOREIGN_PLACES = 6
"""Places in a prompt that are kept for tools of servers when there are too many of both."""
ALWAYS_OFFERED = frozenset(
    {
        *("get_tasks", "create_task", "update_task", "delete_task", "create_note"),
        *("get_recent_notes", "remind", "list_reminders", "cancel_reminder", "snooze_reminder"),
        *("list_files", "undo_last_change", "search_documents", ASK_TOOL, TABLE_TOOL),
    }
)
"""What most messages are about: an embedding model that knows their language badly leaves it in."""
MOST_IN_SMALL_SET = 40
"""Tools that are offered whole, those of servers among them: words alone choose badly among tools
that are described in another language than the message."""
MOST_FOREIGN_CHARS = 16_000
"""Of descriptions and schemas of servers in one prompt: about 4,000 tokens."""


@dataclass(frozen=True, slots=True)
class AllTools:
    """Implements `Tools`: a call goes to whom its name belongs."""

    own: Toolbox
    foreign: "McpTools | None"
    chooser: ToolChooser

    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        """See `Tools.specs`; the product's own come first."""
        own = list(await self.own.specs(asker))
        foreign = list(await self.foreign.specs(asker)) if self.foreign and asker.acts else []
        room = MOST_TOOLS - min(len(foreign), FOREIGN_PLACES)
        own = await self._fitting(own, asker, room)
        places = _most_of(len(own) + len(foreign)) - len(own)
        return [*own, *await self._fitting(foreign, asker, places)]

    async def names(self, asker: Asker) -> Sequence[str]:
        """See `Tools.names`; the product's own come first."""
        foreign = await self.foreign.specs(asker) if self.foreign else ()
        return [*await self.own.requestable_names(asker), *(tool.name for tool in foreign)]

    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """See `Tools.plannable`; the product's own come first."""
        foreign = list(await self.foreign.plannable(asker)) if self.foreign else []
        tools = [*self.own.plannable(asker), *foreign]
        return await self._fitting(tools, asker, _most_of(len(tools)))

    def words(self) -> Sequence[Words]:
        """See `Tools.words`."""
        return self.foreign.words() if self.foreign else ()

    async def _fitting(self, tools: list[ToolSpec], asker: Asker, most: int) -> list[ToolSpec]:
        """The tools that fit best, in the order in which they were given."""
        sizes = {tool.name: _size_of(tool) for tool in tools if tool.origin}
        if len(tools) <= most and sum(sizes.values()) <= MOST_FOREIGN_CHARS:
            return tools
        names: set[str] = set()
        room_chars = MOST_FOREIGN_CHARS
        ranking = await self.chooser.best_first(tools, asker.words)
        for tool in sorted(ranking, key=lambda one: one.name not in ALWAYS_OFFERED):
            size = sizes.get(tool.name, 0)
            if len(names) < most and size <= room_chars:
                names.add(tool.name)
                room_chars -= size
        return [tool for tool in tools if tool.name in names]

    async def spending(self, calls: Sequence[ToolCall], asker: Asker) -> Mapping[str, SpentToday]:
        """See `Tools.spending`."""
        spending_by_name = {
            call.name: await (self._owner_of(call) or self.own).spending(call, asker)
            for call in {call.name: call for call in calls}.values()
        }
        return {
            name: spending for name, spending in spending_by_name.items() if spending is not None
        }

    async def permissions(self, calls: Sequence[ToolCall], asker: Asker) -> tuple[Permission, ...]:
        """See `Tools.permissions`: only tools of servers have permissions."""
        if self.foreign is None or not any(map(self._owner_of, calls)):
            return ()
        return await self.foreign.permissions.of(asker.user_id)

    async def permit(
        self, call: ToolCall, asker: Asker, digest: str, constant_arguments: Sequence[str] | None
    ) -> None:
        """See `Tools.permit`."""
        if foreign := self._owner_of(call):
            await foreign.permit(call, asker, digest, constant_arguments)

    async def use(self, permission: int, asker: Asker) -> None:
        """See `Tools.use`."""
        if self.foreign:
            await self.foreign.permissions.use(permission, asker.user_id)

    def decide(self, calls: Sequence[ToolCall], asker: Asker) -> Sequence[Ruling]:
        """See `Tools.decide`.

        Several changes at once ask where one is a server's; those of the user's own things do while
        others speak, but for as many as were planned.
        """
        provenance = asker.provenance()
        several = sum(map(self._changes, calls)) > MOST_CHANGES_AT_ONCE
        rulings = []
        for call in calls:
            name_and_arguments = (call.name, call.arguments)
            is_several = several and self._changes(call)
            if foreign := self._owner_of(call):
                ruling = foreign.decide(call, asker, provenance)
                asks = is_several and ruling.policy == "auto"
                rulings.append(Ruling("ask", "several") if asks else ruling)
            else:
                ruling = self.own.decide(call, asker, provenance, is_one_of_several=is_several)
                if ruling.why == "planned":
                    asker = replace(
                        asker, planned=still_planned(asker.planned, [name_and_arguments])
                    )
                rulings.append(ruling)
            asker = replace(asker, made=(*asker.made, name_and_arguments))
        return rulings

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

    def problem_with(self, call: ToolCall) -> str:
        """See `Tools.problem_with`."""
        return (self._owner_of(call) or self.own).problem_with(call)

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


def _most_of(count: int) -> int:
    """The places in a prompt for so many tools: a small set is offered whole."""
    return count if count <= MOST_IN_SMALL_SET else MOST_TOOLS


def _size_of(tool: ToolSpec) -> int:
    return len(tool.description) + len(json.dumps(dict(tool.parameters), ensure_ascii=False))
