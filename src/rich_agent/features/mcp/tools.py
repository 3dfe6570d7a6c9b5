"""The tools of all servers: which there are, what asks first, and how a call is made once."""

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
    """Texts are passages; data is shown as it is. What is neither is named only.

    Data of a call that may have changed something is a passage too: it may be all of the answer.
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
    """Each text, until there is enough; behind them, what was attached."""
    texts = [text for text in answer.texts if text.text.strip()]
    if answer.data is not None and not tool.only_reads:
        texts = [ServerText(_as_json(answer.data)), *texts]
    room_chars = MOST_RESULT_CHARS
    for number, text in enumerate(texts, start=1):
        if room_chars > 0:
            title = text.title or tool.title
            yield Passage(
                f"tool:{call.id}:{number}",
                "tool",
                text.text[:room_chars],
                text.url,
                title,
                link=text.url,
            )
        room_chars -= len(text.text)
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
    """The tools of the servers, as listed last. `policies` are the operator's, by name.

    `on_change` hears of each server that says other things of its tools than were `pins`, until it
    gives True: the admins were told.
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
        """The tools of the servers that are there, hidden ones too."""
        tools = await self.servers.tools()
        has_changes = any(one.is_changed for one in self._tools.values())
        if tools != self._server_tools or has_changes:
            now = tool_listing(tools, self.servers.servers)
            self._tools, self._server_tools = await with_pins(now, self.pins), tools
            await self._alert()
        return list(self._tools.values())

    async def _alert(self) -> None:
        servers = {one.server.name for one in self._tools.values() if one.is_changed}
        changes = await self.pins.to_alert(sorted(servers)) if servers else ()
        for server, of_server in groupby(changes, lambda change: change.current.server):
            error = ToolsChangedError(server, list(of_server))
            if await self.on_change(error):
                await self.pins.note_alerts(error.changes)

    @override
    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        every = [
            one for one in await self.every() if not asker.allowed or one.name in asker.allowed
        ]
        provenance = asker.provenance()
        rulings = [(tool, self._decide(tool, {}, asker, provenance).policy) for tool in every]
        return [
            tool.spec(asks=policy == "ask")
            for tool, policy in rulings
            if policy != "deny" and not tool.fault
        ]

    @override
    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """Tools of trusted servers, which say that they destroy nothing."""
        plannable_names = {one.name for one in self._tools.values() if one.may_be_planned}
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
        """The words that untrusted servers say of their tools, or may have said before."""
        servers = self.servers.servers.values()
        tool_words = (
            one.words for one in self._tools.values() if not (one.is_trusted or one.fault)
        )
        return (
            *(Words("", "server", one.name) for one in servers if not one.is_trusted),
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
        now = Circumstances(
            provenance, asker.in_session, asker.is_unattended, policy, spending=spending
        )
        planned_calls = tuple(one for one in asker.planned if one.tool == tool.name)
        earlier_texts = asker.sent_to(lambda name: source_of(name) == tool.server.name)
        more = replace(
            now,
            permissions=asker.permitted,
            planned_calls=planned_calls,
            earlier_texts=earlier_texts,
        )
        return tool.decide(arguments, more)

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
        """See `Tools.problem_with`; of a tool that is not listed nothing is known."""
        tool = self._tools.get(call.name)
        if call.problem or tool is None or tool.fault:
            return call.problem
        schema = tool.tool.parameters
        problems = problems_with(call.arguments, schema)
        return "; ".join(problems or undescribed_arguments(call.arguments, schema))

    @override
    def card(self, call: ToolCall) -> ApprovalCard:
        """See `Tools.card`: the server, what it calls the tool, and the tool's name behind that."""
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
