"""Which questions are about earlier turns, and what they look for."""

from datetime import date

import pytest

from rich_agent.domain.past import PastQuestion, past_question

TODAY = date(2026, 11, 21)  # a Saturday


@pytest.mark.req("MEM-6")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What did I ask you first?", PastQuestion("", "oldest")),
        ("what was the first thing I asked you?", PastQuestion("", "oldest")),
        ("When did I first mention my dog?", PastQuestion("dog", "oldest")),
        ("最初に何を聞いた？", PastQuestion("", "oldest")),
        ("私は最初に何を質問しましたか", PastQuestion("", "oldest")),
        ("Did I tell you about my umbrella?", PastQuestion("umbrella")),
        ("傘の話をしたっけ？", PastQuestion("傘")),
        ("What did you say about fees?", PastQuestion("fees")),
        (
            "What did I ask about staking on 3 March 2025?",
            PastQuestion("staking", "nearest", date(2025, 3, 3), date(2025, 3, 3)),
        ),
    ],
)
def test_past_question_says_what_is_looked_for(text: str, wanted: PastQuestion) -> None:
    """The subject without the words around it, and which turns."""
    assert past_question(text, TODAY) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "What is staking?",
        "Who first proposed proof of history?",
        "What did Satoshi say first?",
        "彼が言ったことは本当？",
        "I told you about my umbrella.",
        "Tell me about staking",
        "What did I just ask?",
        "first",
        "What did I ask you first? " + "And another long thing. " * 8,
    ],
)
def test_past_question_leaves_other_messages_alone(text: str) -> None:
    """What others said, statements, and what the newest turns answer."""
    assert past_question(text, TODAY) is None


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("yesterday", (2026, 11, 20), (2026, 11, 20)),
        ("last week", (2026, 11, 9), (2026, 11, 15)),
        ("last month", (2026, 10, 1), (2026, 10, 31)),
        ("last year", (2025, 1, 1), (2025, 12, 31)),
        ("in March", (2026, 3, 1), (2026, 3, 31)),
        ("in December", (2025, 12, 1), (2025, 12, 31)),
        ("in february 2024", (2024, 2, 1), (2024, 2, 29)),
        ("on Monday", (2026, 11, 16), (2026, 11, 16)),
        ("2 days ago", (2026, 11, 19), (2026, 11, 19)),
        ("3 weeks ago", (2026, 10, 28), (2026, 11, 3)),
        ("13 months ago", (2025, 10, 1), (2025, 10, 31)),
        ("on 2026-02-30", (2026, 2, 1), (2026, 2, 28)),
        ("in 2024", (2024, 1, 1), (2024, 12, 31)),
    ],
)
def test_past_question_understands_days(
    text: str, since: tuple[int, int, int], until: tuple[int, int, int]
) -> None:
    """As people say them, both days included."""
    found = past_question(f"What did we talk about {text}?", TODAY)
    assert found == PastQuestion("", "nearest", date(*since), date(*until))


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("昨日", (2026, 11, 20), (2026, 11, 20)),
        ("先週", (2026, 11, 9), (2026, 11, 15)),
        ("3月に", (2026, 3, 1), (2026, 3, 31)),
        ("2025年4月5日に", (2025, 4, 5), (2025, 4, 5)),
        ("2か月前に", (2026, 9, 1), (2026, 9, 30)),
        ("去年", (2025, 1, 1), (2025, 12, 31)),
    ],
)
def test_past_question_understands_japanese_days(
    text: str, since: tuple[int, int, int], until: tuple[int, int, int]
) -> None:
    """The same in Japanese."""
    found = past_question(f"{text}何を話した？", TODAY)
    assert found == PastQuestion("", "nearest", date(*since), date(*until))
