"""The stem of a word in a language, and in which languages a text is."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

import regex
from Stemmer import Stemmer, algorithms

from rich_agent.domain.retrieval.search_terms import STOP_WORDS
from rich_agent.domain.text import normalized

_STEMMED = frozenset(algorithms())
# Accents, the vowel signs of Hebrew and Arabic with the signs on alef, tatweel, the dot below of
# Devanagari: they are often left out.
_LEFT_OUT = regex.compile(
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8"
    "\u06ea-\u06ed\u0640\u093c]"
)
_ACCENTS = regex.compile("[\u0300-\u036f]")
# Persian and Arabic write the same letters with other signs; so does Turkish without its dots.
_SAME = str.maketrans("یىکٱةەہھı", "ييكاههههi")
_AS_ARABIC = str.maketrans("یک", "يك")
_AS_PERSIAN = str.maketrans("يىك", "ییک")
_LOWER_TURKISH = str.maketrans("Iİ", "ıi")
_WHOLE_VOTE = 1_000
"""Divided among the languages that have a word."""
_FEWEST_VOTERS = 2


def _languages_by_word() -> dict[str, tuple[tuple[str, str], ...]]:
    """Script and language of each stop word; what is one letter of ASCII is of any language."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for script, lists in STOP_WORDS.items():
        for language, words in lists.items():
            for word in words:
                if len(word) > 1 or not word.isascii():
                    found[word].append((script, language))
    return {word: tuple(languages) for word, languages in found.items()}


_VOTES = _languages_by_word()
_STOP = {name: words for lists in STOP_WORDS.values() for name, words in lists.items()}
UNSTEMMED = "unstemmed"
"""No language: the word as chunks hold it that nobody has analysed since it had a stem."""
_LANGUAGES = {script: (*lists, UNSTEMMED) for script, lists in STOP_WORDS.items()}
_ANY = ("",)


def tell_languages(words: Iterable[str]) -> frozenset[str]:
    """The languages of a text's words, at most one of each script; none where too few words tell.

    Two different words are the least: names and variables often look like one.
    """
    votes: Counter[tuple[str, str]] = Counter()
    voters: Counter[tuple[str, str]] = Counter()
    for found in filter(None, map(_VOTES.get, map(str.lower, {*words}))):
        voters.update(found)
        votes.update(dict.fromkeys(found, _WHOLE_VOTE // len(found)))
    best: dict[str, str] = {}
    for (script, language), number in votes.most_common():
        if number >= _WHOLE_VOTE and voters[script, language] >= _FEWEST_VOTERS:
            best.setdefault(script, language)
    return frozenset(best.values())


def languages_of(word: str) -> Sequence[str]:
    """The languages that a word may be in by its script, the default first."""
    letter = next(filter(str.isalpha, word), "")
    return _LANGUAGES.get(_script(letter), _ANY)


@lru_cache(maxsize=4_096)
def _script(letter: str) -> str:
    """The script, which is the first word of the letter's name; "" without a letter."""
    return unicodedata.name(letter, "").partition(" ")[0] if letter else ""


def language_of(word: str, languages: frozenset[str]) -> str:
    """That of the languages which the word is in by its script; else the default of the script."""
    possible = languages_of(word)
    return next((one for one in possible if one in languages), possible[0])


def names_nothing(word: str, language: str) -> bool:
    """Whether it is a stop word."""
    return word.lower() in _STOP.get(language, ())


def stem(word: str, language: str) -> str:
    """The word without its endings, in one spelling."""
    if language == UNSTEMMED:
        return _ACCENTS.sub("", normalized("NFD", word)).lower()
    if language == "turkish":
        word = word.translate(_LOWER_TURKISH)
    word = word.casefold()
    algorithm = language.partition("-")[0]
    if algorithm in _STEMMED:
        if language == "arabic":
            word = word.translate(_AS_ARABIC)
        elif language == "persian":
            word = word.translate(_AS_PERSIAN)
        # One for each call: threads may not share it.
        word = Stemmer(algorithm, 0).stemWord(word)
    return fold(word)


def fold(word: str) -> str:
    """The word with what is often left out left out."""
    if word.isascii():
        return word
    return _LEFT_OUT.sub("", normalized("NFD", word)).translate(_SAME)
