"""How much of a growing text is shown, by which strategy."""

import re

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from rich_agent.streaming import (
    AllOf,
    AnyOf,
    Batch,
    ChunkStrategy,
    Debounce,
    FirstText,
    Growth,
    Immediate,
    Punctuation,
    ShownText,
    WordBoundary,
)

STRATEGIES: tuple[ChunkStrategy, ...] = (
    Immediate(),
    Punctuation(),
    WordBoundary(),
    Batch(7),
    Debounce(0.5, longest_s=2.0),
    AnyOf((Punctuation(), Debounce(0.5))),
    AllOf((WordBoundary(), Batch(3))),
    FirstText(30, AnyOf((Punctuation(), Debounce(0.3, longest_s=1.0)))),
)
# What a model writes, with what goes wrong most easily: flags, families, accents, surrogates.
TEXTS = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from(
            [
                "🇯🇵",
                "👩\u200d👩\u200d👧",
                "e\u0301",
                "か\u3099",
                "\r\n",
                "。",
                ". ",
                "\ud83d",
                "```\n",
                "नमस्ते",
            ]
        ),
    ),
    max_size=12,
)


def shown_by(strategy: ChunkStrategy, text: str, shown: int = 0, **times: float) -> str:
    """What is seen of a text."""
    return text[: strategy.allowed(Growth(text, shown, **times))]


def test_immediate_allows_everything() -> None:
    """Nothing is held back."""
    assert shown_by(Immediate(), "Hel") == "Hel"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One two", ""),
        ("One, two", "One,"),
        ("It is 3.14 and", ""),
        ("See example.org", ""),
        ("Yes. No! Maybe", "Yes. No!"),
        ('He said "yes." Then', 'He said "yes."'),
        ("It is **so.** Then", "It is **so.**"),
        ("- one\n- tw", "- one\n"),
        ("こんにちは。元気", "こんにちは。"),
        ("りんご、みかん", "りんご、"),
        ("「はい！」と", "「はい！」"),
        ("何？それ", "何？"),
        ("हाँ। नहीं", "हाँ।"),
    ],
)
def test_punctuation_allows_up_to_the_last_mark(text: str, shown: str) -> None:
    """Sentences, clauses and lines in several scripts; a point inside a number is none."""
    assert shown_by(Punctuation(), text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Hello wor", "Hello "),
        ("Hello", ""),
        ("Hello ", "Hello "),
        ("東京は", "東京は"),
        ("สวัสดี", "สวัสดี"),
        ("東京 Tow", "東京 "),
    ],
)
def test_word_boundary_allows_whole_words(text: str, shown: str) -> None:
    """Up to a space; where a script has none, up to any character."""
    assert shown_by(WordBoundary(), text) == shown


def test_batch_allows_whole_batches() -> None:
    """Counted from what is shown already."""
    assert shown_by(Batch(4), "abcdefg") == "abcd"
    assert shown_by(Batch(4), "abcdefg", shown=3) == "abcdefg"
    assert shown_by(Batch(4), "abcdef", shown=3) == "abc"


def test_debounce_allows_all_after_a_quiet_while() -> None:
    """A text that never rests is shown too, at the latest after `longest_s`."""
    strategy = Debounce(0.5, longest_s=2.0)
    assert shown_by(strategy, "abc", quiet_s=0.4, waiting_s=1.9) == ""
    assert shown_by(strategy, "abc", quiet_s=0.5, waiting_s=0.5) == "abc"
    assert shown_by(strategy, "abc", quiet_s=0.0, waiting_s=2.0) == "abc"


def test_any_of_allows_the_most_and_all_of_the_least() -> None:
    """Two strategies of different opinion."""
    both = (Batch(3), WordBoundary())
    assert shown_by(AnyOf(both), "ab cdefg") == "ab cde"
    assert shown_by(AllOf(both), "ab cdefg") == "ab "


def test_first_text_waits_for_a_length_once() -> None:
    """Below it nothing, then all, then as the other strategy says."""
    strategy = FirstText(5, then=Punctuation())
    assert shown_by(strategy, "abcd") == ""
    assert shown_by(strategy, "abcde") == "abcde"
    assert shown_by(strategy, "abcdefgh", shown=5) == "abcde"
    assert shown_by(strategy, "abcdefg. h", shown=5) == "abcdefg."


def taken(shown: ShownText, text: str, now: float) -> str | None:
    """What is shown anew when the text has grown."""
    shown.grow(text, now)
    return shown.take(now)


def test_shown_text_measures_quiet_and_waiting_from_the_texts() -> None:
    """Times are passed in: no clock is read."""
    quiet = ShownText(Debounce(0.5))
    assert taken(quiet, "Hello", 10.0) is None
    assert taken(quiet, "Hello you", 10.4) is None
    assert quiet.take(10.8) is None
    assert quiet.take(10.9) == "Hello yo"
    busy = ShownText(Debounce(9.0, longest_s=1.0))
    assert taken(busy, "Hel", 10.0) is None
    assert taken(busy, "Hello", 10.9) is None
    assert taken(busy, "Hello y", 11.0) == "Hello "


def test_shown_text_begins_anew_with_a_text_that_does() -> None:
    """A model call that broke off and was repeated."""
    shown = ShownText(WordBoundary())
    assert taken(shown, "One two three", 0.0) == "One two "
    assert taken(shown, "Two", 1.0) is None
    assert taken(shown, "Two one x", 1.0) == "Two one "
    assert shown.finish() == "Two one x"


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: type(s).__name__)
@given(pieces=TEXTS, pause_s=st.floats(0.0, 1.0))
def test_shown_text_never_repeats_and_never_tears(
    strategy: ChunkStrategy, pieces: list[str], pause_s: float
) -> None:
    """Each text shown is longer than the last, ends between characters, and the end comes."""
    whole = "".join(pieces)
    edges = {match.end() for match in regex.finditer(r"\X", whole)}
    shown = ShownText(strategy)
    seen = [""]
    for number in range(1, len(pieces) + 1):
        found = taken(shown, "".join(pieces[:number]), number * pause_s)
        if found is not None:
            assert whole.startswith(found)
            assert len(found) > len(seen[-1])
            assert len(found) in edges
            seen.append(found)
        assert shown.take(number * pause_s) is None
    last = shown.finish()
    assert (last or seen[-1]) == whole
    assert (last is None) == (seen[-1] == whole)
    assert shown.finish() is None


@given(st.lists(st.sampled_from(["word", " ", ",", "。", "日", "\n", "é"]), max_size=40))
def test_word_boundary_never_cuts_a_word(pieces: list[str]) -> None:
    """What is shown ends in a space or a character that is a word by itself."""
    text = "".join(pieces)
    assert re.fullmatch(r"(?s)(.*(\s|日))?", shown_by(WordBoundary(), text))
