"""Joins lines, and decides whether a hyphen at a line's end belongs to the word or splits it.

What the document itself writes decides first, then how frequent the words are in its language.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from rich_agent.domain.outgoing.everyday_words import (
    commonest_language,
    is_everyday,
    word_frequency,
)

_MARKS = "\x02\ufffe\u00ad"
"""PDFium's marks for a hyphen at a line's end, and the soft hyphen, which is seen nowhere else."""
_HYPHENS = (*_MARKS, "-", "\u2010", "\u2011")
_SOFT_HYPHEN = "\u00ad"
_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:[-\u2010\u2011][^\W\d_]++)++")
_WORD = re.compile(r"\w+")
_LAST_WORD = re.compile(r"[^\W_]{1,60}\Z")
_FIRST_WORD = re.compile(r"[^\W_]{1,60}")
_CJK_EDGE = re.compile(r"[　-ヿ㐀-鿿＀-￯]")
_MOST_LINES = 20_000
_SAMPLE_WORDS = 400
_LEAST_FREQUENCY = 2.5
_RARER = 1.5
"""How many powers of ten a joined word may be rarer than the rarer one of its parts."""


class LineJoiner:
    """Joins the lines of one document."""

    def __init__(self, lines: Sequence[str]) -> None:
        """Learn the words of a document from its lines, the first 20,000 if there are more."""
        splits = [
            (above, below)
            for above, below in pairwise(lines[:_MOST_LINES])
            if above.endswith(_HYPHENS)
        ]
        self._words: Counter[str] = Counter()
        self._compounds: Counter[str] = Counter()
        self._language = ""
        self._hyphenates = False
        if splits:
            for line in lines[:_MOST_LINES]:
                self._words.update(_WORD.findall(line.lower()))
                self._compounds.update(_COMPOUND.findall(line))
            self._hyphenates = any(self._is_split_word(above, below) for above, below in splits)

    def join(self, text: str, following: str) -> tuple[int, str]:
        """The number of characters of a line that stay, and what stands between it and the next.

        In Chinese and Japanese, no space is added.
        """
        if text.endswith(_HYPHENS):
            return len(text) - 1, self._hyphen(text[:-1], text[-1], following)
        if _CJK_EDGE.match(text[-1]) and _CJK_EDGE.match(following):
            return len(text), ""
        return len(text), " "

    def _hyphen(self, above: str, hyphen: str, below: str) -> str:
        """The sign in place of the hyphen between two lines."""
        if hyphen == _SOFT_HYPHEN:
            return ""
        hyphen = "-" if hyphen in _MARKS else hyphen
        if not above or not above[-1].isalnum() or not below[:1].isalnum():
            return f"{hyphen} "
        return "" if self._is_split(above, below) else hyphen

    def _is_split(self, above: str, below: str) -> bool:
        """Whether the hyphen only splits a word."""
        first, second = _last_word(above), _first_word(below)
        if any(letter.isdigit() for letter in first[-1:] + second[:1]):
            return False
        if second[:1].isupper() and not first.isupper():
            return False
        joined, parted = (first + second).lower(), f"{first}-{second}".lower()
        in_text = self._words[joined]
        if in_text or any(parted == compound.lower() for compound in self._compounds):
            return in_text > 0
        if is_everyday(joined):
            return True
        return not self._is_compound(first.lower(), second.lower(), joined)

    def _is_split_word(self, above: str, below: str) -> bool:
        """Whether an everyday word is split, so that the document splits words."""
        joined = (_last_word(above[:-1]) + _first_word(below)).lower()
        return is_everyday(joined)

    def _is_compound(self, first: str, second: str, joined: str) -> bool:
        """Whether two words of the document's language make up one that has a hyphen."""
        writes_compounds = any(compound.islower() for compound in self._compounds)
        if self._hyphenates and not writes_compounds:
            return False
        self._language = self._language or commonest_language(
            word for word, _ in self._words.most_common(_SAMPLE_WORDS)
        )
        rarer = min(word_frequency(part, self._language) for part in (first, second))
        frequency = word_frequency(joined, self._language)
        return rarer >= _LEAST_FREQUENCY and frequency < rarer - _RARER


def _last_word(text: str) -> str:
    match = _LAST_WORD.search(text[-60:])
    return match[0] if match else ""


def _first_word(text: str) -> str:
    match = _FIRST_WORD.match(text)
    return match[0] if match else ""


def goes_on(text: str) -> bool:
    """Whether a hyphen after a letter or a digit tells that a line goes on in the next."""
    return text.endswith(_HYPHENS) and text[-2:-1].isalnum()


def without_mark(text: str) -> str:
    """A text whose last word goes on nowhere, without the mark for its hyphen."""
    return text.rstrip(_MARKS)
