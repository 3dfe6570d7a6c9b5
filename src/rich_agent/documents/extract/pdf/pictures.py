"""Finds the pictures on the pages of a PDF that say something to a person.

Backgrounds, logos that return, pictures in a page's head or foot, and small ones are decoration.
"""

import ctypes
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.words import Box

_DEEPEST: Final = 4
_MOST_OBJECTS: Final = 20_000
_MOST_PICTURES: Final = 400
_SMALLEST: Final = 28.0
"""Points, about a centimetre."""
_SMALLEST_SHARE: Final = 0.034
"""The same as a share of the longer side, for pages whose unit is not a point."""
_FEW_PIXELS: Final = 4
_DENSITY: Final = 20
_MOST_PIXELS: Final = 4_000_000
"""A picture with fewer bytes than a twentieth of its pixels may have one colour."""
_MARGIN: Final = 0.12
_BACKGROUND: Final = 0.8
_TOUCHING: Final = 1.0
_FEW_PAGES: Final = 3

_Key = tuple[int, int, int]
"""Width and height in pixels and size in bytes, by which a picture is the same on other pages."""
_Matrix = tuple[float, float, float, float, float, float]
_UNMOVED: Final[_Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class _Picture(NamedTuple):
    key: _Key
    box: Box


@dataclass(slots=True)
class PictureCounter:
    """Counts the pictures of one document."""

    _pages: list[tuple[list[_Picture], Box]] = field(default_factory=list)
    """The pictures on each page that are neither tiny nor marked as decoration, and its paper."""
    _plain: dict[_Key, bool] = field(default_factory=dict)

    def add(self, page: pdfium.PdfPage) -> None:
        """Look at the next page."""
        paper = Box(*page.get_bbox())
        visible = (
            _Picture(_key(picture), box)
            for picture, matrix in _images(page)
            if (box := _shared(_box(picture, matrix), paper)) is not None
            and not _is_artifact(picture)
            and not self._is_plain(picture)
        )
        self._pages.append((list(islice(visible, _MOST_PICTURES)), paper))

    def count(self, bare_pages: frozenset[int]) -> int:
        """The number of pictures that say something; strips that touch each other are one picture.

        Those of pages without text are not counted: such a page is read as a picture itself.
        """
        counts = Counter(
            key for pictures, _ in self._pages for key in {picture.key for picture in pictures}
        )
        repeated = {
            key
            for key, count in counts.items()
            if count > 1 and (count >= _FEW_PAGES or 2 * count > len(self._pages))
        }
        return sum(
            _is_content(box, paper)
            for number, (pictures, paper) in enumerate(self._pages, start=1)
            if pictures and number not in bare_pages
            for box in _joined(found.box for found in pictures if found.key not in repeated)
        )

    def _is_plain(self, picture: raw.FPDF_PAGEOBJECT) -> bool:
        """Whether a picture has one colour, as shadows and backgrounds have."""
        key = width, height, size_bytes = _key(picture)
        if min(width, height) <= _FEW_PIXELS:
            return True
        if size_bytes * _DENSITY > width * height or width * height > _MOST_PIXELS:
            return False
        if key not in self._plain:
            self._plain[key] = _has_one_colour(picture)
        return self._plain[key]


def _has_one_colour(picture: raw.FPDF_PAGEOBJECT) -> bool:
    handle = raw.FPDFImageObj_GetBitmap(picture)
    if not handle:
        return False
    bitmap = pdfium.PdfBitmap.from_raw(handle)
    length = bitmap.width * bitmap.n_channels
    rows = memoryview(bitmap.buffer).cast("B")
    first = bytes(rows[:length])
    starts = range(0, bitmap.height * bitmap.stride, bitmap.stride)
    return first == first[: bitmap.n_channels] * bitmap.width and all(
        rows[start : start + length] == first for start in starts
    )


def _is_content(box: Box, paper: Box) -> bool:
    width, height = paper.right - paper.left, paper.top - paper.bottom
    smallest = min(_SMALLEST, _SMALLEST_SHARE * max(width, height))
    if min(box.right - box.left, box.top - box.bottom) < smallest:
        return False
    if (box.right - box.left) * (box.top - box.bottom) > _BACKGROUND * width * height:
        return False
    in_head = box.bottom > paper.top - _MARGIN * height
    in_foot = box.top < paper.bottom + _MARGIN * height
    return not in_head and not in_foot


def _joined(boxes: Iterable[Box]) -> list[Box]:
    """The boxes; those that touch each other are one."""
    joined: list[Box] = []
    for box in sorted(boxes, key=lambda box: (-box.top, box.left)):
        around = box
        for other in [other for other in joined if _touch(other, around)]:
            joined.remove(other)
            around = Box(*map(min, other[:2], around[:2]), *map(max, other[2:], around[2:]))
        joined.append(around)
    return joined


def _touch(box: Box, other: Box) -> bool:
    return (
        box.left - _TOUCHING <= other.right
        and other.left - _TOUCHING <= box.right
        and box.bottom - _TOUCHING <= other.top
        and other.bottom - _TOUCHING <= box.top
    )


def _images(page: pdfium.PdfPage) -> Iterator[tuple[raw.FPDF_PAGEOBJECT, _Matrix]]:
    """The images of a page, with the matrix of the forms that they are in."""
    seen_count = 0
    open_forms: list[tuple[raw.FPDF_PAGEOBJECT | None, _Matrix, int]] = [(None, _UNMOVED, 0)]
    while open_forms:
        form, matrix, depth = open_forms.pop()
        count = (
            raw.FPDFPage_CountObjects(page) if form is None else raw.FPDFFormObj_CountObjects(form)
        )
        for index in range(count):
            seen_count += 1
            if seen_count > _MOST_OBJECTS:
                return
            drawn = (
                raw.FPDFPage_GetObject(page, index)
                if form is None
                else raw.FPDFFormObj_GetObject(form, index)
            )
            kind = raw.FPDFPageObj_GetType(drawn)
            if kind == raw.FPDF_PAGEOBJ_IMAGE:
                yield drawn, matrix
            elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
                open_forms.append((drawn, _combined(_matrix(drawn), matrix), depth + 1))


def _matrix(drawn: raw.FPDF_PAGEOBJECT) -> _Matrix:
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(drawn, ctypes.byref(matrix))
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _combined(inner: _Matrix, outer: _Matrix) -> _Matrix:
    """The matrix that applies one matrix, then another."""
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


def _box(picture: raw.FPDF_PAGEOBJECT, outer: _Matrix) -> Box:
    """The box of an image on the page: its own unit square, moved."""
    a, b, c, d, e, f = _combined(_matrix(picture), outer)
    across, up = (e, e + a, e + c, e + a + c), (f, f + b, f + d, f + b + d)
    return Box(min(across), min(up), max(across), max(up))


def _shared(box: Box, paper: Box) -> Box | None:
    """The part of a box that is on the paper."""
    shared = Box(
        max(box.left, paper.left),
        max(box.bottom, paper.bottom),
        min(box.right, paper.right),
        min(box.top, paper.top),
    )
    is_seen = shared.left < shared.right and shared.bottom < shared.top
    return shared if is_seen and all(map(math.isfinite, shared)) else None


def _key(picture: raw.FPDF_PAGEOBJECT) -> _Key:
    width, height = ctypes.c_uint(), ctypes.c_uint()
    raw.FPDFImageObj_GetImagePixelSize(picture, ctypes.byref(width), ctypes.byref(height))
    return width.value, height.value, raw.FPDFImageObj_GetImageDataRaw(picture, None, 0)


def _is_artifact(picture: raw.FPDF_PAGEOBJECT) -> bool:
    """Whether the program that made the page marked the picture as decoration."""
    marks = (
        raw.FPDFPageObj_GetMark(picture, index)
        for index in range(raw.FPDFPageObj_CountMarks(picture))
    )
    return any(_mark_name(mark) == "Artifact" for mark in marks)


def _mark_name(mark: raw.FPDF_PAGEOBJECTMARK) -> str:
    size = ctypes.c_ulong()
    buffer = (ctypes.c_ushort * 32)()
    raw.FPDFPageObjMark_GetName(mark, buffer, ctypes.sizeof(buffer), ctypes.byref(size))
    return bytes(buffer)[: max(0, size.value - 2)].decode("utf-16-le", "replace")
