"""The truth about a file of the bench: what a person sees who opens it."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple, Self


class Cell(NamedTuple):
    """A value of a table, by what stands in its row and over its column."""

    row: str
    column: str
    value: str


@dataclass(slots=True)
class Truth:
    """Contents that a file shows and hides.

    `facts` are codes that a person sees, in order; `hidden` are texts that nobody sees, each with
    a code. `has_unreadable`: it shows something that has no words, such as a picture. `has_charts`:
    it shows names again in legends, and numbers on axes; the figures of charts are cells. `seen`
    is all visible text, "" until another program has rendered it.
    """

    facts: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    has_unreadable: bool = False
    has_charts: bool = False
    seen: str = ""

    @classmethod
    def load(cls, document: Path) -> Self:
        """The truth that was written next to a document."""
        value = json.loads(_place(document).read_text("utf-8"))
        cells = [Cell(*cell) for cell in value.pop("cells")]
        return cls(**value, cells=cells)

    def save(self, document: Path) -> None:
        """Write the truth next to its document."""
        _place(document).write_text(json.dumps(asdict(self), ensure_ascii=False), "utf-8")


def _place(document: Path) -> Path:
    return document.with_name(f"{document.name}.truth.json")
