"""Words that everybody uses in a language, by how often they are written.

The lists are those of wordfreq. They are read once a word of their script is looked up, one after
the other until one has it.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from rich_agent.domain.retrieval.common_words import read_data, read_frequencies
from rich_agent.domain.retrieval.search_terms import script_of
from rich_agent.domain.text import HANGUL, UNSPACED

_LEAST_CENTIBELS = -600
"""One in a million words: 30,000 to 60,000 of a language."""
_FUNCTION_CENTIBELS = -400
"""One in ten thousand words: about a thousand of a language, which tell nothing by themselves."""
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
"""Those of the product's phrases, and of scripts with one list alone."""
UNSPACED_RUN = re.compile(f"[{UNSPACED}{HANGUL}\U00020000-\U000323af]+")
"""A text in scripts that write words without spaces; Korean words have their endings so."""
LONGEST_PART = 8
"""Signs of the longest listed word that is looked for in such a text."""


@lru_cache(maxsize=65_536)
def is_everyday(word: str) -> bool:
    """Whether a word, in lower case, is a frequent one of a language."""
    return _is_listed(word, _LEAST_CENTIBELS)


@lru_cache(maxsize=65_536)
def is_function_word(word: str) -> bool:
    """Whether a word, in lower case, is one of the most frequent thousand of a language."""
    return _is_listed(word, _FUNCTION_CENTIBELS)


def _is_listed(word: str, least_centibels: int) -> bool:
    languages = _LANGUAGES.get(script_of(word[:1]), ())
    return any(_has(_hashes(one, least_centibels), word) for one in languages) or (
        "zh" in languages
        and _has(_hashes("zh", least_centibels), word.translate(_simplified_signs()))
    )


def _has(hashes: "array[int]", word: str) -> bool:
    value = hash(word)
    place = bisect_left(hashes, value)
    return place < len(hashes) and hashes[place] == value


@lru_cache(maxsize=64)
def _hashes(language: str, least_centibels: int) -> "array[int]":
    """The hashes of a language's words down to a frequency, sorted: 8 bytes for each."""
    lists = read_frequencies(language, least_centibels)
    return array("q", sorted(hash(word) for some in lists for word in some))


@lru_cache(maxsize=1)
def _simplified_signs() -> Mapping[int, str]:
    """The signs of traditional Chinese, as the list writes them."""
    signs: Mapping[int, str] = read_data("_chinese_mapping")
    return signs
