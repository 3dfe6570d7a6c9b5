"""What may be stored as JSON."""

from collections.abc import Mapping
from typing import Any

from rich_agent.domain.text import clean_text


def storable(value: object) -> Any:  # noqa: ANN401 - JSON of the same shape
    """A JSON value whose texts, at any depth, hold nothing that `jsonb` refuses."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {clean_text(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [storable(item) for item in value]
    return value
