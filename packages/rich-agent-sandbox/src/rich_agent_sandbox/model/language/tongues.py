"""Detects the language of a text by its script or common words, and translates single words.

It knows a dozen languages, as well as short lists can distinguish them; the default is English.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib.resources import files
from itertools import takewhile

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
_FUNCTION_WORDS = frozenset[str]().union(*_SETS.values())
_NUMERALS = {
    word: float(number) for number, listed in _TOLD["numerals"].items() for word in listed.split()
}
_NOTHING_FOUND = re.compile(_TOLD["nothing_found"]["patterns"].strip().replace("\n", "|"))
_MARKS = {
    "ß": "de", "ü": "de", "ö": "de", "ä": "de", "ñ": "es", "¿": "es", "¡": "es", "ã": "pt",
    "õ": "pt", "ł": "pl", "ż": "pl", "ę": "pl", "ı": "tr", "ş": "tr", "ğ": "tr",
}  # fmt: skip
_SHORTEST_COGNATE = 5
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST_MISSPELT = 5
_TYPED = {"wat": "what", "wht": "what", "waht": "what", "wats": "what's", "teh": "the", "u": "you"}
_LIKENESS = 0.78  # difflib's ratio: one letter wrong, missing or swapped in a word of five to eight
_UNDECOMPOSED = {"ß": "ss", "ł": "l", "ø": "o", "ı": "i"}
_LEAST_SHARE = 0.5
_FIRST_BEYOND_LATIN = "\u0250"
_ELSEWHERE = tuple(
    (beginning, english)
    for english, listed in _TOLD["glossary"].items()
    for beginning in listed.split()
)


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


def content_of(text: str) -> list[str]:
    """The content words of a text in any of the languages."""
    return [word for word in words(text) if word not in STOP_WORDS | _FUNCTION_WORDS]


def subject_words() -> list[str]:
    """English words of the subject of the sample documents."""
    return _TOLD["subject"]["words"].split()


def corrected(text: str, known: Iterable[str]) -> str:
    """The text with misspellings of `known` words corrected."""
    candidates = {word for word in known if len(word) >= _SHORTEST_MISSPELT}

    def spelt(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word in _TYPED:
            return _TYPED[word]
        if word in candidates or word in STOP_WORDS or len(word) < _SHORTEST_MISSPELT - 1:
            return match[0]
        return next(iter(get_close_matches(word, candidates, 1, _LIKENESS)), match[0])

    return _WORD.sub(spelt, text)


def spelt_out(text: str) -> str:
    """The text with common abbreviations of typed words written out: "u" → "you"."""
    return _WORD.sub(lambda match: _TYPED.get(match[0].lower(), match[0]), text)


def in_english(text: str, known: Iterable[str] = ()) -> list[str]:
    """English words for the words of a text: from the glossary, or a cognate among `known`.

    "Liquidación" and "Liquidierung" are cognates of "liquidation": they have the same beginning.
    """
    known = [*known, *subject_words()]
    candidates = sorted({plain(word) for word in known if len(word) >= _SHORTEST_COGNATE}, key=len)
    translations = (_english(plain(word), candidates) for word in content_of(text))
    return list(dict.fromkeys(word for word in translations if word))


def _english(word: str, known: Sequence[str]) -> str:
    for beginning, english in _ELSEWHERE:
        if word.startswith(beginning):
            return english
    if len(word) < _SHORTEST_COGNATE:
        return word if word in known else ""
    nearest_word = max(known, key=lambda other: _likeness(word, other), default="")
    return nearest_word if _likeness(word, nearest_word) else ""


def _likeness(word: str, other_word: str) -> float:
    """The share of the longer word that is the common prefix; 0 for under 5 letters or a half."""
    word, other_word = word.replace("k", "c"), other_word.replace("k", "c")
    pairs = zip(word, other_word, strict=False)
    common_length = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    share = common_length / max(len(word), len(other_word))
    return share if common_length >= _SHORTEST_COGNATE and share >= _LEAST_SHARE else 0.0


def plain(text: str) -> str:
    """The text in lower case, with Latin letters without accents: "Gebühr" → "gebuhr"."""
    return "".join(
        _UNDECOMPOSED.get(letter) or unicodedata.normalize("NFD", letter)[0]
        if letter < _FIRST_BEYOND_LATIN
        else letter
        for letter in normalise(text)
    )
