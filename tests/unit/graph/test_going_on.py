"""A turn that stopped on its way goes on from where it was."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from typing_extensions import override

from rich_agent.errors import TurnDrainedError
from rich_agent.ports.models import ModelPiece, Prompt
from rich_agent.turns.runner import Answered, Finished, GraphTurns, TextSoFar, TurnEvent
from tests import make
from tests.scripted import ScriptedChat, ScriptedPlanner
from tests.turns_in_memory import UnprunedSaver, cast_for, run, turns_with


@dataclass(slots=True)
class DrainingPlanner(ScriptedPlanner):
    """Is planning when its process is told to end."""

    turns: GraphTurns | None = None

    @override
    async def plan(self, prompt: Prompt) -> Any:
        """See `Planner`."""
        assert self.turns is not None
        self.turns.drain()
        return await ScriptedPlanner.plan(self, prompt)


@dataclass(slots=True)
class DrainingChat(ScriptedChat):
    """Is writing when its process is told to end."""

    turns: GraphTurns | None = None

    @override
    async def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        """See `ChatModel`."""
        assert self.turns is not None
        self.turns.drain()
        async for piece in ScriptedChat.stream(self, prompt):
            yield piece


@pytest.mark.req("DUR-1", "REL-1")
async def test_drained_turn_stops_before_its_next_node_and_goes_on_elsewhere() -> None:
    """The node that ran comes to its end; the next process runs those behind it, and no other."""
    saver, cast = UnprunedSaver(), cast_for("rag")
    planner = DrainingPlanner(cast.planner.routing)
    cast.planner = planner
    planner.turns = turns_with(cast, saver)
    with pytest.raises(TurnDrainedError):
        await run(planner.turns)
    assert (len(planner.prompts), len(cast.passages.queries)) == (1, 0)

    events = await run(turns_with(cast, saver))

    assert isinstance(events[-1], Finished)
    assert (len(planner.prompts), len(cast.passages.queries)) == (1, 1)
    assert len(events[-1].outcome.nodes) == 6


@pytest.mark.req("DUR-1")
async def test_turn_drained_while_it_writes_still_gives_its_answer() -> None:
    """The written text reaches the user now; only keeping it is left to the next process."""
    saver, cast = UnprunedSaver(), cast_for("rag")
    chat = DrainingChat(("It is so [1].",))
    cast.chat = chat
    chat.turns = turns_with(cast, saver)
    events: list[TurnEvent] = []
    with pytest.raises(TurnDrainedError):
        await _collect(chat.turns, events)
    assert isinstance(events[-1], Answered)
    again = await run(turns_with(cast, saver))
    assert [type(event) for event in again] == [Answered, Finished]
    assert len(chat.prompts) == 1


async def _collect(turns: GraphTurns, events: list[TurnEvent]) -> None:
    async for event in turns.run(make.request()):
        events.append(event)  # noqa: PERF401 - the end is an error, and what came before it counts


async def test_drained_turns_begin_no_other() -> None:
    """A turn that comes after the order to stop runs no node."""
    cast = cast_for("rag")
    turns = turns_with(cast)
    turns.drain()
    with pytest.raises(TurnDrainedError):
        await run(turns, photos=("photo",))
    assert cast.files.fetched == []


class DyingSaver(UnprunedSaver):
    """Dies when the end of the step `dies_at` is to be stored; the node's writes are there."""

    dies_at: int | None = None

    @override
    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        """Store a checkpoint, or die."""
        if metadata["step"] == self.dies_at:
            raise ConnectionAbortedError
        return await super().aput(config, checkpoint, metadata, new_versions)


@pytest.mark.req("DUR-1")
@pytest.mark.parametrize("nodes_ended", [0, 1])
async def test_turn_that_died_in_its_first_steps_does_not_show_the_answer_before_it(
    nodes_ended: int,
) -> None:
    """START or N1 ended, but its step was not stored: the stored answer is an older one."""
    saver, cast = DyingSaver(), cast_for("rag")
    await run(turns_with(cast, saver))
    newest = await saver.aget_tuple({"configurable": {"thread_id": "tg:42", "checkpoint_ns": ""}})
    assert newest is not None
    saver.dies_at = newest.metadata["step"] + 2 + nodes_ended
    cast.chat = ScriptedChat(("It is otherwise [1].",))
    with pytest.raises(ConnectionAbortedError):
        await run(turns_with(cast, saver), "And now?", request_id="r2")
    saver.dies_at = None

    events = await run(turns_with(cast, saver), "And now?", request_id="r2")

    shown = [event for event in events if isinstance(event, TextSoFar | Answered)]
    texts = {event.answer.text if isinstance(event, Answered) else event.text for event in shown}
    assert texts == {"It is otherwise [1]."}
    assert isinstance(events[-1], Finished)


@pytest.mark.req("DUR-1")
async def test_turn_goes_on_from_the_checkpoint_of_an_older_version() -> None:
    """Its request lacks what was not known then; the turn is answered, and so is the next one."""
    saver, cast = UnprunedSaver(), cast_for("rag")
    turns = turns_with(cast, saver)
    old = dict(make.state("Is it so?"), latency_ms={}, node_log={})
    config: RunnableConfig = {"configurable": {"thread_id": "tg:42"}}
    await turns.graph.aupdate_state(config, old, as_node="N2_load_long_term_memory")

    events = await run(turns, "Is it so?")

    assert isinstance(events[-1], Finished)
    assert events[-1].outcome.answer.text == "It is so [1]."
    last = await turns.last_question("tg:42")
    assert last is not None
    assert (last.message.text, last.message.photos, last.message.reply) == ("Is it so?", (), None)
    assert isinstance((await run(turns, "And then?", request_id="r2"))[-1], Finished)
