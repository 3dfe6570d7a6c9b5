"""Reads JSON of any origin, and converts values for storing and for reading."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any

from rich_agent.domain.text import clean_text

_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
_DEEPEST = 32
_MOST_BITS = 63
"""Of a whole number in a checkpoint, with its sign next to them. Source: MessagePack, int 64."""


def read_json(data: bytes) -> object:
    """The JSON value, None if it is not JSON or is nested too deeply."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def on_one_line(value: object) -> str:
    """The value as JSON without any line end: clients differ in what ends a line of a stream."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_LINE_ENDS)


def why_inexact(value: object, depth: int = 0) -> str:
    """Why a JSON value would not be kept as it is, in words for a model; "" if it would."""
    if depth > _DEEPEST:
        return f"they are nested more than {_DEEPEST} deep"
    if isinstance(value, Mapping):
        inner = (*value.keys(), *value.values())
        return next(filter(None, (why_inexact(one, depth + 1) for one in inner)), "")
    if isinstance(value, (list, tuple)):
        return next(filter(None, (why_inexact(one, depth + 1) for one in value)), "")
    if isinstance(value, str) and clean_text(value) != value:
        return "a text holds NUL, or half of a surrogate pair"
    if isinstance(value, float) and not isfinite(value):
        return "a number is not finite"
    is_far = isinstance(value, int) and value.bit_length() > _MOST_BITS
    return "a whole number has more than 63 bits" if is_far else ""


def storable(value: object) -> Any:  # noqa: ANN401 - JSON of the same shape
    """The JSON value without the characters that `jsonb` refuses, at any depth."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {clean_text(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [storable(item) for item in value]
    return value


def strings_in(value: object, names: Sequence[str]) -> Iterator[str]:
    """The strings of a JSON value in order; of an object, those of the fields `names`."""
    waiting: list[object] = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case list() as several:
                waiting += reversed(several)
            case dict() as part:
                waiting += reversed([part[name] for name in names if name in part])


def readable(value: object) -> Any:  # noqa: ANN401 - JSON of the same shape
    """A row as JSON, with days and times in ISO 8601."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): readable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [readable(item) for item in value]
    return value
