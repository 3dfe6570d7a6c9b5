import pytest

from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.splitting import split_message
from tests.unit.rendering.seen import check_sendable, marked


def test_split_message_leaves_a_short_one_alone() -> None:
    """Nothing to do is the usual case."""
    message = RenderedMessage("hello", (TextEntity("bold", 0, 5),))
    assert split_message(message) == [message]


def test_split_message_cuts_at_line_ends_first() -> None:
    """Lines stay whole where they can."""
    parts = split_message(RenderedMessage("one two\nthree four\nfive"), max_units=14)
    assert [part.text for part in parts] == ["one two", "three four", "five"]


def test_split_message_cuts_at_words_then_anywhere() -> None:
    """A word stays whole if a part can hold it."""
    parts = split_message(RenderedMessage("aaa bbb cccccccccc"), max_units=8)
    assert [part.text for part in parts] == ["aaa bbb", "cccccccc", "cc"]


def test_split_message_never_cuts_a_surrogate_pair() -> None:
    """An emoji counts two units and stays one character."""
    parts = split_message(RenderedMessage("😀😀😀"), max_units=3)
    assert [part.text for part in parts] == ["😀", "😀", "😀"]


def test_split_message_continues_entities() -> None:
    """Bold text stays bold after the cut."""
    message = RenderedMessage("aaaa\nbbbb", (TextEntity("pre", 0, 9, language="py"),))
    assert split_message(message, max_units=6) == [
        RenderedMessage("aaaa", (TextEntity("pre", 0, 4, language="py"),)),
        RenderedMessage("bbbb", (TextEntity("pre", 0, 4, language="py"),)),
    ]


def test_split_message_keeps_to_a_hundred_entities() -> None:
    """The 101st entity begins a new part, so that none is lost."""
    words = " ".join("w" for _ in range(250))
    message = RenderedMessage(words, tuple(TextEntity("bold", 2 * n, 1) for n in range(250)))
    parts = split_message(message)
    assert [len(part.entities) for part in parts] == [100, 100, 50]
    assert all(len(part.text.split()) == len(part.entities) for part in parts)


def test_split_message_cuts_between_paragraphs_first() -> None:
    """A paragraph is not begun at the end of a message."""
    parts = split_message(RenderedMessage("one two three\n\nfour\nfive six"), max_units=22)
    assert [part.text for part in parts] == ["one two three", "four\nfive six"]


def test_split_message_cuts_at_sentences_before_words() -> None:
    """In English and in Japanese."""
    for text, parts in (
        ("One two. Three four five six.", ["One two.", "Three four five", "six."]),
        ("雨です。晴れです。曇りでしょう。", ["雨です。晴れです。", "曇りでしょう。"]),
    ):
        assert [
            part.text
            for part in split_message(RenderedMessage(text), max_units=15 if text.isascii() else 12)
        ] == parts


def test_split_message_keeps_a_heading_with_its_text() -> None:
    """A heading is not the last line of a message."""
    text = "one two three four\n\nHead\n\nfive six seven"
    message = RenderedMessage(text, (TextEntity("bold", 20, 4),))
    assert [part.text for part in split_message(message, max_units=30)] == [
        "one two three four",
        "Head\n\nfive six seven",
    ]


@pytest.mark.parametrize("units", range(18, 60))
def test_split_message_keeps_a_marker_with_its_sentence(units: int) -> None:
    """No message begins with the marker of the one before it."""
    text = "It grows fast [1][2]. It is blue. [3] Then it ends [4]."
    for part in split_message(RenderedMessage(text), max_units=units):
        assert not part.text.startswith("[")


@pytest.mark.parametrize("units", range(9, 40))
def test_split_message_keeps_code_and_formulas_whole(units: int) -> None:
    """A span with spaces in it is not torn if a part can hold it."""
    text = "one two f(a, b) three four x = y four five"
    message = RenderedMessage(text, (TextEntity("code", 8, 7), TextEntity("formula", 27, 5)))
    parts = split_message(message, max_units=units)
    assert [marked(part, "code") for part in parts if part.entities] == [["f(a, b)"]]
    assert any("x = y" in part.text for part in parts)


@pytest.mark.parametrize(
    "grapheme",
    ["👨\u200d👩\u200d👧\u200d👦", "🇯🇵", "e\u0301\u0323", "👍🏽", "נ\u05b8", "ก\u0e49", "❤\ufe0f"],
)
def test_split_message_tears_no_grapheme(grapheme: str) -> None:
    """Families, flags, skin tones, accents and vowel points stay whole."""
    for units in range(11, 16):
        for part in split_message(RenderedMessage(grapheme * 20), max_units=units):
            assert part.text.replace(grapheme, "") == ""


def test_split_message_counts_what_telegram_marks_by_itself() -> None:
    """Hashtags and commands take places among the hundred, so they are left to them."""
    words = " ".join(f"#tag{n} b" for n in range(90))
    bold = [index for index, word in enumerate(words) if word == "b"]
    message = RenderedMessage(words, tuple(TextEntity("bold", at, 1) for at in bold))
    parts = split_message(message)
    for part in parts:
        check_sendable(part)
    assert sum(len(part.entities) for part in parts) == 90


def test_split_message_cuts_what_no_part_can_hold() -> None:
    """A word, a link or code longer than a message goes on in the next."""
    message = RenderedMessage("a" * 9000, (TextEntity("code", 0, 9000),))
    parts = split_message(message)
    assert [len(part.text) for part in parts] == [4000, 4000, 1000]
    assert [marked(part, "code") for part in parts] == [[part.text] for part in parts]
