"""The tools that models are told of: those that they are offered once the turn acts."""

import re
from dataclasses import replace
from typing import Any

import pytest
from typing_extensions import override

from rich_agent.domain.routing.plan import Routing
from rich_agent.domain.tables import TableSchema
from rich_agent.domain.tools import ToolSpec
from rich_agent.domain.user_files import NewUserFile
from rich_agent.errors import UpstreamRefusedError
from rich_agent.graph.acting.offering import (
    asker_of,
    callable_tools,
    requestable_tools,
)
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.services import FILES_AT_ONCE
from rich_agent.graph.state import TurnState
from rich_agent.ports.tools import Asker
from rich_agent.ports.user_files import FileRefusedError
from rich_agent.tools.all_tools import AllTools
from rich_agent.tools.tool import Arguments, Outcome, Tool
from tests import make
from tests.own_tools import every_tool
from tests.scripted import ScriptedFiles, ScriptedPlanner, ScriptedWeb
from tests.twins.session_leads import PLANNING, InMemoryLead

READS = {"get_tasks", "get_recent_notes", "list_reminders", "list_files"}
CHANGES = {"create_task", "remind", "create_note", "cancel_reminder", "undo_last_change"}
HELPERS = {"search_documents", "search_web", "request_more_information", "query_tables"}
NO_TOOLS = "`action` is false: there are no tools"
ACTS = {"intent": "general_question", "plan": "direct", "reason": "r", "acts": True}
SESSION = {"id": 7, "template": "plan"}
UNATTENDED = {"request": {**make.stored(), "is_unattended": True}}
GROUP = {"request": {**make.stored(), "audience": "group"}}


async def _end(_arguments: Arguments, _asker: Asker) -> Outcome:
    return Outcome({"ended": True})


ENDING = Tool("end_planning", "End this session.", Arguments, _end, "session")


class ServerTools:
    """Stands for the tools of a server, one of which may be called."""

    async def specs(self, asker: Asker) -> list[ToolSpec]:
        """One, outside of sessions that name their tools."""
        return [] if asker.allowed else [ToolSpec("issues__create", "Opens an issue.", {})]

    def words(self) -> tuple[()]:
        """Nothing that somebody else says."""
        return ()


def cast(*, servers: bool = False) -> make.Fakes:
    """A bot with every tool."""
    own = every_tool(ScriptedWeb(), more=[ENDING])
    of_servers: Any = [ServerTools()] if servers else []
    guides = {"plan": replace(PLANNING, tools=frozenset({"get_tasks", "end_planning"}))}
    sessions = InMemoryLead(guides)
    return make.Fakes(tools=replace(own, sources=of_servers), sessions=sessions)


async def planner_prompt(state: TurnState, of: make.Fakes) -> str:
    """The instructions of the planner for this message."""
    of.planner = ScriptedPlanner(Routing("general_question", "direct", "r"))
    await build_effective_query(state, make.runtime(of))
    return " ".join(of.planner.prompts[0].system.split())


@pytest.mark.feature("agenda", "reminder")
async def test_planner_is_told_of_the_tools_that_it_may_plan() -> None:
    """A planner that goes by its prompt sets `action` for them alone, those of servers too."""
    of = cast(servers=True)
    prompt = await planner_prompt(make.state("remind me at nine"), of)
    named = prompt.partition("one of these tools does it: ")[2].partition(". Telling")[0]
    listed = set(named.split(", "))
    assert NO_TOOLS not in prompt
    assert listed >= READS | CHANGES | {"issues__create"}
    assert not listed & HELPERS


@pytest.mark.feature("agenda", "reminder")
async def test_answer_that_does_not_act_is_told_what_the_bot_can_do_when_asked() -> None:
    """The tools stand in the beginning, and the task says what they are for."""
    of = cast()
    await synthesize(make.state(routing={**ACTS, "acts": False}), make.runtime(of))
    (prompt,) = of.chat.prompts
    assert {"get_tasks", "remind"} <= set(re.findall(r"\w+", prompt.system))
    assert "What the tools named above do, the user can ask you for." in prompt.user


@pytest.mark.feature("agenda", "reminder")
@pytest.mark.parametrize(
    ("change", "has", "lacks"),
    [
        ({}, READS | CHANGES, HELPERS),
        ({"session": SESSION}, READS | CHANGES, {"end_planning", *HELPERS}),
        (UNATTENDED, READS, CHANGES | HELPERS),
        (GROUP, set[str](), READS | CHANGES | HELPERS),
        ({"routing": {**ACTS, "file_ids": [3]}}, READS | CHANGES, HELPERS),
    ],
)
async def test_requestable_tools_are_those_of_the_turn_that_follows(
    change: dict[str, Any], has: set[str], lacks: set[str]
) -> None:
    """Of one outside of the guided session; with nobody there what reads; in a group nothing."""
    names = set(await requestable_tools(make.state(**change), cast().services()))
    assert names >= has
    assert not names & lacks


@pytest.mark.parametrize("change", [{}, UNATTENDED, GROUP])
async def test_requestable_tools_are_offered_to_a_turn_that_acts(change: dict[str, Any]) -> None:
    """Each to a message that needs it, and nothing is offered that nobody was told of."""
    of = cast(servers=True)
    services = of.services()
    state = make.state(**change)
    names = await requestable_tools(state, services)
    for name in names:
        words = f"{name.replace('_', ' ')} please"
        acting = make.state(words, **{**change, "routing": ACTS})
        assert name in {tool.name for tool in await callable_tools(acting, services)}
    if change is not GROUP:
        acting = make.state(**{**change, "routing": ACTS})
        offered = {tool.name for tool in await callable_tools(acting, services)}
        assert offered <= {*names, *HELPERS}


@pytest.mark.feature("agenda", "reminder")
async def test_requestable_tools_leave_out_what_the_operator_denies() -> None:
    """A policy is no promise."""
    of = cast()
    tools = of.tools
    assert isinstance(tools, AllTools)
    denied = replace(tools.own, policies={"remind": "deny"})
    of.tools = replace(tools, own=denied)
    names = await requestable_tools(make.state(), of.services())
    assert "remind" not in names
    assert "create_task" in names


async def _store(of: make.Fakes, name: str, *tables: TableSchema) -> int:
    new = NewUserFile(1, "tg:1", name, "text/csv", 3, name, f"ref-{name}", (), tables=tables)
    return (await of.user_files.store(new)).id


async def test_files_with_tables_are_opened_for_tools() -> None:
    """With their bytes, under a place for files; those without tables are left out."""
    of = make.Fakes(files=ScriptedFiles({"ref-a.csv": b"a\n1\n"}))
    ids = [await _store(of, "a.csv", TableSchema("", 1, (), (), ())), await _store(of, "b.pdf")]
    services = of.services()
    state = make.state(routing={**ACTS, "file_ids": ids})
    user = state["user"]["telegram_user_id"]
    of.user_files.files = {
        key: replace(file, user_id=user) for key, file in of.user_files.files.items()
    }
    async with asker_of(state, services).open_files() as files:
        assert [(one.file.name, one.data) for one in files] == [("a.csv", b"a\n1\n")]
        assert services.file_slots._value == FILES_AT_ONCE - 1
    assert services.file_slots._value == FILES_AT_ONCE
    async with asker_of(make.state(routing=ACTS), services).open_files() as files:
        assert list(files) == []


async def test_file_that_is_gone_is_refused_to_tools() -> None:
    """As a file that cannot be read any more, whatever its upstream calls it."""

    class Gone(ScriptedFiles):
        @override
        async def fetch(self, file_id: str) -> bytes:
            raise UpstreamRefusedError("telegram", f"no {file_id}")

    of = make.Fakes(files=Gone())
    state = make.state()
    user = state["user"]["telegram_user_id"]
    file_id = await _store(of, "a.csv", TableSchema("", 1, (), (), ()))
    of.user_files.files[file_id] = replace(of.user_files.files[file_id], user_id=user)
    asker = asker_of(make.state(routing={**ACTS, "file_ids": [file_id]}), of.services())
    with pytest.raises(FileRefusedError, match="no ref-a"):
        async with asker.open_files():
            pass
