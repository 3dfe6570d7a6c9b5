"""Turns of the real graph with checkpoints in memory and scripted upstreams."""

from collections.abc import Sequence
from functools import cache

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from typing_extensions import override

from rich_agent.domain.routing.plan import Plan, Routing
from rich_agent.graph.build import TurnGraph, build_graph
from rich_agent.turns.runner import GraphTurns, TurnEvent
from tests import make
from tests.acceptance.pictures import picture
from tests.scripted import (
    ScriptedChat,
    ScriptedFiles,
    ScriptedPassages,
    ScriptedPlanner,
    ScriptedWeb,
)


class UnprunedSaver(InMemorySaver):
    """The library's saver in memory, which cannot prune, keeping everything."""

    @override
    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep all checkpoints."""


def cast_for(plan: Plan) -> make.Fakes:
    """A cast that plans `plan` and has something for every node."""
    return make.Fakes(
        chat=ScriptedChat(("It is so [1].",)),
        planner=ScriptedPlanner(Routing("general_question", plan, "r", "staking")),
        passages=ScriptedPassages([make.passage()]),
        web=ScriptedWeb([make.passage(2, id="web:1", kind="web")]),
        files=ScriptedFiles({"photo": picture("red", "blue")}),
    )


def turns_with(cast: make.Fakes, saver: InMemorySaver | None = None) -> GraphTurns:
    """Turns as a new process has them; `saver` is what the processes share."""
    saver = saver or UnprunedSaver()
    return GraphTurns(graph_on(saver), cast.services(), saver)


def graph_on(saver: BaseCheckpointSaver[str]) -> TurnGraph:
    """The graph with its checkpoints there; it is compiled once, since this takes a while."""
    return _compiled().copy({"checkpointer": saver})


@cache
def _compiled() -> TurnGraph:
    return build_graph()


async def run(turns: GraphTurns, *args: object, **kwargs: object) -> list[TurnEvent]:
    """All events of a turn."""
    return [event async for event in turns.run(make.request(*args, **kwargs))]  # type: ignore[arg-type]  # see make.request
