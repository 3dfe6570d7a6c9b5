"""Repetitions of instructions word for word are noticed, and nothing else."""

from rich_agent.upstreams.models.prompt_leaks import Instructions

RULES = Instructions(
    "You are a helpful assistant in a chat. Answer from the passages below, and from nothing else."
)


def test_instructions_are_noticed_however_they_are_set() -> None:
    """Case, punctuation and line breaks do not hide them."""
    told = "My rules: in a chat: ANSWER from the\npassages *below* - and from nothing else!"
    assert RULES.are_repeated_in(told)


def test_instructions_are_not_seen_in_ordinary_words() -> None:
    """A few words in common are no disclosure."""
    assert not RULES.are_repeated_in("I am a helpful assistant in a chat. What is your question?")
    assert not RULES.are_repeated_in("私はアシスタントです。")


def test_feed_stops_before_a_repetition() -> None:
    """Text that may become one waits; ordinary text waits for no more than its last word."""
    text = "Sure: answer from the passages below, "
    assert text[: RULES.watch().feed(text)] == "Sure: "
    assert RULES.watch().feed("Staking locks tok") == len("Staking locks ")
    assert RULES.watch().feed("Answer: ") == len("Answer: ")
    assert RULES.watch().feed("ステーキングとは、") == len("ステーキングとは、")
