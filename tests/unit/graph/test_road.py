"""The road of a turn: exactly these nodes, for every plan, with and without an image."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import get_args

import pytest
from typing_extensions import override

from rich_agent.domain.answer.trace import NODE_ORDER, NodeId, node_position
from rich_agent.domain.routing.plan import Plan
from rich_agent.errors import (
    BrokenAnswerError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.graph.services import Limits
from rich_agent.ports.models import ModelBusyError, Prompt
from rich_agent.turns.runner import (
    Answered,
    AnswerWritten,
    Finished,
    GraphTurns,
    RoutePlanned,
    StageChanged,
    TextSoFar,
)
from tests.scripted import ScriptedChat
from tests.turns_in_memory import cast_for, run, turns_with

ROADS: dict[Plan, list[str]] = {
    "direct": ["N6_synthesize"],
    "rag": ["N5_retrieve", "N6_synthesize"],
    "web": ["N8_web_search", "N6_synthesize"],
    "rag+web": ["N5_retrieve", "N8_web_search", "N6_synthesize"],
}


@pytest.mark.req("STATE", "ROUTE-5")
@pytest.mark.parametrize("plan", ROADS)
@pytest.mark.parametrize("image", [False, True])
async def test_turn_visits_exactly_the_nodes_of_its_plan(plan: Plan, image: bool) -> None:  # noqa: FBT001 - a table
    """No node more, no node less, in this order."""
    events = await run(turns_with(cast_for(plan)), photos=("photo",) if image else ())
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert list(finished.outcome.nodes) == [
        "N1_ingest_input",
        "N2_load_long_term_memory",
        *(["N3_vision_summarize"] if image else []),
        "N4_build_effective_query",
        *ROADS[plan],
        "N7_persist",
    ]
    assert finished.outcome.routing.plan == plan


@pytest.mark.req("TG-4")
async def test_turn_tells_what_it_does_in_order() -> None:
    """Looking, searching, drafting, growing text, answer, judged; then it is stored."""
    events = await run(turns_with(cast_for("rag+web")), photos=("photo",))
    stages = [event.stage for event in events if isinstance(event, StageChanged)]
    assert stages == ["looking", "searching", "searching_web", "drafting"]
    kinds = [type(event) for event in events if not isinstance(event, StageChanged)]
    assert kinds == [RoutePlanned, TextSoFar, AnswerWritten, Answered, Finished]


@pytest.mark.req("VIS-2", "VIS-3")
async def test_turn_after_a_photo_carries_no_stale_vision() -> None:
    """The same photo again is cached; the next text-only turn has neither image nor summary."""
    cast = cast_for("direct")
    turns = turns_with(cast)
    await run(turns, photos=("photo",))
    config = {"configurable": {"thread_id": "tg:42"}}
    state = (await turns.graph.aget_state(config)).values  # type: ignore[arg-type]
    assert state["vision"]["cached"] is False
    await run(turns, "And this one?", photos=("photo",), request_id="r2")
    state = (await turns.graph.aget_state(config)).values  # type: ignore[arg-type]
    assert state["vision"]["cached"] is True
    assert len(cast.vision.images) == 1
    await run(turns, "What is a validator?", request_id="r3")
    state = (await turns.graph.aget_state(config)).values  # type: ignore[arg-type]
    assert state["vision"] == {}
    assert "image" not in state["input"]
    assert "A red square" not in cast.chat.prompts[-1].user


@pytest.mark.req("TG-2")
async def test_turn_keeps_a_photo_by_reference() -> None:
    """The input is caption and {file_id, sha256}; the bytes never enter the state."""
    cast = cast_for("direct")
    turns = turns_with(cast)
    await run(turns, "look", photos=("photo",))
    state = (await turns.graph.aget_state({"configurable": {"thread_id": "tg:42"}})).values
    assert state["input"]["text"] == "look"
    assert state["input"]["image"]["file_id"] == "photo"
    assert len(state["input"]["image"]["sha256"]) == 64
    assert not any(isinstance(value, bytes) for value in state["input"]["image"].values())


async def test_turn_retries_a_stream_that_broke_off() -> None:
    """Half an answer is never taken for a whole one."""
    cast = cast_for("direct")
    cast.chat = ScriptedChat(("Whole ", "answer."), [UpstreamUnavailableError("model", "cut")])
    events = await run(turns_with(cast))
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert finished.outcome.answer.text == "Whole answer."
    assert len(cast.chat.prompts) == 2


@pytest.mark.parametrize(
    ("failure", "tries"),
    [
        (BrokenAnswerError("model", "cut"), 2),
        (UpstreamUnavailableError("model", "503"), 3),
        (ModelBusyError("model", 61), 1),
        (UpstreamRefusedError("model", "400"), 1),
    ],
)
async def test_turn_asks_a_failing_model_a_few_times(failure: Exception, tries: int) -> None:
    """An answer that breaks is asked for once more, a model that is away twice; then it fails."""
    cast = cast_for("direct")
    cast.chat = ScriptedChat(("Half",), [failure] * 5)
    with pytest.raises(type(failure)):
        await run(turns_with(cast))
    assert len(cast.chat.prompts) == tries
    assert cast.transcript.turns == {}


async def test_turn_waits_in_place_for_a_busy_model() -> None:
    """However often it says so within the minute; the user sees why, and the node alone runs again.

    More tries than a failure gets.
    """
    cast = cast_for("rag")
    cast.chat = ScriptedChat(("It is so [1].",), [ModelBusyError("model", 0.001)] * 2)
    events = await run(turns_with(cast))
    assert StageChanged("busy") in events
    assert isinstance(events[-1], Finished)
    assert (len(cast.chat.prompts), len(cast.planner.prompts)) == (3, 1)


async def test_turn_that_waited_for_its_limit_stands_at_its_node() -> None:
    """It goes on there when it is taken up again, and nothing before it is done again."""
    cast = cast_for("rag")
    turns = turns_with(cast)
    cast.chat = ScriptedChat(("It is so [1].",), [ModelBusyError("model", 600.0)])
    turns = GraphTurns(turns.graph, cast.services(), turns.checkpointer)
    with pytest.raises(ModelBusyError):
        await run(turns)
    searched = len(cast.passages.queries)
    (*_, last) = await run(turns)
    assert isinstance(last, Finished)
    assert (len(cast.planner.prompts), len(cast.passages.queries)) == (1, searched)


async def test_turn_waits_for_a_first_word_within_one_budget() -> None:
    """A model that says nothing has all the time that there is, and is not asked again."""
    cast = cast_for("direct")
    cast.chat = SilentChat()
    cast.limits = Limits(model_budget_s=0.6)
    with pytest.raises(UpstreamTimeoutError):
        await run(turns_with(cast))
    assert len(cast.chat.prompts) == 1


@dataclass(slots=True)
class SilentChat(ScriptedChat):
    """Never says a word."""

    @override
    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """See `ChatModel`."""
        self.prompts.append(prompt)
        await asyncio.Event().wait()
        yield ""


@pytest.mark.req("DUR-1")
async def test_turn_that_broke_goes_on_from_its_checkpoint() -> None:
    """Steps that were done before the failure are not done again."""
    cast = cast_for("rag")
    failures: list[Exception] = [UpstreamUnavailableError("model", "cut") for _ in range(3)]
    cast.chat = ScriptedChat(("It is so [1].",), failures)
    turns = turns_with(cast)
    with pytest.raises(UpstreamUnavailableError):
        await run(turns)
    events = await run(turns)
    assert isinstance(events[-1], Finished)
    assert len(cast.planner.prompts) == 1
    assert len(cast.passages.queries) == 1
    assert len(events[-1].outcome.nodes) == 6


@pytest.mark.req("DUR-1")
async def test_turn_delivered_again_after_its_end_runs_nothing() -> None:
    """The stored answer is given again."""
    cast = cast_for("rag")
    turns = turns_with(cast)
    first = await run(turns)
    again = await run(turns)
    assert [type(event) for event in again] == [Answered, Finished]
    assert isinstance(first[-1], Finished)
    assert isinstance(again[-1], Finished)
    assert again[-1].outcome.answer == first[-1].outcome.answer
    assert len(cast.chat.prompts) == 1


@pytest.mark.req("MEM-1")
async def test_turn_sees_the_conversation_before_it() -> None:
    """The second prompt holds the first question and its answer."""
    cast = cast_for("direct")
    turns = turns_with(cast)
    await run(turns, "My cat is called Mia, isn't that nice?")
    await run(turns, "What did I just say?", request_id="r2")
    assert cast.chat.prompts[-1].history == (
        ("user", "My cat is called Mia, isn't that nice?"),
        ("assistant", "It is so."),
    )


@pytest.mark.req("MEM-6")
async def test_state_keeps_only_the_newestturns_with() -> None:
    """A full window is folded down to its half; what left it is archived and in the summary."""
    cast = cast_for("direct")
    turns = turns_with(cast)
    for number in range(13):
        await run(turns, f"Question number {number}?", request_id=f"r{number}")
    state = (await turns.graph.aget_state({"configurable": {"thread_id": "tg:42"}})).values
    assert len(state["messages"]) == 2 * (13 - 6)
    assert [row.turn.question for row in cast.archive.kept.values()] == [
        f"Question number {number}?" for number in range(6)
    ]
    assert cast.memories.kept[42].conversation_summary == "Summary 1."


async def test_turn_of_an_edited_question_replaces_the_old_pair() -> None:
    """State, record and decision have the new question and answer, in the old ones' place."""
    made = cast_for("direct")
    runner = turns_with(made)
    await run(runner, "What is a node?", request_id="r0")
    await run(runner, "What is staking?")
    made.chat.pieces = ("A penalty.",)
    await run(runner, "What is slashing?", revision=9)
    state = (await runner.graph.aget_state({"configurable": {"thread_id": "tg:42"}})).values
    said = [(message.id, message.text) for message in state["messages"]]
    assert [text for _, text in said[:1]] == ["What is a node?"]
    assert said[2:] == [("r1:user", "What is slashing?"), ("r1:assistant", "A penalty.")]
    history = made.chat.prompts[-1].history
    assert [text for _, text in history] == [text for _, text in said[:2]]
    kept = [(turn.question, turn.answer) for turn in made.transcript.turns.values()]
    assert kept[1:] == [("What is slashing?", "A penalty.")]
    assert len(made.decisions.rows) == 2


async def test_turn_of_an_edited_question_goes_on_only_with_its_own_checkpoint() -> None:
    """Tried again, the same revision gives its answer; a higher one starts anew."""
    made = cast_for("direct")
    runner = turns_with(made)
    await run(runner, revision=9)
    await run(runner, revision=9)
    assert len(made.chat.prompts) == 1
    await run(runner, revision=10)
    assert len(made.chat.prompts) == 2


def test_every_node_has_its_place_in_a_trace() -> None:
    """The trace shows them in the order in which a turn comes through them."""
    assert sorted(NODE_ORDER) == sorted(get_args(NodeId))
    plan = ["N4_build_effective_query", "N5_retrieve", "N8_web_search", "N6_synthesize"]
    assert sorted(plan, key=node_position) == plan
    assert node_position("N99_of_an_older_version") == len(NODE_ORDER)
