"""Reads the straight lines and the filled areas that are drawn on a PDF page.

Drawings of very many strokes, such as maps, are left out.
"""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.words import Box

_THIN: Final = 3.0
_SHORTEST: Final = 5.0
_SAME: Final = 1.5
_LARGEST_GAP: Final = 3.6
"""Between two strokes that make one line, such as the edges of cells with some space between."""
_MOST_PATHS: Final = 10_000
_MOST_STROKES: Final = 20_000
_MOST_RULES: Final = 1_500
_DEEPEST: Final = 4
_WHITE: Final = 248
_PLAIN_SEGMENTS: Final = 5
"""Most segments of a rectangle or a line."""

_Matrix = tuple[float, float, float, float, float, float]
_Point = tuple[float, float]
_Container: TypeAlias = raw.FPDF_PAGE | raw.FPDF_PAGEOBJECT
_Access = tuple[Callable[[_Container], int], Callable[[_Container, int], raw.FPDF_PAGEOBJECT]]
_IDENTITY: Final[_Matrix] = (1, 0, 0, 1, 0, 0)
_OF_PAGE: Final[_Access] = (raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)
_OF_FORM: Final[_Access] = (raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject)


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
    strokes.read(page.raw, _OF_PAGE, _IDENTITY, 0)
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

    def read(self, container: _Container, access: _Access, matrix: _Matrix, depth: int) -> None:
        """Read the objects of a page or a form, which PDFium counts and gets by two functions."""
        count, get = access
        for index in range(count(container)):
            if self.is_drawing:
                return
            drawn = get(container, index)
            kind = raw.FPDFPageObj_GetType(drawn)
            if kind == raw.FPDF_PAGEOBJ_PATH:
                self._path_count += 1
                self._read_path(drawn, matrix)
            elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
                inner = _product(_matrix(drawn), matrix)
                self.read(drawn, _OF_FORM, inner, depth + 1)

    def _read_path(self, path: raw.FPDF_PAGEOBJECT, matrix: _Matrix) -> None:
        fill, is_stroked = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(path, ctypes.byref(fill), ctypes.byref(is_stroked))
        if not fill.value and not is_stroked.value:
            return
        segment_count = raw.FPDFPath_CountSegments(path)
        bounds = _bounds(path, matrix)
        if segment_count <= _PLAIN_SEGMENTS and _is_thin(bounds):
            self.boxes.append(bounds)
        elif segment_count <= _MOST_STROKES:
            place = _product(_matrix(path), matrix)
            is_area = fill.value and _is_coloured(path)
            for points in _outlines(path, segment_count, place):
                self._add(points, is_area=bool(is_area), is_stroked=bool(is_stroked.value))

    def _add(self, points: Sequence[_Point], *, is_area: bool, is_stroked: bool) -> None:
        across, up = [x for x, _ in points], [y for _, y in points]
        box = Box(min(across), min(up), max(across), max(up))
        if _is_thin(box):
            self.boxes.append(box)
            return
        if is_area and len(points) <= _PLAIN_SEGMENTS:
            self.areas.append(box)
        if is_stroked:
            for (x, y), (next_x, next_y) in pairwise(points):
                edge = Box(min(x, next_x), min(y, next_y), max(x, next_x), max(y, next_y))
                if _is_thin(edge):
                    self.boxes.append(edge)


def _is_thin(box: Box) -> bool:
    return min(box.right - box.left, box.top - box.bottom) <= _THIN


def _is_coloured(path: raw.FPDF_PAGEOBJECT) -> bool:
    colours = [ctypes.c_uint() for _ in range(4)]
    raw.FPDFPageObj_GetFillColor(path, *map(ctypes.byref, colours))
    red, green, blue, opacity = (colour.value for colour in colours)
    return opacity > 0 and min(red, green, blue) < _WHITE


def _matrix(drawn: raw.FPDF_PAGEOBJECT) -> _Matrix:
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(drawn, ctypes.byref(matrix))
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _product(first: _Matrix, second: _Matrix) -> _Matrix:
    """The matrix that does what one does, then the other."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )


def _point(x: float, y: float, matrix: _Matrix) -> _Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _bounds(drawn: raw.FPDF_PAGEOBJECT, matrix: _Matrix) -> Box:
    edges = [ctypes.c_float() for _ in range(4)]
    raw.FPDFPageObj_GetBounds(drawn, *map(ctypes.byref, edges))
    left, bottom, right, top = (edge.value for edge in edges)
    if matrix == _IDENTITY:
        return Box(left, bottom, right, top)
    corners = [_point(x, y, matrix) for x in (left, right) for y in (bottom, top)]
    across, up = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(across), min(up), max(across), max(up))


def _outlines(
    path: raw.FPDF_PAGEOBJECT, segment_count: int, matrix: _Matrix
) -> Iterator[list[_Point]]:
    """The points of each part of a path."""
    points: list[_Point] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(segment_count):
        segment = raw.FPDFPath_GetPathSegment(path, index)
        if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO and points:
            yield points
            points = []
        raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        points.append(_point(x.value, y.value, matrix))
        if raw.FPDFPathSegment_GetClose(segment):
            points.append(points[0])
    if points:
        yield points
