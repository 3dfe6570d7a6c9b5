"""Arguments of the product's own tools as their user reads them; what they say is not changed."""

from collections.abc import Iterator
from typing import Literal, get_args, get_origin

from rich_agent.phrases import say_argument, say_choice
from rich_agent.tools.tool import Tool


def say_value(tool: Tool, name: str, value: object, locale: str) -> str:
    """The phrase for a value that is one of fixed choices, "" for other values."""
    field = tool.arguments.model_fields.get(name)
    is_choice = field is not None and value in _choices_in(field.annotation)
    return say_choice(locale, str(value)) if is_choice else ""


def _choices_in(annotation: object) -> Iterator[object]:
    """The values of all literals in a type."""
    parts = get_args(annotation)
    if get_origin(annotation) is Literal:
        yield from parts
    else:
        yield from (choice for part in parts for choice in _choices_in(part))


def say_label(name: str, locale: str, *, is_in_words: bool) -> str:
    """The label of an argument: minutes that are told as hours are a duration."""
    is_duration = is_in_words and name.endswith("_minutes")
    return say_argument(locale, "duration" if is_duration else name)
