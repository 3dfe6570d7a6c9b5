"""Comparison of a past turn with the same turn run again."""

import pytest

from rich_agent.domain.routing.plan import Routing
from rich_agent.features.operator.difference import compare
from rich_agent.turns.replay import result_of
from tests.scripted import ScriptedChat, ScriptedPlanner
from tests.turns_in_memory import cast_for, run, turns_with
from tests.unit.graph.test_turn_replay import past_turn, replayed


@pytest.mark.req("TOOL-3")
async def test_replay_shows_what_another_model_answers() -> None:
    """The plan of another planner, the words of another model."""
    cast = cast_for("rag")
    await run(turns_with(cast))
    cast.chat = ScriptedChat(("It is otherwise.",))
    cast.planner = ScriptedPlanner(Routing("general_question", "web", "newer", "another query"))
    difference = compare(result_of(await past_turn(cast)), (await replayed(cast)).result)
    assert difference.decision["plan"] == ("rag", "web")
    assert difference.decision["query"] == ("staking", "another query")
    assert len(difference.read.added) == len(difference.read.removed) == 1
    assert "+ It is otherwise." in difference.answer[1]
