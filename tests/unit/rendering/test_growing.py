import itertools

import pytest

from rich_agent.rendering.answers import GrowingMessage
from tests.unit.rendering.seen import marked

ELLIPSIS = " …"


def growing(text: str) -> str:
    """The words of a growing answer."""
    message = GrowingMessage().show(text)
    return message.text.removesuffix(ELLIPSIS) if message else ""


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("a **bold", "bold", "bold"),
        ("a **bold *both", "italic", "both"),
        ("a `code", "code", "code"),
        ("a ~~gone", "strikethrough", "gone"),
        ("a ||secret", "spoiler", "secret"),
        ("```py\nx = 1", "pre", "x = 1"),
        ("```py\nx = 1\n``", "pre", "x = 1"),
        ("| a | b |\n|---|---|\n| 1 |\n\nEnd", "pre", "a  b\n-  -\n1"),
        ("> quo", "blockquote", "quo"),
        ("# Hea", "bold", "Hea"),
    ],
)
def test_growing_message_closes_what_is_open(text: str, kind: str, words: str) -> None:
    """Bold is bold from its first letter on, code is code."""
    message = GrowingMessage().show(text)
    assert message is not None
    assert marked(message, kind) == [words]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see [the guide](https://a.exa", "see the guide"),
        ("see [the guide](https://a.example/x_(y", "see the guide"),
        ('see [the guide](https://a.example "ti', "see the guide"),
        ("see [the guide](", "see the guide"),
        ("see [the guide]", "see the guide"),
        ("see [the gui", "see the gui"),
        ("see ![the cha", "see the cha"),
        ("see <https://a.exa", "see"),
        ("a **", "a"),
        ("a *", "a"),
        ("a `", "a"),
        ("a **b*", "a b"),
        ("a\n-", "a"),
        ("a\n---", "a"),
        ("a\n\n1.", "a"),
        ("a\n\n##", "a"),
        ("a\n\n| b | c", "a"),
        ("a\n\n| b | c |\n|--", "a"),
        ("a \\(x^", "a"),
        ("a \\[x^2", "a"),
        ("a $$x^2", "a"),
        ("a\\", "a"),
    ],
)
def test_growing_message_holds_back_what_cannot_be_read_yet(text: str, words: str) -> None:
    """No half link, no lone mark, no header of a table as bars."""
    assert growing(text) == words


def test_growing_message_of_a_long_answer_is_its_beginning() -> None:
    """The message is full; the rest comes with the whole answer."""
    message = GrowingMessage().show("word " * 30_000)
    assert message is not None
    assert message.text.startswith("word word")
    assert 3900 < len(message.text) <= 4000


NARROW = "Prices:\n\n| Item | Price |\n|:---|---:|\n| Tea | 5 |\n| Cake | 6 |\n\nThat is all."
WIDENS = (
    "Names:\n\n| Name | What it does |\n|---|---|\n| tx | moves coins |\n"
    "| validator | votes on every block that a leader proposes |\n| rpc | answers |\n\nAll."
)


def test_table_that_may_become_too_wide_is_held_back() -> None:
    """It is shown once, whole, when something follows it; what precedes it is there before."""
    for end in range(NARROW.index("|"), NARROW.index("That")):
        assert growing(NARROW[:end]).rstrip() == "Prices:"
    assert growing(NARROW).endswith("Cake      6\n\nThat is all.")


def test_growing_table_never_turns_from_a_grid_into_records() -> None:
    """As soon as a row is too wide it is records, and they only grow."""
    states = [GrowingMessage().show(WIDENS[:end]) for end in range(1, len(WIDENS) + 1)]
    assert not any(marked(state, "pre") for state in states if state)
    shown = [state.text.removesuffix(ELLIPSIS).rstrip() for state in states if state]
    with_records = [text for text in shown if "What it does:" in text]
    assert with_records
    assert "rpc" not in with_records[0]
    assert all(b.startswith(a) for a, b in itertools.pairwise(with_records))


def test_growing_message_renders_no_more_once_it_is_full() -> None:
    """Text after a full message changes nothing of it; another answer begins anew."""
    message = GrowingMessage()
    full = message.show("word " * 2_000)
    assert full is not None
    assert message.show("word " * 2_000 + "**more**") is full
    other = message.show("Something else.")
    assert other is not None
    assert other.text == "Something else. …"
