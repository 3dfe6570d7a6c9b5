"""Results of tools, told in words."""

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
    """Whether a call failed or was denied, as far as its answer says so at its beginning."""
    return bool(_ERROR.search(act.result[:200]))


def in_words(act: Act) -> str:
    """The answer of one call for a person, with its number where it has one to be cited by.

    Passages within it are left out: they are quoted elsewhere.
    """
    within = elements(act.result)
    whole = next((one for one in within if one.name != "passage"), None)
    text = html.unescape(without_elements(whole.written if whole else act.result))
    with suppress(ValueError):
        text = "\n".join(_told(json.loads(text)))
    return f"{text} [{whole.number}]" if text and whole and whole.number else text


def _told(value: object) -> list[str]:
    if isinstance(value, list):
        return [f"- {' '.join(_told(item))}" for item in value]
    if not isinstance(value, Mapping):
        return [str(value)]
    listed = [inner for inner in value.values() if isinstance(inner, list)]
    if listed and (not listed[0] or isinstance(listed[0][0], Mapping | str)):
        return _told(listed[0])
    if title := next((str(value[name]) for name in _TITLES if value.get(name)), ""):
        return [title]
    plain = {name: told for name, told in value.items() if isinstance(told, str | int | float)}
    return [", ".join(f"{name.replace('_', ' ')}: {told}" for name, told in plain.items())]
