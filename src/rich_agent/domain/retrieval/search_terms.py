"""Text to search terms, for chunks and for questions, in every language at once.

What is a letter, Unicode says: marks belong to their letters, punctuation of every script separates
words. Words are stemmed by their language, identifiers are taken apart and kept whole, and text
without spaces between words gives its characters and pairs of them.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, pairwise

import regex

from rich_agent.domain.retrieval.word_forms import (
    fold,
    language_of,
    languages_of,
    names_nothing,
    stem,
    tell_languages,
)
from rich_agent.domain.text import HANGUL, UNSPACED, normalized

ANALYSIS_VERSION = 2
"""Raised with each change of these rules: chunks analysed by older ones are analysed again."""

TERM_SPACE = 1_000_000_000
"""Terms are numbers below this, the most dimensions of pgvector's sparsevec."""

Languages = frozenset[str]
"""The languages of a text, at most one of each script; of others it is the script's first."""

# Korean has spaces, but its words are inflected like those of languages without.
_UNSPACED = rf"{UNSPACED}{HANGUL}\U00020000-\U000323af"
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_LETTER = r"[\w\p{Mn}\p{Mc}]"
_WORD = regex.compile(rf"{_LETTER}++(?:[.\-]{_LETTER}++)*+")
_OF_OTHERS = rf"[{_LETTER}--[{_UNSPACED}]]"
_RUN = regex.compile(
    rf"[[{_UNSPACED}]&&{_LETTER}]++|{_OF_OTHERS}++(?:[.\-]{_OF_OTHERS}++)*+", regex.V1
)
# They show how a letter looks, or where a line may break inside a word.
_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}--\u200b]", regex.V1)
_FOREIGN_DIGIT = regex.compile(r"[\p{Nd}--[0-9]]", regex.V1)
_JOINT = re.compile(r"[._\-]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST = 64


def analyse(text: str) -> tuple[Mapping[int, int], Languages]:
    """Count each term of the text, by the term's number; and tell the text's languages."""
    runs = _runs(text)
    languages = tell_languages(runs)
    return Counter(chain.from_iterable(_numbers(run, languages) for run in runs)), languages


def term_counts(text: str) -> Mapping[int, int]:
    """Count each term of the text, by the term's number."""
    return analyse(text)[0]


def languages_in(text: str) -> Languages:
    """The languages of the text, told by its script and its commonest words."""
    return tell_languages(_runs(text))


def terms_in(text: str, languages: Languages | None = None) -> frozenset[str]:
    """The terms of the text as they read: stems, characters and pairs of characters.

    To compare texts, take them all as being in the same languages.
    """
    runs = _runs(text)
    told = tell_languages(runs) if languages is None else languages
    return frozenset(chain.from_iterable(_terms(run, told) for run in runs))


def question_words(text: str, languages: Languages | None) -> Mapping[frozenset[int], int]:
    """Count each word of a question: its terms in each of these languages, or in all.

    Words that name nothing in the language of the question are left out.
    """
    runs = _runs(text)
    own = tell_languages(runs)
    return Counter(chain.from_iterable(_forms(run, own, languages) for run in runs))


def question_terms(text: str) -> list[int]:
    """All terms that the words of a question have in any language, in order."""
    return sorted(frozenset[int]().union(*question_words(text, None)))


def has_same_terms(text: str, other: str) -> bool:
    """Whether two texts say the same to a search by words: other forms, order and small words.

    "How does proof of history work?" and "how proof of history works" do. The vectors of such texts
    are near each other as well.
    """
    languages = languages_in(f"{text} {other}")
    terms = terms_in(text, languages)
    return bool(terms) and terms == terms_in(other, languages)


def _runs(text: str) -> list[str]:
    if not text.isascii():
        text = _INVISIBLE.sub("", normalized("NFKC", text))
        text = _FOREIGN_DIGIT.sub(lambda found: str(unicodedata.digit(found[0])), text)
    # With two kinds of runs, it takes three times as long.
    return (_RUN if _IS_UNSPACED.search(text) else _WORD).findall(text)


@lru_cache(maxsize=131_072)
def _numbers(run: str, languages: Languages) -> tuple[int, ...]:
    """The terms of a run of letters, by their numbers."""
    return tuple(map(_number, _terms(run, languages)))


@lru_cache(maxsize=65_536)
def _terms(run: str, languages: Languages) -> tuple[str, ...]:
    if _IS_UNSPACED.match(run):
        return (*run, *(a + b for a, b in pairwise(run)))
    whole, parts = _parts(run)
    language = language_of(run, languages)
    kept = [part for part in parts if not names_nothing(part, language)]
    return (*((whole,) if len(kept) > 1 else ()), *(stem(part, language) for part in kept))


def _forms(run: str, own: Languages, languages: Languages | None) -> Iterator[frozenset[int]]:
    """Of each word of a run the terms that it may have in a chunk."""
    if _IS_UNSPACED.match(run):
        yield from (frozenset((number,)) for number in _numbers(run, own))
        return
    whole, parts = _parts(run)
    possible = languages_of(run)
    tried = [one for one in possible[1:] if languages is None or one in languages]
    kept = [part for part in parts if not names_nothing(part, language_of(run, own))]
    if len(kept) > 1:
        yield frozenset((_number(whole),))
    for part in kept:
        yield frozenset(_number(stem(part, language)) for language in (possible[0], *tried))


def _parts(run: str) -> tuple[str, list[str]]:
    """An identifier or a compound as a whole, and its parts; of a word itself."""
    word = run[:_LONGEST]
    parts = [part for joined in _JOINT.split(word) for part in _CAMEL.split(joined) if fold(part)]
    return fold(word.strip("_.-").casefold()), parts


@lru_cache(maxsize=262_144)
def _number(term: str) -> int:
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest()) % TERM_SPACE
