"""Reads JSON bodies of servers, whatever their shape."""

from collections.abc import Iterator, Mapping

_DEPTH = 8


def walk(
    value: object, *, without: str | None = None, depth: int = _DEPTH
) -> Iterator[tuple[str, object]]:
    """Each (name, value) in a JSON value, outer ones first; the name is "" in a list.

    Values under the name `without`, or deeper than `depth` levels, are left out.
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
