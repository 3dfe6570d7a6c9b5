"""Answers begun before the plan: `python -m bench.routing.speculation [LIMIT]`.

How often the likely answer is the planned one, and what the others cost: for each utterance that
a model has to plan, with the sample documents in a database. The labels stand for a planner that
is always right, plans for the words as they were said unless the message leans on others, and
names the language. They come mixed, as the bot learns from each what the next may come to. The
prompts are those of the product's own nodes, and no model is asked. A planner that acts, or asks
back, throws away more.
"""

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from langgraph.runtime import Runtime

from bench.routing.__main__ import state_of
from bench.routing.utterances import Utterance, load
from bench.samples import with_samples
from rich_agent.commands.demo import sample_domain
from rich_agent.composition.app import open_services, without_effects
from rich_agent.composition.repositories import open_repositories
from rich_agent.domain.message import ReplyMeaning
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.retrieval.further_search import FurtherSearch
from rich_agent.domain.routing.plan import Plan, Routing
from rich_agent.graph.answer.material import gather_material
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.nodes.retrieve import retrieve
from rich_agent.graph.services import NodeContext, Services, TurnScope
from rich_agent.graph.state import TurnState
from rich_agent.ports.models import ModelPiece, Prompt
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from tests import make
from tests.scripted import ScriptedFiles

SEED = 1
ANSWER_TOKENS = 200
"""Of an answer, and what is written of one that is thrown away: a model of 100 tokens a second
that is ended a second after its first word would write half of it."""


@dataclass(slots=True)
class Begun:
    """Notes the prompt of an answer that is begun, and writes nothing."""

    prompt: Prompt | None = None

    async def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        """See `ChatModel`."""
        self.prompt = prompt
        await asyncio.Event().wait()
        yield ""


@dataclass(slots=True)
class Labelled:
    """Plans what the label says, once an answer may have been begun."""

    utterance: Utterance
    scope: TurnScope
    prompt: Prompt | None = None

    async def plan(self, prompt: Prompt) -> Routing:
        """See `Planner`."""
        self.prompt = prompt
        for _ in range(100):
            if self.scope.speculation.is_begun:
                break
            await asyncio.sleep(0.005)
        label, query = self.utterance, self.utterance.text
        if label.query_names:
            query = " ".join(label.query_names)
        plan = cast("Plan", label.plans[0])
        is_looked_up = plan != "direct"
        return Routing(
            label.intents[0],
            plan,
            query=query if is_looked_up else "",
            web="now" if "web" in plan else "never",
            language=label.language,
        )

    async def fill_in(self, prompt: Prompt, routing: Routing) -> Routing:  # noqa: ARG002 - the same
        """See `Planner`. Labels leave no detail open."""
        return routing

    async def search_further(self, prompt: Prompt) -> FurtherSearch:  # noqa: ARG002 - labels name all
        """See `Planner`."""
        return FurtherSearch()

    async def plan_calls(self, prompt: Prompt) -> Sequence[PlannedCall]:  # noqa: ARG002 - the same
        """See `Planner`."""
        return ()

    async def read_reply(self, prompt: Prompt) -> ReplyMeaning:  # noqa: ARG002 - the same
        """See `Planner`."""
        return "changes"


@dataclass(frozen=True, slots=True)
class Counted:
    """The tokens of a turn without speculation, and those of an answer that was thrown away."""

    utterance: Utterance
    tokens: int
    was_begun: bool
    wasted: int


async def count(utterance: Utterance, services: Services) -> Counted | None:
    """Plan one utterance, and compare; None for one that needs no plan."""
    scope, begun = TurnScope(), Begun()
    planner = Labelled(utterance, scope)
    services = replace(services, planner=planner, chat=begun)
    context = NodeContext(services, scope)
    runtime = cast("Runtime[NodeContext]", make.FakeRuntime(context))
    state = state_of(utterance)
    state = cast("TurnState", {**state, **await build_effective_query(state, runtime)})
    if planner.prompt is None:
        return None
    if state["routing"]["plan"] in {"rag", "rag+web"}:
        state = cast("TurnState", {**state, **await retrieve(state, runtime)})
    wanted = (await gather_material(state, context)).prompt
    is_used = await scope.speculation.take(wanted) is not None
    await scope.speculation.drop()
    tokens = _tokens(planner.prompt, services) + _tokens(wanted, services) + ANSWER_TOKENS
    was_begun = begun.prompt is not None
    wasted = _tokens(begun.prompt, services) + ANSWER_TOKENS // 2 if begun.prompt else 0
    return Counted(utterance, tokens, was_begun, 0 if is_used else wasted)


def _tokens(prompt: Prompt, services: Services) -> int:
    texts = (prompt.system, prompt.user, *(text for _, text in prompt.history))
    return sum(map(services.count_tokens, texts))


def report(counted: Sequence[Counted]) -> str:
    """A line for each label of a plan, and one for all."""
    plans = dict.fromkeys(one.utterance.plans[0] for one in counted)
    groups = {plan: [one for one in counted if one.utterance.plans[0] == plan] for plan in plans}
    lines = [f"{'plan':10}{'of':>6}{'begun':>8}{'right':>8}{'more tokens':>14}"]
    for name, group in [*groups.items(), ("all", counted)]:
        begun = [one for one in group if one.was_begun]
        right = sum(not one.wasted for one in begun) / max(1, len(begun))
        more = sum(one.wasted for one in group) / max(1, sum(one.tokens for one in group))
        lines.append(f"{name:10}{len(group):6}{len(begun):8}{right:8.0%}{more:14.1%}")
    return "\n".join(lines)


async def _count_all(settings: Settings, utterances: Sequence[Utterance]) -> list[Counted]:
    files = ScriptedFiles({})
    async with (
        open_repositories(settings) as repositories,
        open_services(LiveSettings(settings), repositories, files) as services,
    ):
        quiet = without_effects(services)
        quiet.plan_odds.is_used = True
        mixed = random.Random(SEED).sample(utterances, len(utterances))  # noqa: S311 - no secret
        found = [await count(one, quiet) for one in mixed if not one.image]
    return [one for one in found if one]


def main() -> None:
    """Ingest the samples, count, and print."""
    utterances = load(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    with with_samples() as world:
        os.environ.update(world.environment)
        print(report(asyncio.run(_count_all(Settings.load(**sample_domain()), utterances))))


if __name__ == "__main__":
    main()
