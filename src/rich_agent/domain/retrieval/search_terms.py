"""Text to search terms, for chunks and for questions, in every language at once.

What is a letter, Unicode says: marks belong to their letters, punctuation of every script separates
words. Words are stemmed by their language, identifiers are taken apart and kept whole, and text
without spaces between words gives its characters and pairs of them.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, pairwise
from typing import Self
from zlib import crc32

import regex
from Stemmer import Stemmer, algorithms

from rich_agent.domain.retrieval.common_words import commonest_words
from rich_agent.domain.retrieval.stop_words import STOP_WORDS
from rich_agent.domain.text import HANGUL, UNSPACED, normalized

ANALYSIS_VERSION = 3
"""Raised with each change of these rules: chunks analysed by older ones are analysed again."""

TERM_SPACE = 1_000_000_000
"""Terms are numbers below this, the most dimensions of pgvector's sparsevec."""

Languages = frozenset[str]
"""The languages of a text, at most one of each script; of others it is the script's first."""
_SPOKEN_SHARE = 0.02
_COMMON_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class IndexLanguages:
    """The languages of an index: those that its texts are in, and the common ones among them.

    A language is spoken from 2 % of the texts of its script on, and common from 20 %: of a few
    texts the language may have been told wrong, and a word that names nothing there may name
    something everywhere else.
    """

    spoken: Languages
    common: Languages

    @classmethod
    def of(cls, texts: Mapping[str, int]) -> Self:
        """The languages of an index with so many texts in each."""
        scripts = {language: _SCRIPTS.get(language, language) for language in texts}
        totals: Counter[str] = Counter()
        for language, number in texts.items():
            totals[scripts[language]] += number

        def from_share(share: float) -> Languages:
            return frozenset(
                one for one, number in texts.items() if number >= share * totals[scripts[one]] > 0
            )

        return cls(from_share(_SPOKEN_SHARE), from_share(_COMMON_SHARE))


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
    text_languages = tell_languages(runs) if languages is None else languages
    return frozenset(chain.from_iterable(_terms(run, text_languages) for run in runs))


def question_words(text: str, index: IndexLanguages | None) -> Mapping[frozenset[int], int]:
    """Count each word of a question: its terms in the languages of the index, or in all.

    Words that name nothing are left out: in the language of the question, or in the common ones of
    the index if the question is too short to tell its own. All are kept if none would be left.
    """
    runs = _runs(text)
    own = tell_languages(runs)
    common = index.common if index else frozenset[str]()
    all_languages = index.spoken | own if index else None
    words = Counter(chain.from_iterable(_forms(run, own, common, all_languages) for run in runs))
    return words or Counter(
        chain.from_iterable(_forms(run, own, _NONE, all_languages) for run in runs)
    )


def question_terms(text: str) -> list[int]:
    """All terms that the words of a question have in any language, in order."""
    return sorted(frozenset[int]().union(*question_words(text, None)))


def terms_of_user(user_id: int, terms: Iterable[int]) -> list[int]:
    """Number terms apart for each user, so that an index over all users finds those of one alone.

    Numbers are 32 bits with sign. Two terms of a user may have the same one, about once in a
    million conversations: whoever finds a text by them compares its user.
    """
    return sorted({crc32(f"{user_id}:{term}".encode()) - 2**31 for term in terms})


def has_same_terms(text: str, other: str) -> bool:
    """Whether two texts say the same to a search by words: other forms, order and small words.

    "How does proof of history work?" and "how proof of history works" do. The vectors of such texts
    are near each other as well.
    """
    languages = languages_in(f"{text} {other}")
    terms = terms_in(text, languages)
    return bool(terms) and terms == terms_in(other, languages)


def is_unspaced(term: str) -> bool:
    """Whether a term is of a script without spaces between words: a character, or a pair."""
    return _IS_UNSPACED.match(term) is not None


def _runs(text: str) -> list[str]:
    if not text.isascii():
        text = _INVISIBLE.sub("", normalized("NFKC", text))
        text = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.digit(match[0])), text)
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
    bearing = [part for part in parts if not names_nothing(part, language)]
    stems = (term for part in bearing for term in _stems(part, language))
    return (*((whole,) if len(bearing) > 1 else ()), *stems)


def _stems(word: str, language: str) -> Iterable[str]:
    """The stem of a word; where marks make it another word, also as it is without them."""
    own = stem(word, language)
    plain = stem(word, languages_of(word)[0]) if language in _TONAL else own
    return (own,) if own == plain else (own, plain)


@lru_cache(maxsize=16_384)
def _forms(
    run: str, own: Languages, common: Languages, all_languages: Languages | None
) -> tuple[frozenset[int], ...]:
    """Of each word of a run the terms that it may have in a chunk."""
    if _IS_UNSPACED.match(run):
        return tuple(frozenset((number,)) for number in _numbers(run, own))
    whole, parts = _parts(run)
    possible = languages_of(run)
    judges = own.intersection(possible) or {possible[0], *common.intersection(possible)}
    bearing = [part for part in parts if not any(_is_small(part, one) for one in judges)]
    compound = (frozenset((_number(whole),)),) if len(bearing) > 1 else ()
    to_try = [
        one for one in possible if all_languages is None or one in {possible[0], *all_languages}
    ]
    # With its marks it is one word, where its language is told.
    exact = [one for one in to_try if one in own & _TONAL]

    def forms(part: str) -> frozenset[int]:
        stems = frozenset(stem(part, one) for one in exact if stem(part, one) != fold(part))
        return frozenset(map(_number, stems or {stem(part, one) for one in to_try}))

    return (*compound, *map(forms, bearing))


def _is_small(word: str, language: str) -> bool:
    """Whether a word of a question is a stop word, or among the commonest of the language."""
    return names_nothing(word, language) or word.lower() in commonest_words(language)


def _parts(run: str) -> tuple[str, list[str]]:
    """An identifier or a compound as a whole, and its parts; of a word itself."""
    word = run[:_LONGEST]
    parts = [part for piece in _JOINT.split(word) for part in _CAMEL.split(piece) if fold(part)]
    return fold(word.strip("_.-").casefold()), parts


@lru_cache(maxsize=262_144)
def _number(term: str) -> int:
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest()) % TERM_SPACE


_STEMMED = frozenset(algorithms())
_TONAL: Languages = frozenset({"vietnamese"})
"""Written with marks that tell words apart; questions often come without them."""
_NONE: Languages = frozenset()
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
    languages_of_word: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for script, lists in STOP_WORDS.items():
        for language, words in lists.items():
            for word in words:
                if len(word) > 1 or not word.isascii():
                    languages_of_word[word].append((script, language))
    return {word: tuple(languages) for word, languages in languages_of_word.items()}


_VOTES = _languages_by_word()
_STOP = {name: words for lists in STOP_WORDS.values() for name, words in lists.items()}
UNSTEMMED = "unstemmed"
"""No language: the word as chunks hold it that nobody has analysed since it had a stem."""
_LANGUAGES = {script: (*lists, UNSTEMMED) for script, lists in STOP_WORDS.items()}
_ANY = ("",)
_SCRIPTS = {language: script for script, lists in STOP_WORDS.items() for language in lists}


def tell_languages(words: Iterable[str]) -> frozenset[str]:
    """The languages of a text's words, at most one of each script; none where too few words tell.

    Two different words are the least: names and variables often look like one.
    """
    votes: Counter[tuple[str, str]] = Counter()
    voters: Counter[tuple[str, str]] = Counter()
    for votes_of_word in filter(None, map(_VOTES.get, map(str.lower, {*words}))):
        voters.update(votes_of_word)
        votes.update(dict.fromkeys(votes_of_word, _WHOLE_VOTE // len(votes_of_word)))
    best: dict[str, str] = {}
    for (script, language), number in votes.most_common():
        if number >= _WHOLE_VOTE and voters[script, language] >= _FEWEST_VOTERS:
            best.setdefault(script, language)
    return frozenset(best.values())


def languages_of(word: str) -> Sequence[str]:
    """The languages that a word may be in by its script, the default first."""
    letter = next(filter(str.isalpha, word), "")
    return _LANGUAGES.get(script_of(letter), _ANY)


@lru_cache(maxsize=4_096)
def script_of(letter: str) -> str:
    """The script, which is the first word of the letter's name; "" without a letter."""
    return unicodedata.name(letter, "").partition(" ")[0] if letter else ""


def language_of(word: str, languages: frozenset[str]) -> str:
    """That of the languages which the word is in by its script; else the default of the script."""
    possible = languages_of(word)
    return next((one for one in possible if one in languages), possible[0])


def names_nothing(word: str, language: str) -> bool:
    """Whether it is a stop word."""
    return word.lower() in _STOP.get(language, ())


def is_stop_word(word: str) -> bool:
    """Whether it is a stop word of any language that is written in its script."""
    return any(names_nothing(word, language) for language in languages_of(word))


def stem(word: str, language: str) -> str:
    """The word without its endings, in one spelling."""
    if language == UNSTEMMED:
        return _ACCENTS.sub("", normalized("NFD", word)).lower()
    if language == "turkish":
        word = word.translate(_LOWER_TURKISH)
    word = word.casefold()
    if language in _TONAL:
        return normalized("NFC", word)
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
