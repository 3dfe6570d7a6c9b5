"""Sources of tools: offered and called under names of their own; errors end them alone."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from typing_extensions import override

from rich_agent.domain.approving.cards import ApprovalCard, card_of
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.permissions import KeptPermission, NewPermission
from rich_agent.domain.rules import Ruling
from rich_agent.domain.tools import ToolCall, ToolResult, ToolSpec
from rich_agent.domain.words import Words
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.tools import Asker, Permissions, SourceTool, ToolSource
from rich_agent.tools.all_tools import AllTools
from rich_agent.tools.tool import Arguments, Outcome, Tool
from rich_agent.tools.toolbox import Toolbox, ToolChooser
from tests.twins.tools import InMemoryToolExecutions

KEPT = KeptPermission(1, "a", "on", "digest", "a: on", {}, None, datetime(2026, 1, 1, tzinfo=UTC))
ASKER = Asker(7, "t", "r", words="Count")


class Lamps(ToolSource):
    """A source whose tools are the names that it has now; with an error, it breaks."""

    def __init__(self, *names: str, error: Exception | None = None) -> None:
        self.names, self.error = list(names), error
        self.calls: list[str] = []

    @override
    def has(self, name: str) -> bool:
        """Whether it has the tool, under its own name or another's."""
        return name in self.names

    @override
    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools that it has now."""
        if self.error:
            raise self.error
        return [ToolSpec(name, "Switches.", {}, "foreign", "lamps") for name in self.names]

    @override
    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """All of them."""
        return await self.specs(asker)

    @override
    def words(self) -> Sequence[Words]:
        """The words that describe its tools."""
        return [Words("Switches.", "server", "lamps")]

    @override
    def decide(self, call: ToolCall, asker: Asker, provenance: PromptProvenance) -> Ruling:
        """Each call may run."""
        return Ruling("auto")

    @override
    def only_reads(self, name: str) -> bool:
        """Each changes a lamp."""
        return False

    @override
    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """Any object."""
        return {"type": "object"}

    @override
    def problem_with(self, call: ToolCall) -> str:
        """No arguments, no problem."""
        return ""

    @override
    def card(self, call: ToolCall) -> ApprovalCard:
        """The card of a call."""
        return card_of(call)

    @override
    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """Note the call."""
        if self.error:
            raise self.error
        self.calls.append(call.name)
        return ToolResult(call.id, "success", "{}")


def tools_with(*sources: ToolSource) -> AllTools:
    """The tools of a process: `count`, and those of the sources."""

    async def run(_: Arguments, __: Asker) -> Outcome:
        return Outcome({"number": 1})

    own = Toolbox([Tool("count", "Counts.", Arguments, run)], InMemoryToolExecutions())
    return AllTools(own, sources, ToolChooser(None))


async def names_of(tools: AllTools) -> list[str]:
    """The names of what is offered."""
    return [spec.name for spec in await tools.specs(ASKER)]


async def test_tools_of_a_source_come_and_go() -> None:
    """They stand behind the product's own, and are called by their names."""
    lamps = Lamps("lamps__on")
    tools = tools_with(lamps)
    assert await names_of(tools) == ["count", "lamps__on"]
    assert (await tools.run(ToolCall("c", "lamps__on"), ASKER)).status == "success"
    assert lamps.calls == ["lamps__on"]
    lamps.names.append("lamps__off")
    assert await names_of(tools) == ["count", "lamps__on", "lamps__off"]
    assert [one.name for one in tools.words()] == ["lamps"]


async def test_source_takes_no_name_of_the_product() -> None:
    """A tool without the name of its source before its own is neither offered nor called."""
    lamps = Lamps("count", "lamps__on")
    tools = tools_with(lamps)
    assert await names_of(tools) == ["count", "lamps__on"]
    assert [one.name for one in await tools.plannable(ASKER)] == ["lamps__on"]
    await tools.run(ToolCall("c", "count"), ASKER)
    assert lamps.calls == []
    assert tools.decide([ToolCall("c", "count")], ASKER)[0].policy == "auto"


async def test_source_that_breaks_ends_its_own_part() -> None:
    """The product's tools and those of other sources are offered; its calls fail with a word."""
    tools = tools_with(Lamps("a__on", error=KeyError("x")), Lamps("b__on"))
    assert await names_of(tools) == ["count", "b__on"]
    result = await tools.run(ToolCall("c", "a__on"), ASKER)
    assert result.status == "error"
    assert "broke" in result.content
    assert [(one.origin, one.name) for one in result.words] == [("server", "a")]


async def test_tool_of_a_source_is_denied_by_the_operator() -> None:
    """Whatever the source decides; what its tools give is somebody else's."""
    tools = tools_with(Lamps("lamps__on", "lamps__off"))
    tools = replace(tools, own=replace(tools.own, policies={"lamps__off": "deny"}))
    assert await names_of(tools) == ["count", "lamps__on"]
    assert tools.decide([ToolCall("c", "lamps__off")], ASKER)[0].policy == "deny"
    result = await tools.run(ToolCall("c", "lamps__on"), ASKER)
    assert [(one.origin, one.name) for one in result.words] == [("server", "lamps")]


async def test_database_that_is_away_is_nothing_that_a_source_broke() -> None:
    """The turn is tried again then."""
    tools = tools_with(Lamps("a__on", error=DatabaseUnavailableError("away")))
    with pytest.raises(DatabaseUnavailableError):
        await tools.specs(ASKER)


class Broken(Lamps):
    """A source that lists its tools, and breaks at whatever it is asked of one."""

    @override
    def words(self) -> Sequence[Words]:
        raise KeyError("words")

    @override
    def decide(self, call: ToolCall, asker: Asker, provenance: PromptProvenance) -> Ruling:
        raise KeyError("decide")

    @override
    def only_reads(self, name: str) -> bool:
        raise KeyError("only_reads")

    @override
    def parameters_of(self, name: str) -> Mapping[str, Any]:
        raise KeyError("parameters_of")

    @override
    def problem_with(self, call: ToolCall) -> str:
        raise KeyError("problem_with")

    @override
    def card(self, call: ToolCall) -> ApprovalCard:
        raise KeyError("card")

    @override
    def summed_arguments(self, name: str) -> Sequence[str] | None:
        raise KeyError("summed_arguments")

    @override
    def permission(
        self, call: ToolCall, asker: Asker, digest: str, constant_arguments: Sequence[str] | None
    ) -> NewPermission | None:
        raise KeyError("permission")

    @override
    async def digests(self, tools: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
        raise KeyError("digests")

    @override
    async def catalogue(self) -> Sequence[SourceTool]:
        raise KeyError("catalogue")

    @override
    async def accept(self, origin: str, tool: str) -> Sequence[str]:
        raise KeyError("accept")


async def test_source_that_breaks_is_held_to_the_safe_side() -> None:
    """Its call is not made, its words count as untrusted, and the turn goes on."""
    none_is_given = cast("Permissions", object())
    tools = replace(tools_with(Broken("a__on"), Lamps("b__on")), permissions_given=none_is_given)
    call, other = ToolCall("c", "a__on", {"room": 3}), ToolCall("d", "b__on")
    assert [one.policy for one in tools.decide([call, other], ASKER)] == ["deny", "ask"]
    first, *_ = tools.words()
    assert (first.origin, first.name) == ("server", "Broken")
    assert (await tools.card(call, ASKER)).to_state() == card_of(call).to_state()
    assert (await tools.spending([call], ASKER))["a__on"].calls > 10**6
    assert (tools.problem_with(call), tools.only_read(["a__on"])) == ("", False)
    assert tools.parameters_of("a__on") == {"type": "object"}
    await tools.permit(call, ASKER, "digest", None)
    assert [one.name for one in await tools.catalogue()] == []
    assert [*await tools.accept("a", "")] == []
    assert await tools.with_current([KEPT]) == [KEPT]
    assert (await tools.run(call, ASKER)).status == "error"


async def test_use_of_a_permission_counts_for_its_user() -> None:
    """A permission without uses would be deleted after a while."""
    uses: list[tuple[int, int]] = []

    class Given:
        async def use(self, permission: int, user_id: int) -> None:
            uses.append((permission, user_id))

    await replace(tools_with(), permissions_given=cast("Permissions", Given())).use(3, ASKER)
    assert uses == [(3, ASKER.user_id)]


async def test_call_of_a_source_is_made_once_and_recorded() -> None:
    """The same call of the same request gives what it gave; a read is not held to that."""
    lamps = Lamps("lamps__on")
    tools = tools_with(lamps)
    first = await tools.run(ToolCall("c", "lamps__on"), ASKER)
    again = await tools.run(ToolCall("c", "lamps__on"), ASKER)
    assert first == again
    assert lamps.calls == ["lamps__on"]
    executions = tools.own.executions
    assert isinstance(executions, InMemoryToolExecutions)
    assert list(executions.executed) == [("t", "r", "c")]
