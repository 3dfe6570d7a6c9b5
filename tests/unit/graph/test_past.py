"""Questions about earlier turns: found in the archive, shown with their dates."""

import dataclasses
from typing import Any

import pytest

from rich_agent.domain.routing.plan import PastQuestion, Routing
from rich_agent.domain.text import estimate_tokens
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.nodes.persist import persist
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.services import Limits, NodeContext
from tests import make
from tests.scripted import ScriptedPlanner


async def remembering(*questions: str) -> make.Fakes:
    """A cast whose archive holds these questions of user 42."""
    cast = make.Fakes()
    for number, question in enumerate(questions):
        await cast.archive.keep([make.turn_record(f"old{number}", question)])
    return cast


def about_the_past(**wanted: object) -> ScriptedPlanner:
    """A planner that takes every message for a question about earlier turns."""
    past = PastQuestion(**wanted)  # type: ignore[arg-type]  # fields of PastQuestion
    return ScriptedPlanner(Routing("general_question", "direct", "r", past=past))


@pytest.mark.req("MEM-6")
async def test_question_about_the_first_turn_is_answered_from_the_archive() -> None:
    """Oldest first, with the dates."""
    cast = await remembering("How old is the moon?", "And the sun?")
    cast.planner = about_the_past(order="oldest")
    state = make.state("Was habe ich dich zuerst gefragt?")
    state |= await build_effective_query(state, make.runtime(cast))
    assert state["routing"]["plan"] == "direct"
    await synthesize(state, make.runtime(cast))
    shown = cast.chat.prompts[0].user
    assert "<asked>How old is the moon?</asked>" in shown
    assert shown.index("the moon") < shown.index("the sun")
    assert '<past_turn date="20' in shown


@pytest.mark.req("MEM-6")
async def test_question_about_the_past_may_ask_for_something_else_too() -> None:
    """The plan stays."""
    past = PastQuestion("umbrella")
    cast = await remembering("Where is my umbrella?", "And the sun?")
    cast.planner = ScriptedPlanner(Routing("general_question", "rag", "r", "q", past=past))
    state = make.state("The brolly thing from before, and what is staking?")
    update = await build_effective_query(state, make.runtime(cast))
    (turn,) = update["memory"]["past_turns"]
    assert turn["question"] == "Where is my umbrella?"
    assert update["routing"]["plan"] == "rag"


@pytest.mark.req("MEM-6")
async def test_question_about_the_past_that_the_archive_cannot_answer_is_told_so() -> None:
    """The model knows that it was searched, and does not guess."""
    cast = await remembering("And the sun?")
    cast.planner = about_the_past(query="umbrella")
    state = make.state("Did I tell you about my umbrella?")
    state |= await build_effective_query(state, make.runtime(cast))
    await synthesize(state, make.runtime(cast))
    assert "holds nothing on it" in cast.chat.prompts[0].user


@pytest.mark.parametrize("text", ["What is staking?", "hi", "Who first wrote about staking?"])
async def test_other_questions_do_not_search_the_archive(text: str) -> None:
    """They cost no query, and their prompts hold no old turn."""
    cast = await remembering("And the sun?")
    update = await build_effective_query(make.state(text), make.runtime(cast))
    assert "memory" not in update


async def test_persist_leaves_no_earlier_turn_in_the_state() -> None:
    """They belong to one question, and would be stored with every step."""
    memory = {"past_turns": [{"date": "", "question": "q", "answer": "a"}]}
    state = make.state(memory=memory, answer={"text": "ok", "citations": []})
    update = await persist(state, make.runtime())
    assert update["memory"]["past_turns"] == []


@pytest.mark.req("MEM-6")
async def test_prompts_stay_within_the_budget_whatever_is_in_them() -> None:
    """System, history, passages, memory, summary, earlier turns and question together."""
    cast = make.Fakes(limits=Limits(max_context_tokens=3_000))
    services = dataclasses.replace(cast.services(), count_tokens=estimate_tokens)
    runtime: Any = make.FakeRuntime(NodeContext(services))
    long = "Many words, 日本語も。 " * 2_000
    memory = {
        "long_term_entries": [f"Fact {number}: {long[:300]}" for number in range(60)],
        "conversation_summary": long,
        "past_turns": [{"date": "2026-01-01", "question": long, "answer": long}],
    }
    received = {
        "text": long,
        "reply_context": {"message_id": 1, "text": long, "quote": long},
        "forwarded": {"text": long, "author": "Eve"},
    }
    rag = {"retrieved_chunks": [make.passage(n, content=long).to_state() for n in range(9)]}
    state = make.state(long, memory=memory, input=received, rag=rag)
    await build_effective_query(state, runtime)
    update = await synthesize(state, runtime)
    for prompt in (cast.planner.prompts[0], cast.chat.prompts[0]):
        texts = [prompt.system, prompt.user, *(text for _, text in prompt.history)]
        assert sum(map(services.count_tokens, texts)) <= 3_000
        assert prompt.user.startswith("<question>Many words")
    assert '<passage n="1"' in cast.chat.prompts[0].user
    assert "too long to read in full" in update["answer"]["text"]
