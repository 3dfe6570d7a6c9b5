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

from rich_agent.documents.extract.pdf.page_objects import (
    PlacedObject,
    mark_names,
    objects_of,
    place_of,
)
from rich_agent.documents.extract.pdf.words import Box

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
            _Picture(_key(image.pointer), box)
            for image in _images(page)
            if (box := _overlap(_box(image), paper)) is not None
            and not _is_artifact(image.pointer)
            and not self._is_plain(image.pointer)
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
            for box in _clusters(picture.box for picture in pictures if picture.key not in repeated)
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


def _clusters(boxes: Iterable[Box]) -> list[Box]:
    """The boxes; those that touch each other are one."""
    clusters: list[Box] = []
    for box in sorted(boxes, key=lambda box: (-box.top, box.left)):
        around = box
        for other in [other for other in clusters if _touch(other, around)]:
            clusters.remove(other)
            around = Box.union((other, around))
        clusters.append(around)
    return clusters


def _touch(box: Box, other: Box) -> bool:
    return (
        box.left - _TOUCHING <= other.right
        and other.left - _TOUCHING <= box.right
        and box.bottom - _TOUCHING <= other.top
        and other.bottom - _TOUCHING <= box.top
    )


def _images(page: pdfium.PdfPage) -> Iterator[PlacedObject]:
    """The images among the first objects of a page."""
    for item in islice(objects_of(page), _MOST_OBJECTS):
        if item.kind == raw.FPDF_PAGEOBJ_IMAGE:
            yield item


def _box(image: PlacedObject) -> Box:
    """The box of an image on the page, which is drawn in the unit square."""
    matrix = image.matrix
    return Box.around(place_of((x, y), matrix) for x in (0, 1) for y in (0, 1))


def _overlap(box: Box, paper: Box) -> Box | None:
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
    return "Artifact" in mark_names(picture)
