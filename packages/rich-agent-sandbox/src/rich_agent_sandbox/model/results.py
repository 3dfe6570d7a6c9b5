"""Results of tools in words."""

import html
import json
import re
from collections.abc import Mapping
from contextlib import suppress

from rich_agent_sandbox.model.markup import elements, without_elements
from rich_agent_sandbox.model.prompt import Act

_ERROR = re.compile(
    r'(?:error|failed|denied|refused|invalid)\b|"error"|status="(?:error|denied)"', re.IGNORECASE
)
_TITLES = ("title", "name", "text", "subject", "summary", "question", "content", "description")


def is_failure(act: Act) -> bool:
    """Whether the beginning of a call's result shows a failure or a denial."""
    return bool(_ERROR.search(act.result[:200]))


def in_words(act: Act) -> str:
    """The result of one call for a person, with its number if it can be cited by one.

    Passages in it are left out, because they are quoted elsewhere.
    """
    inner_elements = elements(act.result)
    result_element = next(
        (element for element in inner_elements if element.name != "passage"), None
    )
    text = html.unescape(without_elements(result_element.written if result_element else act.result))
    with suppress(ValueError):
        text = "\n".join(_lines_of(json.loads(text)))
    return (
        f"{text} [{result_element.number}]"
        if text and result_element and result_element.number
        else text
    )


def _lines_of(value: object) -> list[str]:
    if isinstance(value, list):
        return [f"- {' '.join(_lines_of(item))}" for item in value]
    if not isinstance(value, Mapping):
        return [str(value)]
    lists = [inner_value for inner_value in value.values() if isinstance(inner_value, list)]
    if lists and (not lists[0] or isinstance(lists[0][0], Mapping | str)):
        return _lines_of(lists[0])
    if title := next((str(value[name]) for name in _TITLES if value.get(name)), ""):
        return [title]
    simple_values = {
        name: inner_value
        for name, inner_value in value.items()
        if isinstance(inner_value, str | int | float)
    }
    return [
        ", ".join(
            f"{name.replace('_', ' ')}: {inner_value}"
            for name, inner_value in simple_values.items()
        )
    ]
