"""Next steps of a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Intended:
    """A call that the model wants made."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """The next step: calls, or words where something is missing; neither when all is done."""

    calls: tuple[Intended, ...] = ()
    words: str = ""
