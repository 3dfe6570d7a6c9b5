"""Finds the words of a search in a text, and returns them with the text around them."""

from collections.abc import Sequence

import regex

from rich_agent.feature.surface import question_terms

_WORD = regex.compile(r"[\w\p{M}]++")
_BEFORE_CHARS, _AFTER_CHARS = 60, 140
_MOST_READ_CHARS = 20_000
_MORE = "…"
Found = tuple[str, str, str]
"""The text before the words of a search, these words, and the text after them."""


def words_found_in(texts: Sequence[str], query: str) -> Found:
    """The first place in the texts with the query or, without any, with a form of one of its words.

    If there is no such place, it is the beginning of the first text. Line breaks become spaces.
    """
    lines = [" ".join(line[:_MOST_READ_CHARS].split()) for line in texts]
    for line in lines:
        if (start := line.find(query)) >= 0:
            return _around(line, start, start + len(query))
    terms = frozenset(question_terms(query))
    for line in lines:
        for word in _WORD.finditer(line):
            if not terms.isdisjoint(question_terms(word[0])):
                return _around(line, *_within(word, query.split()))
    return _around(lines[0] if lines else "", 0, 0)


def _within(word: "regex.Match[str]", query_words: Sequence[str]) -> tuple[int, int]:
    """The place of the query in a word. In text without spaces, this is only a part of the word."""
    for query_word in query_words:
        if (offset := word[0].find(query_word)) >= 0:
            return word.start() + offset, word.start() + offset + len(query_word)
    return word.span()


def _around(text: str, start: int, end: int) -> Found:
    excerpt_start, excerpt_end = max(0, start - _BEFORE_CHARS), min(len(text), end + _AFTER_CHARS)
    text_before, text_after = text[excerpt_start:start], text[end:excerpt_end]
    return (
        f"{_MORE if excerpt_start else ''}{text_before}",
        text[start:end],
        f"{text_after}{_MORE if excerpt_end < len(text) else ''}",
    )
