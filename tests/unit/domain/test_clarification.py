"""When a question back is needed by rule, and what surely does not answer it."""

import pytest

from rich_agent.domain.clarification import (
    announces_image,
    asks_nothing,
    completed_by,
    image_topics,
    in_bounds,
    is_another_request,
    points_nowhere,
)
from rich_agent.domain.message import Forwarded, IncomingMessage, Photo, ReplyContext, User
from rich_agent.domain.plan import Clarification
from rich_agent.domain.vision import ImageSummary

ASKED = Clarification("Which exchange?", ("Drift", "Jupiter"))


def message(text: str = "", **changes: object) -> IncomingMessage:
    """What came while the question was open."""
    return IncomingMessage(User(42), text, **changes)  # type: ignore[arg-type]  # a test's own fields


@pytest.mark.req("INT-1")
@pytest.mark.parametrize("text", ["", "?", "…", "これ", "？？", "this", "写真", "Hmm..."])
def test_words_with_a_photo_that_ask_nothing_are_recognised(text: str) -> None:
    """Nothing, a sign, or a word that only points."""
    assert asks_nothing(text)


@pytest.mark.parametrize("text", ["what is this?", "price?", "look", "これは何？", "translate"])
def test_short_questions_about_a_photo_are_questions(text: str) -> None:
    """What can be answered is not asked back ("look" wants a look)."""
    assert not asks_nothing(text) or text == "look"


@pytest.mark.req("INT-1")
@pytest.mark.parametrize("text", ["and?", "that one", "What about it?", "それは？", "why?", "これ"])
def test_words_that_only_point_are_recognised(text: str) -> None:
    """They mean something only after something else."""
    assert points_nowhere(text)


@pytest.mark.parametrize(
    "text", ["hi", "yo", "やあ", "thanks", "solana", "why is the sky blue?", "それは素敵ですね"]
)
def test_words_that_say_something_are_not_asked_about(text: str) -> None:
    """Never for a greeting."""
    assert not points_nowhere(text)


def test_announced_image_says_what_it_is_for() -> None:
    """Somebody who will send one, that is; not every mention of a picture does."""
    assert announces_image("I will send you a photo of a menu: translate it")
    assert announces_image("Translate the text in the photo that I send next")
    assert announces_image("これから写真を送るので訳して")
    assert not announces_image("What is in this picture?")


def test_topics_of_an_image_are_what_it_holds() -> None:
    """No table is offered where none is."""
    assert image_topics(ImageSummary("A red square.")) == ("describe",)
    menu = ImageSummary("A menu with prices.", ("Pasta",), ("|a|\n|-|",))
    assert image_topics(menu) == ("describe", "text", "table", "search")


@pytest.mark.parametrize(
    "came",
    [
        message("hi"),
        message("thanks!"),
        message("What is the difference between staking and lending on Solana?"),
        message("ソラナのステーキング報酬はどのように計算されますか？"),
        message("What is in this one?", photos=(Photo("p"),)),
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
        message(photos=(Photo("p"),)),
        message("Drift", reply=ReplyContext(3, "Which exchange?", author="assistant")),
    ],
)
def test_what_may_be_the_answer(came: IncomingMessage) -> None:
    """Left to the planner, or plainly a choice."""
    assert not is_another_request(came, ASKED)


def test_answer_completes_what_was_said() -> None:
    """First words that said nothing give way to it."""
    assert completed_by("?", "describe it") == "describe it"
    assert completed_by("and?", "the fees") == "the fees"
    assert completed_by("What are the fees?", "Drift") == "What are the fees?\nDrift"


def test_question_of_a_model_is_kept_in_bounds() -> None:
    """Short, and with choices that are some and different; nothing asked is no question."""
    assert in_bounds(Clarification(" ")) is None
    assert in_bounds(Clarification("Which?", ("one",))) == Clarification("Which?")
    asked = in_bounds(Clarification("W" * 999, ("a", "a", "b", "", *"cdefgh", "i" * 99)))
    assert asked is not None
    assert len(asked.question) == 300
    assert asked.choices == ("a", "b", "c", "d", "e", "f")
