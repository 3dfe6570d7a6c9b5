"""By what a text shows that it tells what is to be forgotten."""

import pytest

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem, mark_of
from rich_agent.domain.memory.merging import Traces, forget
from rich_agent.domain.routing.plan import ForgetWish

MEMORY = LongTermMemory(
    facts=(
        MemoryItem("Lives in Oslo", "tg:1", "2026-01-01", "residence"),
        MemoryItem("Has a cat called Miso", "tg:3", "2026-01-03"),
    ),
    conversation_summary="They live in Oslo. The user has a cat called Miso, and asked of staking.",
)


def test_forget_takes_the_item_and_its_sentence_of_the_summary() -> None:
    """Other sentences of the summary stay."""
    oslo = MEMORY.facts[0]
    left = forget(MEMORY, [mark_of("facts", oslo)], Traces.of((), [oslo.text]))
    assert left.facts == MEMORY.facts[1:]
    assert left.conversation_summary == "The user has a cat called Miso, and asked of staking."


def test_forget_takes_a_sentence_that_was_chosen() -> None:
    """Also one that shares no word with what is forgotten."""
    left = forget(MEMORY, [], Traces(), ["They live in Oslo."])
    assert left.facts == MEMORY.facts
    assert "Oslo" not in left.conversation_summary


@pytest.mark.parametrize(
    ("fact", "text", "is_told"),
    [
        ("Lives in Oslo", "I live in Oslo, what now?", True),
        ("Lives in Oslo", "Does it rain in Oslo?", False),
        ("Arbeitet als Krankenschwester", "Ich arbeite als Krankenschwester", True),
        ("Diabetes", "Is diabetes hereditary?", False),
        ("オスロに住んでいる", "私はオスロに住んでいます", True),
        ("オスロに住んでいる", "東京に住んでいます", False),
    ],
)
def test_fact_is_told_by_nearly_all_of_its_words(fact: str, text: str, *, is_told: bool) -> None:
    """In other forms and in any language; one word alone tells too little."""
    assert Traces.of((), [fact]).occur_in(text) is is_told


@pytest.mark.parametrize(
    ("word", "text", "is_named"),
    [
        ("diabetes", "Ich bin Diabetiker", True),
        ("Nuss", "Ich esse keine Nüsse", True),
        ("enfermera", "soy enfermero en Madrid", True),
        ("job", "Do you know good jobs?", True),
        ("job", "I met Jobst", False),
        ("cat", "a category error", False),
        ("糖尿病", "糖尿病です", True),
        ("糖尿病", "糖は甘い", False),
        ("働く", "病院で働いています", True),
        ("my", "this is my house", False),
        ("heart attack", "an attack of the heart", True),
    ],
)
def test_word_is_named_in_its_forms(word: str, text: str, *, is_named: bool) -> None:
    """Of a word without meaning nothing is named, of several words all have to stand there."""
    assert bool(Traces.of([word]).count_in(text)) is is_named


@pytest.mark.parametrize(
    ("what", "text", "is_named"),
    [
        ("mein Beruf", "Wie alt ist mein Hund?", False),
        ("mein Beruf", "Mein Beruf macht mir Freude", True),
        ("mi trabajo", "¿Cómo está mi perro?", False),
        ("我的工作", "我的猫叫什么？", False),
        ("my job", "What is my cat called?", False),
    ],
)
def test_subject_without_words_of_the_planner_is_named_as_a_whole(
    what: str, text: str, *, is_named: bool
) -> None:
    """A general word of it takes no other turn along, in any language."""
    traces = Traces.of(ForgetWish("subject", what).traces)
    assert bool(traces.count_in(text)) is is_named
