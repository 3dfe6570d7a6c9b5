"""Finds texts of a call that consist of what its user said, in any form of the words.

A text is compared with the message, not understood: a word that the message lacks is not the
user's.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Prefix

from rich_agent.domain.retrieval.search_terms import is_unspaced, languages_in, terms_in
from rich_agent.domain.time.zones import zones_of
from rich_agent.domain.value_texts import is_in
from rich_agent.domain.verbatim import verbatim_of

_ALIKE = 65.0
"""The least similarity (of 100) of two forms: "gieße" and "gießen", "देना" and "देने"."""
_OWN_CHARACTERS = 2 / 3
"""The least share of known characters in a text without spaces between words.

Example: "식물에 물 주기" for "식물에 물 주라고 알려줘".
"""
_LEAST_SHARED = 4
"""The fewest letters that two forms of a word begin with."""
_LEAST_JOINED = 3
"""The fewest such letters after another word: "anrufen" for "ruf … an"."""
_MOST_WORDS = 400
_LONGEST_PLACE = 3
"""The most words of a place: "New York City"."""
_MARKS = " .,;:!?\"'“”„‘’«»()。、！？،؟।"


def is_made_of(text: str, message: str, *, is_strict: bool = False) -> bool:
    """Whether each word of a text is one of the message, in any form; stop words are allowed.

    With `is_strict`, because others may have written parts of the text, forms may differ in their
    endings only. In scripts without spaces, no two consecutive characters may be new.
    """
    languages = languages_in(f"{message} {text}")
    message_terms, terms = terms_in(message, languages), terms_in(text, languages)
    characters = [term for term in terms if len(term) == 1 and is_unspaced(term)]
    if sum(term in message_terms for term in characters) < _OWN_CHARACTERS * len(characters):
        return False
    new_terms = terms - message_terms
    if not is_strict:
        return all(_has_form_in(term, message_terms) for term in new_terms if not is_unspaced(term))
    words = frozenset((*message_terms, *verbatim_of(message).split()))
    return all(
        _has_ending_in(term, words) if not is_unspaced(term) else not message_terms.isdisjoint(term)
        for term in new_terms
        if len(term) > 1 or not is_unspaced(term)
    )


def _has_ending_in(term: str, words: AbstractSet[str]) -> bool:
    """Whether a term is one of the words with another ending, or joined from two of them."""
    return term.isalpha() and (
        _shares_start(term, words, _LEAST_SHARED)
        or any(
            term[:split_position] in words
            and _shares_start(term[split_position:], words, _LEAST_JOINED)
            for split_position in range(2, len(term))
        )
    )


def _shares_start(term: str, words: AbstractSet[str], least: int) -> bool:
    """Whether at least half of a term, and at least `least` letters, begin one of the words."""
    similar_words = (word for word in words if word.startswith(term[:least]))
    return len(term) >= least and any(
        2 * Prefix.similarity(term, word) >= max(len(term), len(word)) for word in similar_words
    )


def _has_form_in(term: str, words: Iterable[str]) -> bool:
    """Whether a term is a form of a known one; numbers and single letters have one form only."""
    if not term.isalpha() or len(term) == 1:
        return False
    return process.extractOne(term, words, scorer=fuzz.ratio, score_cutoff=_ALIKE) is not None


def names_place(place: str, message: str) -> bool:
    """Whether a message names a place, or one in its time zone: Berlin, Europe/Berlin."""
    if is_in(place, message):
        return True
    zones = frozenset(zones_of(place))
    return any(not zones.isdisjoint(zones_of(candidate)) for candidate in _places_in(message))


def _places_in(message: str) -> Iterator[str]:
    """The lines of a message, and its sequences of up to three words."""
    yield from message.splitlines()
    words = [word.strip(_MARKS) for word in message.split()[:_MOST_WORDS]]
    for size in range(1, _LONGEST_PLACE + 1):
        yield from (" ".join(words[index : index + size]) for index in range(len(words) - size + 1))
