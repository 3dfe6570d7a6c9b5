"""The place in a text where the words of a search stand, with what is around it."""

from collections.abc import Sequence

import regex

from rich_agent.feature.surface import question_terms

_WORD = regex.compile(r"[\w\p{M}]++")
_BEFORE_CHARS, _AFTER_CHARS = 60, 140
_MOST_READ_CHARS = 20_000
_MORE = "…"
Found = tuple[str, str, str]
"""What stands before the words that were found, these words, and what stands behind."""


def words_found_in(texts: Sequence[str], query: str) -> Found:
    """The first place in the texts where the query, or else a word of it in any form, stands.

    If there is none, the beginning of the first text. Line breaks become spaces.
    """
    read = [" ".join(text[:_MOST_READ_CHARS].split()) for text in texts]
    for text in read:
        if (start := text.find(query)) >= 0:
            return _around(text, start, start + len(query))
    terms = frozenset(question_terms(query))
    for text in read:
        for word in _WORD.finditer(text):
            if not terms.isdisjoint(question_terms(word[0])):
                return _around(text, *_within(word, query.split()))
    return _around(read[0] if read else "", 0, 0)


def _within(word: "regex.Match[str]", parts: Sequence[str]) -> tuple[int, int]:
    """The place of the query in a word; of text without spaces only what was looked for."""
    for part in parts:
        if (place := word[0].find(part)) >= 0:
            return word.start() + place, word.start() + place + len(part)
    return word.span()


def _around(text: str, start: int, end: int) -> Found:
    first, last = max(0, start - _BEFORE_CHARS), min(len(text), end + _AFTER_CHARS)
    before, after = text[first:start], text[end:last]
    return (
        f"{_MORE if first else ''}{before}",
        text[start:end],
        f"{after}{_MORE if last < len(text) else ''}",
    )
