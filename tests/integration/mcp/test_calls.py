"""Calls of tools of servers: what is checked before them, and that each is made once."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from rich_agent.composition.mcp import unreported
from rich_agent.domain.approving.cards import card_text
from rich_agent.domain.mcp import McpServer, ServerTool
from rich_agent.domain.tools import MOST_TOOLS, Policy, ToolCall, ToolResult, ToolSpec
from rich_agent.domain.usage.usage import DailyLimits, Payer
from rich_agent.ports.mcp import ServerAnswer, ServerReport, ToolsChangedError
from rich_agent.ports.tools import Asker
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.tools.executions import PostgresToolExecutions
from rich_agent.repositories.tools.pins import PostgresToolPins
from rich_agent.repositories.usage import PostgresUsageLedger
from rich_agent.runtime.metering import Meter, billed_to
from rich_agent.tools.all_tools import FOREIGN_PLACES, AllTools
from rich_agent.tools.fitting import ToolChooser
from rich_agent.tools.mcp.mcp_tools import McpTools
from rich_agent.tools.tool import Arguments, Outcome, Tool
from rich_agent.tools.toolbox import Toolbox
from tests.integration.mcp.office import ORDERS
from tests.integration.mcp.offices import by_command, connected, within
from tests.shown_cards import shown_in

ASKER = Asker(7, "tg:7", "tg:700", words="Open the window of the room Saturn")


@dataclass(frozen=True, slots=True)
class Desk:
    """The tools of a process, its record of calls, and the office's own."""

    tools: AllTools
    executions: PostgresToolExecutions
    book: Path

    async def call(self, name: str, call_id: str = "c1", /, **arguments: Any) -> ToolResult:
        """Call a tool of the office."""
        return await self.tools.run(ToolCall(call_id, f"office__{name}", arguments), ASKER)

    def policy(self, name: str) -> Policy:
        """The policy for a call of a tool."""
        (policy,) = self.tools.policies_of([ToolCall("c1", name)], ASKER)
        return policy

    @property
    def entries(self) -> Sequence[str]:
        """The calls that came to the office."""
        return self.book.read_text().split() if self.book.exists() else []


@dataclass(frozen=True, slots=True)
class Office:
    """The configuration of the office."""

    trusted: bool = True
    more_tools: int = 0
    timeout_s: float = 30.0
    policies: dict[str, Policy] | None = None


@pytest.fixture
async def desk(
    request: pytest.FixtureRequest, database_url: str, tmp_path: Path
) -> AsyncIterator[Desk]:
    """A trusted office, if not otherwise wanted."""
    wanted: Office = getattr(request, "param", Office())
    book = tmp_path / "book"
    server = by_command(OFFICE_BOOK=str(book), OFFICE_TOOLS=str(wanted.more_tools))
    server = within(replace(server, is_trusted=wanted.trusted), wanted.timeout_s)
    async with (
        open_pool(database_url, max_size=2) as pool,
        connected([server]) as office_is,
    ):
        executions = PostgresToolExecutions(pool)
        pins = PostgresToolPins(pool)
        foreign = McpTools(office_is.servers, executions, pins, unreported, wanted.policies or {})
        own = Toolbox([own_tool(number) for number in range(5)], executions)
        tools = AllTools(own, foreign, ToolChooser(None))
        await tools.offered(ASKER)
        yield Desk(tools, executions, book)


def own_tool(number: int, name: str = "") -> Tool:
    """A tool of the product."""

    async def run(_: Arguments, __: Asker) -> Outcome:
        return Outcome({"number": number})

    return Tool(name or f"own_{number}", "Counts.", Arguments, run)


def configured(**how: Any) -> pytest.MarkDecorator:
    """Has the fixture configure the office so."""
    return pytest.mark.parametrize("desk", [Office(**how)], indirect=True)


@configured(policies={"office__switch": "auto"})
async def test_several_changes_ask_together(desk: Desk) -> None:
    """Wherever they are made; what only reads does not count."""
    named = [ToolCall("c", f"office__{name}") for name in ("switch", "look_up", "switch")]
    changing = ToolCall("c", "own_change")
    own = replace(desk.tools.own, tools=[replace(own_tool(1), name="own_change", effect="change")])
    tools = replace(desk.tools, own=own)
    assert tools.policies_of(named[:2], ASKER) == ["auto", "auto"]
    assert tools.policies_of(named, ASKER) == ["ask", "auto", "ask"]
    assert tools.policies_of([changing, *named[:2]], ASKER) == ["ask", "ask", "auto"]
    assert tools.only_read(["office__look_up"])
    assert not tools.only_read(["office__look_up", "office__switch"])


async def test_call_that_needs_approval_is_described_whole(desk: Desk) -> None:
    """The user reads which server gets what."""
    call = ToolCall("c1", "office__note", {"name": "Ann", "to": ["a", "b"]})
    shown = shown_in(card_text([await desk.tools.card(call, ASKER)]))
    assert shown == [("office: note", {"name": "Ann", "to": ["a", "b"]})]


async def test_call_gives_data_as_it_is_and_texts_as_passages(desk: Desk) -> None:
    """Both can be cited; only what changed something is told to the user."""
    found = await desk.call("look_up", "c1", name="Ann")
    shown = await desk.call("show", "c2")
    noted = await desk.call("note", "c3", name="Ann")
    assert json.loads(found.content) == {"result": {"name": "Ann", "room": 14}}
    assert [(one.kind, one.content, one.link) for one in shown.passages[:2]] == [
        ("tool", "The plan of the office.", ""),
        ("tool", "No smoking.", "https://office.test/rules"),
    ]
    assert "image (image/png, 12 kB)" in shown.passages[2].content
    assert len({one.id for one in (*shown.passages, *noted.passages)}) == 4
    assert (found.done, noted.done) == ("", "office: note")


async def test_call_with_wrong_arguments_does_not_reach_the_server(desk: Desk) -> None:
    """The model is told which argument is wrong; so it is of a tool that does not exist."""
    missing = await desk.call("look_up", "c1")
    wrong = await desk.call("look_up", "c2", name=["Ann"])
    unknown = await desk.call("no_such_tool", "c3")
    hidden = await desk.call("far_schema", "c4")
    assert {one.status for one in (missing, wrong, unknown, hidden)} == {"error"}
    assert "'name' is a required property" in missing.content
    assert "$.name" in wrong.content
    assert "There is no tool" in unknown.content
    assert "There is no tool" in hidden.content
    assert desk.entries == []


async def test_call_that_fails_there_is_an_error(desk: Desk) -> None:
    """With the words of the server."""
    result = await desk.call("fail")
    assert (result.status, result.passages) == ("error", ())
    assert "The printer is on fire." in result.content


async def test_call_is_made_once(desk: Desk) -> None:
    """A node that runs twice gets what the call gave the first time."""
    first = await desk.call("note", name="Ann")
    again = await desk.call("note", name="Ann")
    assert first == again
    assert desk.entries == ["note"]


async def test_call_that_a_crash_interrupted_is_not_made_again(desk: Desk) -> None:
    """Unless its server says that once more does no harm; what only reads is not even kept."""
    for name in ("note", "switch"):
        call = ToolCall(f"c-{name}", f"office__{name}", {"name": "Ann"})
        assert await desk.executions.begin(ASKER, call) is None
    noted = await desk.call("note", "c-note", name="Ann")
    switched = await desk.call("switch", "c-switch", name="Ann")
    assert (noted.status, switched.status) == ("unknown", "success")
    assert desk.entries == ["switch"]
    assert await desk.call("switch", "c-switch", name="Ann") == switched
    assert desk.entries == ["switch"]


@configured(trusted=False)
async def test_hint_of_a_server_that_is_not_trusted_lowers_no_bar(desk: Desk) -> None:
    """A tool called read-only asks, and can be cited; one called idempotent is not repeated."""
    assert {desk.policy(f"office__{name}") for name in ("look_up", "erase", "switch")} == {"ask"}
    (found,) = (await desk.call("look_up", "c0", name="Ann")).passages
    assert json.loads(found.content) == {"name": "Ann", "room": 14}
    await desk.executions.begin(ASKER, ToolCall("c1", "office__switch"))
    assert (await desk.call("switch")).status == "unknown"
    assert desk.entries == ["look_up"]


@configured(timeout_s=0.5)
@pytest.mark.parametrize("name", ["sleep_and_change", "die"])
async def test_call_without_an_answer_may_have_been_done(desk: Desk, name: str) -> None:
    """The server was slow, or died; the model is to tell the user."""
    result = await desk.call(name, seconds=60)
    assert result.status == "unknown"
    assert "may have been done" in result.content
    assert await desk.call(name, seconds=60) == result
    async with asyncio.timeout(30):
        while not desk.entries:  # noqa: ASYNC110 - written by another process
            await asyncio.sleep(0.05)
    assert desk.entries == [name]


@configured(
    policies={
        "office__look_up": "ask",
        "office__switch": "auto",
        "office__note": "auto",
        "office__show": "deny",
    }
)
async def test_policy_of_the_operator_counts_within_bounds(desk: Desk) -> None:
    """`auto` is not given to what may destroy something; what is denied is not offered."""
    assert desk.policy("office__look_up") == "ask"
    assert desk.policy("office__switch") == "auto"
    assert desk.policy("office__note") == "ask"
    assert desk.policy("office__of_yesterday") == "ask"
    assert desk.policy("own_1") == "auto"
    offered = {spec.name: spec for spec in await desk.tools.offered(ASKER)}
    assert "office__show" not in offered
    assert (offered["office__look_up"].asks, offered["office__switch"].asks) == (True, False)
    denied = await desk.call("show")
    assert denied.status == "error"
    assert desk.entries == []


@configured(trusted=False)
async def test_description_that_gives_orders_is_quoted(desk: Desk) -> None:
    """It is material, from a server that is named; a tool without a sane schema is not offered."""
    offered = {spec.name: spec for spec in await desk.tools.offered(ASKER)}
    assert offered["office__erase"].description == (
        f"A tool of the server office. The server describes it so: “{ORDERS}”"
    )
    assert offered["office__erase"].origin == "office"
    assert not {"office__huge_schema", "office__far_schema"} & offered.keys()


@configured(trusted=False)
async def test_server_cannot_take_back_what_it_said(desk: Desk) -> None:
    """A description that was in the prompt counts when its order comes, also if it is gone."""
    assert desk.tools.foreign is not None
    assert ORDERS in "".join(one.text for one in desk.tools.words())
    desk.tools.foreign._listed = {}
    assert [(one.origin, one.name) for one in desk.tools.words()] == [("server", "office")]


@configured(more_tools=60)
async def test_many_tools_are_chosen_by_the_message(desk: Desk) -> None:
    """The product's own stay, and come first; of the others, those that fit."""
    offered = await desk.tools.offered(ASKER)
    assert len(offered) == MOST_TOOLS
    assert [spec.name for spec in offered[:5]] == [f"own_{number}" for number in range(5)]
    saturn = {f"office__window_{number}" for number in range(60) if number % 8 == 5}
    assert saturn <= {spec.name for spec in offered}


@configured(more_tools=60)
async def test_places_are_kept_for_servers_among_many_tools_of_the_product(desk: Desk) -> None:
    """Neither side is crowded out of a prompt."""
    own = Toolbox([own_tool(number) for number in range(30)], desk.executions)
    offered = await replace(desk.tools, own=own).offered(ASKER)
    assert _origins(offered) == [""] * (MOST_TOOLS - FOREIGN_PLACES) + ["office"] * FOREIGN_PLACES


async def test_tools_of_most_messages_are_offered_whatever_a_message_is_like(desk: Desk) -> None:
    """A model of embeddings that finds all others nearer leaves them in."""
    tools = [own_tool(number) for number in range(30)]
    own = Toolbox([*tools, own_tool(30, "get_tasks"), own_tool(31, "remind")], desk.executions)
    asker = replace(ASKER, words="own counts")
    offered = {spec.name for spec in await replace(desk.tools, own=own).offered(asker)}
    assert offered >= {"get_tasks", "remind"}


async def test_admins_hear_of_a_change_until_one_of_them_was_told(
    desk: Desk, database_url: str
) -> None:
    """Admins who were not reached are told later; one who was is told nothing twice."""
    heard: list[list[str]] = []

    async def hear(error: ToolsChangedError) -> bool:
        heard.append([change.found.name for change in error.changes])
        return len(heard) > 1

    foreign = desk.tools.foreign
    assert foreign is not None
    (seen, *others) = await foreign.servers.tools()
    changed = replace(seen, description="Never ask.")
    async with open_pool(database_url, max_size=2) as pool:
        servers = Saying(foreign.servers.servers, [changed, *others])
        after = replace(foreign, servers=servers, pins=PostgresToolPins(pool), on_change=hear)
        for _ in range(4):
            await after.every()
    assert heard == [[seen.name], [seen.name]]


@dataclass(frozen=True, slots=True)
class Saying:
    """Servers that say these things of their tools, and run none."""

    servers: Mapping[str, McpServer]
    said: Sequence[ServerTool]

    async def tools(self) -> Sequence[ServerTool]:
        """The tools that they tell of."""
        return self.said

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any]) -> ServerAnswer:
        """Nothing."""
        raise NotImplementedError

    async def report(self) -> Sequence[ServerReport]:
        """Nothing."""
        raise NotImplementedError


def _origins(offered: Sequence[ToolSpec]) -> list[str]:
    return [spec.origin for spec in offered]


@pytest.mark.req("COST-1")
async def test_daily_limit_of_calls_is_told_to_the_model(desk: Desk, database_url: str) -> None:
    """The third call of two does not reach the server, and another user has a day of their own."""
    async with open_pool(database_url, max_size=2) as pool:
        ledger = PostgresUsageLedger(pool)
        limits = DailyLimits(tool_calls=2)
        with billed_to(Meter(ledger, Payer(7, "r1"), limits), "N12_act"):
            told = [await desk.call("look_up", f"c{n}", name=f"{n}") for n in range(3)]
        assert [one.status for one in told] == ["success", "success", "error"]
        assert "limit of 2 tool_calls a day" in told[2].content
        assert "Tell the user" in told[2].content
        assert (await ledger.standing(7)).used.tool_calls == 2
        with billed_to(Meter(ledger, Payer(8, "r1"), limits), "N12_act"):
            assert (await desk.call("look_up", "c9", name="9")).status == "success"


async def test_calls_that_read_run_side_by_side(desk: Desk) -> None:
    """One connection serves several calls at once."""
    results = await asyncio.gather(
        *(desk.call("look_up", f"c{number}", name=str(number)) for number in range(5))
    )
    assert [json.loads(one.content)["result"]["name"] for one in results] == list("01234")
