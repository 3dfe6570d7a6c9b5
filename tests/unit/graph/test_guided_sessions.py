"""A guided session: the planner tells when its user wants out, and everything else goes on."""

import pytest

from rich_agent.domain.routing.plan import ForgetWish, Routing
from rich_agent.domain.sessions import GuidedSession
from rich_agent.errors import UpstreamTimeoutError
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.state import TurnState
from tests import make
from tests.scripted import ScriptedPlanner

LEAVES = Routing("smalltalk_or_short", "direct", leaves_session=True, language="en")


def in_session(text: str, **session: object) -> TurnState:
    """A message in the middle of a session."""
    return make.state(text, session={"id": 7, "template": "plan", **session})


def cast_in_session(routing: Routing) -> make.Fakes:
    """A user with an open session, and what the planner says."""
    cast = make.Fakes(planner=ScriptedPlanner(routing))
    cast.sessions.open[42] = GuidedSession(7, "plan", 2)
    return cast


async def test_step_of_a_session_belongs_to_it_whatever_was_planned() -> None:
    """Its model decides what to look up; only the language and a wish to forget are planned."""
    wish = ForgetWish(what="my job")
    planned = Routing("docs_required", "rag", query="gym", language="de", teaches=False)
    cast = cast_in_session(planned)
    update = await build_effective_query(in_session("gym 1 hour"), make.runtime(cast))
    assert (update["routing"]["plan"], update["routing"]["rule"]) == ("direct", "in_session")
    assert update["routing"]["acts"]
    assert update["user"]["locale"] == "de"
    assert 42 in cast.sessions.open
    cast.planner = ScriptedPlanner(Routing("general_question", "direct", forget=wish))
    update = await build_effective_query(in_session("forget my job"), make.runtime(cast))
    assert update["routing"]["rule"] == "forget_wish"


async def test_planner_knows_of_the_session() -> None:
    """Its title stands in the prompt, and only there."""
    for state, knows in ((in_session("enough"), True), (make.state("enough of that?"), False)):
        cast = cast_in_session(LEAVES)
        await build_effective_query(state, make.runtime(cast))
        assert ("<open_session>Planning<" in cast.planner.prompts[0].system) is knows


@pytest.mark.parametrize("session", [{"is_new": True}, {"is_full": True}])
async def test_no_planner_is_asked_where_nobody_can_leave(session: dict[str, bool]) -> None:
    """Neither at the beginning of a session, nor where the message is one too many."""
    cast = cast_in_session(LEAVES)
    update = await build_effective_query(in_session("Plan my day", **session), make.runtime(cast))
    assert update["routing"]["rule"] == "in_session"
    assert cast.planner.prompts == []


async def test_session_goes_on_without_a_planner() -> None:
    """A planner that fails ends nothing."""
    cast = cast_in_session(LEAVES)
    cast.planner.failure = UpstreamTimeoutError("model", 1)
    update = await build_effective_query(in_session("gym 1 hour"), make.runtime(cast))
    assert update["routing"]["rule"] == "in_session"


async def test_who_leaves_a_session_is_told_so() -> None:
    """It is over, without a model's answer; the number that a button would need is gone."""
    cast = cast_in_session(LEAVES)
    state = in_session("stop it")
    update = await build_effective_query(state, make.runtime(cast))
    assert 42 not in cast.sessions.open
    answer = await synthesize({**state, **update}, make.runtime(cast))
    assert "is cancelled" in answer["answer"]["text"]
    assert answer["answer"]["session"] == 0
    assert cast.chat.prompts == []


async def test_what_is_asked_besides_is_answered() -> None:
    """Leaving is noted below the answer to the rest."""
    asks = Routing("general_question", "direct", leaves_session=True, language="en")
    cast = cast_in_session(asks)
    state = in_session("stop, and tell me a joke")
    update = await build_effective_query(state, make.runtime(cast))
    answer = (await synthesize({**state, **update}, make.runtime(cast)))["answer"]["text"]
    assert answer.startswith("An answer.")
    assert "is cancelled" in answer
