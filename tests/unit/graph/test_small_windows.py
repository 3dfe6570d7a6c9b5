"""Prompts of a turn in the window of a small model."""

import json

import pytest

from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.usage_limits import Call, Usage
from rich_agent.graph.answer.material import gather_material
from rich_agent.graph.planning import plan_turn
from rich_agent.graph.services import Limits
from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.form_sizes import schema_tokens
from rich_agent.upstreams.models.planning import PlannedTurn
from rich_agent.upstreams.servers.output_shapes import schema_of
from tests import make
from tests.own_tools import every_tool

WINDOW = 4_096
QUESTION = "How is funding paid on perpetual futures, and who pays it when prices fall?"


def _tokens(prompt: Prompt) -> int:
    said = [text for _, text in prompt.history]
    return sum(estimate_tokens(text) + 4 for text in (prompt.system, prompt.user, *said))


async def test_form_of_a_plan_is_counted() -> None:
    """A prompt leaves room for the schema that goes along, as the adapter sends it."""
    cast = make.Fakes()
    await plan_turn(make.state(QUESTION), cast.context())
    (planned,) = cast.planner.prompts
    counted_tokens = schema_tokens()["N4_build_effective_query"]
    assert estimate_tokens(json.dumps(schema_of(PlannedTurn))) <= counted_tokens
    plain_tokens = estimate_tokens(json.dumps(schema_of(PlannedTurn, planned.fields)))
    assert plain_tokens <= 250 < counted_tokens


async def test_turn_fits_into_the_window_of_a_small_model() -> None:
    """Plan and answer leave room for what the model writes, and the question is read whole."""
    cast = make.Fakes(limits=Limits().within(WINDOW))
    passages = [make.passage(n, content=f"Fact {n}. " + "word " * 600).to_state() for n in range(6)]
    state = make.state(QUESTION, rag={"retrieved_chunks": passages})
    await plan_turn(state, cast.context())
    (planned,) = cast.planner.prompts
    assert QUESTION in planned.user
    assert _tokens(planned) + schema_tokens()["N4_build_effective_query"] <= WINDOW - 400
    material = await gather_material(state, cast.context())
    assert QUESTION in material.prompt.user
    assert not material.is_shortened
    assert len(material.passages) >= 1
    assert _tokens(material.prompt) <= WINDOW - WINDOW // 4


@pytest.mark.parametrize(
    "limits",
    [Limits(max_context_tokens=2_000), Limits(max_context_tokens=4_000), Limits().within(2_048)],
)
async def test_plan_is_asked_for_with_the_message_and_the_tools(limits: Limits) -> None:
    """Whatever a prompt may hold: without the message a model plans for none, and says no act."""
    cast = make.Fakes(limits=limits, tools=every_tool())
    message = "Remind me tomorrow at 8 to call the bank."
    await plan_turn(make.state(message), cast.context())
    (planned,) = cast.planner.prompts
    assert message in planned.user
    assert "remind" in planned.system
    assert "there are no tools" not in planned.system


def test_large_window_leaves_the_limit_that_was_set() -> None:
    """MAX_CONTEXT_TOKENS stays the upper bound."""
    assert Limits().within(None) == Limits()
    assert Limits().within(131_072).max_context_tokens == 12_000


@pytest.mark.parametrize(
    ("sent", "read", "is_cut"),
    [
        (9_000, 4_090, True),
        (9_000, 3_000, True),
        (5_000, 4_095, True),
        (5_000, 4_400, False),  # another tokenizer
        (5_000, 3_600, False),
        (1_000, 300, False),  # too short to tell
        (9_000, 0, False),
    ],
)
def test_prompt_that_a_server_cut_is_recognised(sent: int, read: int, *, is_cut: bool) -> None:
    """By what it says that it read."""
    assert Call("text", "m", sent).was_cut(Usage(1, 0, read)) is is_cut
    assert not Call("vision", "m", sent).was_cut(Usage(1, 0, read))
