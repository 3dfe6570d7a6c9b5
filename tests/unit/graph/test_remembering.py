"""Recalling and learning in a turn, node by node."""

from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from typing_extensions import override

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem
from rich_agent.domain.memory.merging import Learned
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.routing.plan import Routing
from rich_agent.domain.text import most_tokens
from rich_agent.errors import UpstreamTimeoutError
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.nodes.load_long_term_memory import load_long_term_memory
from rich_agent.graph.nodes.persist import persist
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.services import Limits
from rich_agent.graph.state import TurnState
from tests import make
from tests.scripted import (
    ScriptedEmbeddings,
    ScriptedExtractor,
    ScriptedPassages,
    ScriptedPlanner,
)
from tests.turns_in_memory import run, turns_with
from tests.twins.memories import InMemoryMemories

OSLO = MemoryItem("Lives in Oslo", "r0", "2026-01-01T00:00:00+00:00", "residence")
CAT = MemoryItem("Has a cat", "old", "2025-12-01T00:00:00+00:00")
JAPANESE = MemoryItem(
    "Answer in Japanese", "old", "2025-12-01T00:00:00+00:00", "language", language="ja"
)
TAUGHT = (HumanMessage("I live in Oslo", id="r0:user"), AIMessage("Noted.", id="r0:assistant"))


def remembering(*facts: MemoryItem, preferences: tuple[MemoryItem, ...] = ()) -> make.Fakes:
    """A cast whose user 42 is remembered."""
    cast = make.Fakes()
    cast.memories.kept[42] = LongTermMemory(facts=facts, preferences=preferences)
    return cast


def crowded() -> make.Fakes:
    """A cast with more memories than fit into a prompt of the least size."""
    facts = [MemoryItem(f"Owns thing number {n}", f"r{n}", f"2025-12-{n:02}") for n in range(1, 30)]
    cast = remembering(CAT, *facts)
    cast.limits = Limits(max_context_tokens=1_000)
    return cast


async def through(state: TurnState, cast: make.Fakes) -> TurnState:
    """The state after the turn's nodes N2, N4, N6 and N7; messages are replaced by the newest."""
    merged: dict[str, Any] = {**state}
    for node in (load_long_term_memory, build_effective_query, synthesize, persist):
        update = await node(merged, make.runtime(cast))  # type: ignore[arg-type]  # a state
        update.pop("messages", None)
        merged |= update
    return merged  # type: ignore[return-value]  # a state


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    "learned",
    [
        Learned("facts", "Lives in Rome", "residence"),
        Learned("facts", "Lives in Rome", "", "replace", number=1),
    ],
)
async def test_turn_moves_the_user(learned: Learned) -> None:
    """By the topic, or by the number under which the model was shown the old home."""
    cast = remembering(CAT, OSLO)
    cast.extractor.learned = [learned]
    await through(make.state("I moved to Rome"), cast)
    kept = cast.memories.kept[42].facts
    assert [item.text for item in kept] == ["Has a cat", "Lives in Rome"]
    assert (kept[-1].request_id, kept[-1].updated_at) == ("r1", make.NOW.isoformat())
    shown = '<entry n="1" kind="facts">Lives in Oslo</entry>\n<entry n="2" kind="facts">Has a cat'
    assert shown in cast.extractor.prompts[0].user


@pytest.mark.req("MEM-4", "DUR-2")
async def test_turn_that_has_taught_asks_no_model_again() -> None:
    """A node that runs again after a crash costs nothing and adds nothing."""
    cast = make.Fakes(extractor=ScriptedExtractor([Learned("facts", "Has a cat")]))
    state = make.state("I have a cat", answer={"text": "ok", "citations": []})
    for _ in range(2):
        await persist(state, make.runtime(cast))
    assert len(cast.extractor.prompts) == 1
    assert len(cast.memories.kept[42].facts) == 1


@pytest.mark.parametrize("text", ["> My name is Bob", "```\nname = Bob\n```"])
async def test_turn_asks_no_model_about_quoted_text(text: str) -> None:
    """No words of the user's own are left."""
    cast = make.Fakes(extractor=ScriptedExtractor())
    await persist(make.state(text, answer={"text": "ok", "citations": []}), make.runtime(cast))
    assert cast.extractor.prompts == []


@pytest.mark.req("MEM-5")
async def test_memories_that_fit_cost_no_embedding() -> None:
    """While all of them can be told, nothing is searched."""
    cast = remembering(CAT, OSLO)
    assert cast.embeddings is not None
    update = await load_long_term_memory(make.state(), make.runtime(cast))
    assert update["memory"]["long_term_entries"] == ["Has a cat", "Lives in Oslo"]
    cast.extractor.learned = [Learned("facts", "Has a dog")]
    await persist(
        make.state("I have a dog", answer={"text": "", "citations": []}), make.runtime(cast)
    )
    assert cast.embeddings.texts == []


class Meaning(ScriptedEmbeddings):
    """Texts about animals lie in one direction, all others in another."""

    @override
    async def embed(self, texts: Any) -> list[list[float]]:
        """One of two vectors."""
        await super().embed(texts)
        animals = ("cat", "pet")
        return [[1.0, 0.0] if any(a in t for a in animals) else [0.0, 1.0] for t in texts]


@pytest.mark.req("MEM-5")
async def test_memories_that_do_not_fit_are_found_by_meaning() -> None:
    """The oldest fact, in other words than the question; one call embeds the question."""
    cast = crowded()
    cast.embeddings = Meaning()
    await persist(make.state(answer={"text": "", "citations": []}), make.runtime(cast))
    assert len(cast.embeddings.texts) == 30
    cast.embeddings.texts.clear()
    update = await load_long_term_memory(make.state("What is my pet?"), make.runtime(cast))
    entries = update["memory"]["long_term_entries"]
    assert "Has a cat" in entries
    assert len(entries) < 30
    assert cast.embeddings.texts == ["What is my pet?"]


@pytest.mark.req("MEM-5", "COST-1")
@pytest.mark.parametrize(("documents", "calls"), [("scripted-embedding", 1), ("another", 2)])
async def test_turn_embeds_the_same_text_once(documents: str, calls: int) -> None:
    """For memories and documents together, unless the documents' vectors are of another model."""
    cast = crowded()
    assert cast.embeddings is not None
    question = "Where is my cat?"
    cast.planner = ScriptedPlanner(Routing("general_question", "rag", "r", question))
    cast.passages = ScriptedPassages([make.passage()], complete=VectorSpace(documents, 2))
    await run(turns_with(cast), question)
    assert cast.passages.queries[0].embedding == [1.0, 0.0]
    assert cast.embeddings.texts.count(question) == calls


class CountedMemories(InMemoryMemories):
    """Memories that count how often they are read."""

    loads = 0

    @override
    async def load(self, user_id: int) -> LongTermMemory:
        """One more."""
        self.loads += 1
        return await super().load(user_id)


@pytest.mark.req("MEM-1")
@pytest.mark.parametrize("question", ["What is proof of history?", "hi"])
async def test_turn_that_teaches_nothing_reads_the_memory_once(question: str) -> None:
    """To recall it; nothing is to be kept."""
    cast = remembering(CAT)
    cast.memories = CountedMemories(cast.memories.kept)
    cast.planner.routing = replace(cast.planner.routing, teaches=False)
    await through(make.state(question), cast)
    assert cast.memories.loads == 1


@pytest.mark.req("MEM-6")
@pytest.mark.parametrize("words", ["I own a very old clock. ", "私は古い時計を持っています。"])
async def test_memory_prompt_stays_within_the_budget(words: str) -> None:
    """A joined text of 40,000 characters is cut, and begins and ends as the user wrote it."""
    cast = remembering(CAT)
    text = f"My name is Ada. {words * (40_000 // len(words))} I live in Rome."
    await persist(make.state(text, answer={"text": "", "citations": []}), make.runtime(cast))
    (prompt,) = cast.extractor.prompts
    assert most_tokens(prompt.system) + most_tokens(prompt.user) <= 12_000
    assert "My name is Ada." in prompt.user
    assert "I live in Rome." in prompt.user
    assert "Has a cat" in prompt.user


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize("text", ["hi", "yo", "やあ"])
async def test_greeting_embeds_nothing_however_much_is_remembered(text: str) -> None:
    """No call for what is answered by rule."""
    cast = crowded()
    assert cast.embeddings is not None
    done = await through(make.state(text), cast)
    assert done["routing"]["intent"] == "smalltalk_or_short"
    assert cast.embeddings.texts == []


@pytest.mark.req("MEM-5")
@pytest.mark.parametrize(
    "embeddings", [None, ScriptedEmbeddings(failure=UpstreamTimeoutError("embeddings", 60))]
)
async def test_memories_are_found_by_words_without_embeddings(
    embeddings: ScriptedEmbeddings | None,
) -> None:
    """Without a model, or with one that is away; the turn goes on either way."""
    cast = crowded()
    cast.embeddings = embeddings
    update = await load_long_term_memory(make.state("Where is my cat?"), make.runtime(cast))
    assert "Has a cat" in update["memory"]["long_term_entries"]
    await persist(make.state("I own it", answer={"text": "", "citations": []}), make.runtime(cast))
    assert not cast.memories.vectors.get(42)


async def test_preferences_reach_the_answer_apart_from_facts() -> None:
    """As wishes about the form of the answer, which change no rule."""
    cast = remembering(CAT, preferences=(JAPANESE,))
    routing = {"intent": "general_question", "plan": "direct", "reason": "r"}
    state = make.state("Tell me a tale", routing=routing)
    state = {**state, **await load_long_term_memory(state, make.runtime(cast))}
    await synthesize(state, make.runtime(cast))
    (prompt,) = cast.chat.prompts
    assert "<preferences>\n- Answer in Japanese\n</preferences>" in prompt.system
    assert "<memory>\n- Has a cat\n</memory>" in prompt.user
    assert "in nothing else" in prompt.system


@pytest.mark.parametrize(("chosen", "reason"), [(None, "あいさつ"), ("en", "a greeting")])
async def test_preferred_language_is_that_of_the_products_own_words(
    chosen: str | None, reason: str
) -> None:
    """Unless the user chose one with /language; else the greeting is left to the model."""
    cast = remembering(preferences=(JAPANESE,))
    request = make.stored(locale=chosen)
    done = await through(make.state("hi", request=request), cast)
    assert done["routing"]["reason"] == reason
    assert cast.planner.prompts == []
    assert bool(cast.chat.prompts) == (chosen is None)
