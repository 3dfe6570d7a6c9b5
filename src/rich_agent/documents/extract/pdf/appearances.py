"""Reads the words that annotations of a PDF draw, such as those of stamps and signatures."""

from collections.abc import Collection, Mapping

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.words import Box


class Appearances:
    """Draws annotations onto copies of their pages on which nothing else stands."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._copy: pdfium.PdfDocument | None = None

    def texts(self, page_index: int, boxes: Mapping[int, Box]) -> dict[int, str]:
        """The lines of words that annotations draw in their boxes, by their index on the page."""
        if self._copy is None:
            self._copy = pdfium.PdfDocument(self._data)
            self._copy.init_forms()
        page = self._copy[page_index]
        _leave_only(page, boxes.keys())
        raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)
        page.close()
        page = self._copy[page_index]
        text = page.get_textpage()
        try:
            return {index: _lines(text.get_text_bounded(*box)) for index, box in boxes.items()}
        finally:
            text.close()
            page.close()

    def close(self) -> None:
        """Forget the copy."""
        if self._copy is not None:
            self._copy.close()


def _leave_only(page: pdfium.PdfPage, annotations: Collection[int]) -> None:
    """Remove all that is drawn on a page but some of its annotations."""
    for index in reversed(range(raw.FPDFPage_CountObjects(page))):
        drawn = raw.FPDFPage_GetObject(page, index)
        if raw.FPDFPage_RemoveObject(page, drawn):
            raw.FPDFPageObj_Destroy(drawn)
    page.gen_content()
    for index in reversed(range(raw.FPDFPage_GetAnnotCount(page))):
        if index not in annotations:
            raw.FPDFPage_RemoveAnnot(page, index)


def _lines(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(filter(None, lines))
