"""Partial responses: the parameter `fields` of Google's interfaces.

Source: https://developers.google.com/workspace/drive/api/guides/fields-parameter
"""

from typing import Any


def selected(value: Any, fields: str) -> Any:
    """The parts of a JSON value that `fields` names: `a,b(c,d),e/f`; everything for `*`."""
    if isinstance(value, list):
        return [selected(one, fields) for one in value]
    if fields == "*" or not isinstance(value, dict):
        return value
    found = {}
    for part in _parts(fields):
        name, _, inner = part.partition("(")
        name, _, below = name.partition("/")
        if name in value:
            found[name] = selected(value[name], inner.removesuffix(")") or below or "*")
    return found


def _parts(fields: str) -> list[str]:
    """The parts between commas that are in no parentheses."""
    parts, depth, begin = [], 0, 0
    for at, character in enumerate(fields):
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append(fields[begin:at])
            begin = at + 1
    return [*parts, fields[begin:]]
