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
