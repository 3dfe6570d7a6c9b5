import numpy as np
import pytest

from rich_agent_sandbox.model.embedding import embed


def nearness(one: str, other: str) -> float:
    """Cosine of two texts."""
    return float(embed(one) @ embed(other))


@pytest.mark.parametrize("text", ["How is tea made?", "お茶の入れ方", "!!!", ""])
def test_embed_gives_unit_vectors_of_the_asked_size(text: str) -> None:
    """Every text, also one without words, has length 1."""
    vector = embed(text, 384)
    assert vector.shape == (384,)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def test_embed_is_deterministic() -> None:
    """The same text gives the same vector."""
    assert np.array_equal(embed("green tea"), embed("green tea"))


@pytest.mark.parametrize(
    ("question", "related", "unrelated"),
    [
        ("How are liquidations computed?", "A liquidation is computed daily.", "The cat sleeps."),
        ("清算はどう計算されますか", "清算は証拠金から計算されます", "猫が寝ています"),
        ("What is the tea?", "tea", "What is the coffee?"),
    ],
)
def test_embed_puts_related_texts_nearer(question: str, related: str, unrelated: str) -> None:
    """Shared content words count, shared function words hardly do."""
    assert nearness(question, related) > nearness(question, unrelated) + 0.2


SECTION = """Pots > What is a kettle

A kettle is a vessel with a spout and a lid, in which people boil water for tea or for cooking.
Some whistle when the water boils, others switch themselves off, and a few do neither of the two.
Steel lasts longest; glass shows how much is left; copper is heavy and wants to be polished often.
"""


def test_embed_puts_a_section_near_the_question_that_its_heading_asks() -> None:
    """The opening counts more than the same words further on."""
    moved = "\n".join(reversed(SECTION.splitlines()))
    assert nearness("What is a kettle?", SECTION) > nearness("What is a kettle?", moved) + 0.05
    assert nearness("What is a kettle?", SECTION) > 0.35


@pytest.mark.parametrize("question", ["Who won the chess world cup?", "How do I bake bread?"])
def test_embed_keeps_unrelated_questions_away(question: str) -> None:
    """Chance collisions of features leave a small cosine."""
    assert abs(nearness(question, SECTION)) < 0.15


def test_embed_tells_questions_of_function_words_apart() -> None:
    """Questions without a content word are near a heading of the same wording."""
    headings = ["What can you do?", "Who are you?", "Which of them is it?"]
    sections = [SECTION.replace("What is a kettle", heading) for heading in headings]
    for number, heading in enumerate(headings):
        scores = [nearness(heading, section) for section in sections]
        assert scores.index(max(scores)) == number
