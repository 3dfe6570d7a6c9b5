"""Tells which texts of a PDF page may be unseen, by their colours and what is drawn there."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.colours import WHITE, Colour, is_unreadable
from rich_agent.documents.extract.pdf.page_objects import (
    box_of_annotation,
    box_of_object,
    mark_names,
)
from rich_agent.documents.extract.pdf.words import Box

_MOST_SHAPES = 400
_BANDS = 64
_DEEPEST = 16
"""The most forms, clips and marks around a text that are looked at."""
_SCAN_SHARE = 0.7
_SCAN_PIXELS = 0.5
"""The fewest pixels of a scan for each point of its width."""
_SLACK = 0.25
_THIN = 0.3
"""Shares of the height of a text: what may be cut off, and a line across it."""
_SEGMENTS = 12
_RECTANGLE = (4, 5)
"""The numbers of segments that a rectangle may have."""
_PATTERN = (0xBF, 0xBF, 0xBF)  # what PDFium says of a fill that is not plain
_OC = "OC"
_OPAQUE = 255
_NESTED = -1
_FILL, _STROKE = raw.FPDFPageObj_GetFillColor, raw.FPDFPageObj_GetStrokeColor
_UNSEEN_MODES = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
_STROKED_MODES = (raw.FPDF_TEXTRENDERMODE_STROKE, raw.FPDF_TEXTRENDERMODE_STROKE_CLIP)
_OUTLINED_MODES = (
    raw.FPDF_TEXTRENDERMODE_FILL_STROKE,
    raw.FPDF_TEXTRENDERMODE_FILL_STROKE_CLIP,
)
_DRAWN = (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
_COVERS = (
    raw.FPDF_ANNOT_SQUARE,
    raw.FPDF_ANNOT_CIRCLE,
    raw.FPDF_ANNOT_POLYGON,
    raw.FPDF_ANNOT_INK,
    raw.FPDF_ANNOT_STAMP,
    raw.FPDF_ANNOT_FREETEXT,
    raw.FPDF_ANNOT_REDACT,
)

PageObject = Any
"""A pointer to an object of a page; its type has no public name."""
_Clip = Any
_Read = Callable[..., int]
_NOWHERE = Box(0.0, 0.0, 0.0, 0.0)


class Doubt(Enum):
    """The reason why a person may not see a text."""

    COLOUR = auto()
    """It has the colour of what is behind it."""
    PIXELS = auto()
    """Only the pixels of the page tell it."""
    INK = auto()
    """It is not drawn itself, but makes a picture of words searchable, or is filled by others."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A part of a page that is no text."""

    order: int
    box: Box
    colour: Colour = None
    """None if it is not plain or not opaque."""
    is_rectangle: bool = False
    is_scan: bool = False
    """Whether it is a picture with the resolution of a scan."""

    def is_thin(self, height: float) -> bool:
        """Whether it is a line compared with letters of this height."""
        box = self.box
        return min(box.right - box.left, box.top - box.bottom) < _THIN * height


class PageTexts:
    """The text objects of a page, with doubts whether they are seen."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self._page, self._paper = page, Box(*page.get_bbox())
        self.texts: list[tuple[int, PageObject]] = []
        """All of them, with their place in the order of drawing.

        Those in forms, which are parts of a page with a space of their own, have none.
        """
        self._shapes: list[_Shape] = []
        for order in range(raw.FPDFPage_CountObjects(page)):
            self._add(order, raw.FPDFPage_GetObject(page, order))
        self._shapes += [
            _Shape(len(self.texts) + order, box)
            for order, box in enumerate(_covering_annotations(page), len(self._shapes))
        ]

    def _add(self, order: int, item: PageObject) -> None:
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            self.texts.append((order, item))
        elif kind == raw.FPDF_PAGEOBJ_FORM:
            self.texts += ((_NESTED, text) for text in _texts_within(item))
            self._shapes.append(_Shape(order, box_of_object(item)))
        elif len(self._shapes) <= _MOST_SHAPES and kind in _DRAWN:
            self._shapes.append(_shape(order, item, kind))

    def doubts(self) -> Iterator[tuple[PageObject, Doubt]]:
        """The text objects that a person may not see."""
        for order, item in self.texts:
            doubt = self._doubt(order, item)
            if doubt is not None:
                yield item, doubt

    def _doubt(self, order: int, item: PageObject) -> Doubt | None:
        mode = raw.FPDFTextObj_GetTextRenderMode(item)
        is_transparent = raw.FPDFPageObj_HasTransparency(item)
        colour, opacity = _colour(item, _STROKE if mode in _STROKED_MODES else _FILL)
        if mode in _UNSEEN_MODES or (is_transparent and not opacity):
            return None if self._is_scan else Doubt.INK
        if (
            order == _NESTED
            or is_transparent
            or colour is None
            or len(self._shapes) > _MOST_SHAPES
            or _is_optional(item)
            or _may_be_clipped(item)
        ):
            return Doubt.PIXELS
        doubt = self._doubt_by_colour(order, item, colour)
        return Doubt.PIXELS if doubt and mode in _OUTLINED_MODES else doubt

    def _doubt_by_colour(self, order: int, item: PageObject, colour: Colour) -> Doubt | None:
        papers: list[Colour] = [WHITE]
        has_lines = False
        box = box_of_object(item) if self._shapes else _NOWHERE
        height = box.top - box.bottom
        for shape in self._shapes_at(box):
            if shape.is_thin(height):
                has_lines = True
            elif shape.order < order:
                is_around = shape.is_rectangle and _contains(shape.box, box)
                papers = [shape.colour] if is_around else [*papers, shape.colour]
            elif not (shape.is_scan and self._is_scan):
                return Doubt.PIXELS
        contrasts = {paper is not None and not is_unreadable(colour, paper) for paper in papers}
        if contrasts == {True}:
            return None
        return Doubt.PIXELS if True in contrasts or None in papers or has_lines else Doubt.COLOUR

    def _shapes_at(self, box: Box) -> Iterator[_Shape]:
        """The shapes that have a place in common with a box, in the order of drawing."""
        if not self._shapes:
            return
        bands = self._bands(box)
        nearby = {shape.order: shape for band in bands for shape in self._shapes_by_band[band]}
        for _, shape in sorted(nearby.items()):
            if (
                shape.box.left < box.right
                and box.left < shape.box.right
                and shape.box.bottom < box.top
                and box.bottom < shape.box.top
            ):
                yield shape

    @cached_property
    def _shapes_by_band(self) -> Sequence[Sequence[_Shape]]:
        """The shapes in each of the bands that the page is cut into from below."""
        shapes: list[list[_Shape]] = [[] for _ in range(_BANDS)]
        for shape in self._shapes:
            for band in self._bands(shape.box):
                shapes[band].append(shape)
        return shapes

    def _bands(self, box: Box) -> range:
        paper = self._paper
        height = max(paper.top - paper.bottom, 1e-6) / _BANDS
        low, high = (
            min(max((side - paper.bottom) / height, 0.0), _BANDS - 1.0)
            for side in (box.bottom, box.top)
        )
        return range(int(low), int(high) + 1)

    @cached_property
    def _is_scan(self) -> bool:
        """Whether pictures cover the page, so that its text only makes a scan searchable."""
        width, height = self._page.get_size()
        scans = [shape.box for shape in self._shapes if shape.is_scan]
        area = sum((box.right - box.left) * (box.top - box.bottom) for box in scans)
        return bool(area > _SCAN_SHARE * width * height)


def _contains(outer: Box, inner: Box) -> bool:
    """Whether a box contains another one, but for a little."""
    slack = _SLACK * (inner.top - inner.bottom)
    return (
        outer.left - slack < inner.left
        and outer.bottom - slack < inner.bottom
        and inner.right < outer.right + slack
        and inner.top < outer.top + slack
    )


def _shape(order: int, item: PageObject, kind: int) -> _Shape:
    box = box_of_object(item)
    if kind == raw.FPDF_PAGEOBJ_IMAGE:
        width, height = ctypes.c_uint(), ctypes.c_uint()
        raw.FPDFImageObj_GetImagePixelSize(item, width, height)
        return _Shape(order, box, is_scan=width.value > _SCAN_PIXELS * (box.right - box.left))
    if kind == raw.FPDF_PAGEOBJ_SHADING or raw.FPDFPageObj_HasTransparency(item):
        return _Shape(order, box)
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(item, fill, stroke)
    is_plain = fill.value != raw.FPDF_FILLMODE_NONE and not _is_optional(item)
    if not is_plain and not stroke.value:
        return _Shape(order, _NOWHERE)
    colour, _ = _colour(item, _FILL) if is_plain else (None, 0)
    return _Shape(order, box, colour, raw.FPDFPath_CountSegments(item) in _RECTANGLE)


def _colour(item: PageObject, read: _Read) -> tuple[Colour, int]:
    """The plain colour of an object, None if it has another, and its opacity up to 255."""
    red, green, blue, opacity = (ctypes.c_uint(_OPAQUE) for _ in range(4))
    if not read(item, red, green, blue, opacity):
        return None, opacity.value
    colour = red.value, green.value, blue.value
    return None if colour == _PATTERN else colour, opacity.value


def _is_optional(item: PageObject) -> bool:
    """Whether an object is in a layer that may be switched off."""
    if raw.FPDFPageObj_CountMarks(item) > _DEEPEST:
        return True
    return _OC in mark_names(item)


def _may_be_clipped(item: PageObject) -> bool:
    """Whether a text may be drawn outside the part of the page where drawing is allowed."""
    clip = raw.FPDFPageObj_GetClipPath(item)
    path_count = raw.FPDFClipPath_CountPaths(clip) if clip else 0
    if path_count <= 0:
        return False
    if path_count > _DEEPEST:
        return True
    box = box_of_object(item)
    for path in range(path_count):
        places = list(_clip_places(clip, path))
        if not places:
            return True
        if not _contains(Box.around(places), box):
            return True
    return False


def _clip_places(clip: _Clip, path: int) -> Iterator[tuple[float, float]]:
    """The corners of a clip path, none if it has many."""
    count = raw.FPDFClipPath_CountPathSegments(clip, path)
    if count > _SEGMENTS:
        return
    x, y = ctypes.c_float(), ctypes.c_float()
    for number in range(count):
        segment = raw.FPDFClipPath_GetPathSegment(clip, path, number)
        if raw.FPDFPathSegment_GetPoint(segment, x, y):
            yield x.value, y.value


def _texts_within(form: PageObject, depth: int = 1) -> Iterator[PageObject]:
    for number in range(raw.FPDFFormObj_CountObjects(form)):
        item = raw.FPDFFormObj_GetObject(form, number)
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            yield item
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            yield from _texts_within(item, depth + 1)


def _covering_annotations(page: pdfium.PdfPage) -> Sequence[Box]:
    """The boxes of annotations that may cover text."""
    boxes: list[Box] = []
    for number in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST_SHAPES)):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if raw.FPDFAnnot_GetSubtype(annotation) in _COVERS:
            boxes.append(box_of_annotation(annotation))
        raw.FPDFPage_CloseAnnot(annotation)
    return boxes
