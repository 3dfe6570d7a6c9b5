"""Everyday words of each language, by their frequency.

The lists are those of wordfreq. A list is read when a word in its script is looked up and no other
list had it.
"""

import re
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from rich_agent.domain.retrieval.common_words import (
    read_data,
    read_frequencies,
    read_rare_words,
)
from rich_agent.domain.retrieval.search_terms import script_of
from rich_agent.domain.text import HANGUL, UNSPACED

_LEAST_CENTIBELS = -600
"""One in a million words: 30,000 to 60,000 words of a language."""
_FUNCTION_CENTIBELS = -400
"""One in ten thousand words: about a thousand of a language, with little meaning alone."""
_LATIN = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "id", "vi")
_HAN = ("zh", "ja")
_LANGUAGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "LATIN": _LATIN,
        "CYRILLIC": ("ru", "uk"),
        "ARABIC": ("ar", "fa"),
        "DEVANAGARI": ("hi",),
        "CJK": _HAN,
        "HIRAGANA": _HAN[1:],
        "KATAKANA": _HAN[1:],
        "KATAKANA-HIRAGANA": _HAN[1:],
        "HANGUL": ("ko",),
        "GREEK": ("el",),
        "HEBREW": ("he",),
        "BENGALI": ("bn",),
        "TAMIL": ("ta",),
    }
)
"""The languages of the product's sentences, and of scripts with a single list."""
UNSPACED_RUN = re.compile(f"[{UNSPACED}{HANGUL}\U00020000-\U000323af]+")
"""A text in scripts without spaces between words, and in Korean, whose endings have none."""
LONGEST_PART = 8
"""The most characters of a listed word that is looked up in such a text."""


@lru_cache(maxsize=65_536)
def is_everyday(word: str) -> bool:
    """Whether a word in lower case is frequent in its language."""
    return _is_listed(word, _LEAST_CENTIBELS)


@lru_cache(maxsize=65_536)
def is_function_word(word: str) -> bool:
    """Whether a word in lower case is one of the thousand most frequent of its language."""
    return _is_listed(word, _FUNCTION_CENTIBELS)


def _is_listed(word: str, least_centibels: int) -> bool:
    """Whether a list of the word's script has it with this frequency at least."""
    languages = _LANGUAGES.get(script_of(word[:1]), ())
    return any(_has(_hashes(language, least_centibels), word) for language in languages) or (
        "zh" in languages
        and _has(_hashes("zh", least_centibels), word.translate(_simplified_signs()))
    )


def _has(hashes: "array[int]", word: str) -> bool:
    """Whether the sorted hashes contain the word's."""
    word_hash = hash(word)
    index = bisect_left(hashes, word_hash)
    return index < len(hashes) and hashes[index] == word_hash


@lru_cache(maxsize=64)
def _hashes(language: str, least_centibels: int) -> "array[int]":
    """The sorted hashes of a language's words down to a frequency, 8 bytes each."""
    levels = read_frequencies(language, least_centibels)
    return array("q", sorted(hash(word) for level in levels for word in level))


@lru_cache(maxsize=1)
def _simplified_signs() -> Mapping[int, str]:
    """The simplified characters for traditional ones, as the list has them."""
    signs: Mapping[int, str] = read_data("_chinese_mapping")
    return signs


def commonest_language(words: Iterable[str]) -> str:
    """The language that most of these words in lower case are everyday words of; "" if none is."""
    counts = Counter(
        language
        for word in words
        for language in _LANGUAGES.get(script_of(word[:1]), ())
        if _has(_hashes(language, _LEAST_CENTIBELS), word)
    )
    return counts.most_common(1)[0][0] if counts else ""


@lru_cache(maxsize=4_096)
def word_frequency(word: str, language: str) -> float:
    """The frequency of a word in lower case in a thousand million, as a power of ten.

    0 is returned for a rarer word, and for a language without a list of rare words.
    """
    word_hash = hash(word)
    return _frequencies(language).get(word_hash, 0.0)


@lru_cache(maxsize=1)
def _frequencies(language: str) -> Mapping[int, float]:
    """The frequency of each word of a language, by its hash."""
    levels = read_rare_words(language) if language else []
    return {
        hash(word): (900 - centibels) / 100
        for centibels, level in enumerate(levels)
        for word in level
    }
