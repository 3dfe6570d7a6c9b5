"""Reads the files that are attached to a PDF, or to a place on one of its pages."""

import ctypes
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.containers import InnerFile
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.pdf.strings import pdfium_text

_MOST_FILES: Final = 1_000
_MOST_BYTES: Final = 64 * 1024 * 1024
_SAME_CONTENT: Final = frozenset({"Alternative", "Source"})
"""Relations of a file that has the content of the pages in another form (ISO 32000-2, 7.11.3)."""


@dataclass(slots=True)
class AttachedFiles:
    """The files that are attached to a document, read as long as it is open."""

    files: list[InnerFile] = field(default_factory=list)
    _contents: set[tuple[str, int]] = field(default_factory=set)
    _bytes_left: int = _MOST_BYTES

    def add_from_document(self, document: pdfium.PdfDocument) -> None:
        """Add the files that a viewer lists beside the pages."""
        count = min(raw.FPDFDoc_GetAttachmentCount(document), _MOST_FILES)
        for number in range(count):
            self._add(raw.FPDFDoc_GetAttachment(document, number))

    def add_from_annotation(self, annotation: raw.FPDF_ANNOTATION) -> None:
        """Add the file of a paper clip on a page."""
        self._add(raw.FPDFAnnot_GetFileAttachment(annotation))

    def _add(self, attachment: raw.FPDF_ATTACHMENT) -> None:
        if not attachment or len(self.files) >= _MOST_FILES:
            return
        if pdfium_text(partial(raw.FPDFAttachment_GetAFRelationship, attachment)) in _SAME_CONTENT:
            return
        name = pdfium_text(partial(raw.FPDFAttachment_GetName, attachment))
        data = self._read(attachment)
        content = (name, hash(data))
        if content not in self._contents:
            self._contents.add(content)
            self.files.append(InnerFile(name, "", partial(_data, data)))

    def _read(self, attachment: raw.FPDF_ATTACHMENT) -> bytes | None:
        """The bytes of a file, None if they cannot be read."""
        size = ctypes.c_ulong()
        if not raw.FPDFAttachment_GetFile(attachment, None, 0, ctypes.byref(size)):
            return None
        if size.value > self._bytes_left:
            return None
        self._bytes_left -= size.value
        buffer = ctypes.create_string_buffer(size.value)
        raw.FPDFAttachment_GetFile(attachment, buffer, size, ctypes.byref(size))
        return buffer.raw


def _data(data: bytes | None) -> bytes:
    if data is None:
        raise ExtractionError("the attached file is damaged or too large")
    return data
