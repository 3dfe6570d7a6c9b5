"""Counts of the parts that a document holds and that were read, as its reader counted them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, Self, get_args

VisiblePart = Literal[
    "attachment",
    "chart",
    "diagram",
    "drawing",
    "equation",
    "field",
    "file",
    "formula",
    "letter",
    "object",
    "page",
    "picture",
    "remark",
    "row",
    "sheet",
    "slide",
]
"""What a person sees who opens the file. A `field` is one of a form that is filled, a `file` one of
an archive, a `formula` a
cell whose value was not saved, a `letter` a glyph whose character nobody can tell, a `page` or a
`slide` one without text, an `object` what another program put there."""

HiddenPart = Literal["hidden_column", "hidden_row", "hidden_sheet", "hidden_slide", "hidden_word"]
"""What nobody sees who opens the file. It is left out on purpose, and nothing is missing then."""

PartKind = VisiblePart | HiddenPart

VISIBLE_PARTS: Final[tuple[VisiblePart, ...]] = get_args(VisiblePart)
_KINDS: Final[frozenset[str]] = frozenset({*VISIBLE_PARTS, *get_args(HiddenPart)})


@dataclass(frozen=True, slots=True)
class PartCount:
    """The parts of one kind: the number that the document holds, and the number that was read."""

    kind: PartKind
    held: int
    read: int = 0

    @property
    def unread(self) -> int:
        """The number of parts that were not read."""
        return max(0, self.held - self.read)


@dataclass(frozen=True, slots=True)
class Inventory:
    """The parts of a document besides its plain text, one count for each kind."""

    parts: tuple[PartCount, ...] = ()

    @property
    def missing(self) -> tuple[PartCount, ...]:
        """The kinds of which a person sees more than was read, in the order of `VisiblePart`."""
        by_kind = {part.kind: part for part in self.parts}
        return tuple(
            by_kind[kind] for kind in VISIBLE_PARTS if kind in by_kind and by_kind[kind].unread
        )

    @property
    def unread(self) -> dict[str, int]:
        """The number of missing parts of each kind, as `missing` has them."""
        return {part.kind: part.unread for part in self.missing}

    def with_read(self, kind: PartKind, count: int) -> Self:
        """The inventory after this many more parts of a kind were read."""
        return replace(
            self,
            parts=tuple(
                replace(part, read=min(part.held, part.read + count)) if part.kind == kind else part
                for part in self.parts
            ),
        )

    def to_json(self) -> dict[str, list[int]]:
        """The counts as JSON, to be stored: held and read by kind."""
        return {part.kind: [part.held, part.read] for part in self.parts}

    @classmethod
    def from_json(cls, value: Mapping[str, list[int]]) -> Self:
        """The inventory that `to_json` wrote, without kinds that this program does not know."""
        return cls(
            tuple(
                PartCount(kind, *counts)  # type: ignore[arg-type]  # it is one of `PartKind`
                for kind, counts in sorted(value.items())
                if kind in _KINDS
            )
        )


@dataclass(slots=True)
class Tally:
    """Counts the parts of a document while it is read."""

    _held: Counter[PartKind] = field(default_factory=Counter)
    _read: Counter[PartKind] = field(default_factory=Counter)

    def note_read(self, kind: PartKind, count: int = 1) -> None:
        """Count parts whose content stands in the text."""
        self._held[kind] += count
        self._read[kind] += count

    def note_unread(self, kind: PartKind, count: int = 1) -> None:
        """Count parts whose content does not stand in the text."""
        self._held[kind] += count

    def include(self, inventory: Inventory) -> None:
        """Count the parts of a document within this one."""
        for part in inventory.parts:
            self._held[part.kind] += part.held
            self._read[part.kind] += part.read

    def inventory(self) -> Inventory:
        """The counts, in the order of the kinds' names."""
        counted = sorted(kind for kind, held in self._held.items() if held)
        return Inventory(
            tuple(PartCount(kind, self._held[kind], self._read[kind]) for kind in counted)
        )
