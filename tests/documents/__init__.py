"""Documents that tests send; see README.md for how they were made."""

import ctypes
import io
import textwrap
from collections.abc import Iterable
from pathlib import Path

import pypdfium2 as pdfium
from pypdfium2 import raw

_LINE_CHARS = 80
_TOP, _LINE = 780, 16


def document(name: str) -> bytes:
    """The bytes of a document."""
    return (Path(__file__).parent / name).read_bytes()


def pages(texts: Iterable[str]) -> bytes:
    """A PDF of A4 pages with these texts, made by PDFium."""
    target, made = io.BytesIO(), pdfium.PdfDocument.new()
    for text in texts:
        page = made.new_page(595, 842)
        for number, line in enumerate(textwrap.wrap(text, _LINE_CHARS)):
            words = raw.FPDFPageObj_NewTextObj(made, b"Helvetica", 11.0)
            coded = ctypes.create_string_buffer((line + "\0").encode("utf-16-le"))
            raw.FPDFText_SetText(words, ctypes.cast(coded, raw.FPDF_WIDESTRING))
            raw.FPDFPageObj_Transform(words, 1, 0, 0, 1, 60, _TOP - number * _LINE)
            raw.FPDFPage_InsertObject(page, words)
        page.gen_content()
        page.close()
    made.save(target)
    made.close()
    return target.getvalue()
