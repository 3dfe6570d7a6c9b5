"""Wishes to forget, and what they mean."""

import pytest

from rich_agent.domain.forgetting import (
    ForgetWish,
    Forgotten,
    chosen_to_forget,
    forget,
    read_forget_wish,
)
from rich_agent.domain.memory import LongTermMemory, MemoryItem, mark_of

MEMORY = LongTermMemory(
    facts=(
        MemoryItem("Lives in Oslo", "tg:1", "2026-01-01", "residence"),
        MemoryItem("Works as a nurse", "tg:2", "2026-01-02", "job"),
        MemoryItem("Has a cat called Miso", "tg:3", "2026-01-03"),
        MemoryItem("看護師の資格がある", "tg:4", "2026-01-04", "license"),
    ),
    preferences=(MemoryItem("Answer in German", "tg:3", "2026-01-03", "language"),),
    tasks=(MemoryItem("Buy the ticket", "tg:0", "2025-12-01"),),
    conversation_summary="They live in Oslo. The user has a cat called Miso, and asked of staking.",
)


def meant(text: str, *recent: str) -> list[str]:
    """The texts of what a message wants forgotten."""
    wish = read_forget_wish(text)
    assert wish is not None, text
    return [item.text for _, item in chosen_to_forget(MEMORY, wish, recent)]


@pytest.mark.parametrize(
    "text",
    ["Scratch that", "disregard what I just said", "さっき言ったことは取り消して",
     "それはなかったことにして", "Forget that.", "forget it",
     "please forget what I just said", "Can you forget that?",
     "ok, forget about that please", "それ忘れて",
     "今の忘れて", "忘れてください", "さっき言ったことは忘れて"],
)  # fmt: skip
def test_forget_that_means_what_was_taught_last(text: str) -> None:
    """All that the newest turn of this conversation taught, and nothing older."""
    assert meant(text, "tg:2", "tg:3", "tg:9") == ["Has a cat called Miso", "Answer in German"]
    assert meant(text, "tg:9") == []


@pytest.mark.parametrize("told", ["I live in Oslo", "Understood: Lives in Oslo."])
def test_forget_that_means_the_message_replied_to(told: str) -> None:
    """Whatever was taught since; a message that taught nothing means nothing."""
    items = chosen_to_forget(MEMORY, ForgetWish(told=told), ["tg:3"])
    assert [item.text for _, item in items] == ["Lives in Oslo"]
    assert chosen_to_forget(MEMORY, ForgetWish(told="A tale of a fox."), ["tg:3"]) == []


@pytest.mark.parametrize(
    ("text", "forgotten"),
    [
        ("Forget what I said about my job", ["Works as a nurse"]),
        ("Please forget my job.", ["Works as a nurse"]),
        ("forget where I live", ["Lives in Oslo"]),
        ("Forget that I live in Oslo", ["Lives in Oslo"]),
        ("Don't remember my cat", ["Has a cat called Miso"]),
        ("forget my cats", ["Has a cat called Miso"]),
        ("Forget everything about my cat", ["Has a cat called Miso"]),
        ("forget my tasks", ["Buy the ticket"]),
        ("Forget my language preference", ["Answer in German"]),
        ("仕事のことは忘れて", ["Works as a nurse"]),
        ("住所を忘れてください", ["Lives in Oslo"]),
        ("看護師の資格のことは忘れて", ["看護師の資格がある"]),
        ("forget my horse", []),
    ],
)
def test_forget_a_subject_means_what_names_it(text: str, forgotten: list[str]) -> None:
    """By its words, else by the topic that they name."""
    assert meant(text) == forgotten


@pytest.mark.parametrize(
    "text",
    ["Forget everything", "forget me", "Forget all you know about me", "全部忘れて",
     "私のことは全部忘れて"],
)  # fmt: skip
def test_forget_everything_means_every_item(text: str) -> None:
    """All three kinds."""
    assert len(meant(text)) == 6


@pytest.mark.parametrize(
    "text",
    ["I always forget my keys", "Don't forget to buy milk", "Forget the weather, what is staking?",
     "Forget Oslo, I live in Rome", "forget to lock", "What did I forget?", "傘を忘れてしまった",
     "忘れてはいけないことは？", "Never forget that I love tea",
     "Disregard the tax", "予約を取り消して", "取り消して", "Never mind", "hi", ""],
)  # fmt: skip
def test_read_forget_wish_leaves_other_messages_alone(text: str) -> None:
    """Forgetting is spoken of, or something else is asked as well."""
    assert read_forget_wish(text) is None


def test_read_forget_wish_reads_a_subject() -> None:
    """In the user's words."""
    assert read_forget_wish("Forget what I told you about my job") == ForgetWish("my job")


def test_forget_takes_the_item_and_its_sentence_of_the_summary() -> None:
    """What else the summary tells stays."""
    oslo = MEMORY.facts[0]
    left = forget(MEMORY, [mark_of("facts", oslo)], Forgotten.of([oslo.text], ["tg:1"], ""))
    assert left.facts == MEMORY.facts[1:]
    assert left.conversation_summary == ("The user has a cat called Miso, and asked of staking.")


@pytest.mark.parametrize(
    ("fact", "question", "answer", "is_held"),
    [
        ("Lives in Oslo", "I live in Oslo, what now?", "Enjoy.", True),
        ("Lives in Oslo", "Where do I live?", "You live in Oslo.", True),
        ("Lives in Oslo", "Does it rain in Oslo?", "Often.", False),
        ("Has a cat", "My cat is ill", "Poor thing.", True),
        ("Has a cat", "Tell me about lions", "A lion is a large cat.", False),
        ("オスロに住んでいる", "私はオスロに住んでいます", "そうですか。", True),
        ("オスロに住んでいる", "東京に住んでいます", "そうですか。", False),
        ("猫を飼っている", "犬の散歩はいつ？", "朝です。", False),
    ],
)
def test_forgotten_is_held_by_turns_that_tell_it(
    fact: str,
    question: str,
    answer: str,
    is_held: bool,  # noqa: FBT001 - a table
) -> None:
    """In other forms of its words, and in either language; what only touches it stays."""
    assert Forgotten.of([fact], [], "").holds("tg:5", question, answer) is is_held


def test_forgotten_holds_the_turn_that_taught_it_and_no_topic() -> None:
    """By its id whatever its words; a subject counts when it says something."""
    assert Forgotten.of(["Lives in Oslo"], ["tg:1"], "").holds("tg:1", "Moved north", "Ok")
    told = ("tg:9", "I owe Bob 30 crowns", "Noted.")
    assert Forgotten.of([], [], "i owe bob 30 crowns").holds(*told)
    assert not Forgotten.of([], [], "crowns").holds(*told)
    assert not Forgotten.of([], [], "crowns")
