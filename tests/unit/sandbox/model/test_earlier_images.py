"""Which questions the stand-in takes to be about a photo that came before."""

import pytest

from rich_agent_sandbox.model.planning.plan import image_question, plan_answer
from rich_agent_sandbox.model.prompt import Prompt, Turn

PHOTO = (Turn("user", "", 1), Turn("assistant", "About the picture: It is red."))


@pytest.mark.parametrize(
    "question", ["How many shapes are there?", "What is in the picture?", "And the circle?"]
)
def test_question_after_a_photo_is_about_it(question: str) -> None:
    """It is listed, names the photo or follows it; it needs no document."""
    prompt = Prompt(question, turns=PHOTO)
    assert image_question(prompt) == question
    assert plan_answer(prompt).plan == "direct"
    assert image_question(Prompt(question)) == ""


def test_question_on_something_else_is_not_about_the_photo() -> None:
    """It stands for itself, or comes after another question."""
    assert image_question(Prompt("What colour is the sky?", turns=PHOTO)) == ""
    left = (*PHOTO, Turn("user", "What is a validator?"), Turn("assistant", "A node."))
    assert image_question(Prompt("And its stake?", turns=left)) == ""
