"""Repetitions: which foreign words a text repeats, by the sentences that do."""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from rich_agent.domain.text import shorten
from rich_agent.domain.verbatim import is_wide, letters_of
from rich_agent.domain.words import Origin, Words

_NAME_CHARS = 80
_MOST_KEPT = 20
_KEPT_CHARS = 2_000
_SENTENCE = re.compile(r"[^.!?。！？\n]*+[.!?。！？\n]|[^.!?。！？\n]++")
_REPEATED, _WIDE_REPEATED = 23, 9
"""Letters and digits in a row that are a repetition; a shorter sentence is one as a whole."""
_Near = tuple[AbstractSet[str], AbstractSet[str]]


def repeated_in(text: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """Return the authors of the foreign words read for `text`, with the sentences that repeat them.

    One entry for each author, at most 20.
    """
    return _repetitions(_Sentences(text), read)


def still_in(text: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """Return the foreign words that `text` repeats, each with the sentences that do."""
    return _still(_Sentences(text), read)


def words_behind_text(
    text: str, now: Iterable[Words], before: Iterable[Words]
) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
    """Return what is left of the words read for `text`, and of earlier ones what it repeats."""
    sentences = _Sentences(text)
    return _repetitions(sentences, now), _still(sentences, before)


def _still(sentences: "_Sentences", read: Iterable[Words]) -> tuple[Words, ...]:
    return tuple(words for words in _repetitions(sentences, read) if words.text)


def _repetitions(sentences: "_Sentences", read: Iterable[Words]) -> tuple[Words, ...]:
    sentences_by_author: dict[tuple[Origin, str], dict[str, None]] = {}
    for words in read:
        if not words.is_foreign:
            continue
        author = words.origin, shorten(words.name, _NAME_CHARS)
        if author in sentences_by_author or len(sentences_by_author) < _MOST_KEPT:
            sentences_by_author.setdefault(author, {}).update(sentences.repeating(words.text))
    return tuple(
        Words(" ".join(repetitions)[:_KEPT_CHARS], origin, name)
        for (origin, name), repetitions in sentences_by_author.items()
    )


def words_in_summary(summary: str, before: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """The foreign words of turns that a summary took in: its sentences that were not there before.

    A summary says things in its own words, so that any new sentence may be theirs.
    """
    old_sentences = set(_sentences(before))
    new_text = " ".join(one for one in _sentences(summary) if one not in old_sentences)[
        :_KEPT_CHARS
    ]
    return tuple(replace(one, text=new_text) for one in repeated_in("", read) if new_text)


def _sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip()]


@dataclass(frozen=True)
class _Sentence:
    """A sentence with its letters; `size` of them in a row are a repetition, fewer of CJK."""

    text: str
    letters: str
    size: int

    @classmethod
    def of(cls, text: str) -> Self:
        """The sentence of this text."""
        letters = letters_of(text)
        is_cjk = not letters.isascii() and 2 * sum(map(is_wide, letters)) > len(letters)
        return cls(text, letters, _WIDE_REPEATED if is_cjk else _REPEATED)

    @cached_property
    def halves(self) -> AbstractSet[str]:
        """Everything in it that is half as long as a repetition."""
        return _runs_of(self.letters, _half_of(self.size))

    @cached_property
    def _runs(self) -> AbstractSet[str]:
        return _runs_of(self.letters, self.size)

    def repeats(self, source: str, near: "Mapping[int, _Near]") -> bool:
        """Whether it repeats letters; `near` are, by size, the parts of them that it may share."""
        if len(self.letters) < self.size:
            return 2 * len(self.letters) > self.size and self.letters in source
        halves, runs = near[self.size]
        return not (halves.isdisjoint(self.halves) or runs.isdisjoint(self._runs))


@dataclass(frozen=True)
class _Sentences:
    """The sentences of a text, and which of them repeat others; `known` are those compared."""

    text: str
    known: dict[str, Mapping[str, None]] = field(default_factory=dict)

    @cached_property
    def _all(self) -> Sequence["_Sentence"]:
        return [one for one in map(_Sentence.of, _sentences(self.text)) if one.letters]

    @cached_property
    def _halves(self) -> Mapping[int, AbstractSet[str]]:
        """The halves of all sentences, by the length of a repetition."""
        sizes = {one.size for one in self._all}
        return {
            size: set[str]().union(*(one.halves for one in self._all if one.size == size))
            for size in sizes
        }

    def repeating(self, text: str) -> Mapping[str, None]:
        """The sentences that repeat a text, each once and in order."""
        if text not in self.known:
            source = letters_of(text)
            near = {size: self._near(source, size) for size in self._halves}
            self.known[text] = {one.text: None for one in self._all if one.repeats(source, near)}
        return self.known[text]

    def _near(self, source: str, size: int) -> "_Near":
        """The halves of a source that the sentences hold too, and the runs around them.

        In each repetition stands what is half as long, at a multiple of its own length: only runs
        around such a place, where the sentences hold it too, need a closer look.
        """
        half, halves = _half_of(size), self._halves[size]
        places = [at for at in range(0, len(source), half) if source[at : at + half] in halves]
        # Also a run that is cut by the end: it is too short to be one of a sentence.
        runs = {
            source[start : start + size]
            for at in places
            for start in range(max(0, at + half - size), at + 1)
        }
        return {source[at : at + half] for at in places}, runs


def _half_of(size: int) -> int:
    return (size + 1) // 2


def _runs_of(text: str, size: int) -> set[str]:
    """Every run of so many characters, wherever it stands."""
    return {text[start : start + size] for start in range(len(text) - size + 1)}
