"""Finds connected areas of one colour in an image, with their size and shape."""

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SMALLEST_SHARE = 0.005  # of the image's area; smaller ones are noise from scaling
_ROUND_FILL = (0.70, 0.87)  # a disc fills pi/4 of its box
_POINTED_FILL = (0.42, 0.60)  # a triangle fills half of its box
_BOX_FILL = 0.93


@dataclass(frozen=True, slots=True)
class Region:
    """A connected area of one colour; `share` is its part of the image, `box` y0, x0, y1, x1."""

    colour: int
    share: float
    fill: float
    box: tuple[int, int, int, int]

    def touches_all_edges(self, height: int, width: int) -> bool:
        """Whether it touches all four edges of the image, like a background."""
        return self.box == (0, 0, height, width)

    def shape(self, aspect: float) -> str:
        """Circle, ellipse, square, rectangle, triangle or irregular shape, by box and fill.

        `aspect` is width divided by height of the image before it was scaled to a square.
        """
        top, left, bottom, right = self.box
        even = 0.85 <= aspect * (right - left) / (bottom - top) <= 1.18
        if self.fill >= _BOX_FILL:
            return "square" if even else "rectangle"
        if _ROUND_FILL[0] <= self.fill <= _ROUND_FILL[1]:
            return "circle" if even else "ellipse"
        if _POINTED_FILL[0] <= self.fill <= _POINTED_FILL[1]:
            return "triangle"
        return "irregular shape"


def find_regions(colours: NDArray[np.intp]) -> list[Region]:
    """The connected areas (4 neighbours) of a (height, width) array, largest first.

    Areas below half a percent of the image are left out.
    """
    seen = np.zeros(colours.shape, dtype=bool)
    regions = []
    for y, x in np.ndindex(colours.shape):
        if not seen[y, x]:
            area = _flood(colours, seen, (y, x))
            if area.share >= _SMALLEST_SHARE:
                regions.append(area)
    return sorted(regions, key=lambda region: -region.share)


def _flood(colours: NDArray[np.intp], seen: NDArray[np.bool_], start: tuple[int, int]) -> Region:
    height, width = colours.shape
    colour = colours[start]
    waiting = deque([start])
    seen[start] = True
    members = []
    while waiting:
        y, x = waiting.popleft()
        members.append((y, x))
        for near in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            inside = 0 <= near[0] < height and 0 <= near[1] < width
            if inside and not seen[near] and colours[near] == colour:
                seen[near] = True
                waiting.append(near)
    return _region(int(colour), members, height * width)


def _region(colour: int, members: list[tuple[int, int]], pixels: int) -> Region:
    rows = [y for y, _ in members]
    columns = [x for _, x in members]
    box = (min(rows), min(columns), max(rows) + 1, max(columns) + 1)
    box_area = (box[2] - box[0]) * (box[3] - box[1])
    return Region(colour, len(members) / pixels, len(members) / box_area, box)
