"""Signs of a bad answer: words of another language, machine words, a contradiction."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from rich_agent.domain.languages import LANGUAGES
from rich_agent.phrases import say

_NEVER = {
    "an ISO date": re.compile(r"\b\d{4}-\d\d-\d\d\b"),
    "an ISO duration": re.compile(r"\bPT\d"),
    "a machine word": re.compile(r": (?:None|True|False|null)\b|\w+_at\b|\{\w+\}"),
}


def wrong_with(text: str, language: str) -> Iterator[str]:
    """Yield what is wrong with an answer to somebody who writes in this language."""
    for what, pattern in _NEVER.items():
        if found := pattern.search(text):
            yield f"has {what}: {found[0]!r}"
    for phrase, other in foreign_phrases(language):
        if phrase in text:
            yield f"speaks {other}: {phrase!r}"


def lacks_nothing(text: str, language: str) -> bool:
    """Whether the answer does not say that nothing was found."""
    return say(language, "nothing-found") not in text


_FEWEST_CHARS = 14
_PLACE = re.compile(r"\{[^{}]*\}")


@cache
def _phrases(language: str) -> tuple[str, ...]:
    """The literal parts of the product's phrases in a language, without the short ones."""
    text = files("rich_agent").joinpath("locales", f"{language}.ftl").read_text("utf-8")
    values = (line.partition(" = ")[2] for line in text.splitlines() if " = " in line)
    parts = (part.strip() for value in values for part in _PLACE.split(value))
    return tuple(dict.fromkeys(part for part in parts if len(part) >= _FEWEST_CHARS))


@cache
def foreign_phrases(language: str) -> tuple[tuple[str, str], ...]:
    """The product's phrases in other languages that are none in this one, with their language."""
    own = "\n".join(_phrases(language))
    return tuple(
        (phrase, other)
        for other in LANGUAGES
        if other != language
        for phrase in _phrases(other)
        if phrase not in own
    )
