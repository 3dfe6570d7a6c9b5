"""PDF: letters that a person sees and whose characters the file does not tell."""

import pytest

from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from tests.unit.documents.documents import Pdf, Words

HELVETICA = "/Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding"
GLYPHS = (
    "/Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Type/Font"
    "/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
    "/Supplement 0>>/DW 600/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4"
    "/FontBBox[0 0 600 700]/ItalicAngle 0/Ascent 700/Descent 0/StemV 80>>>>]"
)
"""A font of numbered glyphs that names no characters."""
BITMAPS = (
    "/Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<>>"
    f"/Encoding<</Differences[65/a65]>>/FirstChar 32/LastChar 122/Widths[{'500 ' * 91}]"
)
"""A font whose glyphs have names of their own, and whose codes are those of their characters."""


def of(pages: list[str | list[Words]], font: str) -> Extracted:
    """The content of a PDF whose words have a font."""
    data = Pdf(pages).data().replace(HELVETICA.encode(), font.encode())
    return extract(RawDocument("https://example.com/a.pdf", data, "application/pdf"))


def glyphs(text: str, y: int, shift: int = -29) -> str:
    """A line of glyphs, with other numbers than their characters have."""
    codes = "".join(f"{ord(letter) + shift:04x}" for letter in text)
    return f"BT /F 11 Tf 72 {y} Td <{codes}> Tj ET\n"


def test_pdf_page_of_unknown_letters_is_a_page_without_text() -> None:
    """Nothing is invented: it is shown to the vision model, as a scan is."""
    found = of([glyphs("Products About", 700) + glyphs("Lease!", 680)], GLYPHS)
    assert (found.sections, found.bare_pages, found.inventory.unread) == ((), (1,), {"page": 1})


def test_pdf_unknown_letters_among_others_are_counted() -> None:
    """The words around them are read."""
    other = f"/F 3 0 R/G<<{GLYPHS}>>"
    line = glyphs("Lease", 680).replace("/F", "/G")
    data = Pdf(["BT /F 11 Tf 72 700 Td (Some text.) Tj ET\n" + line]).data()
    data = data.replace(b"/F 3 0 R", other.encode())
    found = extract(RawDocument("https://example.com/a.pdf", data, "application/pdf"))
    assert (found.text, found.inventory.unread) == ("Some text.", {"letter": 5})


def test_pdf_letters_without_names_that_are_right_are_read() -> None:
    """Old fonts of bitmaps have names that say nothing, and the codes of their characters."""
    page: list[str | list[Words]] = [[Words("The valve opens when the pressure is high.", 700)]]
    found = of(page, BITMAPS)
    assert found.text == "The valve opens when the pressure is high."
    assert found.inventory.parts == ()


def test_pdf_form_that_only_acrobat_shows_is_counted() -> None:
    """Its page says only that another program is needed."""
    field = "/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]"
    pdf = Pdf([[Words("Please wait.", 700)]], annotations=[field])
    data = pdf.data().replace(b"/Type/Catalog", b"/Type/Catalog/NeedsRendering true")
    xfa = b"/AcroForm<</XFA[(template)<</Length 0>>]/Fields[]"
    found = extract(
        RawDocument(
            "https://a.example/a", data.replace(b"/AcroForm<</Fields[]", xfa), "application/pdf"
        )
    )
    assert found.inventory.unread == {"object": 1}


def test_pdf_without_anything_is_refused() -> None:
    """An empty page has neither letters nor parts."""
    with pytest.raises(ExtractionError, match="no text"):
        of([""], HELVETICA)
