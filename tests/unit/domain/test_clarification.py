"""When a question back is needed by rule, and what surely does not answer it."""

import pytest

from rich_agent.domain.message import (
    Forwarded,
    IncomingMessage,
    Photo,
    ReplyContext,
    SentFile,
    User,
)
from rich_agent.domain.routing.clarification import (
    choice_index,
    completed_by,
    image_topics,
    in_bounds,
    is_another_request,
)
from rich_agent.domain.routing.plan import Clarification
from rich_agent.domain.vision import ImageSummary

ASKED = Clarification("Which exchange?", ("Drift", "Jupiter"))


def message(text: str = "", **changes: object) -> IncomingMessage:
    """The message that came while the question was open."""
    return IncomingMessage(User(42), text, **changes)  # type: ignore[arg-type]  # a test's own fields


def test_topics_of_an_image_are_what_it_holds() -> None:
    """No table is offered where none is."""
    assert image_topics(ImageSummary("A red square.")) == ("describe", "text")
    menu = ImageSummary("A menu with prices.", ("Pasta",), ("|a|\n|-|",))
    assert image_topics(menu) == ("describe", "text", "table", "search")


@pytest.mark.parametrize(
    "came",
    [
        message("hi"),
        message("thanks!"),
        message("hola"),
        message(forwarded=Forwarded("Drift")),
        message("this one", reply=ReplyContext(3, "an older message")),
    ],
)
def test_what_surely_is_another_request(came: IncomingMessage) -> None:
    """By rule, without a model."""
    assert is_another_request(came, ASKED)


@pytest.mark.parametrize(
    "came",
    [
        message("Drift"),
        message("drift!"),
        message("the second"),
        message("Drift?"),
        message("What is the difference between staking and lending on Solana?"),
        message("What is in this one?", photos=(Photo("p"),)),
        message(photos=(Photo("p"),)),
        message("Drift", reply=ReplyContext(3, "Which exchange?", author="assistant")),
    ],
)
def test_what_may_be_the_answer(came: IncomingMessage) -> None:
    """Left to the planner, or plainly a choice."""
    assert not is_another_request(came, ASKED)


MATERIAL = [
    message(photos=(Photo("p"),)),
    message(photos=(Photo("p"), Photo("q"))),
    message("And this one?", photos=(Photo("p"),)),
    message(files=(SentFile("f", "lease.pdf"),)),
    message("https://a.example/page", links=("https://a.example/page",), is_only_links=True),
    message("https://a.example/page"),
    message(unread=("location",)),
    message("Look", forwarded=Forwarded("news")),
]


@pytest.mark.parametrize("came", MATERIAL)
def test_what_is_new_does_not_say_what_to_do_with_what_came_before(came: IncomingMessage) -> None:
    """The newest thing sent is what a message is about."""
    assert is_another_request(came, ASKED, wants_words=True)


@pytest.mark.parametrize("said", ["the rent", "and in https://a.example/page ?", "Drift", "?"])
def test_words_say_what_to_do_with_what_came_before(said: str) -> None:
    """Also with an address among them."""
    assert not is_another_request(message(said), ASKED, wants_words=True)


def test_answer_completes_what_was_said() -> None:
    """First words that said nothing give way to it."""
    assert completed_by("?", "describe it") == "describe it"
    assert completed_by("👆", "the fees") == "the fees"
    assert completed_by("What are the fees?", "Drift") == "What are the fees?\nDrift"


def test_question_of_a_model_is_kept_in_bounds() -> None:
    """Short, and with choices that are some and different; nothing asked is no question."""
    assert in_bounds(Clarification(" ")) is None
    assert in_bounds(Clarification("Which?", ("one",))) == Clarification("Which?")
    asked = in_bounds(Clarification("W" * 999, ("a", "a", "b", "", *"cdefgh", "i" * 99)))
    assert asked is not None
    assert len(asked.question) == 300
    assert asked.choices == ("a", "b", "c", "d", "e", "f")


@pytest.mark.parametrize(
    ("text", "place"),
    [("Sí", 0), (" sí! ", 0), ("いいえ。", 1), ("👍", 2), ("no", None), ("", None), ("👎", None)],
)
def test_choice_is_known_by_its_text(text: str, place: int | None) -> None:
    """In any script, without capitals and marks; nothing else is one."""
    assert choice_index(text, Clarification("¿?", ("Sí", "いいえ", "👍"))) == place
