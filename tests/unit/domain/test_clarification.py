"""Questions back: their form, and their choices."""

import pytest

from rich_agent.domain.routing.clarification import (
    choice_index,
    complete_question,
    image_topics,
    in_bounds,
)
from rich_agent.domain.routing.plan import Clarification
from rich_agent.domain.vision import ImageSummary


def test_topics_of_an_image_are_what_it_holds() -> None:
    """No table is offered where none is."""
    assert image_topics(ImageSummary("A red square.")) == ("describe", "text")
    menu = ImageSummary("A menu with prices.", ("Pasta",), ("|a|\n|-|",))
    assert image_topics(menu) == ("describe", "text", "table", "search")


def test_answer_completes_what_was_said() -> None:
    """First words that said nothing give way to it."""
    assert complete_question("?", "describe it") == "describe it"
    assert complete_question("👆", "the fees") == "the fees"
    assert complete_question("What are the fees?", "Drift") == "What are the fees?\nDrift"


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
