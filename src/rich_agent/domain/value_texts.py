"""Texts of a call's values, and whether they stand in what somebody said.

A value is compared as it is: the same letters within a longer name or number are another value.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from rich_agent.domain.verbatim import verbatim_of

AROUND = " .,;:!?\"'“”„‘’«»「」『』。、"
"""Marks that may stand around a value."""
_GLUE = "@.-_/:+%&=#,"
"""Between letters or digits these make one address, number or name of them."""
_SIGNS = "+-−"
_BETWEEN, _GROUP, _MOST_DIGITS = (",", ".", " ", "'"), 3, 15
_MOST_PLACES = 100


def values_in(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Every text and number of a JSON value, and the names in it; what is true, false or null too.

    Numbers are spelled as JSON has them, whole ones without a point.
    """
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += [*one.values(), *one]
        elif isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, float) and one.is_integer():
            yield str(int(one))
        else:
            yield one if isinstance(one, str) else str(one)


def texts_in(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text of the arguments with the name above it, as `values_in` has them; "" for names.

    They come in order: what is split over several of them is one text.
    """
    waiting: list[tuple[str, Any]] = [("", dict(arguments))]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            pairs = [(key, one) for key, one in value.items() if one is not None]
            waiting += [pair for key, one in reversed(pairs) for pair in ((key, one), ("", key))]
        elif isinstance(value, list | tuple):
            waiting += [(name, one) for one in reversed(value)]
        else:
            yield name, next(values_in(value))


def is_in(value: str, message: str) -> bool:
    """Whether a value stands in what was said: as it is, and as no part of a longer name or number.

    Case, spaces and the marks around it may differ.
    """
    text = _message(message)
    return any(stands_in(one, text) for one in _spellings(verbatim_of(value).strip(AROUND)))


@lru_cache(maxsize=4)
def _message(message: str) -> str:
    """The verbatim form of a message, in which each value of a call is looked for."""
    return verbatim_of(message)


def _spellings(value: str) -> Iterator[str]:
    """The value, and a number as people write it: 1,000 or 1.000 for 1000, 1,50 for 1.5."""
    yield value
    whole, point, rest = value.partition(".")
    if len(whole) > _MOST_DIGITS or not whole.isdecimal() or str(int(whole)) != whole:
        return
    for between in ("", *_BETWEEN):
        with_groups = f"{int(whole):,}".replace(",", between)
        if not point:
            yield with_groups
        elif rest.isdigit():
            # Three digits behind a comma would be thousands.
            points = [one for one in (".", "," * (len(rest) < _GROUP)) if one and one != between]
            for fraction in (rest, rest.ljust(2, "0")):
                yield from (f"{with_groups}{one}{fraction}" for one in points)


def stands_in(part: str, text: str) -> bool:
    """Whether a text holds another, both folded, and not within a longer name or number."""
    place = text.find(part) if part else -1
    for _ in range(_MOST_PLACES):
        if place < 0:
            return False
        last = place + len(part) - 1
        before, behind = text[max(0, place - 2) : place + 1][::-1], text[last : last + 3]
        if not (_goes_on(before) or _goes_on(behind)):
            return True
        place = text.find(part, place + 1)
    return False


def _goes_on(edge: str) -> bool:
    """Whether the first of these characters, at an edge of a word, is not its end."""
    first, second, third = (*edge, "", "", "")[:3]
    if first.isdigit() and second in _SIGNS and second:
        return True
    is_glue = bool(second) and second in _GLUE
    return _are_one(first, third if is_glue else second)


def _are_one(one: str, other: str) -> bool:
    """Whether two characters side by side belong to one word, as spaces are written there."""
    if not (one.isalnum() and other.isalnum()):
        return False
    return (one.isdigit() and other.isdigit()) or (has_spaces(one) and has_spaces(other))


def has_spaces(character: str) -> bool:
    """Whether its script parts words by spaces alone: Latin, Greek, Cyrillic, those of India."""
    return character < "\u0590" or "\u0900" <= character < "\u0e00"
