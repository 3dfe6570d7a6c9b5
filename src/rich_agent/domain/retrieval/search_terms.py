"""Text to search terms, for chunks and for questions, in every language at once.

Unicode decides which characters are letters: marks belong to their letters, and the punctuation of
every script separates words. Words are stemmed in their language. Identifiers are kept whole and in
parts. Text without spaces gives its characters and pairs of characters.
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
"""The version of these rules; chunks that were analysed by an older one are analysed again."""

TERM_SPACE = 1_000_000_000
"""The upper bound of term numbers: the most dimensions of pgvector's sparsevec."""

Languages = frozenset[str]
"""The languages of a text, at most one of each script; else a script's default counts."""
_SPOKEN_SHARE = 0.02
_COMMON_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class IndexLanguages:
    """The languages of an index: the spoken ones, and the common ones among them.

    A language is spoken from 2 % of the texts of its script on, and common from 20 %. Below that,
    the language of a few texts may be wrong, and a stop word may be a name elsewhere.
    """

    spoken: Languages
    common: Languages

    @classmethod
    def of(cls, texts: Mapping[str, int]) -> Self:
        """The languages of an index, by the number of texts in each."""
        scripts = {language: _SCRIPTS.get(language, language) for language in texts}
        texts_by_script: Counter[str] = Counter()
        for language, text_count in texts.items():
            texts_by_script[scripts[language]] += text_count

        def from_share(share: float) -> Languages:
            return frozenset(
                language
                for language, text_count in texts.items()
                if text_count >= share * texts_by_script[scripts[language]] > 0
            )

        return cls(from_share(_SPOKEN_SHARE), from_share(_COMMON_SHARE))


# Korean has spaces, but its words are inflected as in languages without spaces.
_UNSPACED = rf"{UNSPACED}{HANGUL}\U00020000-\U000323af"
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_LETTER = r"[\w\p{Mn}\p{Mc}]"
_WORD = regex.compile(rf"{_LETTER}++(?:[.\-]{_LETTER}++)*+")
_OF_OTHERS = rf"[{_LETTER}--[{_UNSPACED}]]"
_RUN = regex.compile(
    rf"[[{_UNSPACED}]&&{_LETTER}]++|{_OF_OTHERS}++(?:[.\-]{_OF_OTHERS}++)*+", regex.V1
)
# Characters for the look of a letter, or for a line break inside a word.
_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}--\u200b]", regex.V1)
_FOREIGN_DIGIT = regex.compile(r"[\p{Nd}--[0-9]]", regex.V1)
_JOINT = re.compile(r"[._\-]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST = 64


def analyse(text: str) -> tuple[Mapping[int, int], Languages]:
    """The number of occurrences of each term, by the term's number; and the text's languages."""
    runs = _runs(text)
    languages = tell_languages(runs)
    return Counter(chain.from_iterable(_numbers(run, languages) for run in runs)), languages


def term_counts(text: str) -> Mapping[int, int]:
    """The number of occurrences of each term, by the term's number."""
    return analyse(text)[0]


def languages_in(text: str) -> Languages:
    """The languages of the text, by its scripts and its most common words."""
    return tell_languages(_runs(text))


def terms_in(text: str, languages: Languages | None = None) -> frozenset[str]:
    """The terms of the text as strings: stems, characters and pairs of characters.

    To compare texts, give all of them the same languages.
    """
    runs = _runs(text)
    text_languages = tell_languages(runs) if languages is None else languages
    return frozenset(chain.from_iterable(_terms(run, text_languages) for run in runs))


def question_words(text: str, index: IndexLanguages | None) -> Mapping[frozenset[int], int]:
    """Each word of a question with its count: its terms in the languages of the index, or in all.

    Stop words are left out, in the language of the question. If a question is too short to show its
    language, those of the common languages of the index are. If none would be left, all are kept.
    """
    runs = _runs(text)
    question_languages = tell_languages(runs)
    common_languages = index.common if index else frozenset[str]()
    all_languages = index.spoken | question_languages if index else None
    word_counts = Counter(
        chain.from_iterable(
            _forms(run, question_languages, common_languages, all_languages) for run in runs
        )
    )
    return word_counts or Counter(
        chain.from_iterable(_forms(run, question_languages, _NONE, all_languages) for run in runs)
    )


def question_terms(text: str) -> list[int]:
    """All terms that the words of a question have in any language, in order."""
    return sorted(frozenset[int]().union(*question_words(text, None)))


def terms_of_user(user_id: int, terms: Iterable[int]) -> list[int]:
    """The numbers of terms for one user, so that one index serves all users.

    Numbers are 32 bits with sign. Two terms of a user get the same number about once in a million
    conversations. A search has to compare the user as well.
    """
    return sorted({crc32(f"{user_id}:{term}".encode()) - 2**31 for term in terms})


def has_same_terms(text: str, other: str) -> bool:
    """Whether two texts are equal to a search by words, apart from forms, order and stop words.

    "How does proof of history work?" and "how proof of history works" are. The vectors of such
    texts are close to each other, too.
    """
    languages = languages_in(f"{text} {other}")
    terms = terms_in(text, languages)
    return bool(terms) and terms == terms_in(other, languages)


def is_unspaced(term: str) -> bool:
    """Whether a term is a character, or a pair, of a script without spaces between words."""
    return _IS_UNSPACED.match(term) is not None


def _runs(text: str) -> list[str]:
    """The runs of letters in a text."""
    if not text.isascii():
        text = _INVISIBLE.sub("", normalized("NFKC", text))
        text = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.digit(match[0])), text)
    # The pattern for two kinds of runs takes three times as long.
    return (_RUN if _IS_UNSPACED.search(text) else _WORD).findall(text)


@lru_cache(maxsize=131_072)
def _numbers(run: str, languages: Languages) -> tuple[int, ...]:
    """The terms of a run of letters, by their numbers."""
    return tuple(map(_number, _terms(run, languages)))


@lru_cache(maxsize=65_536)
def _terms(run: str, languages: Languages) -> tuple[str, ...]:
    """The terms of a run of letters."""
    if _IS_UNSPACED.match(run):
        return (*run, *(character + next_character for character, next_character in pairwise(run)))
    whole_word, word_parts = _parts(run)
    language = language_of(run, languages)
    meaningful_parts = [
        word_part for word_part in word_parts if not names_nothing(word_part, language)
    ]
    stems = (term for word_part in meaningful_parts for term in _stems(word_part, language))
    return (*((whole_word,) if len(meaningful_parts) > 1 else ()), *stems)


def _stems(word: str, language: str) -> Iterable[str]:
    """The stem of a word; if marks distinguish words, its stem without marks, too."""
    own_stem = stem(word, language)
    plain_stem = stem(word, languages_of(word)[0]) if language in _TONAL else own_stem
    return (own_stem,) if own_stem == plain_stem else (own_stem, plain_stem)


@lru_cache(maxsize=16_384)
def _forms(
    run: str,
    question_languages: Languages,
    common_languages: Languages,
    all_languages: Languages | None,
) -> tuple[frozenset[int], ...]:
    """For each word of a run, the terms that it may have in a chunk."""
    if _IS_UNSPACED.match(run):
        return tuple(frozenset((number,)) for number in _numbers(run, question_languages))
    whole_word, word_parts = _parts(run)
    script_languages = languages_of(run)
    stop_word_languages = question_languages.intersection(script_languages) or {
        script_languages[0],
        *common_languages.intersection(script_languages),
    }
    meaningful_parts = [
        part
        for part in word_parts
        if not any(_is_small(part, language) for language in stop_word_languages)
    ]
    compound = (frozenset((_number(whole_word),)),) if len(meaningful_parts) > 1 else ()
    languages = [
        language
        for language in script_languages
        if all_languages is None or language in {script_languages[0], *all_languages}
    ]
    # If the language is known, marks distinguish words.
    tonal_languages = [
        language for language in languages if language in question_languages & _TONAL
    ]

    def forms(part: str) -> frozenset[int]:
        stems = frozenset(
            stem(part, language)
            for language in tonal_languages
            if stem(part, language) != fold(part)
        )
        return frozenset(map(_number, stems or {stem(part, language) for language in languages}))

    return (*compound, *map(forms, meaningful_parts))


def _is_small(word: str, language: str) -> bool:
    """Whether a word of a question is a stop word, or among the most common of the language."""
    return names_nothing(word, language) or word.lower() in commonest_words(language)


def _parts(run: str) -> tuple[str, list[str]]:
    """An identifier or a compound as a whole, and its parts; a simple word is its only part."""
    word = run[:_LONGEST]
    parts = [part for piece in _JOINT.split(word) for part in _CAMEL.split(piece) if fold(part)]
    return fold(word.strip("_.-").casefold()), parts


@lru_cache(maxsize=262_144)
def _number(term: str) -> int:
    """The number of a term."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest()) % TERM_SPACE


_STEMMED = frozenset(algorithms())
_TONAL: Languages = frozenset({"vietnamese"})
"""Languages whose marks distinguish words; questions often come without them."""
_NONE: Languages = frozenset()
# Marks that are often left out: accents, the vowel signs of Hebrew and Arabic with the signs on
# alef, tatweel, and the dot below of Devanagari.
_LEFT_OUT = regex.compile(
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8"
    "\u06ea-\u06ed\u0640\u093c]"
)
_ACCENTS = regex.compile("[\u0300-\u036f]")
# Persian and Arabic write some letters with different signs, and so does Turkish without dots.
_SAME = str.maketrans("یىکٱةەہھı", "ييكاههههi")
_AS_ARABIC = str.maketrans("یک", "يك")
_AS_PERSIAN = str.maketrans("يىك", "ییک")
_LOWER_TURKISH = str.maketrans("Iİ", "ıi")
_WHOLE_VOTE = 1_000
"""The votes of a word, divided among the languages that have it."""
_FEWEST_VOTERS = 2


def _languages_by_word() -> dict[str, tuple[tuple[str, str], ...]]:
    """Script and language of each stop word; a single ASCII letter is in all languages."""
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
"""A pseudo-language: the word as older chunks hold it, from before it had a stem."""
_LANGUAGES = {script: (*lists, UNSTEMMED) for script, lists in STOP_WORDS.items()}
_ANY = ("",)
_SCRIPTS = {language: script for script, lists in STOP_WORDS.items() for language in lists}


def tell_languages(words: Iterable[str]) -> frozenset[str]:
    """The languages of a text's words, at most one of each script; none if too few words tell.

    At least two different words are needed, because names and variables often look like one.
    """
    votes: Counter[tuple[str, str]] = Counter()
    voters: Counter[tuple[str, str]] = Counter()
    for votes_of_word in filter(None, map(_VOTES.get, map(str.lower, {*words}))):
        voters.update(votes_of_word)
        votes.update(dict.fromkeys(votes_of_word, _WHOLE_VOTE // len(votes_of_word)))
    language_by_script: dict[str, str] = {}
    for (script, language), vote_count in votes.most_common():
        if vote_count >= _WHOLE_VOTE and voters[script, language] >= _FEWEST_VOTERS:
            language_by_script.setdefault(script, language)
    return frozenset(language_by_script.values())


def languages_of(word: str) -> Sequence[str]:
    """The languages that a word may be in by its script, the default first."""
    letter = next(filter(str.isalpha, word), "")
    return _LANGUAGES.get(script_of(letter), _ANY)


@lru_cache(maxsize=4_096)
def script_of(letter: str) -> str:
    """The script, which is the first word of the letter's Unicode name; "" without a letter."""
    return unicodedata.name(letter, "").partition(" ")[0] if letter else ""


def language_of(word: str, languages: frozenset[str]) -> str:
    """The one of these languages in the word's script; else the default of the script."""
    script_languages = languages_of(word)
    return next(
        (language for language in script_languages if language in languages), script_languages[0]
    )


def names_nothing(word: str, language: str) -> bool:
    """Whether the word is a stop word."""
    return word.lower() in _STOP.get(language, ())


def is_stop_word(word: str) -> bool:
    """Whether the word is a stop word in any language of its script."""
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
        # A new stemmer for each call, because threads may not share one.
        word = Stemmer(algorithm, 0).stemWord(word)
    return fold(word)


def fold(word: str) -> str:
    """The word without marks that are often left out."""
    if word.isascii():
        return word
    return _LEFT_OUT.sub("", normalized("NFD", word)).translate(_SAME)
