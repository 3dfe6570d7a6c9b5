"""The turns that the stand-in plays: those of `turns.toml`, and of a test in SANDBOX_TURNS."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any


@cache
def listed() -> tuple[Mapping[str, Any], ...]:
    """The files of turns; the file of a test comes first."""
    return tuple(tomllib.loads(text) for text in _texts())


def _texts() -> Iterator[str]:
    if extra_path := os.environ.get("SANDBOX_TURNS"):
        yield Path(extra_path).read_text(encoding="utf-8")
    yield files(__package__).joinpath("turns.toml").read_text(encoding="utf-8")
