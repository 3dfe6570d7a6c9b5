"""The values of long-term memory."""

import pytest

from rich_agent.domain.memory.items import (
    LongTermMemory,
    MemoryItem,
    mark_of,
    owner_of,
    preferred_locale,
    unlearn,
)
from rich_agent.domain.memory.merging import Learned

OSLO = MemoryItem("Lives in Oslo", "tg:0", "2025-01-01T00:00:00+00:00", "residence")
TICKET = MemoryItem("Buy the ticket", "tg:1", "2025-01-02T00:00:00+00:00", due="2025-02-01")
MEMORY = LongTermMemory(facts=(OSLO,), tasks=(TICKET,), conversation_summary="They spoke.")


@pytest.mark.req("MEM-4")
def test_to_json_has_exactly_the_four_keys() -> None:
    """The stored keys are those that were agreed on."""
    assert set(MEMORY.to_json()) == {"facts", "preferences", "tasks", "conversation_summary"}
    assert LongTermMemory.from_json(MEMORY.to_json()) == MEMORY


def test_unlearn_takes_back_what_one_turn_taught() -> None:
    """Other turns' items and the summary stay."""
    assert unlearn(MEMORY, "tg:0") == LongTermMemory(
        tasks=(TICKET,), conversation_summary="They spoke."
    )


@pytest.mark.req("MEM-3")
@pytest.mark.parametrize("namespace", [(), ("users",), ("users", "1", "2"), ("users", "1%")])
def test_owner_of_refuses_what_names_no_single_user(namespace: tuple[str, ...]) -> None:
    """A search cannot reach beyond one user."""
    with pytest.raises(ValueError, match=r"namespace|1%"):
        owner_of(namespace)


@pytest.mark.parametrize(
    ("languages", "locale"),
    [
        ((), None),
        (("ja",), "ja"),
        (("ja", "en"), "en"),
        (("ja", "fr"), "fr"),
        (("ja", "sw"), None),
        (("ja", ""), None),
    ],
)
def test_preferred_locale_is_that_of_the_newest_wish(
    languages: tuple[str, ...], locale: str | None
) -> None:
    """In whatever words it was told; only a language that the product speaks."""
    wishes = (MemoryItem("対応は…", "r", "t", "language", language=code) for code in languages)
    other = MemoryItem("Likes Japanese tea", "r", "t", "like")
    assert preferred_locale(LongTermMemory(preferences=(*wishes, other))) == locale


def test_mark_tells_people_apart_and_stays_for_old_items() -> None:
    """The same words of somebody else are another item; old marks stay."""
    rome = MemoryItem("Lives in Rome", "r", "t")
    assert mark_of("facts", rome) == "00c14d7bfa7df5ec"
    assert mark_of("facts", MemoryItem("Lives in Rome", "r", "t", about="wife")) != mark_of(
        "facts", rome
    )


def test_from_json_takes_what_older_versions_stored() -> None:
    """Without a topic and all that came later, it holds of the user and now."""
    stored = {"text": "Lives in Oslo", "request_id": "tg:0", "updated_at": "2025"}
    (item,) = LongTermMemory.from_json({"facts": {"items": [stored]}}).facts
    assert (item.topic, item.about, item.holds, item.language) == ("", "", "now", "")


@pytest.mark.parametrize(
    ("said", "text", "message"),
    [
        ("I moved to Rome", "Lives in Rome", "Good news: I moved to Rome!"),
        ("I mooved to Rome", "Lives in Rome", "I moved to Rome"),
        ("", "Is allergic to peanuts", "I am allergic to peanuts."),
        ("6月に京都に引っ越します", "6月に京都に引っ越す", "来週ではなく6月に京都に引っ越します"),
        ("ฉันแพ้ถั่ว", "แพ้ถั่ว", "สวัสดี ฉันแพ้ถั่วลิสง"),
        ("أنا نباتي", "نباتي", "مرحبا، أنا نباتي"),
        ("Ya compré el billete", "", "Ya compré el billete."),
    ],
)
def test_learned_rests_on_the_words_of_a_message(said: str, text: str, message: str) -> None:
    """Copied, nearly copied, or in its own words where none were copied."""
    assert Learned("facts", text, said=said).rests_on(message)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I moved to Rome", "Lives in Berlin"),
        ("I love Berlin", "Loves Berlin"),
        ("e", "Lives in Berlin"),
        ("", ""),
        ("", "Has a cat"),
    ],
)
def test_learned_that_a_message_does_not_say_rests_on_nothing(said: str, text: str) -> None:
    """An example of the instructions, a word out of another sentence, a letter, or nothing."""
    assert not Learned("facts", text, said=said).rests_on("I live in Berlin with my wife")


@pytest.mark.parametrize(
    ("said", "text", "kept"),
    [
        ("I like tea", "Is a diabetic", "I like tea"),
        ("お茶が好きです", "糖尿病がある", "お茶が好きです"),
        ("soy enfermera", "Works as a teacher", "soy enfermera"),
        ("I like tea", "Likes tea", "Likes tea"),
        ("mein Hund heißt Rex", "Hat einen Hund namens Rex", "Hat einen Hund namens Rex"),
        ("6月に京都に引っ越します", "6月に京都に引っ越す", "6月に京都に引っ越す"),
        ("I live in Oslo", "", "I live in Oslo"),
    ],
)
def test_learned_is_put_in_words_that_have_something_of_the_message(
    said: str, text: str, kept: str
) -> None:
    """Another fact gives way to the user's own words; other words for the same fact stay."""
    assert Learned("facts", text, said=said).in_words_of_message().text == kept
