"""The stand-in marks answers truthfully, as far as words and numbers show it."""

import pytest

from rich_agent_sandbox.model.answering.judging import mark_answer
from rich_agent_sandbox.model.prompt import Entry, Prompt


@pytest.mark.parametrize(
    ("draft", "fact", "stated"),
    [
        ("The sender pays a fee of twelve lamports.", "a fee of 12 lamports", [1]),
        ("The sender pays a fee of 13 lamports.", "a fee of 12 lamports", []),
        ("The sender pays a fee.", "the fee is burned", []),
        ("Eine Adresse hat 32 Bytes.", "32 bytes long", [1]),
        ("Das Foto wird nicht gespeichert.", "the photo is not stored", []),
    ],
)
def test_mark_answer_states_a_fact_by_its_words_and_numbers(
    draft: str, fact: str, stated: list[int]
) -> None:
    """In another language only by its numbers: without any, it cannot tell."""
    marked = mark_answer(Prompt("?", draft=draft, entries=(Entry(1, "fact", fact),)))
    assert marked == {"stated": stated, "refuses": False}


def test_mark_answer_knows_a_refusal() -> None:
    """In any of its languages."""
    draft = "Die Dokumente enthalten dazu keine Angaben."
    assert mark_answer(Prompt("?", draft=draft)) == {"stated": [], "refuses": True}
