"""Forms of the one line of a card: the sentence for a call, and its subject."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rich_agent.domain.languages import RIGHT_TO_LEFT
from rich_agent.phrases import say
from rich_agent.times import Clocks

MIDDLE_DOT: Final = "·"
_FROM_RIGHT = frozenset({"R", "AL"})
_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


@dataclass(frozen=True, slots=True)
class CardLine:
    """A call in one sentence, "" without one, and the arguments that the sentence has in full."""

    text: str = ""
    arguments: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReadableCall:
    """A call as its user reads it: its title, and the label and value of each known argument.

    `values` also hold what the tool shows besides its arguments, by its label.
    """

    title: str
    arguments: Mapping[str, Any]
    labels: Mapping[str, str]
    values: Mapping[str, str]
    clocks: Clocks


@dataclass(frozen=True, slots=True)
class LineForm:
    """The sentence of a tool's card.

    `sentence` takes the text of the call's subject, "" without one. `subjects` are the arguments
    that may be it, the best first; then any other may. `marks` separate parts of the sentence: a
    subject that holds one could pass for more of it.
    """

    sentence: Callable[[str, ReadableCall], CardLine]
    subjects: tuple[str, ...] = ()
    marks: str = MIDDLE_DOT


def title_line(subject: str, call: ReadableCall) -> CardLine:
    """The title of a call and its subject: "Add a task: Milk"."""
    if not subject:
        return CardLine(call.title)
    return CardLine(phrase_around("card-labelled", subject, call, label=call.title))


def phrase_around(key: str, text: str, call: ReadableCall, **more: str) -> str:
    """The phrase with a text that is kept together if it is from right to left.

    Phrases of languages that are written so keep each value together themselves.
    """
    locale = call.clocks.locale
    phrase = say(locale, key, text=text, **more)
    is_from_right = any(unicodedata.bidirectional(one) in _FROM_RIGHT for one in text)
    if locale in RIGHT_TO_LEFT or not is_from_right:
        return phrase
    phrase_before, _, phrase_after = phrase.rpartition(text)
    return f"{phrase_before}{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}{phrase_after}"


TITLE_AND_SUBJECT: Final = LineForm(title_line)
