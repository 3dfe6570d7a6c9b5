"""Words of a PDF page with the boxes in which they stand."""

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple


class Box(NamedTuple):
    """A box in points from the left and the bottom."""

    left: float
    bottom: float
    right: float
    top: float

    def turned(self, angle: int) -> "Box":
        """The box around this one after the page is turned clockwise by an angle in degrees."""
        if angle == 0:
            return self
        return Box.around(
            turn(x, y, angle) for x in (self.left, self.right) for y in (self.bottom, self.top)
        )

    @classmethod
    def around(cls, points: Iterable[tuple[float, float]]) -> "Box":
        """The box around points; there is one at least."""
        across, up = zip(*points, strict=True)
        return cls(min(across), min(up), max(across), max(up))

    @classmethod
    def union(cls, boxes: Iterable["Box"]) -> "Box":
        """The box around boxes; there is one at least."""
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        return cls(min(lefts), min(bottoms), max(rights), max(tops))


def turn(x: float, y: float, angle: int) -> tuple[float, float]:
    """A place after the page is turned clockwise around its corner, by an angle in degrees."""
    if angle == 0:
        return x, y
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return x * cosine + y * sine, y * cosine - x * sine


class Style(NamedTuple):
    """Size and direction of the letters of a text object."""

    size: float
    angle: int
    """Degrees, counterclockwise, in which the line runs."""


WordKind = Literal["drawn", "answer", "remark"]


class Word(NamedTuple):
    """Letters between two spaces, or an annotation; also neighbours that are evenly spaced."""

    text: str
    start: int
    """Index of the first character on the page, -1 for an annotation."""
    style: Style
    box: Box
    """The box of the letters, after the page is turned."""
    kind: WordKind = "drawn"


Row = list[Word]


def box_of(words: Iterable[Word]) -> Box:
    """The box around words; there is one at least."""
    return Box.union(word.box for word in words)
