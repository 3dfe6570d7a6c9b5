"""Embedding the user's words while the planner plans: when it is used, and what it costs."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from typing_extensions import override

from rich_agent.domain.routing.plan import Plan, Routing
from rich_agent.errors import UpstreamUnavailableError
from rich_agent.graph.embedding import for_one_turn, kept_vector
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.nodes.retrieve import retrieve
from rich_agent.graph.services import NodeContext, Services
from rich_agent.ports.models import Prompt
from tests import make
from tests.scripted import ScriptedEmbeddings, ScriptedPlanner

ASKED = "How does proof of history work?"


@dataclass(slots=True)
class Meeting:
    """Lets two calls return only once both have begun."""

    begun: int = 0
    both: asyncio.Event = field(default_factory=asyncio.Event)

    async def join(self) -> None:
        """Wait for the other."""
        self.begun += 1
        if self.begun == 2:
            self.both.set()
        async with asyncio.timeout(10):
            await self.both.wait()


class MeetingPlanner(ScriptedPlanner):
    """Plans once an embedding has begun."""

    meeting: Meeting

    @override
    async def plan(self, prompt: Prompt) -> Routing:
        await self.meeting.join()
        return await ScriptedPlanner.plan(self, prompt)


class MeetingEmbeddings(ScriptedEmbeddings):
    """Embeds once a plan has begun."""

    meeting: Meeting

    @override
    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        await self.meeting.join()
        return await ScriptedEmbeddings.embed(self, texts)


def services_of(cast: make.Fakes) -> Services:
    """The services of one turn, in which no text is embedded twice."""
    services = cast.services()
    return replace(services, embeddings=for_one_turn(services.embeddings))


async def plan_and_retrieve(cast: make.Fakes, text: str = ASKED) -> list[str]:
    """The texts that were embedded in N4 and N5."""
    runtime = make.FakeRuntime(NodeContext(services_of(cast)))
    state = make.state(text)
    update = await build_effective_query(state, runtime)  # type: ignore[arg-type]  # what the node sees of a runtime
    if update["routing"]["plan"] != "direct":
        await retrieve({**state, **update}, runtime)  # type: ignore[arg-type]  # as above
    assert cast.embeddings is not None
    return cast.embeddings.texts


def planned(query: str, plan: Plan = "rag") -> ScriptedPlanner:
    """A planner that proposes this."""
    return ScriptedPlanner(Routing("general_question", plan, "r", query))


async def test_words_are_embedded_while_the_planner_plans() -> None:
    """Neither call would return if the other had not begun."""
    planner, embeddings = MeetingPlanner(), MeetingEmbeddings()
    planner.meeting = embeddings.meeting = Meeting()
    planner.routing = Routing("general_question", "rag", "r", ASKED)
    cast = make.Fakes(planner=planner, embeddings=embeddings)
    assert await plan_and_retrieve(cast) == [ASKED]


@pytest.mark.parametrize("query", [ASKED, "how proof of history works", "history: proof, work"])
async def test_query_of_the_same_terms_needs_no_other_vector(query: str) -> None:
    """The planner wrote what the user asked, in other forms and another order."""
    assert await plan_and_retrieve(make.Fakes(planner=planned(query))) == [ASKED]


async def test_query_of_other_terms_is_embedded_itself() -> None:
    """Terms that the conversation adds are searched for with their meaning."""
    embedded = await plan_and_retrieve(make.Fakes(planner=planned("staking fee")), "and its fee?")
    assert embedded[-1:] == ["staking fee"]


@pytest.mark.parametrize("text", ["hi", "thanks!", "marmalade", "2 + 2", "x" * 501])
async def test_nothing_is_embedded_ahead_for_what_is_not_planned_or_long(text: str) -> None:
    """Greetings cost nothing, as before."""
    assert await plan_and_retrieve(make.Fakes(planner=planned("", "direct")), text) == []


async def test_vector_that_a_turn_has_is_given_without_another_call() -> None:
    """By the words or a query of the same terms; what was not embedded has none."""
    cast = make.Fakes()
    services = services_of(cast)
    assert services.embeddings is not None
    assert kept_vector(ASKED, ASKED, services.embeddings) is None
    (vector,) = await services.embeddings.embed([ASKED])
    assert cast.embeddings is not None
    before = list(cast.embeddings.texts)
    kept = kept_vector("how proof of history works", ASKED, services.embeddings)
    assert kept is not None
    assert (kept[0].dimensions, kept[1]) == (len(vector), vector)
    assert kept_vector("staking fee", ASKED, services.embeddings) is None
    assert kept_vector("", ASKED, services.embeddings) is None
    assert kept_vector(ASKED, ASKED, None) is None
    assert cast.embeddings.texts == before


async def test_embedding_that_fails_ahead_fails_no_plan() -> None:
    """The search by words serves, and the failure is told once, where it matters."""
    cast = make.Fakes(planner=planned(ASKED))
    assert cast.embeddings is not None
    cast.embeddings.failure = UpstreamUnavailableError("embeddings", "answered 500")
    assert await plan_and_retrieve(cast) == [ASKED, ASKED]
    assert cast.passages.queries[0].embedding is None


async def test_embedding_that_is_not_needed_is_not_waited_for() -> None:
    """A direct answer does not wait for it."""

    class Endless(ScriptedEmbeddings):
        @override
        async def embed(self, texts: Sequence[str]) -> list[list[float]]:
            await asyncio.Event().wait()
            return []

    async with asyncio.timeout(10):
        cast = make.Fakes(planner=planned("", "direct"), embeddings=Endless())
        assert await plan_and_retrieve(cast) == []
