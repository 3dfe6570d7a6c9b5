"""Compares an answer with its passages by signs, which show the doubtful parts.

Signs are markers, names, numbers and quotations. They work in any language but understand no
meaning, so they judge only what is copied from a passage.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich_agent.domain.answer.citation import resolve_citations
from rich_agent.domain.answer.grounding import MOST_JUDGED, Judged, Sentence, says_nothing
from rich_agent.domain.answer.numbers import derived_numbers, known_numbers, strange_numbers
from rich_agent.domain.answer.sentences import (
    marks_in,
    place_in,
    plain,
    prose_of,
    sentences_in,
    states_nothing,
    without_marks,
)
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.retrieval.search_terms import Languages, languages_in, terms_in
from rich_agent.domain.text import CJK, HAN, HANGUL, KATAKANA, normalized

_WORD = re.compile(rf"[{CJK}]|[^\W\d_{CJK}][^\W{CJK}]*(?:[.'’-][^\W{CJK}]+)*")
_NAME_SIGN = re.compile(rf"[{KATAKANA}{HAN}{HANGUL}]")
_FEWEST_WORDS = 3
_NOTHING_FOUND_CHARS = 400
"""The longest text that merely says that nothing was found; longer ones state more."""
_SAME_LANGUAGE = 0.4
"""If a smaller share of an answer's words is known, it is in another language."""


@dataclass(frozen=True, slots=True)
class _KnownTerms:
    """The terms of all that the model read, as in the languages of the answer."""

    terms: frozenset[str]
    languages: Languages


@dataclass(frozen=True, slots=True)
class _Comparison:
    """An answer, and everything that it is compared with."""

    text: str
    prose: str
    """The text with code and addresses blanked out."""
    passages: Sequence[Passage]
    known: _KnownTerms
    """The terms of the material."""
    numbers: frozenset[str]
    """The numbers of the material, and those worked out from them."""
    quotable: Mapping[str, tuple[int, ...]]
    """The sentences of the passages, each with the numbers of its passages."""
    is_foreign: bool
    """Whether the answer is in another language than its passages."""
    is_silent: bool
    """Whether the answer only says that the passages have no answer."""

    def sentences(self) -> Iterator[Sentence]:
        """Yield the sentences that have letters or digits, in order."""
        number_by_id = {passage.id: number for number, passage in enumerate(self.passages, 1)}
        for start, end in sentences_in(self.prose):
            if any(map(str.isalnum, plain(self.prose[start:end]))):
                yield self._sentence(start, end, number_by_id)

    def _sentence(self, start: int, end: int, number_by_id: Mapping[str, int]) -> Sentence:
        """The sentence between two positions, with its signs."""
        source = self.prose[start:end]
        citations, lacks_passage = (
            resolve_citations(source, self.passages).citations,
            says_nothing(source),
        )
        states_something = not states_nothing(plain(source))
        words = _words(plain(source), self.known) if states_something else []
        strange_terms = self._strange(plain(source), words)
        is_doubtful = bool(strange_terms)
        if not (citations or lacks_passage or self.is_silent):
            new_capitals = {word for word, is_new in words[1:] if is_new and word[0].isupper()}
            strange_terms, is_doubtful = (
                strange_terms | new_capitals,
                bool(strange_terms or new_capitals) or _is_new(words),
            )
        mark_start, mark_end = end - len(source.lstrip()), start + len(source.rstrip())
        text = plain(self.text[mark_start:mark_end])
        quotations = self.quotable.get(_bare(text), ()) if len(words) >= _FEWEST_WORDS else ()
        return Sentence(
            text,
            strange_terms,
            is_doubtful=is_doubtful and not quotations,
            start=start,
            place=place_in(self.prose, start, end) if states_something else None,
            marks=tuple(
                (start + mark_start, start + mark_end) for mark_start, mark_end in marks_in(source)
            ),
            cites=frozenset(number_by_id[citation.id] for citation in citations),
            quoted=quotations,
            lacks=lacks_passage or self.is_silent,
        )

    def _strange(self, sentence: str, words: Sequence[tuple[str, bool]]) -> frozenset[str]:
        """The names and numbers of a sentence that the material lacks."""
        strange_names = _names(words, self.is_foreign or self.is_silent)
        return frozenset({*strange_numbers(sentence, self.numbers), *strange_names})


def judge(text: str, passages: Sequence[Passage], material: str) -> Judged:
    """The answer with its markers resolved, and its sentences with their doubtful signs.

    `material` is all that the model read: names and numbers of the conversation may be repeated.
    Sentences are taken from the first `MOST_JUDGED` characters. A sentence that a passage has word
    for word is supported, and gets a marker if it has none.
    """
    text = text.strip()
    resolution = resolve_citations(text, passages)
    prose = prose_of(text[:MOST_JUDGED])
    lacks_answer = says_nothing(text) and not resolution.citations
    languages = languages_in(prose)
    known_terms, numbers = (
        _KnownTerms(terms_in(material, languages), languages),
        known_numbers(material),
    )
    numbers |= derived_numbers(without_marks(prose), numbers)
    newness_flags = [
        is_new
        for word, is_new in _words(without_marks(prose), known_terms)
        if not word[0].isupper()
    ]
    is_foreign = len(newness_flags) >= _FEWEST_WORDS and newness_flags.count(
        False
    ) < _SAME_LANGUAGE * len(newness_flags)
    is_silent = lacks_answer and len(text) <= _NOTHING_FOUND_CHARS
    comparison = _Comparison(
        text, prose, passages, known_terms, numbers, _quotable(passages), is_foreign, is_silent
    )
    sentences = tuple(comparison.sentences())
    passage_numbers_by_text = {
        sentence.text: sentence.quoted for sentence in sentences if sentence.quoted
    }
    return Judged(text, passages, material, resolution, sentences, lacks_answer).with_support(
        passage_numbers_by_text
    )


def _quotable(passages: Sequence[Passage]) -> Mapping[str, tuple[int, ...]]:
    """The sentences of the passages, each with the numbers of the passages that have it."""
    numbers_by_sentence: dict[str, tuple[int, ...]] = {}
    for passage_number, passage in enumerate(passages, 1):
        text = passage.content[:MOST_JUDGED]
        for sentence in {_bare(plain(text[start:end])) for start, end in sentences_in(text)}:
            numbers_by_sentence[sentence] = (*numbers_by_sentence.get(sentence, ()), passage_number)
    return numbers_by_sentence


def _bare(sentence: str) -> str:
    """A sentence for comparison, without bold type and surplus spaces."""
    return " ".join(normalized("NFKC", sentence).replace("*", "").split())


def _names(words: Sequence[tuple[str, bool]], is_foreign: bool) -> Iterator[str]:  # noqa: FBT001
    """Neighbouring new words with capitals, or neighbouring new CJK characters.

    A single word says little in languages that capitalize every noun. In another language, every
    character is new, and so is the first word.
    """
    pairs = pairwise(words[1:] if is_foreign else words)
    for (word, is_new), (next_word, is_next_new) in pairs:
        are_capitalized = word[0].isupper() and next_word[0].isupper()
        are_characters = _NAME_SIGN.match(word) and _NAME_SIGN.match(next_word) and not is_foreign
        if is_new and is_next_new and (are_capitalized or are_characters):
            yield from (word, next_word)


def _is_new(words: Sequence[tuple[str, bool]]) -> bool:
    """Whether at least half of the words, and at least three words, are new."""
    return len(words) >= _FEWEST_WORDS and 2 * sum(is_new for _, is_new in words) >= len(words)


def _words(text: str, known_terms: _KnownTerms) -> list[tuple[str, bool]]:
    """The words or CJK characters of a text, each with whether it is new."""
    words = _WORD.findall(normalized("NFKC", text))
    return [
        (
            word,
            bool(terms := terms_in(word, known_terms.languages)) and not terms & known_terms.terms,
        )
        for word in words
    ]
