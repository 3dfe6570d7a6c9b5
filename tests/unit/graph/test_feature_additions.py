"""Passages that features have for a question, and what they add below the answer."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from rich_agent.domain.answer.citation import CommandOffer
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.graph.answer import feature_additions
from rich_agent.graph.nodes.persist import persist
from rich_agent.graph.nodes.retrieve import retrieve
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.services import (
    AnsweredTurn,
    FeaturePassage,
    PassageRequest,
    RecordedTurn,
)
from tests import make
from tests.scripted import ScriptedChat, ScriptedPassages


def runtime_with(cast: make.Fakes | None = None, **parts: object) -> Any:
    """A runtime whose features have these parts."""
    runtime = make.runtime(cast)
    runtime.context = replace(runtime.context, services=replace(runtime.context.services, **parts))
    return runtime


def giving(*passages: FeaturePassage) -> Callable[[PassageRequest], Awaitable[Sequence[Any]]]:
    """A feature that has these for every question."""

    async def seek(_request: PassageRequest) -> Sequence[FeaturePassage]:
        return passages

    return seek


async def fail(_turn: object) -> Sequence[Any]:
    """A feature that breaks."""
    raise KeyError("rows")


async def hang(_turn: object) -> Sequence[Any]:
    """A feature that never answers."""
    await asyncio.Event().wait()
    return ()


async def give_no_passage(_turn: object) -> Sequence[Any]:
    """A feature that mistakes what a passage is."""
    return ["a text"]


async def give_no_text(_turn: object) -> Sequence[Any]:
    """A feature whose passage has no text."""
    no_text: Any = None
    return [FeaturePassage("Nothing", no_text)]


async def leave(_turn: object) -> Sequence[Any]:
    """A feature that wants to end the process."""
    raise SystemExit


async def test_passages_of_a_feature_stand_behind_those_of_documents() -> None:
    """They are cited by their numbers, and read as somebody else's words."""
    requests = []

    async def seek(request: PassageRequest) -> Sequence[FeaturePassage]:
        requests.append(request)
        return [FeaturePassage("Fees", "A fee is 5 lamports.", "https://example.org/fees")]

    cast = make.Fakes(chat=ScriptedChat(("It is 5 lamports [2].",)))
    runtime = runtime_with(cast, passage_seekers=[seek])
    state = make.state("What is a fee?", rag={"query": "fee"})
    state = {**state, **await retrieve(state, runtime)}
    chunks = [Passage.from_state(one) for one in state["rag"]["retrieved_chunks"]]
    assert [one.title for one in chunks][-1] == "Fees"
    assert chunks[-1].words.origin == "server"
    answer = (await synthesize(state, runtime))["answer"]
    assert [one["source_url"] for one in answer["citations"]] == ["https://example.org/fees"]
    assert requests == [PassageRequest(42, "en", "What is a fee?", ("fee",))]


async def test_feature_is_not_asked_where_nothing_is_looked_up() -> None:
    """A message about a file alone, and one without a plan of which no document says anything."""
    runtime = runtime_with(passage_seekers=[giving(FeaturePassage("Mine", "q is r."))])
    routing = {"intent": "general_question", "plan": "rag", "reason": "r", "files_only": True}
    update = await retrieve(make.state(routing=routing, rag={"query": "q"}), runtime)
    assert update["rag"]["retrieved_chunks"] == []
    passage = replace(make.passage(1), score=0.0)
    cast = make.Fakes(passages=ScriptedPassages([passage]))
    runtime = runtime_with(cast, passage_seekers=[giving(FeaturePassage("Mine", "q is r."))])
    routing = {"intent": "general_question", "plan": "rag", "reason": "r", "rule": "no_plan"}
    update = await retrieve(make.state(routing=routing, rag={"query": "q"}), runtime)
    assert update["routing"]["plan"] == "direct"
    assert update["rag"]["retrieved_chunks"] == []


@pytest.mark.parametrize("broken", [fail, hang, give_no_passage, give_no_text, leave])
async def test_feature_that_breaks_before_an_answer_ends_its_own_part(
    broken: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one's passages are there, no more than fit, and the record says what failed."""
    monkeypatch.setattr(feature_additions, "BUDGET_S", 0.05)
    others = giving(*(FeaturePassage(f"{n}", "long " * 9_000) for n in range(9)))
    runtime = runtime_with(passage_seekers=[broken, others])
    update = await retrieve(make.state(rag={"query": "q"}), runtime)
    own = [one for one in update["rag"]["retrieved_chunks"] if one["kind"] == "tool"]
    assert [one["title"] for one in own] == ["0", "1", "2"]
    assert all(len(one["content"]) <= 4_000 for one in own)
    assert "feature_passages_failed" in runtime.context.run.notes.survived


async def test_lines_and_buttons_of_features_stand_below_the_answer() -> None:
    """A button gives a command; one that breaks leaves those of others."""
    turns = []

    async def offer(turn: AnsweredTurn) -> Sequence[str | CommandOffer]:
        turns.append(turn)
        return ["You have 3.", CommandOffer("Show them", "bookmarks 3")]

    async def offer_too_much(_turn: AnsweredTurn) -> Sequence[str | CommandOffer]:
        return [CommandOffer("All", "bookmarks " + "9" * 60)]

    cast = make.Fakes(chat=ScriptedChat(("Done.",)))
    runtime = runtime_with(cast, below_answer=[fail, offer, offer_too_much])
    routing = {"intent": "general_question", "plan": "direct", "reason": "r"}
    answer = (await synthesize(make.state("Write it", routing=routing), runtime))["answer"]
    assert answer["text"] == "Done.\n\n_You have 3._"
    assert answer["commands"] == [{"text": "Show them", "command": "bookmarks 3"}]
    assert turns[0].text == "Done."
    assert "feature_lines_failed" in runtime.context.run.notes.survived


@pytest.mark.parametrize(
    ("checks", "passages", "noted"),
    [
        ({}, [make.passage()], False),
        ({}, [], True),
        ({"found_nothing": True}, [make.passage()], True),
        ({"refused": True}, [make.passage()], True),
    ],
    ids=["answered", "nothing_found", "says_nothing", "unsupported"],
)
async def test_features_note_whether_a_stored_turn_was_answered(
    checks: dict[str, object], passages: list[Passage], noted: object
) -> None:
    """With the query that was looked up; a feature that breaks ends its own part."""
    turns: list[RecordedTurn] = []

    async def note(turn: RecordedTurn) -> None:
        turns.append(turn)

    runtime = runtime_with(recorded_turns=[fail, note])
    chunks = [one.to_state() for one in passages]
    state = make.state(
        "And the fee?",
        routing={"intent": "docs_required", "plan": "rag", "reason": "r"},
        rag={"query": "What is the fee?", "retrieved_chunks": chunks},
        answer={"text": "It is 5.", "citations": [], "debug": checks},
    )
    await persist(state, runtime)
    assert [(one.query, one.is_unanswered) for one in turns] == [("What is the fee?", noted)]
    assert not turns[0].has_own_files
    assert turns[0].citation_count == 0
    assert turns[0].vector is None, "the end of a turn embeds nothing"
