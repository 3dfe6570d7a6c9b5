"""Texts of a call that consist of what its user said, in whatever form of the words.

A text is compared with the message, never understood: a word that the message lacks is not theirs.
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
"""Two forms of a word, in percent of their letters: "gieße" and "gießen", "देना" and "देने"."""
_OWN_CHARACTERS = 2 / 3
"""Of a text without spaces between words: "식물에 물 주기" for "식물에 물 주라고 알려줘"."""
_LEAST_SHARED, _LEAST_JOINED = 4, 3
"""Letters that two forms of a word begin with; fewer behind another word: "anrufen", "ruf … an"."""
_MOST_WORDS = 400
_LONGEST_PLACE = 3
"""Words of a place: "New York City"."""
_MARKS = " .,;:!?\"'“”„‘’«»()。、！？،؟।"


def is_made_of(text: str, message: str, *, is_strict: bool = False) -> bool:
    """Whether each word of a text is one of the message, in some form; little words are free.

    If `is_strict`, forms differ in their endings alone, and no two signs in a row are new where
    words have no spaces between them: others may have had a say in the text.
    """
    languages = languages_in(f"{message} {text}")
    message_terms, terms = terms_in(message, languages), terms_in(text, languages)
    characters = [one for one in terms if len(one) == 1 and is_unspaced(one)]
    if sum(one in message_terms for one in characters) < _OWN_CHARACTERS * len(characters):
        return False
    new = terms - message_terms
    if not is_strict:
        return all(_has_form_in(one, message_terms) for one in new if not is_unspaced(one))
    words = frozenset((*message_terms, *verbatim_of(message).split()))
    return all(
        _has_ending_in(one, words) if not is_unspaced(one) else not message_terms.isdisjoint(one)
        for one in new
        if len(one) > 1 or not is_unspaced(one)
    )


def _has_ending_in(term: str, words: AbstractSet[str]) -> bool:
    """Whether a term is one of the words with another ending, or joined from two of them."""
    return term.isalpha() and (
        _shares_start(term, words, _LEAST_SHARED)
        or any(
            term[:place] in words and _shares_start(term[place:], words, _LEAST_JOINED)
            for place in range(2, len(term))
        )
    )


def _shares_start(term: str, words: AbstractSet[str], least: int) -> bool:
    """Whether half of a term, and no fewer letters, begin one of the words."""
    alike = (word for word in words if word.startswith(term[:least]))
    return len(term) >= least and any(
        2 * Prefix.similarity(term, word) >= max(len(term), len(word)) for word in alike
    )


def _has_form_in(term: str, words: Iterable[str]) -> bool:
    """Whether a term is a form of a known one; numbers and single letters have one form."""
    if not term.isalpha() or len(term) == 1:
        return False
    return process.extractOne(term, words, scorer=fuzz.ratio, score_cutoff=_ALIKE) is not None


def names_place(place: str, message: str) -> bool:
    """Whether a message has a place, or one with its time zone: Berlin, Europe/Berlin."""
    if is_in(place, message):
        return True
    zones = frozenset(zones_of(place))
    return any(not zones.isdisjoint(zones_of(one)) for one in _places_in(message))


def _places_in(message: str) -> Iterator[str]:
    yield from message.splitlines()
    words = [word.strip(_MARKS) for word in message.split()[:_MOST_WORDS]]
    for size in range(1, _LONGEST_PLACE + 1):
        yield from (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))
