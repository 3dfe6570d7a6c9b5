"""Renders pages of PDF files as pictures; runs in a reader process, where a page may be hostile."""

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich_agent.documents.extract.extracted import ExtractionError

if TYPE_CHECKING:
    from PIL.Image import Image

RENDERING_S: Final = 20.0
"""Seconds that rendering a page may take."""
_SIDE_PX: Final = 1_568
_JPEG_QUALITY: Final = 80


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page of a PDF: the bytes of the file, and the number of the page from 1."""

    data: bytes
    number: int


def render_page(page: PdfPage) -> bytes:
    """The page as a JPEG that a vision model can read. Raises: ExtractionError."""
    jpeg = io.BytesIO()
    page_image(page, _SIDE_PX).convert("RGB").save(jpeg, "JPEG", quality=_JPEG_QUALITY)
    return jpeg.getvalue()


def page_image(page: PdfPage, side_px: int) -> "Image":
    """The page as a picture whose longest side has so many pixels. Raises: ExtractionError."""
    import pypdfium2 as pdfium  # noqa: PLC0415 - no other format needs it

    try:
        with pdfium.PdfDocument(page.data) as document:
            document.init_forms()
            sheet = document[page.number - 1]
            scale = side_px / max(1.0, *sheet.get_size())
            picture: Image = sheet.render(scale=scale).to_pil()
    except (pdfium.PdfiumError, IndexError, MemoryError, ValueError) as error:
        raise ExtractionError(f"page {page.number} cannot be shown: {error}") from error
    return picture
