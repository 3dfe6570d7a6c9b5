"""PDF: words that run from the right, in the order in which they are read."""

import pytest

from rich_agent.documents.extract.pdf.right_to_left import Letter, word_in_order
from rich_agent.documents.extract.pdf.words import Box


def placed(text: str, order: str) -> list[Letter]:
    """Letters in the order of `text`, at the places at which `order` has them from the left."""
    return [
        Letter(letter, Box(10.0 * order.index(letter), 0, 10.0 * order.index(letter) + 8, 10))
        for letter in text
    ]


@pytest.mark.parametrize(
    ("text", "from_left", "word"),
    [
        ("ملق", "ملق", "قلم"),
        ("قلم", "ملق", "قلم"),
        ("50-2B", "B50-2", "B50-2"),
        ("قلم12.5", "ملق12.5", "12.5قلم"),
        ("שלום", "םולש", "שלום"),
    ],
)
def test_word_is_read_by_the_places_of_its_letters(text: str, from_left: str, word: str) -> None:
    """Letters from the right, codes and numbers from the left, whatever order they come in."""
    assert word_in_order(placed(text, from_left)) == word


def test_word_with_a_ligature_has_both_of_its_letters_in_order() -> None:
    """The two letters stand at one place."""
    box = Box(0, 0, 8, 10)
    assert word_in_order([Letter("أ", box), Letter("ل", box)]) == "لأ"


def test_word_with_marks_over_its_letters_stays_as_it_is() -> None:
    """Marks have no place of their own."""
    text = "قَلَم"
    letters = [Letter(letter, Box(10.0 * n, 0, 10.0 * n + 8, 10)) for n, letter in enumerate(text)]
    assert word_in_order(letters) == text
