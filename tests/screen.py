"""A stand-in for a terminal: what a person would see of what a command prints."""

import io
import re

import pytest
from typing_extensions import override


class Screen(io.StringIO):
    """A stream that says that it is a terminal."""

    @override
    def isatty(self) -> bool:
        """Whether a person looks on."""
        return True

    def lines(self) -> list[str]:
        """The lines that a person sees."""
        plain = re.sub(r"\x1b\[[0-9;]*m", "", self.getvalue())
        return [line.rstrip() for line in plain.splitlines()]


def screen_of(monkeypatch: pytest.MonkeyPatch, columns: int) -> Screen:
    """A stdout of so many columns, until the test ends."""
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    return screen
