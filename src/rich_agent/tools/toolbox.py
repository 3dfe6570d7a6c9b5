"""The product's own tools: checks calls, asks nobody twice, and records what was done."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from rich_agent.domain.text import shorten
from rich_agent.domain.tools import (
    Effect,
    Policy,
    ResultState,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from rich_agent.phrases import say_tool
from rich_agent.ports.tools import Asker, Executed, Execution, ToolExecutions
from rich_agent.tools.attempting import MOST_RESULT_CHARS, attempt
from rich_agent.tools.tool import Outcome, Tool, ToolRefusedError

LONGEST_S = 30.0
"""Seconds that a call may take."""
MOST_DESCRIBED_CHARS = 300
"""What the user is shown of a call that waits for approval."""
_DEFAULTS: Mapping[Effect, Policy] = MappingProxyType(
    {"read": "auto", "change": "auto", "delete": "ask", "foreign": "ask", "session": "auto"}
)


@dataclass(frozen=True, slots=True)
class Toolbox:
    """Runs the product's own tools.

    `policies` are the operator's, by the tool's name; they count more than what a tool's effect
    asks for. What deletes is never done without asking.
    """

    tools: Sequence[Tool]
    executions: ToolExecutions
    policies: Mapping[str, Policy] = field(default_factory=dict)

    async def offered(self, asker: Asker) -> Sequence[ToolSpec]:
        """Every tool that may be called here; `AllTools` chooses among them."""
        return [tool.spec(asks=policy == "ask") for tool, policy in self._allowed(asker)]

    async def names(self, asker: Asker) -> Sequence[str]:
        """See `Tools.names`."""
        return [tool.name for tool, _ in self._allowed(asker)]

    def policy_of(self, name: str, asker: Asker) -> Policy:
        """What is done with a single call; one of an unknown tool is run, which says so."""
        tool = self._find(name)
        return self._policy(tool, asker) if tool else "auto"

    def changes(self, name: str) -> bool:
        """Whether there is a tool of this name, and a call of it changes something."""
        tool = self._find(name)
        return tool is not None and tool.effect == "change"

    def only_read(self, names: Sequence[str]) -> bool:
        """See `Tools.only_read`."""
        return all((tool := self._find(name)) and tool.effect == "read" for name in names)

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """See `Tools.parameters_of`."""
        tool = self._find(name)
        return tool.spec(asks=False).parameters if tool else {"type": "object"}

    async def describe(self, call: ToolCall, asker: Asker) -> str:
        """See `Tools.describe`; a call that will fail is described by its arguments."""
        tool = self._find(call.name)
        if tool and tool.preview:
            with suppress(ValidationError, ToolRefusedError):
                return await tool.preview(
                    tool.arguments.model_validate(dict(call.arguments)), asker
                )
        given = ", ".join(f"{name}: {value}" for name, value in call.arguments.items())
        return shorten(f"{say_tool(asker.locale, call.name)} – {given}", MOST_DESCRIBED_CHARS)

    def _allowed(self, asker: Asker) -> list[tuple[Tool, Policy]]:
        found = [(tool, self._policy(tool, asker)) for tool in self.tools]
        return [(tool, policy) for tool, policy in found if policy != "deny"]

    def _policy(self, tool: Tool, asker: Asker) -> Policy:
        if not _is_meant_for(tool, asker):
            return "deny"
        policy = self.policies.get(tool.name, _DEFAULTS[tool.effect])
        must_ask = tool.effect in {"delete", "foreign"} or (
            asker.approves_changes and tool.effect == "change"
        )
        return "ask" if policy == "auto" and must_ask else policy

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """See `Tools.run`."""
        began = time.monotonic()
        result = await attempt(call, self._run_in_time(call, asker), acts=False)
        await self.executions.record(asker, call, result, time.monotonic() - began)
        return ToolResult.from_state(result)

    async def _run_in_time(self, call: ToolCall, asker: Asker) -> ResultState:
        try:
            async with asyncio.timeout(LONGEST_S):
                return await self._run(call, asker)
        except TimeoutError as error:
            raise ToolRefusedError(f"It took longer than {LONGEST_S:.0f} seconds.") from error

    async def _run(self, call: ToolCall, asker: Asker) -> ResultState:
        tool = self._find(call.name)
        if tool is None or self._policy(tool, asker) == "deny":
            names = ", ".join(one.name for one in self.tools)
            raise ToolRefusedError(f"There is no tool {call.name!r}. The tools are: {names}.")
        if call.problem:
            raise ToolRefusedError(f"The arguments cannot be read: {call.problem}")
        try:
            arguments = tool.arguments.model_validate(dict(call.arguments))
        except ValidationError as error:
            raise ToolRefusedError(_wrong_arguments(error)) from error

        async def execute() -> Executed:
            outcome = await tool.run(arguments, asker)
            return Executed(_result(call, outcome), outcome.undo)

        if tool.effect == "read":
            return (await execute()).result
        return await self.executions.once(asker, call, execute)

    async def undo(self, user_id: int, request_id: str, locale: str) -> Sequence[str]:
        """See `Tools.undo`."""
        asker = Asker(user_id, "", request_id, locale)

        async def take_back(change: Execution) -> str:
            tool = self._find(change.tool)
            return await tool.undo(change.undo, asker) if tool and tool.undo else ""

        return [said for said in await self.executions.undo(user_id, request_id, take_back) if said]

    def _find(self, name: str) -> Tool | None:
        return next((one for one in self.tools if name in {one.name, *one.aliases}), None)


def _is_meant_for(tool: Tool, asker: Asker) -> bool:
    """Whether the tool belongs into this turn: into the guided session, or outside of one."""
    if tool.reads_files:
        return bool(asker.files)
    if not asker.acts:
        return False
    if not asker.in_session:
        return tool.effect != "session"
    return not asker.allowed or tool.name in asker.allowed


def _result(call: ToolCall, outcome: Outcome) -> ResultState:
    content = json.dumps(outcome.data, ensure_ascii=False, default=str)
    return ToolResult(
        call.id,
        "success",
        content[:MOST_RESULT_CHARS],
        outcome.passages,
        outcome.done,
        undoable=outcome.undo is not None,
        card=outcome.card,
        timeline=outcome.timeline,
    ).to_state()


def _wrong_arguments(error: ValidationError) -> str:
    """What is wrong with which argument, by its path."""
    wrong = "; ".join(
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in error.errors()
    )
    return f"Wrong arguments: {wrong}. Correct them and call the tool again."
