"""Strategies for how much of a growing text is shown."""

import re
import time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from rich_agent.telegram.deliver.progress import Pace
from rich_agent.turns.streaming import (
    ChunkStrategy,
    Growth,
    ShownText,
    all_of,
    any_of,
    clause_end,
    debounce,
    first_text,
    word_end,
)

STRATEGIES: tuple[ChunkStrategy, ...] = (
    clause_end,
    word_end,
    debounce(0.0),
    debounce(0.5, longest_s=2.0),
    any_of(clause_end, debounce(0.5)),
    all_of(word_end, clause_end),
    first_text(30, any_of(clause_end, debounce(0.3, longest_s=1.0))),
    Pace().strategy(),
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
    """The part of a text that is seen."""
    return text[: strategy(Growth(text, shown, **times))]


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
    assert shown_by(clause_end, text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Hello wor", "Hello "),
        ("Hello", ""),
        ("Hello ", "Hello "),
        ("See evil.example/phis", "See "),
        ("東京は", ""),
        ("東京は日本の首都で", "東京は日本の"),
        ("バリデーターは報酬を受け取り", "バリデーターは報酬を"),
        ("2026年11月22日", "2026年11月"),
        ("詳細はevil.example/phis", "詳細は"),
        ("今天天气很好，我们去公", "今天天气很好，"),
        ("東京 Tow", "東京 "),
        ("ตลาด" * 8, "ตลาด" * 4),
    ],
)
def test_word_boundary_allows_whole_words(text: str, shown: str) -> None:
    """Up to a space; in scripts without any, up to a mark, a particle or a change of script."""
    assert shown_by(word_end, text) == shown


def test_debounce_allows_all_after_a_quiet_while() -> None:
    """A text that never rests is shown too, at the latest after `longest_s`."""
    strategy = debounce(0.5, longest_s=2.0)
    assert shown_by(strategy, "abc", quiet_s=0.4, waiting_s=1.9) == ""
    assert shown_by(strategy, "abc", quiet_s=0.5, waiting_s=0.5) == "abc"
    assert shown_by(strategy, "abc", quiet_s=0.0, waiting_s=2.0) == "abc"


def test_any_of_allows_the_most_and_all_of_the_least() -> None:
    """Two strategies of different opinion."""
    both = (clause_end, word_end)
    assert shown_by(any_of(*both), "ab, cd efg") == "ab, cd "
    assert shown_by(all_of(*both), "ab, cd efg") == "ab,"


def test_first_text_waits_for_a_length_once() -> None:
    """Below it nothing, then all, then as the other strategy says."""
    strategy = first_text(5, then=clause_end)
    assert shown_by(strategy, "abcd") == ""
    assert shown_by(strategy, "abcde") == "abcde"
    assert shown_by(strategy, "abcdefgh", shown=5) == "abcde"
    assert shown_by(strategy, "abcdefg. h", shown=5) == "abcdefg."


def taken(shown: ShownText, text: str, now: float) -> str | None:
    """The text that is newly shown when the text has grown."""
    shown.grow(text, now)
    return shown.take(now)


def test_shown_text_measures_quiet_and_waiting_from_the_texts() -> None:
    """Times are passed in: no clock is read."""
    quiet = ShownText(debounce(0.5))
    assert taken(quiet, "Hello", 10.0) is None
    assert taken(quiet, "Hello you", 10.4) is None
    assert quiet.take(10.8) is None
    assert quiet.take(10.9) == "Hello yo"
    busy = ShownText(debounce(9.0, longest_s=1.0))
    assert taken(busy, "Hel", 10.0) is None
    assert taken(busy, "Hello", 10.9) is None
    assert taken(busy, "Hello y", 11.0) == "Hello "


def test_shown_text_begins_anew_with_a_text_that_does() -> None:
    """A model call that broke off and was repeated."""
    shown = ShownText(word_end)
    assert taken(shown, "One two three", 0.0) == "One two "
    assert taken(shown, "Two", 1.0) is None
    assert taken(shown, "Two one x", 1.0) == "Two one "
    assert shown.finish() == "Two one x"


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: s.__qualname__)
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
    """The shown text ends in a space or a mark, or where a script without spaces meets another."""
    text = "".join(pieces)
    shown = shown_by(word_end, text)
    mixed = re.search(r"[日。]\Z|(?:word|é)\Z", shown) and re.match(r"[日wé]", text[len(shown) :])
    assert not shown or shown[-1].isspace() or mixed or "日" * 24 in text


WORDS_OF = {
    "en": "Proof of history is a clock, e.g. 3.14 s at evil.example/phishing?a=b (really).",
    "de": "Ein Überweisungsträger heißt so – „Grüße“ an z.B. mail@example.org; 1.000,50 € bleiben.",
    "es": "¿Qué pasó? El precio subió un 3,5 % en https://example.org/a_b; ¡increíble!",
    "ru": "Проверяющие подтверждают блоки; это занимает 0,4 секунды на каждый.",
    "ar": "يؤكد المدققون الكتل، وهذا يستغرق ثواني قليلة فقط.",
    "hi": "सत्यापनकर्ता ब्लॉक की पुष्टि करते हैं। इसमें समय लगता है।",
    "ko": "검증인은 블록을 확인하고, 보상을 받습니다. 자세한 내용은 example.org 를 보세요.",
}


@pytest.mark.parametrize("language", WORDS_OF)
def test_no_prefix_of_an_answer_is_shown_with_half_a_word(language: str) -> None:
    """Whenever the model pauses, and however long something waits: all words are whole ones."""
    text = f"{WORDS_OF[language]} {WORDS_OF[language]}"
    words = set(text.split())
    for paused_s in (0.0, 0.1, 0.5, 1.5):
        shown = ShownText(Pace().strategy())
        for end in range(1, len(text) + 1):
            shown.grow(text[:end], end * 0.05)
            seen = shown.take(end * 0.05 + paused_s)
            whole = {word[:n] for word in words for n in (len(word.rstrip(",;.:!?…।،")), len(word))}
            assert seen is None or set(seen.split()) <= whole, seen


def test_no_prefix_cuts_a_word_of_japanese() -> None:
    """Katakana, Latin letters and a verb's stem stay together."""
    text = (
        "バリデーターはSolanaのブロックを確認し、手数料を受け取ります。詳細はexample.org/aを参照。"
    )
    for end in range(1, len(text)):
        shown = shown_by(word_end, text[:end])
        assert not regex.search(r"[\p{Katakana}ー]\Z", shown) or not regex.match(
            r"[\p{Katakana}ー]", text[len(shown) :]
        )
        assert not regex.search(r"[!-~]\Z", shown) or not regex.match(r"[!-~]", text[len(shown) :])
        assert not shown.endswith("受け")


def test_word_boundary_costs_a_long_word_no_second_look() -> None:
    """Twice the length costs about twice the time, not four times."""
    strategy = word_end

    def cost_s(text: str) -> float:
        times = []
        for _ in range(5):
            began = time.thread_time()
            strategy(Growth(text))
            times.append(time.thread_time() - began)
        return min(times)

    for unit in ("x", "あ", "日", "ก", "、", "a日"):
        assert cost_s(unit * 400_000) < 16 * cost_s(unit * 100_000) + 0.01, unit
