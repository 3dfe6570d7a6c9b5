"""Reads a card back as a person would: which call is shown, with which arguments, exactly."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

Shown = list[tuple[str, dict[str, Any]]]
"""The title and the arguments of each call."""
TITLE, CALL, NAME, VALUE, WRAPPED = "■ ", "□ ", "• ", "│ ", "┊ "
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")


def plain(shown: str) -> str:
    """The text that was written out."""
    return _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), shown)


def value_of(shown: str) -> Any:
    """The value of an argument."""
    text = plain(shown)
    try:
        return json.loads(text)
    except ValueError:
        return text


def name_of(shown: str) -> str:
    """The name of an argument; an empty one, or one that begins with a quote, is quoted."""
    text = plain(shown)
    return str(json.loads(text)) if text.startswith('"') else text


def shown_in(text: str) -> Shown:
    """The calls in a text with cards; other lines of it are sentences."""
    calls: Shown = []
    for title, fields in _blocks(text.split("\n")):
        calls.append((plain(title), {name_of(n): value_of("\n".join(v)) for n, v in fields}))
    return calls


def unwrapped(printed: str) -> str:
    """The text that a terminal printed, without the line ends that its width made."""
    return printed.replace("\n" + WRAPPED, "")


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """The calls in their order; of a card with several, each has what they share."""
    title, fields, shared = "", list[tuple[str, list[str]]](), list[tuple[str, list[str]]]()
    is_open = False
    for line in [*lines, TITLE]:
        mark, rest = line[:2], line[2:]
        is_of_several = mark == CALL and not rest.startswith("×")
        if is_open and (mark == TITLE or is_of_several):
            yield title, [*shared, *fields]
        if mark == TITLE:
            title, fields, shared, is_open = rest, [], [], True
        elif is_of_several:
            shared, fields, is_open = shared if is_open else fields, [], True
        elif mark == CALL:
            is_open = False
        elif mark == NAME:
            fields.append((rest, []))
        elif mark == VALUE:
            fields[-1][1].append(rest)
