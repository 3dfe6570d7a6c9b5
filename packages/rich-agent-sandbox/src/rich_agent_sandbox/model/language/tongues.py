"""Detects the language of a text by its script or common words; the default is English."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from importlib.resources import files

from rich_agent_sandbox.model.language.text import STOP_WORDS, is_japanese, normalise, words

ENGLISH = "en"
_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3041-\u30ff]")
_SCRIPTS = (
    ("ja", re.compile(r"[\u3041-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7a3\u3131-\u318e]")),
    (
        "zh",
        re.compile(
            r"[你您们吗呢么吧谁哪说这还没谢为会爱语请時間什怎嗎們這說誰謝讲帮给]|是什|多少|可以|[今明昨]天|我的|我住"
        ),
    ),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
# Words that are common in one language and rare in the others, or function words.
_TOLD: Mapping[str, Mapping[str, str]] = tomllib.loads(
    files(__package__).joinpath("tongues.toml").read_text(encoding="utf-8")
)
_SETS = {language: frozenset(listed.split()) for language, listed in _TOLD["common"].items()}
_NUMERALS = {
    word: float(number) for number, listed in _TOLD["numerals"].items() for word in listed.split()
}
_NOTHING_FOUND = re.compile(_TOLD["nothing_found"]["patterns"].strip().replace("\n", "|"))
_MARKS = {
    "ß": "de", "ü": "de", "ö": "de", "ä": "de", "ñ": "es", "¿": "es", "¡": "es", "ã": "pt",
    "õ": "pt", "ł": "pl", "ż": "pl", "ę": "pl", "ı": "tr", "ş": "tr", "ğ": "tr",
}  # fmt: skip
_UNDECOMPOSED = {"ß": "ss", "ł": "l", "ø": "o", "ı": "i"}
_FIRST_BEYOND_LATIN = "\u0250"


def language_of(text: str, otherwise: str = ENGLISH) -> str:
    """The language's ISO 639 code; `otherwise` for a text without a language, such as "17*23"."""
    for language, script in _SCRIPTS:
        if script.search(text):
            return language
    if is_japanese(text) and _HAN.search(text):
        return "ja"
    text_words = set(words(text))
    scores = {
        language: len(text_words & common_words - STOP_WORDS)
        for language, common_words in _SETS.items()
    }
    for mark, language in _MARKS.items():
        scores[language] += mark in text.lower()
    best_language = max(scores, key=lambda language: scores[language])
    is_clear = scores[best_language] > len(text_words & STOP_WORDS - _SETS[best_language])
    # A misspelt English word easily looks Dutch.
    if is_clear and (best_language != "nl" or scores[best_language] > 1):
        return best_language
    return ENGLISH if text_words & STOP_WORDS else otherwise


def may_be(text: str, language: str) -> bool:
    """Whether a text may be in a language: hardly any other language has more of its words.

    Ideographs alone may be of either language that has them.
    """
    if _HAN.search(text) and not _KANA.search(text):
        return language in {"ja", "zh"}
    text_words = set(words(text))
    own_count = len(text_words & _SETS.get(language, frozenset()))
    highest_count = max(
        len(text_words & common_words - STOP_WORDS) for common_words in _SETS.values()
    )
    return own_count > 0 and own_count >= highest_count - 1


def numerals_in(text_words: Iterable[str]) -> set[float]:
    """The numbers that the words name: "zwölf", "twelve", "doce"."""
    return {_NUMERALS[word] for word in text_words if word in _NUMERALS}


def says_nothing_found(text: str) -> bool:
    """Whether a sentence says, in any of the languages, that the texts contain no answer."""
    return bool(_NOTHING_FOUND.search(plain(text)))


def plain(text: str) -> str:
    """The text in lower case, with Latin letters without accents: "Gebühr" → "gebuhr"."""
    return "".join(
        _UNDECOMPOSED.get(letter) or unicodedata.normalize("NFD", letter)[0]
        if letter < _FIRST_BEYOND_LATIN
        else letter
        for letter in normalise(text)
    )
