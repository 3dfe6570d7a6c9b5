"""Puts the letters of words that run from the right into the order in which they are read.

PDFium gives some of them in the order in which they are drawn, and mixes up codes among them.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from rich_agent.documents.extract.pdf.words import Box

_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
_FROM_THE_LEFT: Final = frozenset({"L", "EN", "AN"})
_LAM: Final = "\u0644"
_ALEFS: Final = "\u0622\u0623\u0625\u0627"


class Letter(NamedTuple):
    """A letter and the box in which it stands."""

    text: str
    box: Box

    @property
    def middle(self) -> float:
        """Its place from the left."""
        return (self.box.left + self.box.right) / 2


def has_right_to_left(text: str) -> bool:
    """Whether a text has a letter of a script that runs from the right."""
    return any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in text)


def word_in_order(letters: Sequence[Letter]) -> str:
    """The letters of a word in reading order, by the places where they stand.

    Words with marks over letters are left as they are, since marks have no place of their own.
    """
    text = "".join(letter.text for letter in letters)
    if any(map(unicodedata.combining, text)) or any(
        letter.box.right <= letter.box.left for letter in letters
    ):
        return text
    if not has_right_to_left(text):
        return "".join(letter.text for letter in sorted(letters, key=lambda letter: letter.middle))
    from_right = sorted(_with_ligatures(letters), key=lambda letter: -letter.middle)
    parts = ["".join(part) for part in _runs([letter.text for letter in from_right])]
    return "".join(parts)


def _with_ligatures(letters: Sequence[Letter]) -> list[Letter]:
    """The letters, with the two of a ligature of lam and alef in their order."""
    ordered = list(letters)
    for index in range(len(ordered) - 1):
        first, second = ordered[index : index + 2]
        if first.box == second.box and first.text in _ALEFS and second.text == _LAM:
            ordered[index : index + 2] = [second, first]
    return ordered


def _runs(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Letters from the right, with the runs of codes and numbers among them from the left."""
    kinds = [unicodedata.bidirectional(text[0]) for text in texts]
    last = max((n for n, kind in enumerate(kinds) if kind in _FROM_THE_LEFT), default=-1)
    inside, from_left = False, []
    for number, kind in enumerate(kinds):
        inside = kind in _FROM_THE_LEFT or (inside and number < last and _leads_on(kinds, number))
        from_left.append(inside)
    for is_from_left, group in groupby(zip(texts, from_left, strict=True), lambda pair: pair[1]):
        run = [text for text, _ in group]
        yield run[::-1] if is_from_left else run


def _leads_on(kinds: Sequence[str], number: int) -> bool:
    """Whether a sign stands between two letters or digits of a code."""
    return kinds[number] not in _RIGHT_TO_LEFT and kinds[number + 1] in _FROM_THE_LEFT
