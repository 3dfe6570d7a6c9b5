"""Reads JSON of any origin, and converts values for storing and for reading."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from rich_agent.domain.text import clean_text


def read_json(data: bytes) -> object:
    """The JSON value, None if it is not JSON or is nested too deeply."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def storable(value: object) -> Any:  # noqa: ANN401 - JSON of the same shape
    """The JSON value without the characters that `jsonb` refuses, at any depth."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {clean_text(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [storable(item) for item in value]
    return value


def readable(value: object) -> Any:  # noqa: ANN401 - JSON of the same shape
    """A row as JSON, with days and times in ISO 8601."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): readable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [readable(item) for item in value]
    return value
