"""The tools of all servers: which there are, what asks first, and how a call is made once."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_agent.domain.text import shorten
from rich_agent.domain.tool_servers import server_of
from rich_agent.domain.tools import Policy, ResultState, ToolCall, ToolResult, ToolSpec
from rich_agent.domain.usage.usage import Call
from rich_agent.errors import DailyLimitError
from rich_agent.ports.tool_servers import ToolServers
from rich_agent.ports.tools import Asker, Executed, ToolExecutions
from rich_agent.runtime.metering import charged
from rich_agent.tools.attempting import attempt
from rich_agent.tools.foreign.answers import result_of
from rich_agent.tools.foreign.json_schema import problems_with
from rich_agent.tools.foreign.listing import ForeignTool, listed
from rich_agent.tools.tool import ToolRefusedError

MOST_DESCRIBED_CHARS = 800
"""What the user is shown of a call that waits for approval."""


@dataclass(slots=True)
class ForeignTools:
    """The tools of the servers, as listed last. `policies` are the operator's, by name."""

    servers: ToolServers
    executions: ToolExecutions
    policies: Mapping[str, Policy] = field(default_factory=dict)
    _listed: Mapping[str, ForeignTool] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether the name is that of a server's tool, also of one that is away."""
        return server_of(name) in self.servers.servers

    async def every(self) -> Sequence[ForeignTool]:
        """The tools of the servers that are there, hidden ones too."""
        tools = await self.servers.tools()
        if [one.tool for one in self._listed.values()] != tools:
            self._listed = listed(tools, self.servers.servers)
        return list(self._listed.values())

    async def offered(self, asker: Asker) -> Sequence[ToolSpec]:
        """Those that may be called, for whatever message."""
        every = [
            one for one in await self.every() if not asker.allowed or one.name in asker.allowed
        ]
        found = [(tool, self._policy(tool, asker)) for tool in every]
        return [
            tool.spec(asks=policy == "ask")
            for tool, policy in found
            if policy != "deny" and not tool.fault
        ]

    def policy_of(self, name: str, asker: Asker) -> Policy:
        """What is done with a call of a tool; one that is not listed (any more) asks first."""
        tool = self._listed.get(name)
        return self._policy(tool, asker) if tool else "ask"

    def _policy(self, tool: ForeignTool, asker: Asker) -> Policy:
        return tool.policy(self.policies.get(tool.name), asks_for_changes=asker.approves_changes)

    def only_reads(self, name: str) -> bool:
        """Whether a call of the tool is known to change nothing."""
        tool = self._listed.get(name)
        return tool is not None and tool.only_reads

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """The JSON Schema of a tool's arguments, that of any object if it is not listed."""
        tool = self._listed.get(name)
        return tool.spec(asks=False).parameters if tool else {"type": "object"}

    def describe(self, call: ToolCall) -> str:
        """One line for the user who is to approve the call: server, tool, all that it is given."""
        tool = self._listed.get(call.name)
        given = ", ".join(f"{name}: {_shown(value)}" for name, value in call.arguments.items())
        title = tool.title if tool else call.name
        return shorten(f"{title} – {given}" if given else title, MOST_DESCRIBED_CHARS)

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """See `Tools.run`."""
        began = time.monotonic()
        result = await attempt(call, self._run(call, asker), acts=False)
        await self.executions.record(asker, call, result, time.monotonic() - began)
        return ToolResult.from_state(result)

    async def _run(self, call: ToolCall, asker: Asker) -> ResultState:
        if call.name not in self._listed:
            await self.every()
        tool = self._listed.get(call.name)
        if tool is None or tool.fault or self._policy(tool, asker) == "deny":
            raise ToolRefusedError(f"There is no tool {call.name!r} now. Its server may be away.")
        if call.problem:
            raise ToolRefusedError(f"The arguments cannot be read: {call.problem}")
        if wrong := problems_with(call.arguments, tool.tool.parameters):
            told = "; ".join(wrong)
            raise ToolRefusedError(f"Wrong arguments: {told}. Correct them and call it again.")
        if tool.only_reads:
            return await self._call(tool, call)
        before = await self.executions.begin(asker, call)
        if before is not None and not (before["status"] == "unknown" and tool.may_repeat):
            return before
        result = await attempt(call, self._call(tool, call), acts=True)
        await self.executions.end(asker, call, Executed(result))
        return result

    async def _call(self, tool: ForeignTool, call: ToolCall) -> ResultState:
        try:
            async with charged(Call("tool", tool.server.name, tool_calls=1)):
                answer = await self.servers.call(tool.tool, call.arguments)
        except DailyLimitError as error:
            raise ToolRefusedError(f"Not called: {error}. Tell the user.") from error
        return result_of(call, answer, tool)


def _shown(value: Any) -> str:  # noqa: ANN401 - JSON
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
