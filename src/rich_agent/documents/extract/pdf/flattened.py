"""Finds the fields that a program made part of their page: small forms drawn after its text."""

from typing import Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.page_objects import box_of_object
from rich_agent.documents.extract.pdf.words import Box

_MOST_FIELDS: Final = 1_000
_HIGHEST: Final = 40.0
"""Points: what is higher may be a figure or a paragraph."""


def flattened_fields(page: pdfium.PdfPage) -> list[Box]:
    """The boxes of the small forms that a page draws last, none if it draws nothing else."""
    boxes: list[Box] = []
    for index in reversed(range(raw.FPDFPage_CountObjects(page))):
        drawn = raw.FPDFPage_GetObject(page, index)
        if raw.FPDFPageObj_GetType(drawn) != raw.FPDF_PAGEOBJ_FORM:
            return boxes
        if len(boxes) < _MOST_FIELDS:
            box = box_of_object(drawn)
            if box.top - box.bottom <= _HIGHEST:
                boxes.append(box)
    return []
