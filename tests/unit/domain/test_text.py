"""Text from outside."""

import unicodedata

import pytest

from rich_agent.domain.budget import fit_passages
from rich_agent.domain.retrieval.passage import Passage, is_weak
from rich_agent.domain.text import clean_text, estimate_tokens, is_blank, normalized, shorten
from rich_agent.domain.vision import ImageSummary, merge_summaries


def test_clean_text_drops_what_the_database_refuses() -> None:
    """NUL and lone surrogates go, everything else stays."""
    assert clean_text("a\x00b\ud800c👍") == "abc👍"


def test_normalized_is_what_unicode_says_of_what_people_write() -> None:
    """Also next to a long line of signs; only what is beyond 30 marks is not sorted."""
    lines = "Gro\u0308ße" + "-" * 99 + "e\u0301 ｶﾞ" + " " * 99 + "\u1112\u1161\u11ab ᾯ ①"
    assert normalized("NFKC", lines) == unicodedata.normalize("NFKC", lines)
    marks = "\u0301\u0316"
    assert normalized("NFD", f"a{10 * marks}") == unicodedata.normalize("NFD", f"a{10 * marks}")
    assert len(normalized("NFD", f"a{99 * marks}")) == 199


def test_estimate_tokens_counts_cjk_heavier_than_latin() -> None:
    """A Japanese character is nearly a token, four Latin letters are one."""
    assert estimate_tokens("abcdefgh") == 2
    assert estimate_tokens("日本語日本") == 4
    assert estimate_tokens("") == 0


def test_shorten_marks_the_cut() -> None:
    """A cut text says so."""
    assert shorten("a  b\nc d e f", 6) == "a b c…"


def test_shorten_cuts_between_words() -> None:
    """A word that alone is too long, or a script without spaces, is cut all the same."""
    assert shorten("a red circle, green triangles", 20) == "a red circle, green…"
    assert shorten("a red circle, green triangles", 14) == "a red circle…"
    assert shorten("あ" * 30, 10) == "あ" * 9 + "…"
    assert shorten(f"see {'x' * 40}", 30) == f"see {'x' * 25}…"


def test_fit_passages_keeps_at_least_one() -> None:
    """Even the ends of a passage over the budget are better than none."""
    long = Passage("a", "document", f"begin {'x' * 1000} end", "u", "t")
    (kept,) = fit_passages([long, long], 20, estimate_tokens)
    assert kept.content.startswith("begin")
    assert kept.content.endswith("end")
    assert estimate_tokens(kept.content) <= 20


@pytest.mark.req("ROUTE-4")
def test_is_weak_looks_at_the_best_passage() -> None:
    """One near passage is enough; none is weak."""
    near, far = (Passage("a", "document", "", "u", "t", score=s) for s in (0.6, 0.1))
    assert not is_weak([far, near], 0.25)
    assert is_weak([far], 0.25)
    assert is_weak([], 0.25)


@pytest.mark.req("TG-3")
def test_merge_summaries_keeps_every_image() -> None:
    """Two images are both told."""
    merged = merge_summaries(
        [ImageSummary("a cat", ("cat",)), ImageSummary("a dog", ("dog", "cat"))]
    )
    assert merged.summary == "Image 1: a cat\nImage 2: a dog"
    assert merged.entities == ("cat", "dog")


@pytest.mark.parametrize(
    "text", ["", " \n", "\u00a0\u200b", "\u2060\ufeff\u00ad", "\u3164\u2800", "\ufe0f"]
)
def test_text_that_nobody_sees_is_blank(text: str) -> None:
    """Spaces of all kinds, joiners, fillers, selectors."""
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", "7", "।", "👍\ufe0f", "\u200f→"])
def test_text_with_a_sign_is_not_blank(text: str) -> None:
    """A letter, a number, punctuation, a symbol."""
    assert not is_blank(text)
