"""Texts of documents with codes in them, by which each is found again."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from bench.formats.truth import Cell, Truth

_ALL = count(1000)

Make = Callable[["Draft", Path], None]
"""Writes a document with the texts of a draft to a path."""


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))


@dataclass(slots=True)
class Draft:
    """The texts of one document in one language; what is taken is noted in its truth."""

    language: str
    truth: Truth = field(default_factory=Truth)

    def __getitem__(self, key: str) -> Any:
        return _texts()[self.language][key]

    def shown(self, text: str = "") -> str:
        """The text with a code that a person sees at its end."""
        code = f"Q{next(_ALL)}"
        self.truth.facts.append(code)
        return f"{text} {code}".strip()

    def hidden(self, text: str = "") -> str:
        """The text with a code at its end that nobody sees."""
        concealed = f"{text or self['hidden']} H{next(_ALL)}"
        self.truth.hidden.append(concealed)
        return concealed

    def table(self, rows: list[list[str]] | None = None) -> tuple[list[str], list[list[str]]]:
        """A head and rows with a code in each first cell; the others are noted as its cells."""
        head = list(self["head"])
        body = [[self.shown(first), *rest] for first, *rest in rows or self["rows"]]
        for row in body:
            self.note_row(head, row)
        return head, body

    def note_row(self, head: list[str], row: list[str], key: int = 0) -> None:
        """Note the cells of a row, which is known by one of them."""
        self.truth.cells += [
            Cell(row[key], column, value)
            for at, (column, value) in enumerate(zip(head, row, strict=True))
            if at != key
        ]
