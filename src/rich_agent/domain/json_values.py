"""JSON values: reading untrusted JSON, and converting values for storage and for models."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any

from rich_agent.domain.text import clean_text

_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
_DEEPEST = 32
_MOST_BITS = 63
"""Bits of a whole number in a checkpoint, without the sign. Source: MessagePack, int 64."""


def read_json(data: bytes) -> object:
    """The JSON value, None if the data is not JSON or is nested too deeply."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def on_one_line(value: object) -> str:
    """The value as JSON on one line. Unicode's line ends, where some clients split, are escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_LINE_ENDS)


def why_inexact(value: object, depth: int = 0) -> str:
    """The reason, for a model, why a JSON value cannot be stored exactly; "" if it can."""
    if depth > _DEEPEST:
        return f"they are nested more than {_DEEPEST} deep"
    if isinstance(value, Mapping):
        keys_and_values = (*value.keys(), *value.values())
        return next(filter(None, (why_inexact(part, depth + 1) for part in keys_and_values)), "")
    if isinstance(value, (list, tuple)):
        return next(filter(None, (why_inexact(item, depth + 1) for item in value)), "")
    if isinstance(value, str) and clean_text(value) != value:
        return "a text holds NUL, or half of a surrogate pair"
    if isinstance(value, float) and not isfinite(value):
        return "a number is not finite"
    is_too_large = isinstance(value, int) and value.bit_length() > _MOST_BITS
    return "a whole number has more than 63 bits" if is_too_large else ""


def storable(value: object) -> Any:  # noqa: ANN401 - JSON of the same shape
    """The JSON value, at every depth without the characters that `jsonb` refuses."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {clean_text(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [storable(item) for item in value]
    return value


def strings_in(value: object, names: Sequence[str]) -> Iterator[str]:
    """The strings of a JSON value in order. Of objects, only the fields `names` are read."""
    pending_values: list[object] = [value]
    while pending_values:
        match pending_values.pop():
            case str(text):
                yield text
            case list() as items:
                pending_values += reversed(items)
            case dict() as fields:
                pending_values += reversed([fields[name] for name in names if name in fields])


def readable(value: object) -> Any:  # noqa: ANN401 - JSON of the same shape
    """A row of the database as JSON, with dates and times in ISO 8601."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): readable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [readable(item) for item in value]
    return value
