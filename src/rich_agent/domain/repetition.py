"""Repetitions: the sentences of a text that repeat foreign words, and the words' authors."""

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
"""Letters and digits in a row that count as a repetition, for other scripts and for CJK. A shorter
sentence counts as a whole."""
_Near = tuple[AbstractSet[str], AbstractSet[str]]


def repeated_in(text: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """Return the authors of the foreign words in `read`, with the sentences of `text` that repeat.

    Each author has one entry, whose text is "" without a repetition. At most 20 authors are given.
    """
    return _repetitions(_Sentences(text), read)


def still_in(text: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """Return only the authors whose foreign words `text` repeats, with its repeating sentences."""
    return _still(_Sentences(text), read)


def words_behind_text(
    text: str, now: Iterable[Words], before: Iterable[Words]
) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
    """Return `repeated_in` for the words that were read now, and `still_in` for earlier words."""
    sentences = _Sentences(text)
    return _repetitions(sentences, now), _still(sentences, before)


def _still(sentences: "_Sentences", source_words: Iterable[Words]) -> tuple[Words, ...]:
    """The authors whose words the sentences repeat."""
    return tuple(words for words in _repetitions(sentences, source_words) if words.text)


def _repetitions(sentences: "_Sentences", source_words: Iterable[Words]) -> tuple[Words, ...]:
    """The authors of foreign words, with the sentences that repeat these words."""
    sentences_by_author: dict[tuple[Origin, str], dict[str, None]] = {}
    for words in source_words:
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
    """The authors of the foreign words that a summary covers, with the summary's new sentences.

    A summary uses words of its own, so each sentence that was not in `before` may come from them.
    """
    old_sentences = set(_sentences(before))
    new_sentences = (sentence for sentence in _sentences(summary) if sentence not in old_sentences)
    new_text = " ".join(new_sentences)[:_KEPT_CHARS]
    return tuple(replace(words, text=new_text) for words in repeated_in("", read) if new_text)


def _sentences(text: str) -> list[str]:
    """The sentences of a text, without those that are empty."""
    return [sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip()]


@dataclass(frozen=True)
class _Sentence:
    """A sentence and its letters. A repetition has `size` letters in a row."""

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
        """All runs of letters that are half as long as a repetition."""
        return _runs_of(self.letters, _half_of(self.size))

    @cached_property
    def _runs(self) -> AbstractSet[str]:
        """All runs of letters as long as a repetition."""
        return _runs_of(self.letters, self.size)

    def repeats(self, source: str, near: "Mapping[int, _Near]") -> bool:
        """Whether the sentence repeats a source's letters; `near` is from `_near`, by size."""
        if len(self.letters) < self.size:
            return 2 * len(self.letters) > self.size and self.letters in source
        halves, runs = near[self.size]
        return not (halves.isdisjoint(self.halves) or runs.isdisjoint(self._runs))


@dataclass(frozen=True)
class _Sentences:
    """The sentences of a text. `known` keeps the repeating sentences for each compared text."""

    text: str
    known: dict[str, Mapping[str, None]] = field(default_factory=dict)

    @cached_property
    def _all(self) -> Sequence["_Sentence"]:
        """The sentences that have letters."""
        return [
            sentence for sentence in map(_Sentence.of, _sentences(self.text)) if sentence.letters
        ]

    @cached_property
    def _halves(self) -> Mapping[int, AbstractSet[str]]:
        """The halves of all sentences, by the length of a repetition."""
        sizes = {sentence.size for sentence in self._all}
        return {
            size: set[str]().union(
                *(sentence.halves for sentence in self._all if sentence.size == size)
            )
            for size in sizes
        }

    def repeating(self, text: str) -> Mapping[str, None]:
        """The sentences that repeat words of another text, each once and in order."""
        if text not in self.known:
            source = letters_of(text)
            near_by_size = {size: self._near(source, size) for size in self._halves}
            self.known[text] = {
                sentence.text: None
                for sentence in self._all
                if sentence.repeats(source, near_by_size)
            }
        return self.known[text]

    def _near(self, source: str, size: int) -> "_Near":
        """The halves of a source that the sentences contain too, and the runs around them.

        Every repetition contains a half that begins at a multiple of the half's length. So only
        runs around such halves have to be compared, if the sentences contain the half too.
        """
        half_length, halves = _half_of(size), self._halves[size]
        half_starts = range(0, len(source), half_length)
        positions = [
            start for start in half_starts if source[start : start + half_length] in halves
        ]
        # A run that the end of the source cuts is too short to match one of a sentence.
        runs = {
            source[start : start + size]
            for position in positions
            for start in range(max(0, position + half_length - size), position + 1)
        }
        return {source[position : position + half_length] for position in positions}, runs


def _half_of(size: int) -> int:
    """Half of a size, rounded up."""
    return (size + 1) // 2


def _runs_of(text: str, size: int) -> set[str]:
    """All runs of `size` characters in a text."""
    return {text[start : start + size] for start in range(len(text) - size + 1)}
