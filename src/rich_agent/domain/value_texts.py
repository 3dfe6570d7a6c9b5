"""Texts of a call's values, and the search for a value in a message.

The same letters within a longer name or number are not the same value.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from rich_agent.domain.verbatim import verbatim_of

AROUND = " .,;:!?\"'“”„‘’«»「」『』。、"
"""Spaces and punctuation that may surround a value."""
_GLUE = "@.-_/:+%&=#,"
"""Characters that join the letters or digits around them to one address, number or name."""
_SIGNS = "+-−"
_BETWEEN, _GROUP, _MOST_DIGITS = (",", ".", " ", "'"), 3, 15
_MOST_PLACES = 100


def values_in(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Every text, number, boolean, null and name in a JSON value, as text.

    Numbers are written as in JSON; whole numbers have no decimal point.
    """
    pending_parts = [value]
    while pending_parts:
        part = pending_parts.pop()
        if isinstance(part, dict):
            pending_parts += [*part.values(), *part]
        elif isinstance(part, list | tuple):
            pending_parts += part
        elif isinstance(part, float) and part.is_integer():
            yield str(int(part))
        else:
            yield part if isinstance(part, str) else str(part)


def texts_in(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Pairs of a name and a text that it holds, in order; texts as in `values_in`.

    Names are texts too, with "" as their name. The order matters: a text may be split over several
    arguments.
    """
    pending_pairs: list[tuple[str, Any]] = [("", dict(arguments))]
    while pending_pairs:
        name, value = pending_pairs.pop()
        if isinstance(value, dict):
            items = [(key, item) for key, item in value.items() if item is not None]
            pending_pairs += [
                pair for key, item in reversed(items) for pair in ((key, item), ("", key))
            ]
        elif isinstance(value, list | tuple):
            pending_pairs += [(name, item) for item in reversed(value)]
        else:
            yield name, next(values_in(value))


def is_in(value: str, message: str) -> bool:
    """Whether a message contains a value, and not only as part of a longer name or number.

    Case, spaces and the punctuation around the value may differ.
    """
    text = _message(message)
    spellings = _spellings(verbatim_of(value).strip(AROUND))
    return any(stands_in(spelling, text) for spelling in spellings)


@lru_cache(maxsize=4)
def _message(message: str) -> str:
    """The verbatim form of a message."""
    return verbatim_of(message)


def _spellings(value: str) -> Iterator[str]:
    """The value, and other spellings of a number: 1,000 or 1.000 for 1000, 1,50 for 1.5."""
    yield value
    whole_part, decimal_point, decimals = value.partition(".")
    if (
        len(whole_part) > _MOST_DIGITS
        or not whole_part.isdecimal()
        or str(int(whole_part)) != whole_part
    ):
        return
    for separator in ("", *_BETWEEN):
        with_groups = f"{int(whole_part):,}".replace(",", separator)
        if not decimal_point:
            yield with_groups
        elif decimals.isdigit():
            # Three digits after a comma would be thousands.
            points = [
                sign
                for sign in (".", "," * (len(decimals) < _GROUP))
                if sign not in {"", separator}
            ]
            for fraction in (decimals, decimals.ljust(2, "0")):
                yield from (f"{with_groups}{sign}{fraction}" for sign in points)


def stands_in(part: str, text: str) -> bool:
    """Whether a folded text contains a folded part outside longer names and numbers."""
    position = text.find(part) if part else -1
    for _ in range(_MOST_PLACES):
        if position < 0:
            return False
        last_position = position + len(part) - 1
        start_edge, end_edge = (
            text[max(0, position - 2) : position + 1][::-1],
            text[last_position : last_position + 3],
        )
        if not (_goes_on(start_edge) or _goes_on(end_edge)):
            return True
        position = text.find(part, position + 1)
    return False


def _goes_on(edge: str) -> bool:
    """Whether a word or number continues after the first of these characters."""
    first_character, second_character, third_character = (*edge, "", "", "")[:3]
    if first_character.isdigit() and second_character in _SIGNS and second_character:
        return True
    is_glue = bool(second_character) and second_character in _GLUE
    return _are_one(first_character, third_character if is_glue else second_character)


def _are_one(first: str, second: str) -> bool:
    """Whether two characters side by side belong to one word or number."""
    if not (first.isalnum() and second.isalnum()):
        return False
    return (first.isdigit() and second.isdigit()) or (has_spaces(first) and has_spaces(second))


def has_spaces(character: str) -> bool:
    """Whether the character's script separates all words by spaces, such as Latin or Cyrillic."""
    return character < "\u0590" or "\u0900" <= character < "\u0e00"
