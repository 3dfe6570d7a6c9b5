"""The tools of all servers: their list, decisions whether a call asks first, and single calls."""

import json
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from typing_extensions import override

from rich_agent.feature.errors import DailyLimitError
from rich_agent.feature.json_schema import problems_with, undescribed_arguments
from rich_agent.feature.models import Call, charge
from rich_agent.feature.tool_sources import (
    MOST_RESULT_CHARS,
    ApprovalCard,
    Asker,
    Circumstances,
    NewPermission,
    Passage,
    Policy,
    PromptProvenance,
    ResultState,
    Ruling,
    SourceTool,
    SpentToday,
    ToolCall,
    ToolRefusedError,
    ToolResult,
    ToolSource,
    ToolSpec,
    Wording,
    Words,
    card_of,
    failure_result,
    is_bounded,
    source_of,
    wrong_arguments,
)
from rich_agent.features.mcp.catalogue import catalogue_of
from rich_agent.features.mcp.definitions import ServerTool
from rich_agent.features.mcp.listing import McpTool, tool_listing, with_pins
from rich_agent.features.mcp.ports import (
    McpServers,
    ServerAnswer,
    ServerText,
    ToolPins,
    ToolsChangedError,
)


def result_of(call: ToolCall, answer: ServerAnswer, tool: McpTool) -> ResultState:
    """The result of a call.

    Texts become passages; data is shown unchanged; other parts are only named. Data of a call that
    may have changed something becomes a passage, too, because it may be the whole answer.
    """
    if answer.is_error:
        error_text = " ".join(text.text for text in answer.texts) or _as_json(answer.data)
        return failure_result(call, error_text or "The tool says that it failed, and not why.")
    passages = tuple(_passages(call, answer, tool))
    content: dict[str, object] = {"result": answer.data} if answer.data is not None else {}
    if answer.attachments:
        content["attachments_that_you_cannot_see"] = list(answer.attachments)
    if not passages and not content:
        content = {"result": "done, without a word"}
    notice = "" if tool.only_reads else tool.title
    return ToolResult(
        call.id, "success", _as_json(content)[:MOST_RESULT_CHARS], passages, notice
    ).to_state()


def _passages(call: ToolCall, answer: ServerAnswer, tool: McpTool) -> Iterator[Passage]:
    """A passage for each text, up to a total length, and a last one that names attachments."""
    texts = [text for text in answer.texts if text.text.strip()]
    if answer.data is not None and not tool.only_reads:
        texts = [ServerText(_as_json(answer.data)), *texts]
    remaining_chars = MOST_RESULT_CHARS
    for position, text in enumerate(texts, start=1):
        if remaining_chars > 0:
            title = text.title or tool.title
            yield Passage(
                f"tool:{call.id}:{position}",
                "tool",
                text.text[:remaining_chars],
                text.url,
                title,
                link=text.url,
            )
        remaining_chars -= len(text.text)
    if texts and answer.attachments:
        attachment_list = "Attached, and not shown here: " + "; ".join(answer.attachments)
        yield Passage(
            f"tool:{call.id}:attached", "tool", attachment_list[:MOST_RESULT_CHARS], "", tool.title
        )


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if value is not None else ""


OnChange = Callable[[ToolsChangedError], Awaitable[bool]]


@dataclass(slots=True)
class McpTools(ToolSource):
    """The tools of the servers, as they were last listed.

    `policies`: the operator's policies, by the name of the tool.
    `on_change`: called with the changed tools of a server, until it returns True because the admins
    were told.
    """

    servers: McpServers
    pins: ToolPins
    on_change: OnChange
    policies: Mapping[str, Policy] = field(default_factory=dict)
    _server_tools: Sequence[ServerTool] = ()
    _tools: Mapping[str, McpTool] = field(default_factory=dict)

    @override
    def has(self, name: str) -> bool:
        return source_of(name) in self.servers.servers

    async def every(self) -> Sequence[McpTool]:
        """The tools of the connected servers, including hidden tools."""
        tools = await self.servers.tools()
        has_changes = any(tool.is_changed for tool in self._tools.values())
        if tools != self._server_tools or has_changes:
            listed_tools = tool_listing(tools, self.servers.servers)
            self._tools, self._server_tools = await with_pins(listed_tools, self.pins), tools
            await self._alert()
        return list(self._tools.values())

    async def _alert(self) -> None:
        servers = {tool.server.name for tool in self._tools.values() if tool.is_changed}
        changes = await self.pins.to_alert(sorted(servers)) if servers else ()
        for server_name, server_changes in groupby(changes, lambda change: change.current.server):
            error = ToolsChangedError(server_name, list(server_changes))
            if await self.on_change(error):
                await self.pins.note_alerts(error.changes)

    @override
    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        allowed_tools = [
            listed_tool
            for listed_tool in await self.every()
            if not asker.allowed or listed_tool.name in asker.allowed
        ]
        provenance = asker.provenance()
        rulings = [
            (tool, self._decide(tool, {}, asker, provenance).policy) for tool in allowed_tools
        ]
        return [
            tool.spec(asks=policy == "ask")
            for tool, policy in rulings
            if policy != "deny" and not tool.fault
        ]

    @override
    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """Tools of trusted servers that say that these tools destroy nothing."""
        plannable_names = {tool.name for tool in self._tools.values() if tool.may_be_planned}
        return [
            spec for spec in await self.specs(asker) if spec.asks and spec.name in plannable_names
        ]

    @override
    def decide(self, call: ToolCall, asker: Asker, provenance: PromptProvenance) -> Ruling:
        tool = self._tools.get(call.name)
        return self._decide(tool, call.arguments, asker, provenance) if tool else Ruling("ask")

    @override
    def summed_arguments(self, name: str) -> Sequence[str] | None:
        tool = self._tools.get(name)
        if tool is None or not is_bounded(tool.effect, tool.rule):
            return None
        return list(tool.rule.sums)

    @override
    def permission(
        self, call: ToolCall, asker: Asker, digest: str, constant_arguments: Sequence[str] | None
    ) -> NewPermission | None:
        tool = self._tools.get(call.name)
        if tool is None or tool.digest != digest:
            return None
        return NewPermission(
            asker.user_id,
            *(tool.server.name, tool.tool.name, digest),
            self.card(call).title,
            call.arguments,
            constant_arguments,
        )

    @override
    async def digests(self, tools: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
        digests = await self.pins.digests(sorted({server for server, _ in tools}))
        return {tool: digests[tool] for tool in tools if tool in digests}

    @override
    async def catalogue(self) -> Sequence[SourceTool]:
        reports = await self.servers.report()
        tools = await self.every()
        waiting = await self.pins.waiting() if tools else ()
        return list(catalogue_of(reports, tools, waiting, self.policies))

    @override
    async def accept(self, origin: str, tool: str) -> Sequence[str]:
        return [change.text() for change in await self.pins.accept(origin, tool)]

    @override
    def words(self) -> tuple[Words, ...]:
        """The words of untrusted servers about their tools, including earlier words."""
        servers = self.servers.servers.values()
        tool_words = (
            item.words for item in self._tools.values() if not (item.is_trusted or item.fault)
        )
        return (
            *(Words("", "server", item.name) for item in servers if not item.is_trusted),
            *tool_words,
        )

    def _decide(
        self,
        tool: McpTool,
        arguments: Mapping[str, Any],
        asker: Asker,
        provenance: PromptProvenance,
    ) -> Ruling:
        policy = self.policies.get(tool.name)
        spending = asker.spent.get(tool.name, SpentToday())
        base_circumstances = Circumstances(
            provenance, asker.in_session, asker.is_unattended, policy, spending=spending
        )
        planned_calls = tuple(
            planned_call for planned_call in asker.planned if planned_call.tool == tool.name
        )
        earlier_texts = asker.sent_to(lambda name: source_of(name) == tool.server.name)
        circumstances = replace(
            base_circumstances,
            permissions=asker.permitted,
            planned_calls=planned_calls,
            earlier_texts=earlier_texts,
        )
        return tool.decide(arguments, circumstances)

    def _is_denied(self, tool: McpTool, asker: Asker) -> bool:
        return self._decide(tool, {}, asker, asker.provenance()).policy == "deny"

    @override
    def only_reads(self, name: str) -> bool:
        tool = self._tools.get(name)
        return tool is not None and tool.only_reads

    @override
    def parameters_of(self, name: str) -> Mapping[str, Any]:
        tool = self._tools.get(name)
        return tool.spec(asks=False).parameters if tool else {"type": "object"}

    @override
    def problem_with(self, call: ToolCall) -> str:
        """See `Tools.problem_with`. Calls of a tool that is not listed are not checked."""
        tool = self._tools.get(call.name)
        if call.problem or tool is None or tool.fault:
            return call.problem
        schema = tool.tool.parameters
        problems = problems_with(call.arguments, schema)
        return "; ".join(problems or undescribed_arguments(call.arguments, schema))

    @override
    def card(self, call: ToolCall) -> ApprovalCard:
        """See `Tools.card`.

        The title has the server, its title of the tool, and the tool's name.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            return card_of(call)
        is_named = tool.tool.title in {"", tool.tool.name}
        return card_of(
            call, Wording(tool.title if is_named else f"{tool.title} ({tool.tool.name})")
        )

    @override
    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        if call.name not in self._tools:
            await self.every()
        tool = self._tools.get(call.name)
        if tool is None or tool.fault or self._is_denied(tool, asker):
            raise ToolRefusedError(f"There is no tool {call.name!r} now. Its server may be away.")
        if problem := self.problem_with(call):
            raise wrong_arguments(problem)
        return ToolResult.from_state(await self._call(tool, call))

    @override
    def may_repeat(self, name: str) -> bool:
        tool = self._tools.get(name)
        return tool is not None and tool.may_repeat

    async def _call(self, tool: McpTool, call: ToolCall) -> ResultState:
        try:
            async with charge(Call("tool", tool.server.name, tool_calls=1)):
                answer = await self.servers.call(tool.tool, call.arguments)
        except DailyLimitError as error:
            raise ToolRefusedError(f"Not called: {error}. Tell the user.") from error
        return result_of(call, answer, tool)
