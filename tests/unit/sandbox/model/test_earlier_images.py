"""Which questions the stand-in takes to be about a photo that came before."""

import pytest

from rich_agent_sandbox.model.planning.plan import image_question, plan_answer
from rich_agent_sandbox.model.prompt import Domain, Prompt, Turn

SEEN = "About the picture: Flat shapes: 3 (red circle, blue square, green triangle)."
PHOTO = (Turn("user", "", 1), Turn("assistant", SEEN))
SOLANA = Domain("domain_solana", "Solana, validators and trading")


def asked_after(turns: tuple[Turn, ...], question: str) -> Prompt:
    """A planner's prompt that lets images of earlier turns be looked at."""
    return Prompt(question, domains=(SOLANA,), turns=turns)


@pytest.mark.parametrize(
    "question",
    [
        "How many shapes are there?",
        "How many circles?",
        "What colour is the square?",
        "Where is the triangle?",
        "And the circle?",
        "What does it show?",
        "What is in the picture?",
        "形はいくつありますか？",
        "四角は何色ですか？",
    ],
)
def test_question_after_a_photo_is_about_it(question: str) -> None:
    """Without a reply and without naming it; such a question needs no document."""
    prompt = asked_after(PHOTO, question)
    assert image_question(prompt) == question
    assert plan_answer(prompt).plan == "direct"


@pytest.mark.parametrize(
    "question",
    [
        "How many validators are there?",
        "How many planets are there?",
        "What colour is the sky?",
        "Where do I live?",
        "Where is Oslo?",
        "What photos can you read?",
        "What is a token?",
        "thanks",
    ],
)
def test_question_on_something_else_is_not_about_the_photo(question: str) -> None:
    """Things that the photo does not show are looked for elsewhere."""
    assert image_question(asked_after(PHOTO, question)) == ""


def test_photo_is_the_subject_until_something_else_is_asked() -> None:
    """Over several questions on it; afterwards it has to be named."""
    on_it = (*PHOTO, Turn("user", "How many circles?"), Turn("assistant", "1 × red circle."))
    question = "What colour is the square?"
    assert image_question(asked_after(on_it, question))
    left = (*on_it, Turn("user", "What is a validator?"), Turn("assistant", "A node."))
    assert image_question(asked_after(left, question)) == ""
    assert image_question(asked_after(left, "How many circles are in the photo?"))
