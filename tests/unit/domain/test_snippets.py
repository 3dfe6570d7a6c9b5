"""Snippets show where the words of a search stand."""

import pytest

from rich_agent.domain.snippets import snippet_of


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
def test_snippet_marks_the_words_in_any_form(text: str, query: str, match: str) -> None:
    """What stands around them is the text itself."""
    before, found, after = snippet_of((text,), query)
    assert found == match
    assert before + found + after == text


def test_snippet_is_short_and_of_the_answer_where_the_question_has_none() -> None:
    """Line breaks are spaces; what is left out is shown."""
    answer = "So it is. " * 40 + "The\nlease ends." + " And so on." * 40
    before, match, after = snippet_of(("What then?", answer), "lease ends")
    assert match == "lease ends"
    assert before.startswith("…")
    assert before.endswith("The ")
    assert after.endswith("…")
    assert len(before + after) < 220


def test_snippet_of_a_long_text_takes_no_time() -> None:
    """Only its beginning is read."""
    assert snippet_of(("x " * 1_000_000 + "rent",), "rent")[1] == ""
