"""The tools of all servers: which there are, what asks first, and how a call is made once."""

import json
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from rich_agent.domain.approving.cards import ApprovalCard, Wording, card_of
from rich_agent.domain.mcp import ServerTool
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.permissions import NewPermission
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.rules import Circumstances, Ruling, SpentToday, is_bounded
from rich_agent.domain.tools import Policy, ResultState, ToolCall, ToolResult, ToolSpec, source_of
from rich_agent.domain.usage_limits import Call
from rich_agent.domain.words import Words
from rich_agent.errors import DailyLimitError
from rich_agent.ports.mcp import McpServers, ServerAnswer, ServerText, ToolPins, ToolsChangedError
from rich_agent.ports.tools import Asker, Executed, Permissions, ToolExecutions
from rich_agent.runtime.json_schema import problems_with, undescribed_arguments
from rich_agent.runtime.metering import charged
from rich_agent.tools.mcp.listing import McpTool, tool_listing, with_pins
from rich_agent.tools.tool import (
    MOST_RESULT_CHARS,
    ToolRefusedError,
    attempt,
    failure_result,
    wrong_arguments,
)


def result_of(call: ToolCall, answer: ServerAnswer, tool: McpTool) -> ResultState:
    """Texts are passages; data is shown as it is. What is neither is named only.

    Data of a call that may have changed something is a passage too: it may be all that was asked.
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
class McpTools:
    """The tools of the servers, as listed last. `policies` are the operator's, by name.

    `on_change` hears of each server that says other things of its tools than were `pins`, until it
    gives True: the admins were told.
    """

    servers: McpServers
    executions: ToolExecutions
    permissions: Permissions
    pins: ToolPins
    on_change: OnChange
    policies: Mapping[str, Policy] = field(default_factory=dict)
    _server_tools: Sequence[ServerTool] = ()
    _tools: Mapping[str, McpTool] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether the name is that of a server's tool, also of one that is away."""
        return source_of(name) in self.servers.servers

    async def every(self) -> Sequence[McpTool]:
        """The tools of the servers that are there, hidden ones too."""
        tools = await self.servers.tools()
        has_changes = any(one.is_changed for one in self._tools.values())
        if tools != self._server_tools or has_changes:
            now = tool_listing(tools, self.servers.servers)
            self._tools, self._server_tools = await with_pins(now, self.pins), tools
            await self._tell()
        return list(self._tools.values())

    async def _tell(self) -> None:
        servers = {one.server.name for one in self._tools.values() if one.is_changed}
        changes = await self.pins.to_tell(sorted(servers)) if servers else ()
        for server, of_server in groupby(changes, lambda change: change.found.server):
            error = ToolsChangedError(server, list(of_server))
            if await self.on_change(error):
                await self.pins.told(error.changes)

    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools that may be called, for any message."""
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

    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """See `Tools.plannable`: only of trusted servers, which say that they destroy nothing."""
        plannable_names = {one.name for one in self._tools.values() if one.may_be_planned}
        return [
            spec for spec in await self.specs(asker) if spec.asks and spec.name in plannable_names
        ]

    def decide(self, call: ToolCall, asker: Asker, provenance: PromptProvenance) -> Ruling:
        """The decision on a call of a tool; one that is not listed (any more) asks first."""
        tool = self._tools.get(call.name)
        return self._decide(tool, call.arguments, asker, provenance) if tool else Ruling("ask")

    async def spending(self, call: ToolCall, asker: Asker) -> SpentToday | None:
        """The earlier calls of the tool, None if they do not matter."""
        tool = self._tools.get(call.name)
        if tool is None or not is_bounded(tool.effect, tool.rule):
            return None
        return await self.executions.spent(asker.user_id, [tool.name], list(tool.rule.sums))

    async def permit(
        self, call: ToolCall, asker: Asker, digest: str, constant_arguments: Sequence[str] | None
    ) -> None:
        """See `Tools.permit`."""
        tool = self._tools.get(call.name)
        if tool is not None and tool.digest == digest:
            permission = NewPermission(
                asker.user_id,
                *(tool.server.name, tool.tool.name, digest),
                self.card(call).title,
                call.arguments,
                constant_arguments,
            )
            await self.permissions.give(permission)

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

    def only_reads(self, name: str) -> bool:
        """Whether a call of the tool is known to change nothing."""
        tool = self._tools.get(name)
        return tool is not None and tool.only_reads

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """The JSON Schema of a tool's arguments, that of any object if it is not listed."""
        tool = self._tools.get(name)
        return tool.spec(asks=False).parameters if tool else {"type": "object"}

    def problem_with(self, call: ToolCall) -> str:
        """See `Tools.problem_with`; of a tool that is not listed nothing is known."""
        tool = self._tools.get(call.name)
        if call.problem or tool is None or tool.fault:
            return call.problem
        schema = tool.tool.parameters
        problems = problems_with(call.arguments, schema)
        return "; ".join(problems or undescribed_arguments(call.arguments, schema))

    def card(self, call: ToolCall) -> ApprovalCard:
        """See `Tools.card`: the server, what it calls the tool, and the tool's name behind that."""
        tool = self._tools.get(call.name)
        if tool is None:
            return card_of(call)
        is_named = tool.tool.title in {"", tool.tool.name}
        return card_of(
            call, Wording(tool.title if is_named else f"{tool.title} ({tool.tool.name})")
        )

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """See `Tools.run`."""
        began = time.monotonic()
        result = await attempt(call, self._run(call, asker), acts=False)
        # Whatever form it has, also that of an error: the server wrote it.
        result["words"] = [Words("", "server", source_of(call.name)).to_state()]
        await self.executions.record(asker, call, result, time.monotonic() - began)
        return ToolResult.from_state(result)

    async def _run(self, call: ToolCall, asker: Asker) -> ResultState:
        if call.name not in self._tools:
            await self.every()
        tool = self._tools.get(call.name)
        if tool is None or tool.fault or self._is_denied(tool, asker):
            raise ToolRefusedError(f"There is no tool {call.name!r} now. Its server may be away.")
        if problem := self.problem_with(call):
            raise wrong_arguments(problem)
        if tool.only_reads:
            return await self._call(tool, call)
        before = await self.executions.begin(asker, call)
        if before is not None and not (before["status"] == "unknown" and tool.may_repeat):
            return before
        result = await attempt(call, self._call(tool, call), acts=True)
        await self.executions.end(asker, call, Executed(result))
        return result

    async def _call(self, tool: McpTool, call: ToolCall) -> ResultState:
        try:
            async with charged(Call("tool", tool.server.name, tool_calls=1)):
                answer = await self.servers.call(tool.tool, call.arguments)
        except DailyLimitError as error:
            raise ToolRefusedError(f"Not called: {error}. Tell the user.") from error
        return result_of(call, answer, tool)
