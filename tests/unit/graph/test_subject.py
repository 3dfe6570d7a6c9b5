"""The subject of a message: the newest thing that came wins."""

import pytest

from rich_agent.domain.message import (
    Forwarded,
    IncomingMessage,
    Photo,
    ReplyContext,
    SentFile,
    User,
)
from rich_agent.domain.routing.plan import Clarification
from rich_agent.graph.subject import is_another_request

ASKED = Clarification("Which exchange?", ("Drift", "Jupiter"))


def message(text: str = "", **changes: object) -> IncomingMessage:
    """The message that came while the question was open."""
    return IncomingMessage(User(42), text, **changes)  # type: ignore[arg-type]  # a test's own fields


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
