"""Reads the straight lines and the filled areas that are drawn on a PDF page.

Drawings of very many strokes, such as maps, are left out.
"""

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.page_objects import PlacedObject, Point, objects_of, place_of
from rich_agent.documents.extract.pdf.words import Box

_THIN: Final = 3.0
_SHORTEST: Final = 5.0
_SAME: Final = 1.5
_LARGEST_GAP: Final = 3.6
"""Between two strokes that make one line, such as the edges of cells with some space between."""
_MOST_PATHS: Final = 10_000
_MOST_STROKES: Final = 20_000
_MOST_RULES: Final = 1_500
_WHITE: Final = 248
_PLAIN_SEGMENTS: Final = 5
"""Most segments of a rectangle or a line."""


class DrawnLine(NamedTuple):
    """A line from `start` to `end`: `at` is its height, or its place from the left."""

    at: float
    start: float
    end: float

    def covers(self, start: float, end: float) -> bool:
        """Whether it goes along more than half of a stretch."""
        return min(self.end, end) - max(self.start, start) > (end - start) / 2


@dataclass(slots=True)
class DrawnLines:
    """The lines and areas of a page, turned so that its text is upright."""

    across: list[DrawnLine] = field(default_factory=list)
    """Horizontal lines, from the top to the bottom."""
    down: list[DrawnLine] = field(default_factory=list)
    """Vertical lines, from the left to the right."""
    areas: list[Box] = field(default_factory=list)
    """Filled areas other than white ones."""


def page_rules(page: pdfium.PdfPage, angle: int) -> DrawnLines:
    """The lines and areas of a page that is turned clockwise by an angle in degrees."""
    strokes = _Strokes()
    strokes.read(page)
    if strokes.is_drawing:
        return DrawnLines()
    return _sorted_rules(
        [box.turned(angle) for box in strokes.boxes], [box.turned(angle) for box in strokes.areas]
    )


def _sorted_rules(boxes: Sequence[Box], areas: Sequence[Box]) -> DrawnLines:
    across, down = [], []
    for box in boxes:
        width, height = box.right - box.left, box.top - box.bottom
        if width >= height:
            across.append(DrawnLine((box.top + box.bottom) / 2, box.left, box.right))
        else:
            down.append(DrawnLine((box.left + box.right) / 2, box.bottom, box.top))
    return DrawnLines(
        sorted(_merged(across), key=lambda rule: -rule.at), _merged(down), _distinct(areas)
    )


def _distinct(areas: Iterable[Box]) -> list[Box]:
    rounded = {tuple(round(edge) for edge in area): area for area in areas}
    return list(rounded.values())


def _merged(rules: Iterable[DrawnLine]) -> list[DrawnLine]:
    """The rules in order of their places, with those that lie on one line as one."""
    levels: list[list[DrawnLine]] = []
    for rule in sorted(rules):
        if levels and rule.at - levels[-1][0].at <= _SAME:
            levels[-1].append(rule)
        else:
            levels.append([rule])
    merged: list[DrawnLine] = []
    for level in levels:
        parts = sorted(level, key=lambda rule: rule.start)
        at = sum(rule.at for rule in parts) / len(parts)
        start, end = parts[0].start, parts[0].end
        for part in parts[1:]:
            if part.start - end > _LARGEST_GAP:
                merged.append(DrawnLine(at, start, end))
                start, end = part.start, part.end
            end = max(end, part.end)
        merged.append(DrawnLine(at, start, end))
    return [rule for rule in merged if rule.end - rule.start >= _SHORTEST][:_MOST_RULES]


class _Strokes:
    """Collects thin boxes and filled areas, through the forms of a page."""

    def __init__(self) -> None:
        self.boxes: list[Box] = []
        self.areas: list[Box] = []
        self._path_count = 0

    @property
    def is_drawing(self) -> bool:
        """Whether there is too much to be the lines of tables."""
        return len(self.boxes) > _MOST_STROKES or self._path_count > _MOST_PATHS

    def read(self, page: pdfium.PdfPage) -> None:
        """Read the objects of a page, until there are too many."""
        for item in objects_of(page):
            if self.is_drawing:
                return
            if item.kind == raw.FPDF_PAGEOBJ_PATH:
                self._path_count += 1
                self._read_path(item)

    def _read_path(self, path: PlacedObject) -> None:
        fill, is_stroked = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(path.pointer, ctypes.byref(fill), ctypes.byref(is_stroked))
        if not fill.value and not is_stroked.value:
            return
        segment_count = raw.FPDFPath_CountSegments(path.pointer)
        box = path.box
        if segment_count <= _PLAIN_SEGMENTS and _is_thin(box):
            self.boxes.append(box)
        elif segment_count <= _MOST_STROKES:
            is_area = fill.value and _is_coloured(path.pointer)
            for points in _outlines(path, segment_count):
                self._add(points, is_area=bool(is_area), is_stroked=bool(is_stroked.value))

    def _add(self, points: Sequence[Point], *, is_area: bool, is_stroked: bool) -> None:
        box = Box.around(points)
        if _is_thin(box):
            self.boxes.append(box)
            return
        if is_area and len(points) <= _PLAIN_SEGMENTS:
            self.areas.append(box)
        if is_stroked:
            for ends in pairwise(points):
                edge = Box.around(ends)
                if _is_thin(edge):
                    self.boxes.append(edge)


def _is_thin(box: Box) -> bool:
    return min(box.right - box.left, box.top - box.bottom) <= _THIN


def _is_coloured(path: raw.FPDF_PAGEOBJECT) -> bool:
    colours = [ctypes.c_uint() for _ in range(4)]
    raw.FPDFPageObj_GetFillColor(path, *map(ctypes.byref, colours))
    red, green, blue, opacity = (colour.value for colour in colours)
    return opacity > 0 and min(red, green, blue) < _WHITE


def _outlines(path: PlacedObject, segment_count: int) -> Iterator[list[Point]]:
    """The points of each part of a path."""
    matrix = path.matrix
    points: list[Point] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(segment_count):
        segment = raw.FPDFPath_GetPathSegment(path.pointer, index)
        if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO and points:
            yield points
            points = []
        raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        points.append(place_of((x.value, y.value), matrix))
        if raw.FPDFPathSegment_GetClose(segment):
            points.append(points[0])
    if points:
        yield points
