from rich_agent.telegram.splitting import split_message
from rich_agent.telegram_api import RenderedMessage, TextEntity


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
    """What was bold stays bold after the cut."""
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
