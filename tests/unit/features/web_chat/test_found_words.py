"""Texts show where the words of a search stand."""

import pytest

from rich_agent.features.web_chat.agui.found_words import words_found_in


@pytest.mark.parametrize(
    ("text", "query", "match"),
    [
        ("The rent is due on Monday.", "rent is due", "rent is due"),
        ("Validators stake SOL.", "validator", "Validators"),
        ("Die Mieten steigen.", "miete", "Mieten"),
        ("家賃は月曜日に払います。", "月曜日", "月曜日"),
        ("الإيجار يوم الاثنين", "الإيجار", "الإيجار"),
        ("Nothing of this.", "rent", ""),
        ("", "rent", ""),
    ],
)
def test_words_found_in_a_text_are_told_in_any_form(text: str, query: str, match: str) -> None:
    """Around them stands the text itself."""
    before, found, after = words_found_in((text,), query)
    assert found == match
    assert before + found + after == text


def test_words_found_in_the_answer_are_told_in_short() -> None:
    """Line breaks are spaces; what is left out is shown."""
    answer = "So it is. " * 40 + "The\nlease ends." + " And so on." * 40
    before, match, after = words_found_in(("What then?", answer), "lease ends")
    assert match == "lease ends"
    assert before.startswith("…")
    assert before.endswith("The ")
    assert after.endswith("…")
    assert len(before + after) < 220


def test_words_found_in_a_long_text_takes_no_time() -> None:
    """Only its beginning is read."""
    assert words_found_in(("x " * 1_000_000 + "rent",), "rent")[1] == ""
