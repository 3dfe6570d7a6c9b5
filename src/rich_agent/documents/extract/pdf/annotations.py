"""Reads what viewers draw over a PDF page: values of form fields, typed words and remarks."""

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.appearances import Appearances
from rich_agent.documents.extract.pdf.attachments import AttachedFiles
from rich_agent.documents.extract.pdf.page_objects import box_of_annotation
from rich_agent.documents.extract.pdf.strings import pdfium_text
from rich_agent.documents.extract.pdf.words import Box
from rich_agent.domain.inventory import Tally

_UNSEEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD = 1 << 13
"""Flag of a text field of which a viewer shows dots only (PDF 32000-1, table 228)."""
_MOST_ANNOTATIONS = 10_000
_MOST_OPTIONS = 1_000
_MOST_LINES = 1_000
_ICON = 28.0
_PLAIN_NUMBER = re.compile(r"[-+]?(?:\d++(?:\.\d++)?|\.\d++)")
_NO_DIGITS = re.compile(r"\D+")
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
    raw.FPDF_ANNOT_FILEATTACHMENT,
    raw.FPDF_ANNOT_INK,
    raw.FPDF_ANNOT_TEXT,
    raw.FPDF_ANNOT_CARET,
    raw.FPDF_ANNOT_SQUARE,
    raw.FPDF_ANNOT_CIRCLE,
    raw.FPDF_ANNOT_LINE,
    raw.FPDF_ANNOT_POLYGON,
    raw.FPDF_ANNOT_POLYLINE,
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


@dataclass(frozen=True, slots=True)
class _Drawing:
    """An annotation whose words are known from its appearance only, if it has any."""

    number: int
    box: Box
    value: str = ""
    """The value of a field whose appearance shows it in another form."""
    remarks: Sequence[Annotation] = ()
    """Read in its place if it draws no words."""
    is_picture: bool = True
    """Whether it draws something in any case."""


class AnnotationReader:
    """Reads the annotations of one document, whose form it sets up.

    It has to be made before a page is loaded.
    """

    def __init__(self, document: pdfium.PdfDocument, data: bytes, tally: Tally) -> None:
        document.init_forms()
        self._appearances = Appearances(data)
        self._form = document.formenv
        self.attached = AttachedFiles()
        self.attached.add_from_document(document)
        self._tally = tally

    def read(self, page: pdfium.PdfPage, page_index: int) -> list[Annotation]:
        """The annotations that a person sees on a page, the first 10,000, which are counted."""
        count = min(raw.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)
        found = [found for number in range(count) for found in self._read(page, number)]
        drawings = [drawing for drawing in found if isinstance(drawing, _Drawing)]
        annotations = [annotation for annotation in found if isinstance(annotation, Annotation)]
        if drawings:
            annotations += self._drawn(page_index, drawings)
        return annotations

    def close(self) -> None:
        """Free what reading took."""
        self._appearances.close()

    def _drawn(self, page_index: int, drawings: Sequence[_Drawing]) -> Iterator[Annotation]:
        """The words of drawings; those without words are counted."""
        boxes = {drawing.number: drawing.box for drawing in drawings}
        texts = self._appearances.texts(page_index, boxes)
        for drawing in drawings:
            text = texts[drawing.number]
            if drawing.value and not _is_form_of(text, drawing.value):
                text = drawing.value
            if text:
                self._tally.note_read("field")
                yield Annotation("answer", text, drawing.box)
            elif drawing.remarks:
                self._tally.note_read("remark", len(drawing.remarks))
                yield from drawing.remarks
            elif drawing.is_picture and _is_large(drawing.box):
                self._tally.note_unread("picture")

    def _read(self, page: pdfium.PdfPage, number: int) -> Iterator[Annotation | _Drawing]:
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            return
        try:
            kind, box = raw.FPDFAnnot_GetSubtype(annotation), box_of_annotation(annotation)
            if raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
                return
            if kind == raw.FPDF_ANNOT_WIDGET:
                if box.left < box.right and box.bottom < box.top:
                    yield from self._field(annotation, number, box)
            elif kind == raw.FPDF_ANNOT_FREETEXT:
                text = _string(annotation, b"Contents")
                yield Annotation("answer", text, box) if text else _Drawing(number, box)
            elif kind == raw.FPDF_ANNOT_STAMP:
                yield _Drawing(number, box, remarks=[*_remark(page, annotation, kind)])
            elif kind in _OBJECTS:
                self._tally.note_unread("object")
            elif kind in _REMARKS:
                yield from self._counted_remark(page, annotation, kind)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)

    def _counted_remark(
        self, page: pdfium.PdfPage, annotation: raw.FPDF_ANNOTATION, kind: int
    ) -> Iterator[Annotation]:
        if kind == raw.FPDF_ANNOT_FILEATTACHMENT:
            self.attached.add_from_annotation(annotation)
        remarks = [*_remark(page, annotation, kind)]
        self._tally.note_read("remark", len(remarks))
        if kind == raw.FPDF_ANNOT_INK and not remarks and _is_large(box_of_annotation(annotation)):
            self._tally.note_unread("drawing")
        yield from remarks

    def _field(
        self, annotation: raw.FPDF_ANNOTATION, number: int, box: Box
    ) -> Iterator[Annotation | _Drawing]:
        """The value of a field, or its drawing if that may say more."""
        form = self._form
        kind = raw.FPDFAnnot_GetFormFieldType(form, annotation) if form is not None else -1
        value = ""
        if kind in _BUTTONS:
            value = _BUTTONS[kind][0 if self._is_on(annotation) else 1]
        elif kind == raw.FPDF_FORMFIELD_TEXTFIELD:
            if not raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD:
                value = self._value(annotation)
        elif kind in _CHOICES:
            value = ", ".join(self._choices(annotation)) or self._value(annotation)
        elif kind != raw.FPDF_FORMFIELD_PUSHBUTTON and raw.FPDFAnnot_GetObjectCount(annotation) > 0:
            is_signed = bool(raw.FPDFAnnot_HasKey(annotation, b"V"))
            yield _Drawing(number, box, is_picture=is_signed)
        if _PLAIN_NUMBER.fullmatch(value) and self._has_format(annotation):
            yield _Drawing(number, box, value)
        elif value:
            self._tally.note_read("field")
            yield Annotation("answer", value, box)

    def _has_format(self, annotation: raw.FPDF_ANNOTATION) -> bool:
        """Whether a script of the form shows the value in another form than it is saved."""
        write = raw.FPDFAnnot_GetFormAdditionalActionJavaScript
        return bool(_text(partial(write, self._form, annotation, raw.FPDF_ANNOT_AACTION_FORMAT)))

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
    page: pdfium.PdfPage, annotation: raw.FPDF_ANNOTATION, kind: int
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
        yield Annotation(
            "remark",
            f"> {author}: {words}" if author else f"> {words}",
            box_of_annotation(annotation),
        )


def _is_form_of(text: str, value: str) -> bool:
    """Whether a text shows a number, such as `EUR 1,234.50` for `1234.5`."""
    digits = _NO_DIGITS.sub("", value).strip("0")
    return digits in _NO_DIGITS.sub("", text)


def _is_large(box: Box) -> bool:
    """Whether a drawing is longer than about a centimetre."""
    return max(box.right - box.left, box.top - box.bottom) > _ICON


def _marked_words(page: pdfium.PdfPage, annotation: raw.FPDF_ANNOTATION) -> str:
    """The words of the page that are marked, in the order in which they were marked."""
    text = page.get_textpage()
    try:
        count = min(raw.FPDFAnnot_CountAttachmentPoints(annotation), _MOST_LINES)
        boxes = [_quad_box(annotation, number) for number in range(count)] or [
            box_of_annotation(annotation)
        ]
        words = " ".join(text.get_text_bounded(*box) for box in boxes)
    finally:
        text.close()
    return " ".join(words.split())


def _quad_box(annotation: raw.FPDF_ANNOTATION, number: int) -> Box:
    quad = raw.FS_QUADPOINTSF()
    raw.FPDFAnnot_GetAttachmentPoints(annotation, number, ctypes.byref(quad))
    corners = (quad.x1, quad.y1), (quad.x2, quad.y2), (quad.x3, quad.y3), (quad.x4, quad.y4)
    return Box.around(corners)


def _string(annotation: raw.FPDF_ANNOTATION, key: bytes) -> str:
    return _text(partial(raw.FPDFAnnot_GetStringValue, annotation, key))


def _text(write: Callable[[object, int], int]) -> str:
    return _BLANK_LINES.sub("\n", pdfium_text(write).replace("\r", "\n")).strip()
