"""A guided session: the planner tells when its user wants out, and everything else goes on."""

from dataclasses import dataclass, replace

import pytest

from rich_agent.domain.routing.plan import ForgetWish, Routing
from rich_agent.errors import DatabaseUnavailableError, UpstreamTimeoutError
from rich_agent.graph.acting.offering import asker_of
from rich_agent.graph.guiding import guide_of, join_session, leave_offers, leave_session
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.nodes.synthesize import session_end_notice, synthesize
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState
from rich_agent.ports.session_leads import SessionGuide, SessionState
from tests import make
from tests.make import FakeRuntime
from tests.scripted import ScriptedPlanner

LEAVES = Routing("smalltalk_or_short", "direct", leaves_session=True, language="en")


def in_session(text: str, **session: object) -> TurnState:
    """A message in the middle of a session."""
    return make.state(text, session={"id": 7, "template": "plan", **session})


def cast_in_session(routing: Routing) -> make.Fakes:
    """A user with an open session, and what the planner says."""
    cast = make.Fakes(planner=ScriptedPlanner(routing))
    cast.sessions.open[42] = {"id": 7, "template": "plan"}
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
        assert ("<open_session>Planning<" in cast.planner.prompts[0].user) is knows


@pytest.mark.parametrize("session", [{"is_new": True}, {"refusal": "It is full."}])
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
    assert answer["answer"]["commands"] == []
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


@dataclass(frozen=True)
class Chess:
    """Sessions of another feature."""

    templates = ("chess",)
    failure: Exception | None = None

    def guide(self, template: str) -> SessionGuide:
        """Played with a move only."""
        if self.failure:
            raise self.failure
        assert template == "chess"
        return SessionGuide("Play.", {"en": "Chess"}, frozenset({"move"}), "resign", "resign")

    async def join(self, _user_id: int, request_id: str, locale: str) -> SessionState:
        """Every message belongs to it."""
        if self.failure:
            raise self.failure
        refusal = "" if locale == "en" else "Only in English."
        return {"id": 3, "template": "chess", "is_new": bool(request_id), "refusal": refusal}

    async def leave(self, user_id: int, _locale: str) -> str:
        """See `SessionLead.leave`."""
        if self.failure:
            raise self.failure
        return f"{user_id} resigns."


def with_chess(failure: Exception | None = None) -> FakeRuntime:
    """A bot whose only sessions are of chess."""
    runtime = make.runtime(make.Fakes())
    services = replace(runtime.context.services, session_leads=[Chess(failure)])
    return FakeRuntime(NodeContext(services))


async def test_session_of_any_feature_leads_its_turns() -> None:
    """Its instructions, tools, button and words at the end are those of its feature."""
    context = with_chess().context
    state = make.state("e4")
    state["session"] = await join_session(state, context)
    assert guide_of(state, context.services).instructions == "Play."  # type: ignore[union-attr]
    assert asker_of(state, context.services).allowed == {"move"}
    (offer,) = leave_offers(state, context.services)
    assert offer.command == "resign 3"
    left = await leave_session(state, context.services)
    assert session_end_notice(left) == "42 resigns."
    assert leave_offers(left, context.services) == ()


async def test_feature_that_fails_leads_no_turn() -> None:
    """The turn goes on as one of its own, unless the database is away."""
    runtime = with_chess(KeyError("board"))
    assert await join_session(make.state("e4"), runtime.context) == {}
    with pytest.raises(DatabaseUnavailableError):
        await join_session(make.state("e4"), with_chess(DatabaseUnavailableError("")).context)


async def test_feature_that_fails_within_a_session_ends_no_turn() -> None:
    """Neither by its instructions nor when the session is left."""
    context = with_chess(KeyError("board")).context
    state = make.state("e4", session={"id": 3, "template": "chess"})
    assert guide_of(state, context.services) is None
    assert leave_offers(state, context.services) == ()
    assert session_end_notice(await leave_session(state, context.services)) == ""


def test_session_without_its_feature_is_none() -> None:
    """A turn that goes on from a checkpoint is led by nobody then; older ones are understood."""
    services = make.Fakes().services()
    gone = make.state("e4", session={"id": 1, "template": "chess"})
    assert guide_of(gone, services) is None
    assert leave_offers(gone, services) == ()
    older = make.state("gym", session={"id": 1, "template": "plan", "is_full": False})
    assert [one.command for one in leave_offers(older, services)] == ["cancel 1"]
