"""Forms and tools that a prompt writes out in words, and calls that were answered in words."""

import contextlib
import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_RESULT = re.compile(r"<([a-z_]+)\b(?:[^<>\"]|\"[^\"]*\")*>.*?</\1>", re.DOTALL)

Json = Mapping[str, Any]


def written_schema(text: str) -> Json | None:
    """The last JSON schema of an object that a text holds, if there is one."""
    found = None
    for value in _objects(text) if '"properties"' in text else ():
        if isinstance(value.get("properties"), dict):
            found = value
    return found


def written_tools(text: str) -> list[Json]:
    """The functions that a text describes in JSON, each with its name and its parameters."""
    told = html.unescape(text) if '"parameters"' in html.unescape(text) else ""
    return [
        value
        for value in _objects(told)
        if isinstance(value.get("name"), str) and isinstance(value.get("parameters"), dict)
    ]


def written_calls(text: str) -> list[str]:
    """The names of the calls that a message consists of, when it is nothing but JSON."""
    with contextlib.suppress(ValueError):
        value = json.loads(text)
        listed = value if isinstance(value, list) else [value]
        return [one["name"] for one in listed if isinstance(one, dict) and "arguments" in one]
    return []


def written_results(text: str, calls: int) -> list[str]:
    """Split what a message tells of so many calls: a tag each, or the whole of it."""
    found = [match[0] for match in _RESULT.finditer(text)]
    return found if len(found) == calls else [text] * calls


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects in a text."""
    at, decoder = text.find("{"), json.JSONDecoder()
    while at >= 0:
        end = at + 1
        with contextlib.suppress(ValueError):
            value, end = decoder.raw_decode(text, at)
            if isinstance(value, dict):
                yield value
        at = text.find("{", end)
