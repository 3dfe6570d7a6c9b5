"""Text to search terms, the same for chunks and for questions, in every language at once.

Words are stemmed as English, identifiers are taken apart and kept whole, and text without spaces
between words gives its characters and pairs of them.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, pairwise

from Stemmer import Stemmer

from rich_agent.domain.text import HANGUL, UNSPACED

ANALYSIS_VERSION = 1
"""Raised with each change of these rules: chunks analysed by older ones are analysed again."""

TERM_SPACE = 1_000_000_000
"""Terms are numbers below this, the most dimensions of pgvector's sparsevec."""

# Korean has spaces, but its words are inflected like those of languages without.
_UNSPACED = UNSPACED + HANGUL
# Letters and digits, and the vowel signs of Hebrew, Arabic and the scripts of India.
_LETTER = rf"(?:[^\W{_UNSPACED}]|[_\u0300-\u036f\u0591-\u06ed\u0900-\u0dff])"
_RUN = re.compile(rf"[{_UNSPACED}]+|{_LETTER}+(?:[.\-]{_LETTER}+)*")
_IS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_ACCENTS = re.compile("[\u0300-\u036f]")
_JOINT = re.compile(r"[._\-]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST = 64
# The most frequent words of English that name nothing. Source: the list of Snowball's stemmer.
_STOP = """a about above after again all am an and any are as at be because been before being below
between both but by can could did do does doing down during each few for from further had has
have having he her here hers herself him himself his how i if in into is it its itself just me
more most my myself no nor not now of off on once only or other our ours ourselves out over own
s same she should so some such t than that the their theirs them themselves then there these
they this those through to too under until up very was we were what when where which while who
whom why will with would you your yours yourself yourselves ll re ve d m don"""
_STOP_WORDS = frozenset(_STOP.split())


def term_counts(text: str) -> Mapping[int, int]:
    """How often each term stands in the text, by the term's number."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return Counter(chain.from_iterable(map(_numbers, _RUN.findall(folded))))


def terms_in(text: str) -> frozenset[str]:
    """The terms of the text as they read: stems, characters and pairs of characters."""
    return frozenset(
        chain.from_iterable(map(_terms, _RUN.findall(unicodedata.normalize("NFKC", text))))
    )


def has_same_terms(text: str, other: str) -> bool:
    """Whether two texts say the same to a search by words: other forms, order and small words.

    "How does proof of history work?" and "how proof of history works" do. The vectors of such texts
    are near each other as well.
    """
    terms = term_counts(text).keys()
    return bool(terms) and terms == term_counts(other).keys()


@lru_cache(maxsize=131_072)
def _numbers(run: str) -> tuple[int, ...]:
    """The terms of a run of letters, by their numbers."""
    return tuple(map(_number, _terms(run)))


@lru_cache(maxsize=65_536)
def _terms(run: str) -> tuple[str, ...]:
    if _IS_UNSPACED.match(run):
        return (*run, *(a + b for a, b in pairwise(run)))
    return _word_terms(run[:_LONGEST])


def _word_terms(word: str) -> tuple[str, ...]:
    """The stem of a word; of an identifier or a compound, the whole and the stems of its parts."""
    word = _ACCENTS.sub("", unicodedata.normalize("NFD", word))
    parts = [part for joined in _JOINT.split(word) for part in _CAMEL.split(joined) if part]
    kept = [part.lower() for part in parts if part.lower() not in _STOP_WORDS]
    whole = (word.strip("_.-").lower(),) if len(kept) > 1 else ()
    # One for each call: threads may not share it.
    return (*whole, *Stemmer("english").stemWords(kept))


@lru_cache(maxsize=262_144)
def _number(term: str) -> int:
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest()) % TERM_SPACE
