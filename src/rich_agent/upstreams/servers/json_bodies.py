"""Reads the JSON of servers, whatever its shape."""

import json
from collections.abc import Iterator, Mapping

_DEPTH = 8


def read_json(body: bytes) -> object:
    """The JSON value that a body is, None if it is none."""
    try:
        return json.loads(body)
    except ValueError:
        return None


def walk(
    value: object, *, without: str | None = None, depth: int = _DEPTH
) -> Iterator[tuple[str, object]]:
    """Each value in a JSON value with its name, "" in a list, outer ones first.

    What stands under the name `without`, or deeper than `depth` levels, is left out.
    """
    parts = (
        value.items()
        if isinstance(value, Mapping)
        else (("", one) for one in value)
        if isinstance(value, list | tuple)
        else ()
    )
    for name, part in parts:
        if depth and name != without:
            yield name, part
            yield from walk(part, without=without, depth=depth - 1)
