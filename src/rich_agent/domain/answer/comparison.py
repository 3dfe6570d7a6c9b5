"""Compares an answer with its passages by signs, which say what is doubtful in it.

Signs are markers, names, numbers and quotations. They hold in any language and understand no
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
"""The longest way to say that nothing was found; whatever is longer states something, too."""
_SAME_LANGUAGE = 0.4
"""An answer of whose words fewer were given is in another language than its passages."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The terms that were given, all of them read as in the languages of the answer."""

    terms: frozenset[str]
    languages: Languages


@dataclass(frozen=True, slots=True)
class _Comparison:
    """An answer, of which `prose` is what may state something, and all that it is compared with.

    `is_foreign` when it is in another language than its passages, `is_silent` when all that it says
    is that they hold no answer.
    """

    text: str
    prose: str
    passages: Sequence[Passage]
    known: _Known
    numbers: frozenset[str]
    quotable: Mapping[str, tuple[int, ...]]
    is_foreign: bool
    is_silent: bool

    def sentences(self) -> Iterator[Sentence]:
        """Yield the sentences that say something, in order."""
        places = {passage.id: number for number, passage in enumerate(self.passages, 1)}
        for start, end in sentences_in(self.prose):
            if any(map(str.isalnum, plain(self.prose[start:end]))):
                yield self._sentence(start, end, places)

    def _sentence(self, start: int, end: int, places: Mapping[str, int]) -> Sentence:
        source = self.prose[start:end]
        own, lacks = resolve_citations(source, self.passages).citations, says_nothing(source)
        states = not states_nothing(plain(source))
        says = _words(plain(source), self.known) if states else []
        strange = self._strange(plain(source), says)
        is_doubtful = bool(strange)
        if not (own or lacks or self.is_silent):
            new = {word for word, is_new in says[1:] if is_new and word[0].isupper()}
            strange, is_doubtful = strange | new, bool(strange or new) or _is_new(says)
        first, last = end - len(source.lstrip()), start + len(source.rstrip())
        text = plain(self.text[first:last])
        quotations = self.quotable.get(_bare(text), ()) if len(says) >= _FEWEST_WORDS else ()
        return Sentence(
            text,
            strange,
            is_doubtful=is_doubtful and not quotations,
            start=start,
            place=place_in(self.prose, start, end) if states else None,
            marks=tuple((start + first, start + last) for first, last in marks_in(source)),
            cites=frozenset(places[citation.id] for citation in own),
            quoted=quotations,
            lacks=lacks or self.is_silent,
        )

    def _strange(self, sentence: str, says: Sequence[tuple[str, bool]]) -> frozenset[str]:
        names = _names(says, self.is_foreign or self.is_silent)
        return frozenset({*strange_numbers(sentence, self.numbers), *names})


def judge(text: str, passages: Sequence[Passage], material: str) -> Judged:
    """The answer with its markers resolved, and its sentences with what is doubtful of them.

    `material` is all that the model read: names and numbers of the conversation may be repeated.
    The sentences are those of the first `MOST_JUDGED` characters. What a passage has word for
    word is supported, and gets a marker if it has none.
    """
    text = text.strip()
    resolution = resolve_citations(text, passages)
    prose = prose_of(text[:MOST_JUDGED])
    lacks = says_nothing(text) and not resolution.citations
    languages = languages_in(prose)
    known_terms, numbers = _Known(terms_in(material, languages), languages), known_numbers(material)
    numbers |= derived_numbers(without_marks(prose), numbers)
    small = [
        new for word, new in _words(without_marks(prose), known_terms) if not word[0].isupper()
    ]
    is_foreign = len(small) >= _FEWEST_WORDS and small.count(False) < _SAME_LANGUAGE * len(small)
    is_silent = lacks and len(text) <= _NOTHING_FOUND_CHARS
    comparison = _Comparison(
        text, prose, passages, known_terms, numbers, _quotable(passages), is_foreign, is_silent
    )
    sentences = tuple(comparison.sentences())
    quotations = {one.text: one.quoted for one in sentences if one.quoted}
    return Judged(text, passages, material, resolution, sentences, lacks).with_support(quotations)


def _quotable(passages: Sequence[Passage]) -> Mapping[str, tuple[int, ...]]:
    """The sentences of the passages, each with the numbers of those that have it."""
    numbers_by_sentence: dict[str, tuple[int, ...]] = {}
    for number, passage in enumerate(passages, 1):
        text = passage.content[:MOST_JUDGED]
        for sentence in {_bare(plain(text[start:end])) for start, end in sentences_in(text)}:
            numbers_by_sentence[sentence] = (*numbers_by_sentence.get(sentence, ()), number)
    return numbers_by_sentence


def _bare(sentence: str) -> str:
    """A sentence as it is compared: one in bold is the same."""
    return " ".join(normalized("NFKC", sentence).replace("*", "").split())


def _names(words: Sequence[tuple[str, bool]], is_foreign: bool) -> Iterator[str]:  # noqa: FBT001
    """New words side by side with capitals, or new characters of Chinese, Japanese and Korean.

    One alone says little where every noun has a capital. In another language every character is
    new, and so is the first word with its capital.
    """
    pairs = pairwise(words[1:] if is_foreign else words)
    for (one, is_new), (other, is_next_new) in pairs:
        by_capital = one[0].isupper() and other[0].isupper()
        by_sign = _NAME_SIGN.match(one) and _NAME_SIGN.match(other) and not is_foreign
        if is_new and is_next_new and (by_capital or by_sign):
            yield from (one, other)


def _is_new(words: Sequence[tuple[str, bool]]) -> bool:
    return len(words) >= _FEWEST_WORDS and 2 * sum(new for _, new in words) >= len(words)


def _words(text: str, known_terms: _Known) -> list[tuple[str, bool]]:
    """The words of a text, or its Chinese, Japanese and Korean characters, and which are new."""
    words = _WORD.findall(normalized("NFKC", text))
    return [
        (w, bool(terms := terms_in(w, known_terms.languages)) and not terms & known_terms.terms)
        for w in words
    ]
