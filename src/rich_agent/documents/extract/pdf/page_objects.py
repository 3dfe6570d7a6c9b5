"""The objects that a PDF page draws, also within its forms, with their places on the page."""

import ctypes
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.words import Box

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
_Container: TypeAlias = raw.FPDF_PAGE | raw.FPDF_PAGEOBJECT
_Access = tuple[Callable[[_Container], int], Callable[[_Container, int], raw.FPDF_PAGEOBJECT]]
_OF_PAGE: Final[_Access] = (raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)
_OF_FORM: Final[_Access] = (raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject)
UNMOVED: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_DEEPEST: Final = 4


class PlacedObject(NamedTuple):
    """An object of a page: its pointer, its kind in PDFium, and the matrix of the forms around."""

    pointer: raw.FPDF_PAGEOBJECT
    kind: int
    around: Matrix

    @property
    def matrix(self) -> Matrix:
        """The matrix that moves the object itself to its place on the page."""
        matrix = raw.FS_MATRIX()
        raw.FPDFPageObj_GetMatrix(self.pointer, ctypes.byref(matrix))
        own = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        return _product(own, self.around)

    @property
    def box(self) -> Box:
        """The box of the object on the page."""
        box = box_of_object(self.pointer)
        if self.around == UNMOVED:
            return box
        corners = ((x, y) for x in (box.left, box.right) for y in (box.bottom, box.top))
        return Box.around(place_of(corner, self.around) for corner in corners)


def objects_of(page: pdfium.PdfPage) -> Iterator[PlacedObject]:
    """The objects of a page in the order of drawing; those of a form follow it."""
    yield from _objects(page.raw, _OF_PAGE, UNMOVED, 0)


def _objects(
    container: _Container, access: _Access, matrix: Matrix, depth: int
) -> Iterator[PlacedObject]:
    """The objects of a page or a form, which PDFium counts and gets by two functions."""
    count, get = access
    for index in range(count(container)):
        pointer = get(container, index)
        item = PlacedObject(pointer, raw.FPDFPageObj_GetType(pointer), matrix)
        yield item
        if item.kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            yield from _objects(pointer, _OF_FORM, item.matrix, depth + 1)


def box_of_object(pointer: raw.FPDF_PAGEOBJECT) -> Box:
    """The box of an object in the page or the form to which it belongs."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    raw.FPDFPageObj_GetBounds(pointer, left, bottom, right, top)
    return Box(left.value, bottom.value, right.value, top.value)


def box_of_annotation(annotation: raw.FPDF_ANNOTATION) -> Box:
    """The box of an annotation on its page."""
    rectangle = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, ctypes.byref(rectangle))
    corners = (rectangle.left, rectangle.bottom), (rectangle.right, rectangle.top)
    return Box.around(corners)


def mark_names(pointer: raw.FPDF_PAGEOBJECT) -> Iterator[str]:
    """The names of what an object is marked as, such as an artifact or a layer."""
    size, buffer = ctypes.c_ulong(), (ctypes.c_ushort * 32)()
    for index in range(raw.FPDFPageObj_CountMarks(pointer)):
        mark = raw.FPDFPageObj_GetMark(pointer, index)
        raw.FPDFPageObjMark_GetName(mark, buffer, ctypes.sizeof(buffer), ctypes.byref(size))
        yield bytes(buffer)[: max(0, size.value - 2)].decode("utf-16-le", "replace")


def place_of(point: Point, matrix: Matrix) -> Point:
    """A point after a matrix is applied to it."""
    (x, y), (a, b, c, d, e, f) = point, matrix
    return a * x + c * y + e, b * x + d * y + f


def _product(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that applies one matrix, then another."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )
