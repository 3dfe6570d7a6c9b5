"""A turn that its user stops: what was said is kept, and nothing is waited for any more."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from typing_extensions import override

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.routing.plan import Routing
from rich_agent.graph.services import Limits
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.ports.models import ModelPiece, Prompt
from rich_agent.runtime.concurrency import TurnEnd
from rich_agent.turns.runner import Finished, GraphTurns, TextSoFar, TurnEvent
from tests import make
from tests.scripted import ScriptedChat, ScriptedPassages, ScriptedPlanner
from tests.turns_in_memory import graph_on

DEADLINE_S = 10.0


@dataclass(slots=True)
class HangingChat(ScriptedChat):
    """Says its pieces and then never goes on; `closed` tells that its stream was closed."""

    closed: asyncio.Event = field(default_factory=asyncio.Event)

    @override
    async def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        """See `ChatModel`."""
        self.prompts.append(prompt)
        try:
            for piece in self.pieces:
                yield piece
            await asyncio.Event().wait()
        finally:
            self.closed.set()


@dataclass(slots=True)
class HangingPlanner(ScriptedPlanner):
    """Never decides."""

    @override
    async def plan(self, prompt: Prompt) -> Routing:
        """See `Planner`."""
        self.prompts.append(prompt)
        await asyncio.Event().wait()
        raise AssertionError


@dataclass(slots=True)
class HangingPassages(ScriptedPassages):
    """Never finds anything."""

    @override
    async def search(self, query: PassageQuery) -> list[Passage]:
        """See `Passages`."""
        self.queries.append(query)
        await asyncio.Event().wait()
        raise AssertionError


class _Saver(InMemorySaver):
    """The library's saver in memory, which cannot prune."""

    @override
    async def aprune(self, thread_ids: object, *, strategy: str = "keep_latest") -> None:
        """Keep all checkpoints."""


def turns_of(cast: make.Fakes) -> GraphTurns:
    """The graph in memory."""
    saver = _Saver()
    return GraphTurns(graph_on(saver), cast.services(), saver)


async def run_and_stop(
    turns: GraphTurns, when: Callable[[TurnEvent | None], bool], text: str = "What is staking?"
) -> Finished:
    """A turn that is stopped as soon as `when` holds for an event, or before any (None)."""
    stop = asyncio.Event()
    if when(None):
        stop.set()
    events = []
    async with asyncio.timeout(DEADLINE_S):
        async for event in turns.run(make.request(text), stop):
            events.append(event)
            if when(event):
                stop.set()
    assert isinstance(events[-1], Finished)
    return events[-1]


async def test_stop_keeps_what_was_said_and_closes_the_stream() -> None:
    """The answer is what was written, with its source, marked; the model's stream is closed."""
    chat = HangingChat(("It is **so", " [1] and", " [2"))
    cast = make.Fakes(
        chat=chat,
        planner=ScriptedPlanner(Routing("general_question", "rag", "r", "q")),
        passages=ScriptedPassages([make.passage(1), make.passage(2)]),
    )
    finished = await run_and_stop(
        turns_of(cast), lambda e: isinstance(e, TextSoFar) and "and" in e.text
    )
    answer = finished.outcome.answer
    assert answer.text == "It is **so [1] and**\n\n_(stopped)_"
    assert [citation.id for citation in answer.citations] == ["chk_1"]
    assert chat.closed.is_set()
    assert finished.outcome.nodes[-1] == "N7_persist"
    (turn,) = cast.transcript.turns.values()
    assert turn.answer == answer.text


async def test_stop_leaves_a_conversation_that_goes_on() -> None:
    """The next turn knows what was said, and that it was stopped."""
    cast = make.Fakes(chat=HangingChat(("One, two",)), planner=_direct())
    turns = turns_of(cast)
    await run_and_stop(turns, lambda e: isinstance(e, TextSoFar), "Count to a hundred for me")
    cast.chat.closed.clear()  # type: ignore[attr-defined]  # a HangingChat
    stop = asyncio.Event()
    async for event in turns.run(make.request("And on from there?", request_id="r2"), stop):
        if isinstance(event, TextSoFar):
            stop.set()
    assert cast.chat.prompts[-1].history == (
        ("user", "Count to a hundred for me"),
        ("assistant", "One, two\n\n_(stopped)_"),
    )


@pytest.mark.parametrize(
    "cast",
    [
        make.Fakes(planner=HangingPlanner()),
        make.Fakes(passages=HangingPassages()),
        make.Fakes(
            chat=HangingChat(()),
            planner=ScriptedPlanner(Routing("general_question", "direct", "r", "")),
        ),
    ],
    ids=["planning", "retrieving", "before the first word"],
)
async def test_stop_ends_whatever_node_runs(cast: make.Fakes) -> None:
    """Nothing was said yet: the answer says that it was stopped, and the turn is stored."""
    stop = asyncio.Event()
    turns = turns_of(cast)
    events: list[TurnEvent] = []

    async def run() -> None:
        events.extend([event async for event in turns.run(make.request(), stop)])

    async with asyncio.timeout(DEADLINE_S), asyncio.TaskGroup() as group:
        group.create_task(run())
        while not _has_begun(cast):  # noqa: ASYNC110 - a twin has no event for it
            await asyncio.sleep(0)
        stop.set()
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert finished.outcome.answer.text == "Stopped before I wrote anything."
    assert len(cast.transcript.turns) == 1
    assert len(cast.decisions.rows) == 1


def _has_begun(cast: make.Fakes) -> bool:
    if isinstance(cast.planner, HangingPlanner):
        return bool(cast.planner.prompts)
    if isinstance(cast.passages, HangingPassages):
        return bool(cast.passages.queries)
    return bool(cast.chat.prompts)


async def test_stop_asked_before_the_turn_costs_no_model_call() -> None:
    """A turn that is taken up again after its user stopped it."""
    cast = make.Fakes()
    finished = await run_and_stop(turns_of(cast), lambda event: event is None)
    assert finished.outcome.answer.text == "Stopped before I wrote anything."
    assert cast.chat.prompts == []


def _direct() -> ScriptedPlanner:
    return ScriptedPlanner(Routing("general_question", "direct", "r", ""))


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        (("One, two",), "One, two\n\n_This took longer than I may spend on one message"),
        ((), "This took longer than I may spend on one message"),
    ],
)
async def test_turn_that_takes_too_long_ends_with_what_was_said(
    pieces: tuple[str, ...], told: str
) -> None:
    """A model that hangs does not hold a conversation; nobody stopped it, and that is said."""
    cast = make.Fakes(chat=HangingChat(pieces), planner=_direct(), limits=Limits(turn_s=0.3))
    finished = await run_and_stop(turns_of(cast), lambda _: False)
    assert finished.outcome.answer.text.startswith(told)
    assert finished.outcome.nodes[-1] == "N7_persist"


async def test_wait_for_a_busy_server_is_not_the_turns_own_time() -> None:
    """It asked for it, and the model has as much time after it as before."""
    end = TurnEnd(most_s=0.05)
    with end.counting():
        end.prolong(30.0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await end.wait()
        assert not end.is_set()
        end.asked.set()
        await end.wait()
