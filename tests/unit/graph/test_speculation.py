"""Answers begun while the turn is planned: when they are used, and what is never shown."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

import pytest
from typing_extensions import override

from rich_agent.domain.message import IncomingMessage, User
from rich_agent.domain.routing.plan import Clarification, Routing
from rich_agent.domain.routing.plan_odds import PlanOdds
from rich_agent.errors import UpstreamUnavailableError
from rich_agent.graph.services import FeaturePassage, PassageRequest
from rich_agent.ports.models import ModelPiece, Prompt
from rich_agent.turns.events import Answered, TextSoFar
from rich_agent.turns.runner import GraphTurns
from tests import make
from tests.scripted import ScriptedChat, ScriptedPassages, ScriptedPlanner
from tests.turns_in_memory import run, turns_with

ASKED = "How does proof of history work?"
FOUND = ScriptedPassages([make.passage(score=0.9)])


@dataclass(slots=True)
class BegunChat(ScriptedChat):
    """Tells when an answer has been begun; each says which call it comes from."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)

    @override
    async def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        self.begun.set()
        yield f"Call {len(self.prompts) + 1}. "
        async for piece in ScriptedChat.stream(self, prompt):
            await asyncio.sleep(0)
            yield piece


@dataclass(slots=True)
class LatePlanner(ScriptedPlanner):
    """Plans once an answer has been begun."""

    chat: BegunChat = field(default_factory=BegunChat)

    @override
    async def plan(self, prompt: Prompt) -> Routing:
        async with asyncio.timeout(10):
            await self.chat.begun.wait()
        return await ScriptedPlanner.plan(self, prompt)


@dataclass(slots=True)
class SlowPlanner(ScriptedPlanner):
    """Plans after whatever runs beside it has had time to begin an answer."""

    @override
    async def plan(self, prompt: Prompt) -> Routing:
        for _ in range(200):
            await asyncio.sleep(0)
        return await ScriptedPlanner.plan(self, prompt)


def speculating(routing: Routing, **cast: object) -> tuple[GraphTurns, BegunChat]:
    """Turns that are planned so, after their likely answer has been begun."""
    chat = BegunChat(("It is so [1].",))
    planner = LatePlanner(routing, chat=chat)
    made = make.Fakes(chat=chat, planner=planner, **{"passages": FOUND, **cast})  # type: ignore[arg-type]  # parts of a cast
    turns = turns_with(made)
    return replace(turns, services=replace(turns.services, plan_odds=PlanOdds(is_used=True))), chat


def planned(plan: str = "rag", **other: object) -> Routing:
    """A routing of this plan, in English, for the words as they were said."""
    query = ASKED if plan != "direct" else ""
    return Routing("general_question", plan, "r", query, **{"language": "en", **other})  # type: ignore[arg-type]  # as above


async def test_answer_from_documents_is_begun_before_the_plan() -> None:
    """The planner would never return otherwise; the answer is asked for once."""
    turns, chat = speculating(planned())
    events = await run(turns, ASKED)
    assert len(chat.prompts) == 1
    [answered] = [one for one in events if isinstance(one, Answered)]
    assert answered.answer.text.startswith("Call 1. [1] It is so")
    assert answered.answer.citations


async def test_direct_answer_is_begun_where_no_document_says_anything() -> None:
    """Weak evidence makes a direct answer likelier."""
    turns, chat = speculating(planned("direct"), passages=ScriptedPassages())
    await run(turns, ASKED)
    assert len(chat.prompts) == 1


@pytest.mark.parametrize(
    "routing",
    [
        planned("direct"),
        planned("rag+web"),
        planned(language="fr"),
        replace(planned(), query="staking fee"),
        planned(clarification=Clarification("Which one?")),
        planned(described="the network of the wallet"),
    ],
    ids=["direct", "web", "language", "query", "clarification", "described"],
)
async def test_answer_of_another_plan_is_never_shown(routing: Routing) -> None:
    """If the plan leads to an answer at all, the text shown was written for its prompt."""
    passages = ScriptedPassages([make.passage(score=0.9)])
    passages.by_query = {"staking fee": [make.passage(2, score=0.9)]}
    turns, _ = speculating(routing, passages=passages)
    events = await run(turns, ASKED)
    shown = [one.text for one in events if isinstance(one, TextSoFar)]
    assert all(text.startswith("Call 2. ") for text in shown)
    assert bool(shown) == (routing.clarification is None)


async def test_tag_that_says_less_is_the_same_language() -> None:
    """A planner that says `pt` of a user who chose Brazil's means the same."""
    turns, chat = speculating(planned(language="pt"))
    message = IncomingMessage(User(42, "Ana", language_code="pt-br"), ASKED)
    await run(turns, message=message)
    assert len(chat.prompts) == 1
    assert "`pt-BR`" in chat.prompts[0].user


async def test_answer_that_failed_ahead_is_asked_for_anew() -> None:
    """The user never learns of it."""
    turns, chat = speculating(planned())
    chat.failures = [UpstreamUnavailableError("model", "answered 500")]
    events = await run(turns, ASKED)
    assert len(chat.prompts) == 2
    assert any(isinstance(one, Answered) for one in events)


async def test_nothing_is_begun_unless_it_is_wanted() -> None:
    """Without the setting, the planner's plan comes first."""
    turns, chat = speculating(planned())
    chat.begun.set()
    await run(replace(turns, services=replace(turns.services, plan_odds=PlanOdds())), ASKED)
    assert len(chat.prompts) == 1


async def test_no_answer_from_documents_is_begun_without_passages_of_features() -> None:
    """Features are asked once, after the plan, so an earlier prompt would not be the turn's."""
    passage_requests = []

    async def seek(request: PassageRequest) -> Sequence[FeaturePassage]:
        passage_requests.append(request)
        return [FeaturePassage("History", "It is a clock.")]

    chat, planner = BegunChat(("It is so [1].",)), SlowPlanner(planned())
    turns = turns_with(make.Fakes(chat=chat, planner=planner, passages=FOUND))
    used = replace(turns.services, plan_odds=PlanOdds(is_used=True), passage_seekers=[seek])
    await run(replace(turns, services=used), ASKED)
    assert len(chat.prompts) == 1
    assert len(passage_requests) == 1
