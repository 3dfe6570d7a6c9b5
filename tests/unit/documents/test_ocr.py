"""OCR of scanned pages by Tesseract, in a confined reader."""

from pathlib import Path

import pytest

from rich_agent.documents.extract.pdf.ocr import (
    OCR_S,
    OcrUnavailableError,
    PageForOcr,
    find_ocr,
    read_by_ocr,
)
from rich_agent.documents.extract.pdf.rendering import PdfPage
from rich_agent.runtime.confinement import OCR_DATA
from rich_agent.runtime.readers import Effort, read_apart
from tests.documents import document

pytest.importorskip("tesserocr")
needs_data = pytest.mark.skipif(
    not any(list(Path(place).rglob("eng.traineddata")) for place in OCR_DATA),
    reason="Tesseract's data for English is not installed",
)


@needs_data
@pytest.mark.costs("Tesseract reads a page of small letters")
async def test_ocr_reads_a_page_of_a_scan_in_a_confined_process() -> None:
    """Its text comes back in lines, whatever the process may not do."""
    page = PageForOcr(PdfPage(document("scan.pdf"), 1), find_ocr("eng"))
    text = await read_apart(read_by_ocr, page, str, "test", Effort(OCR_S))
    assert "The crossing costs 14 euros for adults and 6 euros for children." in text


@needs_data
def test_ocr_names_a_language_whose_data_is_missing() -> None:
    """The message says what to do about it."""
    with pytest.raises(OcrUnavailableError, match="install Tesseract's data for xxx, or"):
        find_ocr("eng+xxx")
