"""Raised and lowered letters as plain text."""

import pytest

from rich_agent.documents.extract.scripts import lowered_text, raised_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3", "³"), ("-3", "^-3"), ("−12", "^−12"), ("n", "^n"), ("st", "st"), ("®", "®"), (" ", " ")],
)
def test_raised_letters_are_exponents(text: str, expected: str) -> None:
    """Digits, signs and single letters are exponents, words are not."""
    assert raised_text(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("2", "₂"), ("i", "_i"), ("max", "max")])
def test_lowered_letters_are_indices(text: str, expected: str) -> None:
    """As exponents are."""
    assert lowered_text(text) == expected
