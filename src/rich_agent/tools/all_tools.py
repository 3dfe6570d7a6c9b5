"""All tools of a process: its own and those of sources, chosen and called as one."""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import structlog

from rich_agent.domain.approving.cards import ApprovalCard, card_of
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.permissions import KeptPermission, Permission
from rich_agent.domain.planned_calls import remaining_calls
from rich_agent.domain.rules import MOST_CHANGES_AT_ONCE, Ruling, SpentToday
from rich_agent.domain.tools import (
    MOST_TOOLS,
    ResultState,
    ToolCall,
    ToolResult,
    ToolSpec,
    source_of,
)
from rich_agent.domain.words import Words
from rich_agent.errors import DatabaseUnavailableError, LaneLostError
from rich_agent.ports.tools import (
    Asker,
    Executed,
    Permissions,
    SourceTool,
    ToolExecutions,
    ToolSource,
)
from rich_agent.tools.tool import Tool, attempt
from rich_agent.tools.toolbox import Toolbox, ToolChooser

FOREIGN_PLACES = 6
"""Places in a prompt that are kept for tools of sources when there are too many of both."""
MOST_IN_SMALL_SET = 40
"""Tools that are offered whole, those of sources among them: words alone choose badly among tools
that are described in another language than the message."""
MOST_FOREIGN_CHARS = 16_000
"""Of descriptions and schemas of sources in one prompt: about 4,000 tokens."""
_LONGEST_LISTING_S: Final = 10.0
_LONGEST_CATALOGUE_S: Final = 120.0
"""What is away is waited for then."""
_UNKNOWN_SPENDING: Final = SpentToday(calls=sys.maxsize)
"""More than any bound."""
_ANY_OBJECT: Final[Mapping[str, Any]] = {"type": "object"}
_OF_THE_CORE: Final = (DatabaseUnavailableError, LaneLostError)
"""Errors after which a turn is tried again."""
_NO_SPECS: Final[Sequence[ToolSpec]] = ()
T = TypeVar("T")
_log = structlog.get_logger()


def is_always_offered(tool: ToolSpec) -> bool:
    """Whether it keeps its place where there are too many; files of the turn are to be read.

    An embedding model that knows a language badly would leave out what most messages are about.
    """
    return tool.reads_files or tool.is_always_offered


@dataclass(frozen=True, slots=True)
class AllTools:
    """Implements `Tools`: a call goes to the toolbox or source that has the tool of this name.

    `permissions_given` holds the permissions that users gave for calls to sources.
    """

    own: Toolbox
    sources: Sequence[ToolSource]
    chooser: ToolChooser
    permissions_given: Permissions | None = None

    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        """See `Tools.specs`; the product's own come first."""
        own_specs = list(await self.own.specs(asker))
        source_specs = await self._of_sources(asker) if asker.acts else []
        own_room = MOST_TOOLS - min(len(source_specs), FOREIGN_PLACES)
        own_specs = await self._fitting(own_specs, asker, own_room)
        source_room = _most_of(len(own_specs) + len(source_specs)) - len(own_specs)
        return [*own_specs, *await self._fitting(source_specs, asker, source_room)]

    async def names(self, asker: Asker) -> Sequence[str]:
        """See `Tools.names`; the product's own come first."""
        source_specs = await self._of_sources(asker)
        return [*await self.own.requestable_names(asker), *(spec.name for spec in source_specs)]

    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """See `Tools.plannable`; the product's own come first."""
        specs_by_source = [await _plannable(source, asker) for source in self.sources]
        tools = [*self.own.plannable(asker), *(spec for specs in specs_by_source for spec in specs)]
        return await self._fitting(tools, asker, _most_of(len(tools)))

    def words(self) -> Sequence[Words]:
        """See `Tools.words`."""
        return [words for one in self.sources for words in _words_of(one)]

    async def _of_sources(self, asker: Asker) -> list[ToolSpec]:
        listings = [await _specs_of(one, asker) for one in self.sources]
        specs = [spec for listing in listings for spec in listing]
        return [spec for spec in specs if self.own.policies.get(spec.name) != "deny"]

    async def _fitting(self, tools: list[ToolSpec], asker: Asker, most: int) -> list[ToolSpec]:
        """The tools that fit best, in the order in which they were given."""
        chars_by_name = {tool.name: _size_of(tool) for tool in tools if tool.origin}
        if len(tools) <= most and sum(chars_by_name.values()) <= MOST_FOREIGN_CHARS:
            return tools
        fitting_names: set[str] = set()
        room_chars = MOST_FOREIGN_CHARS
        ranking = await self.chooser.best_first(tools, asker.words)
        for tool in sorted(ranking, key=lambda tool_spec: not is_always_offered(tool_spec)):
            tool_chars = chars_by_name.get(tool.name, 0)
            if len(fitting_names) < most and tool_chars <= room_chars:
                fitting_names.add(tool.name)
                room_chars -= tool_chars
        return [tool for tool in tools if tool.name in fitting_names]

    async def spending(self, calls: Sequence[ToolCall], asker: Asker) -> Mapping[str, SpentToday]:
        """See `Tools.spending`."""
        spending_by_name = {
            call.name: await self._spending(call, asker)
            for call in {call.name: call for call in calls}.values()
        }
        return {
            name: spending for name, spending in spending_by_name.items() if spending is not None
        }

    async def _spending(self, call: ToolCall, asker: Asker) -> SpentToday | None:
        source = self._owner_of(call)
        if source is None:
            return await self.own.spending(call, asker)
        try:
            summed_arguments = source.summed_arguments(call.name)
            if summed_arguments is None:
                return None
            return await self.own.executions.use_today(
                asker.user_id, [call.name], list(summed_arguments)
            )
        except _OF_THE_CORE:
            raise
        except Exception:  # noqa: BLE001 - a feature's source ends its own part
            return _note_break(source, _UNKNOWN_SPENDING)

    async def permissions(self, calls: Sequence[ToolCall], asker: Asker) -> tuple[Permission, ...]:
        """See `Tools.permissions`: only tools of sources have permissions."""
        if self.permissions_given is None or not any(map(self._owner_of, calls)):
            return ()
        return await self.permissions_given.of(asker.user_id)

    async def permit(
        self, call: ToolCall, asker: Asker, digest: str, constant_arguments: Sequence[str] | None
    ) -> None:
        """See `Tools.permit`."""
        source = self._owner_of(call)
        if source is None or self.permissions_given is None:
            return
        permission = _answer(
            source, lambda: source.permission(call, asker, digest, constant_arguments), None
        )
        if permission is not None:
            await self.permissions_given.give(permission)

    async def use(self, permission: int, asker: Asker) -> None:
        """See `Tools.use`."""
        if self.permissions_given:
            await self.permissions_given.use(permission, asker.user_id)

    async def with_current(self, permissions: Sequence[KeptPermission]) -> Sequence[KeptPermission]:
        """See `Tools.with_current`; a tool that no source knows counts as unchanged."""
        digests: dict[tuple[str, str], str] = {}
        tools = {(one.server, one.tool) for one in permissions}
        for source in self.sources if tools else ():
            digests |= await _digests(source, tools)
        return [
            replace(one, is_current=digests.get((one.server, one.tool), one.digest) == one.digest)
            for one in permissions
        ]

    def decide(self, calls: Sequence[ToolCall], asker: Asker) -> Sequence[Ruling]:
        """See `Tools.decide`.

        Several changes at once ask where one is a source's; those of the user's own things do while
        others speak, but for as many as were planned.
        """
        provenance = asker.provenance()
        several = sum(map(self._changes, calls)) > MOST_CHANGES_AT_ONCE
        rulings = []
        for call in calls:
            name_and_arguments = (call.name, call.arguments)
            is_several = several and self._changes(call)
            if source := self._owner_of(call):
                ruling = _ruling(source, call, asker, provenance)
                if self.own.policies.get(call.name) == "deny":
                    ruling = Ruling("deny", "operator")
                asks = is_several and ruling.policy == "auto"
                rulings.append(Ruling("ask", "several") if asks else ruling)
            else:
                ruling = self.own.decide(call, asker, provenance, is_one_of_several=is_several)
                if ruling.why == "planned":
                    asker = replace(
                        asker, planned=remaining_calls(asker.planned, [name_and_arguments])
                    )
                rulings.append(ruling)
            asker = replace(asker, made=(*asker.made, name_and_arguments))
        return rulings

    def _changes(self, call: ToolCall) -> bool:
        source = self._owner_of(call)
        return not _only_reads(source, call.name) if source else self.own.changes(call.name)

    def only_read(self, names: Sequence[str]) -> bool:
        """See `Tools.only_read`."""
        source_by_name = {name: self._source_of(name) for name in names}
        return all(
            _only_reads(source, name) if source else self.own.only_read([name])
            for name, source in source_by_name.items()
        )

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """See `Tools.parameters_of`."""
        if source := self._source_of(name):
            return _answer(source, lambda: source.parameters_of(name), _ANY_OBJECT)
        return self.own.parameters_of(name)

    def problem_with(self, call: ToolCall) -> str:
        """See `Tools.problem_with`."""
        if source := self._owner_of(call):
            return _answer(source, lambda: source.problem_with(call), call.problem)
        return self.own.problem_with(call)

    async def card(self, call: ToolCall, asker: Asker) -> ApprovalCard:
        """See `Tools.card`."""
        if source := self._owner_of(call):
            return _answer(source, lambda: source.card(call), card_of(call))
        return await self.own.card(call, asker)

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """See `Tools.run`."""
        source = self._owner_of(call)
        if source is None:
            return await self.own.run(call, asker)
        began = time.monotonic()
        state = await attempt(call, self._run_once(source, call, asker), acts=False)
        # Whatever form it has, also that of an error: somebody else wrote it.
        state["words"] = state.get("words") or [
            Words("", "server", source_of(call.name)).to_state()
        ]
        await self.own.executions.record(asker, call, state, time.monotonic() - began)
        return ToolResult.from_state(state)

    async def _run_once(self, source: ToolSource, call: ToolCall, asker: Asker) -> ResultState:
        """The result of a call that acts, made once, also if a crash interrupts it."""
        if not source.only_reads(call.name):
            await _specs_of(source, asker)  # as after a start
        if source.only_reads(call.name):
            return await _state_of(source.run(call, asker))
        executions = self.own.executions
        stored_result = await executions.begin(asker, call)
        if stored_result is not None and not (
            stored_result["status"] == "unknown" and source.may_repeat(call.name)
        ):
            return stored_result
        result = await attempt(call, _state_of(source.run(call, asker)), acts=True)
        await executions.end(asker, call, Executed(result))
        return result

    async def undo(self, user_id: int, request_id: str, locale: str) -> Sequence[str]:
        """See `Tools.undo`; what a source did cannot be taken back."""
        return await self.own.undo(user_id, request_id, locale)

    async def catalogue(self) -> Sequence[SourceTool]:
        """All tools of the sources as operators see them, those that broke left out."""
        return [tool for one in self.sources for tool in await _catalogue(one)]

    async def accept(self, origin: str, tool: str) -> Sequence[str]:
        """Accept what an origin says of its tools now, or of one of them; "" for all.

        A source that breaks accepts nothing. A text for each tool tells what changed.
        """
        return [text for one in self.sources for text in await _accept(one, origin, tool)]

    def _owner_of(self, call: ToolCall) -> ToolSource | None:
        """The source whose tool is called, None if it is one of the product's own."""
        return self._source_of(call.name)

    def _source_of(self, name: str) -> ToolSource | None:
        # No source has a name that looks like one of the product's own.
        if not source_of(name):
            return None
        return next((one for one in self.sources if _has(one, name)), None)


def make_button_tools(tools: Sequence[Tool], executions: ToolExecutions) -> AllTools:
    """Make the tools that buttons call; their actions are recorded and can be taken back.

    No call of a button asks, because the operator's policies are for the models' calls.
    """
    return AllTools(Toolbox(tools, executions), (), ToolChooser(None))


async def _state_of(run: Awaitable[ToolResult]) -> ResultState:
    return (await run).to_state()


async def _specs_of(source: ToolSource, asker: Asker) -> list[ToolSpec]:
    """The tools that a source offers under names that it may use."""
    specs = await _answer_or(source, lambda: source.specs(asker), _NO_SPECS)
    return [spec for spec in specs if source_of(spec.name)]


async def _plannable(source: ToolSource, asker: Asker) -> list[ToolSpec]:
    specs = await _answer_or(source, lambda: source.plannable(asker), _NO_SPECS)
    return [spec for spec in specs if source_of(spec.name)]


async def _digests(
    source: ToolSource, tools: Collection[tuple[str, str]]
) -> Mapping[tuple[str, str], str]:
    return await _answer_or(source, lambda: source.digests(tools), {})


async def _catalogue(source: ToolSource) -> Sequence[SourceTool]:
    return await _answer_or(source, source.catalogue, (), _LONGEST_CATALOGUE_S)


async def _accept(source: ToolSource, origin: str, tool: str) -> Sequence[str]:
    return await _answer_or(source, lambda: source.accept(origin, tool), ())


async def _answer_or(
    source: ToolSource,
    answer: Callable[[], Awaitable[T]],
    otherwise: T,
    longest_s: float = _LONGEST_LISTING_S,
) -> T:
    """The answer of a source, or something else if it breaks or is slow.

    Raises: DatabaseUnavailableError, LaneLostError.
    """
    try:
        async with asyncio.timeout(longest_s):
            return await answer()
    except _OF_THE_CORE:
        raise
    except Exception:  # noqa: BLE001 - a feature's source ends its own part
        return _note_break(source, otherwise)


def _answer(source: ToolSource, answer: Callable[[], T], otherwise: T) -> T:
    """The answer of a source that gives it at once, or something else if it breaks.

    Raises: DatabaseUnavailableError, LaneLostError.
    """
    try:
        return answer()
    except _OF_THE_CORE:
        raise
    except Exception:  # noqa: BLE001 - a feature's source ends its own part
        return _note_break(source, otherwise)


def _note_break(source: ToolSource, otherwise: T) -> T:
    _log.exception("tool_source.broke", source=type(source).__name__)
    return otherwise


def _only_reads(source: ToolSource, name: str) -> bool:
    return _answer(source, lambda: source.only_reads(name), otherwise=False)


def _has(source: ToolSource, name: str) -> bool:
    return _answer(source, lambda: source.has(name), otherwise=False)


def _ruling(
    source: ToolSource, call: ToolCall, asker: Asker, provenance: PromptProvenance
) -> Ruling:
    return _answer(source, lambda: source.decide(call, asker, provenance), Ruling("deny"))


def _words_of(source: ToolSource) -> Sequence[Words]:
    """The untrusted words in the descriptions of a source's tools; unknown if the source breaks."""
    unknown = [Words("", "server", type(source).__name__)]
    return _answer(source, lambda: list(source.words()), unknown)


def _most_of(count: int) -> int:
    """The places in a prompt for so many tools: a small set is offered whole."""
    return count if count <= MOST_IN_SMALL_SET else MOST_TOOLS


def _size_of(tool: ToolSpec) -> int:
    return len(tool.description) + len(json.dumps(dict(tool.parameters), ensure_ascii=False))
