"""Reads what viewers draw over a PDF page: values of form fields, typed words and remarks."""

import ctypes
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.attachments import AttachedFiles
from rich_agent.documents.extract.pdf.lines import Box
from rich_agent.documents.extract.pdf.strings import pdfium_text
from rich_agent.domain.inventory import Tally

_UNSEEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD = 1 << 13
"""Flag of a text field of which a viewer shows dots only (PDF 32000-1, table 228)."""
_MOST_ANNOTATIONS = 10_000
_MOST_OPTIONS = 1_000
_MOST_LINES = 1_000
_BLANK_LINES = re.compile(r"\n\s*+")
_MARKUPS: Final = frozenset(
    {
        raw.FPDF_ANNOT_HIGHLIGHT,
        raw.FPDF_ANNOT_UNDERLINE,
        raw.FPDF_ANNOT_SQUIGGLY,
        raw.FPDF_ANNOT_STRIKEOUT,
    }
)
_REMARKS: Final = _MARKUPS | {
    raw.FPDF_ANNOT_TEXT,
    raw.FPDF_ANNOT_CARET,
    raw.FPDF_ANNOT_SQUARE,
    raw.FPDF_ANNOT_CIRCLE,
    raw.FPDF_ANNOT_LINE,
    raw.FPDF_ANNOT_POLYGON,
    raw.FPDF_ANNOT_POLYLINE,
    raw.FPDF_ANNOT_INK,
    raw.FPDF_ANNOT_STAMP,
}
_OBJECTS: Final = frozenset(
    {
        raw.FPDF_ANNOT_SOUND,
        raw.FPDF_ANNOT_MOVIE,
        raw.FPDF_ANNOT_SCREEN,
        raw.FPDF_ANNOT_THREED,
        raw.FPDF_ANNOT_RICHMEDIA,
    }
)
_BUTTONS: Final = {
    raw.FPDF_FORMFIELD_CHECKBOX: ("☒", "☐"),
    raw.FPDF_FORMFIELD_RADIOBUTTON: ("◉", "○"),
}
_CHOICES: Final = frozenset({raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX})


@dataclass(frozen=True, slots=True)
class Annotation:
    """Words that a viewer draws over a page, or opens at a place of it."""

    kind: Literal["answer", "remark"]
    """What was filled in or typed onto the page, or what a reader of the page says about it."""
    text: str
    box: Box


class AnnotationReader:
    """Reads the annotations of one document, whose form it sets up.

    It has to be made before a page is loaded.
    """

    def __init__(self, document: pdfium.PdfDocument, tally: Tally) -> None:
        document.init_forms()
        self._form = document.formenv
        self.attached = AttachedFiles()
        self.attached.add_from_document(document)
        self._tally = tally

    def read(self, page: pdfium.PdfPage) -> list[Annotation]:
        """The annotations that a person sees on a page, the first 10,000, which are counted."""
        count = min(raw.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)
        return [found for number in range(count) for found in self._read(page, number)]

    def _read(self, page: pdfium.PdfPage, number: int) -> Iterator[Annotation]:
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            return
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
                return
            if kind == raw.FPDF_ANNOT_WIDGET and self._form is not None:
                yield from self._field(annotation)
            elif kind == raw.FPDF_ANNOT_FREETEXT:
                text = _string(annotation, b"Contents")
                if text:
                    yield Annotation("answer", text, _box(annotation))
            elif kind == raw.FPDF_ANNOT_FILEATTACHMENT:
                self.attached.add_from_annotation(annotation)
                yield from self._remark(page, annotation, kind)
            elif kind in _OBJECTS:
                self._tally.note_unread("object")
            elif kind in _REMARKS:
                yield from self._remark(page, annotation, kind)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)

    def _field(self, annotation: raw.FPDF_ANNOTATION) -> Iterator[Annotation]:
        kind = raw.FPDFAnnot_GetFormFieldType(self._form, annotation)
        value, box = "", _box(annotation)
        if kind in _BUTTONS:
            value = _BUTTONS[kind][0 if self._is_on(annotation) else 1]
        elif kind == raw.FPDF_FORMFIELD_TEXTFIELD:
            if not raw.FPDFAnnot_GetFormFieldFlags(self._form, annotation) & _PASSWORD:
                value = self._value(annotation)
        elif kind in _CHOICES:
            value = ", ".join(self._choices(annotation)) or self._value(annotation)
        if value and box.left < box.right and box.bottom < box.top:
            self._tally.note_read("field")
            yield Annotation("answer", value, box)

    def _is_on(self, annotation: raw.FPDF_ANNOTATION) -> bool:
        """Whether a button is on, by its field's value or by its own state."""
        is_checked: int = raw.FPDFAnnot_IsChecked(self._form, annotation)
        return bool(is_checked) or _string(annotation, b"AS") not in {"", "Off"}

    def _choices(self, annotation: raw.FPDF_ANNOTATION) -> list[str]:
        form = self._form
        count = min(raw.FPDFAnnot_GetOptionCount(form, annotation), _MOST_OPTIONS)
        return [
            _text(partial(raw.FPDFAnnot_GetOptionLabel, form, annotation, number))
            for number in range(count)
            if raw.FPDFAnnot_IsOptionSelected(form, annotation, number)
        ]

    def _value(self, annotation: raw.FPDF_ANNOTATION) -> str:
        return _text(partial(raw.FPDFAnnot_GetFormFieldValue, self._form, annotation))

    def _remark(
        self, page: pdfium.PdfPage, annotation: raw.FPDF_ANNOTATION, kind: int
    ) -> Iterator[Annotation]:
        """The words of a remark, with its author and the words that it marks."""
        words = " ".join(_string(annotation, b"Contents").split())
        quoted = _marked_words(page, annotation) if kind in _MARKUPS else ""
        # Some programs save the marked words as those of the remark.
        if quoted and words != quoted:
            mark = f"~~{quoted}~~" if kind == raw.FPDF_ANNOT_STRIKEOUT else f"“{quoted}”"
            words = f"{mark} {words}".strip()
        if words:
            author = " ".join(_string(annotation, b"T").split())
            self._tally.note_read("remark")
            line = f"> {author}: {words}" if author else f"> {words}"
            yield Annotation("remark", line, _box(annotation))


def _marked_words(page: pdfium.PdfPage, annotation: raw.FPDF_ANNOTATION) -> str:
    """The words of the page that are marked, in the order in which they were marked."""
    text = page.get_textpage()
    try:
        count = min(raw.FPDFAnnot_CountAttachmentPoints(annotation), _MOST_LINES)
        boxes = [_quad_box(annotation, number) for number in range(count)] or [_box(annotation)]
        words = " ".join(text.get_text_bounded(*box) for box in boxes)
    finally:
        text.close()
    return " ".join(words.split())


def _quad_box(annotation: raw.FPDF_ANNOTATION, number: int) -> Box:
    quad = raw.FS_QUADPOINTSF()
    raw.FPDFAnnot_GetAttachmentPoints(annotation, number, ctypes.byref(quad))
    across, up = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
    return Box(min(across), min(up), max(across), max(up))


def _box(annotation: raw.FPDF_ANNOTATION) -> Box:
    box = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, ctypes.byref(box))
    across, up = (box.left, box.right), (box.bottom, box.top)
    return Box(min(across), min(up), max(across), max(up))


def _string(annotation: raw.FPDF_ANNOTATION, key: bytes) -> str:
    return _text(partial(raw.FPDFAnnot_GetStringValue, annotation, key))


def _text(write: Callable[[object, int], int]) -> str:
    return _BLANK_LINES.sub("\n", pdfium_text(write).replace("\r", "\n")).strip()
