import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rich_agent.domain.answer.citation import Answer
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.answers import GrowingMessage, render, without_entities
from tests.unit.rendering.corpus import ANSWERS, MARKED, PLAIN
from tests.unit.rendering.seen import check_sendable, citation, ways_out

LINKS = ("https://docs.example/a", "https://docs.example/b#:~:text=x", "https://docs.example/c")
CITATIONS = tuple(citation(n, link) for n, link in enumerate(LINKS, start=1))
PREFIXES = 20
PIECES = (
    *("**bold** ", "_i_ ", "||s|| ", "`code` ", "$x^2$ ", "~~gone~~ ", "<b>html</b> ", "\\(y\\) "),
    *(
        "[1]",
        "[2] and ",
        "[1]: https://gone.com\n",
        "[a](https://a.com) ",
        "[r][x]",
        "[x]: b.com\n",
    ),
    *("https://b.com/x?y=1 ", "![i](https://c.com) ", "d.com ", "@evil_name ", "#t ", "/c ", "$A "),
    *(
        "# Head\n",
        "- item\n",
        "  - sub\n",
        "1. one\n",
        "> quote\n",
        "- [x] ",
        "---\n",
        "$$z$$",
        "\\[",
    ),
    *("| a | b |\n|---|---|\n| 1 | 2 |\n", "|", "\n|:-:|\n", "```py\nx[1] = 2\n", "```\n", "~~~\n"),
    *(
        "<div>x</div>\n\n",
        "\n\n",
        "    ",
        "😀",
        "あ。",
        "שלום ",
        "\x00",
        "\ud800",
        "\ue0f0",
        "\u200d",
    ),
)
MARKDOWN = st.lists(st.text(max_size=40) | st.sampled_from(PIECES), max_size=25).map("".join)


def whole(text: str) -> list[RenderedMessage]:
    """An answer that cites three documents."""
    return render(Answer(text, CITATIONS), locale="en")


def check(messages: list[RenderedMessage]) -> None:
    """All of it can be sent, with and without entities, and leads to its sources only."""
    for message in messages:
        check_sendable(message)
        assert set(ways_out(message)) <= set(LINKS)
        plain = without_entities(message)
        check_sendable(plain)
        assert set(ways_out(plain)) <= set(LINKS)
    assert messages[-1].text.endswith("\n[3] Guide › Start")


def words(text: str) -> list[str]:
    """The words of a text in order, without marks."""
    return re.findall(r"[^\W_]+", text)


@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_every_answer_can_be_sent_whole(number: int) -> None:
    """Any answer, however it is written, twice the same."""
    messages = whole(ANSWERS[number])
    check(messages)
    assert messages == whole(ANSWERS[number])


@pytest.mark.parametrize("text", PLAIN)
def test_every_character_of_a_plain_answer_is_shown_in_order(text: str) -> None:
    """Parts put together are the text."""
    together = "".join(message.text for message in render(Answer(text), locale="en"))
    assert re.sub(r"\s", "", together) == re.sub(r"\s", "", text)


@pytest.mark.parametrize("text", [text for text in MARKED if "\\" not in text and "](" not in text])
def test_every_word_of_a_marked_answer_is_shown(text: str) -> None:
    """Marks go, words stay: those of tables too, though records repeat their header."""
    parts = render(Answer(text), locale="en")
    shown = words("\n".join(message.text for message in parts).replace("¹", " "))
    written = words(re.sub(r"(```|~~~)\w*|<br>|\$.*\$|\[x\]|\[\^\d\]|[*~]", "", text))
    missing = {word for word in written if written.count(word) > shown.count(word)}
    assert missing == set()


@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_every_prefix_of_an_answer_can_be_shown(number: int) -> None:
    """A growing answer never breaks an edit, wherever it stands, and leads nowhere."""
    text = ANSWERS[number]
    step = max(3, len(text) // PREFIXES)
    for end in range(1, len(text), step):
        message = GrowingMessage().show(text[:end])
        if message:
            check_sendable(message)
            assert ways_out(message) == []
            assert len(message.text.encode("utf-16-le")) // 2 <= 4000


def test_a_growing_answer_shows_no_half_target_of_a_link() -> None:
    """At no length can a part of the address be seen."""
    text = "See [the guide](https://docs.example/long/path_(x)?q=1) and ![it](https://i.example/p.png)."
    for end in range(len(text)):
        message = GrowingMessage().show(text[:end])
        assert message is None or not re.search(r"https|docs|example|\]\(|png", message.text)


def test_a_growing_answer_grows() -> None:
    """Text already shown stays shown, but for a mark that is still open."""
    text = "One **two** three, `four` five. " * 20
    lengths = [
        len(message.text)
        for end in range(5, len(text), 7)
        if (message := GrowingMessage().show(text[:end]))
    ]
    assert all(later >= earlier - 1 for earlier, later in pairwise(lengths))


@pytest.mark.costs("it tries many examples")
@settings(max_examples=500, derandomize=True)
@given(MARKDOWN, st.integers(0, 200))
def test_no_input_breaks_a_message(text: str, end: int) -> None:
    """Five hundred answers made of everything, whole and growing."""
    check(whole(text))
    message = GrowingMessage().show(text[:end])
    if message:
        check_sendable(message)
        assert ways_out(message) == []
