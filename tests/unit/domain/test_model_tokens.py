"""Estimates from above, and what fits by them."""

import pytest

from rich_agent.domain.budget import CUT, fit_entries, fit_text
from rich_agent.domain.text import most_tokens

# Counted by o200k_base and cl100k_base, the greater of the two: see `python -m bench.tokens`.
COUNTED = {
    "What did we talk about last week, and what did I ask you first?": 16,
    "先週は何について話しましたか。手数料はいくらですか。": 24,
    "지난주에 우리가 무엇에 대해 이야기했나요?": 25,
    "О чём мы говорили на прошлой неделе, и что я спросил сначала?": 29,
    "เราคุยเรื่องอะไรกันเมื่อสัปดาห์ที่แล้ว": 34,
    "ماذا تحدثنا عنه في الأسبوع الماضي؟": 26,
    "על מה דיברנו בשבוע שעבר?": 21,
    "हमने पिछले सप्ताह किस बारे में बात की?": 33,
    "Ինչի մասին էինք խոսում անցյալ շաբաթ": 65,
    "Worüber haben wir letzte Woche gesprochen, und was habe ich zuerst gefragt?": 23,
    "Chúng ta đã nói về điều gì tuần trước?": 21,
    "🙂👍🏽🎉🇯🇵👩\u200d👩\u200d👧": 30,
    "def fit(self, value: Any) -> Any:\n        return value[: round(self.share)]": 19,
    "5f4dcc3b5aa765d61d8327deb882cf99": 18,
    "12345678901234567890": 7,
}


@pytest.mark.req("MEM-6")
@pytest.mark.parametrize(("text", "tokens"), COUNTED.items())
def test_most_tokens_is_never_below_the_truth(text: str, tokens: int) -> None:
    """In any script, and at most three times it where a script has one encoding."""
    assert tokens <= most_tokens(text) <= 3 * tokens + 2


def test_most_tokens_of_nothing_is_nothing() -> None:
    """And of anything at least one."""
    assert most_tokens("") == 0
    assert most_tokens(" ") == 1


def test_fit_text_keeps_both_ends() -> None:
    """The important part of a long text stands before or after it; words stay whole."""
    text = "Summarise this: " + "filler words " * 500 + "in one sentence."
    fitted = fit_text(text, 100, most_tokens)
    assert most_tokens(fitted) <= 100
    assert fitted.startswith("Summarise this:")
    assert fitted.endswith("in one sentence.")
    assert CUT in fitted
    assert set(fitted.split()) <= {*text.split(), "[…]"}
    assert fit_text("short", 100, most_tokens) == "short"
    assert fit_text(text, 0, most_tokens) == ""


@pytest.mark.parametrize("text", ["日本語の長い文章" * 300, "👩‍👩‍👧‍👦" * 300, "x" * 5_000])
def test_fit_text_cuts_what_has_no_spaces(text: str) -> None:
    """Within the budget, and not to nothing."""
    fitted = fit_text(text, 60, most_tokens)
    assert 30 < most_tokens(fitted) <= 60


def test_fit_entries_keeps_the_first_that_fit() -> None:
    """Mappings count with all their texts."""
    entries = [{"a": "one two three"}, "four five", "six"]
    assert fit_entries(entries, 6, most_tokens) == entries[:1]
    assert fit_entries(entries, 100, most_tokens) == entries
