"""Texts of a call that consist of what its user said, in whatever form of the words.

A text is compared with the message, never understood: a word that the message lacks is not theirs.
"""

from collections.abc import Iterable, Iterator

from rapidfuzz import fuzz, process

from rich_agent.domain.reminders.zones import zones_of
from rich_agent.domain.retrieval.search_terms import is_unspaced, languages_in, terms_in

_ALIKE = 65.0
"""Two forms of a word, in percent of their letters: "gieße" and "gießen", "देना" and "देने"."""
_OWN_CHARACTERS = 2 / 3
"""Of a text without spaces between words: "식물에 물 주기" for "식물에 물 주라고 알려줘"."""
_MOST_WORDS = 400
_LONGEST_PLACE = 3
"""Words of a place: "New York City"."""
_MARKS = " .,;:!?\"'“”„‘’«»()。、！？،؟।"


def is_made_of(text: str, said: str) -> bool:
    """Whether each word of a text is one of the message, in some form; little words are free."""
    languages = languages_in(f"{said} {text}")
    known, terms = terms_in(said, languages), terms_in(text, languages)
    characters = [one for one in terms if len(one) == 1 and is_unspaced(one)]
    if sum(one in known for one in characters) < _OWN_CHARACTERS * len(characters):
        return False
    return all(_has_form_in(one, known) for one in terms - known if not is_unspaced(one))


def _has_form_in(term: str, known: Iterable[str]) -> bool:
    """Whether a term is a form of a known one; numbers and single letters have one form."""
    if not term.isalpha() or len(term) == 1:
        return False
    return process.extractOne(term, known, scorer=fuzz.ratio, score_cutoff=_ALIKE) is not None


def names_place(place: str, said: str) -> bool:
    """Whether a message names a place that has the time zone of this one: Berlin, Europe/Berlin."""
    wanted = frozenset(zones_of(place))
    return any(not wanted.isdisjoint(zones_of(one)) for one in _places_in(said))


def _places_in(said: str) -> Iterator[str]:
    yield from said.splitlines()
    words = [word.strip(_MARKS) for word in said.split()[:_MOST_WORDS]]
    for size in range(1, _LONGEST_PLACE + 1):
        yield from (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))
