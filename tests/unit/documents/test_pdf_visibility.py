"""PDF: words that nobody sees are left out and counted, and no word that is seen is."""

from collections.abc import Sequence

import pytest

from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from tests.unit.documents.documents import Pdf

OTHER = "BT /F 11 Tf 72 780 Td (Seen.) Tj ET "
BAR = "60 690 300 30 re f "
IMAGE = "q 300 0 0 40 60 685 cm /I Do Q "
SCAN = "q 595 0 0 842 0 0 cm /I Do Q "
FORM = "/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>"
LAYER = "/OCProperties<</OCGs[6 0 R]/D<</{}[6 0 R]>>>>"
SHADING = (
    "/Shading<</S<</ShadingType 2/ColorSpace/DeviceRGB/Coords[60 0 360 0]/Extend[true true]"
    "/Function<</FunctionType 2/Domain[0 1]/C0[0.4 0 0]/C1[0 0 0.4]/N 1>>>>>>"
)


def words(style: str = "", text: str = "Some words", x: float = 72) -> str:
    """Operators that write a text."""
    return f"q {style} BT /F 11 Tf {x} 700 Td ({text}) Tj ET Q "


def stream(head: str, data: bytes) -> bytes:
    """An object with data."""
    return f"<<{head}/Length {len(data)}>>\nstream\n".encode() + data + b"\nendstream"


def picture(shades: Sequence[int], side: int) -> bytes:
    """A picture with columns of grey."""
    head = f"/Type/XObject/Subtype/Image/Width {side}/Height {side}/ColorSpace/DeviceGray"
    rows = bytes(shades[column % len(shades)] for column in range(side)) * side
    return stream(f"{head}/BitsPerComponent 8", rows)


def form(content: str, entries: str = "") -> bytes:
    """A part of a page with a space of its own."""
    return stream(FORM + entries, content.encode())


def state(entries: str) -> str:
    """Resources in which /G tells opacity and the like."""
    return f"/ExtGState<</G<<{entries}>>>>"


def annotated(kind: str, content: bytes) -> Pdf:
    """A PDF with an annotation over its words."""
    return Pdf(
        [words()],
        annotations=[f"/Subtype/{kind}/Rect[60 690 360 720]/AP<</N 7 0 R>>"],
        more_objects=[stream("/Type/XObject/Subtype/Form/BBox[0 0 300 30]", content)],
    )


def read(pdf: Pdf) -> Extracted:
    """The content that is extracted from a PDF."""
    return extract(RawDocument("https://example.com/a.pdf", pdf.data(), "application/pdf"))


HIDDEN = {
    "white": Pdf([words("1 g")]),
    "almost white": Pdf([words("0.97 g")]),
    "black on black": Pdf([BAR + words()]),
    "behind a bar": Pdf([words() + BAR]),
    "behind a white bar": Pdf([words() + "1 g " + BAR]),
    "behind a picture": Pdf(
        [words() + IMAGE], resources="/XObject<</I 6 0 R>>", more_objects=[picture([0, 200], 40)]
    ),
    "behind an annotation": annotated("Square", b"0 0 300 30 re f"),
    "cut off": Pdf(["q 0 0 10 10 re W n " + words() + "Q"]),
    "cut off, page on its side": Pdf(["q 0 0 10 10 re W n " + words() + "Q"], rotate=90),
    "cut off by a form": Pdf(
        ["/X Do"],
        resources="/XObject<</X 6 0 R>>",
        more_objects=[stream(FORM.replace("595 842", "20 20"), words().encode())],
    ),
    "transparent": Pdf([words("/G gs")], resources=state("/ca 0")),
    "invisible mode": Pdf([words("3 Tr")]),
    "layer switched off": Pdf(
        ["/OC /P BDC " + words() + "EMC"],
        resources="/Properties<</P 6 0 R>>",
        catalog_entries=LAYER.format("OFF"),
        more_objects=[b"<</Type/OCG/Name(x)>>"],
    ),
    "form switched off": Pdf(
        ["/X Do"],
        resources="/XObject<</X 7 0 R>>",
        catalog_entries=LAYER.format("OFF"),
        more_objects=[b"<</Type/OCG/Name(x)>>", form(words(), "/OC 6 0 R")],
    ),
    "white in a form": Pdf(
        ["/X Do"], resources="/XObject<</X 6 0 R>>", more_objects=[form(words("1 g"))]
    ),
    "white with a line through it": Pdf(["60 703 m 300 703 l S " + words("1 g")]),
}
VISIBLE = {
    "white on a dark bar": Pdf(["0 0 .5 rg " + BAR + words("1 g")]),
    "white on a thick line": Pdf(["30 w 60 705 m 360 705 l S " + words("1 g")]),
    "white on stripes": Pdf(
        ["".join(f"{60 + 3 * n} 690 3 30 re f " for n in range(100)) + words("1 g")]
    ),
    "white on a gradient": Pdf(
        ["q 60 690 300 30 re W n /S sh Q " + words("1 g")], resources=SHADING
    ),
    "white on a picture": Pdf(
        [IMAGE + words("1 g")],
        resources="/XObject<</I 6 0 R>>",
        more_objects=[picture([20, 30], 40)],
    ),
    "twice on a bar": Pdf([BAR + words("1 g") + words("1 g", x=72.3)]),
    "with a white shadow": Pdf([words("1 g", x=72.8) + words()]),
    "with an outline": Pdf([words("1 g 0.5 w 2 Tr")]),
    "light grey": Pdf([words("0.85 g")]),
    "half transparent": Pdf([words("/G gs")], resources=state("/ca 0.4")),
    "highlighted": Pdf(
        [words() + "q /G gs 1 1 0 rg " + BAR + "Q"], resources=state("/BM/Multiply")
    ),
    "behind a transparent bar": Pdf(
        [words() + "q /G gs 1 0 0 rg " + BAR + "Q"], resources=state("/ca 0.4")
    ),
    "over a scan": Pdf(
        [SCAN + words("3 Tr")],
        resources="/XObject<</I 6 0 R>>",
        more_objects=[picture([0, 255], 400)],
    ),
    "under a scan": Pdf(
        [words() + SCAN], resources="/XObject<</I 6 0 R>>", more_objects=[picture([0, 255], 400)]
    ),
    "searchable outlines": Pdf(
        [words("3 Tr") + "".join(f"{72 + 6 * n} 700 3 8 re f " for n in range(10))]
    ),
    "filled with a gradient": Pdf(
        ["q 7 Tr BT /F 11 Tf 72 700 Td (Some words) Tj ET /S sh Q"], resources=SHADING
    ),
    "in a form, page on its side": Pdf(
        ["/X Do"], rotate=270, resources="/XObject<</X 6 0 R>>", more_objects=[form(words())]
    ),
    "layer switched on": Pdf(
        ["/OC /P BDC " + words() + "EMC"],
        resources="/Properties<</P 6 0 R>>",
        catalog_entries=LAYER.format("ON"),
        more_objects=[b"<</Type/OCG/Name(x)>>"],
    ),
    "with a stamp over it": annotated("Stamp", b"1 0 0 RG 3 w 5 5 290 20 re S"),
    "underlined": Pdf([words() + "72 698 m 170 698 l S"]),
    "cut out": Pdf(["q 60 680 300 60 re W n " + words() + "Q"]),
}


@pytest.mark.req("RAG-3")
@pytest.mark.parametrize("name", HIDDEN)
def test_pdf_words_that_nobody_sees_are_left_out(name: str) -> None:
    """Only those, and they are counted."""
    pdf = HIDDEN[name]
    pdf.pages = [OTHER + str(pdf.pages[0])]
    found = read(pdf)
    assert found.text == "Seen."
    assert [(part.kind, part.held) for part in found.inventory.parts if "hidden" in part.kind] == [
        ("hidden_word", 2)
    ]


@pytest.mark.req("RAG-3")
@pytest.mark.parametrize("name", VISIBLE)
def test_pdf_words_that_are_seen_are_read(name: str) -> None:
    """Whatever is drawn in the same place."""
    assert read(VISIBLE[name]).text == "Some words"


def test_pdf_word_behind_a_bar_is_left_out_of_its_line() -> None:
    """The words beside it are read."""
    pdf = Pdf([words(text="The price is SECRET euros") + "128 695 49 20 re f"])
    assert read(pdf).text == "The price is euros"


@pytest.mark.parametrize(
    "parts", ["(Some words) Tj 1 g (SECRET) Tj", "1 g (SECRET) Tj 0 g (Some words) Tj"]
)
def test_pdf_letters_that_nobody_sees_are_parted_from_the_word_beside_them(parts: str) -> None:
    """Neither are they read with it, nor is it lost with them."""
    assert read(Pdf([f"BT /F 11 Tf 72 700 Td {parts} ET"])).text == "Some words"


def test_pdf_ligature_in_a_form_is_read() -> None:
    """PDFium knows no place for its letters there."""
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1/fl/fi]>>>>"
    head = "/Type/XObject/Subtype/Form/BBox[0 0 3000 3000]/Matrix[.25 0 0 .25 0 0]"
    head += f"/Resources<</Font<</F {font}>>>>"
    text = b"BT /F 44 Tf 288 2800 Td (over\\001ow) Tj 0.1 g ( \\002rst) Tj (\\001) Tj (y) Tj ET"
    pdf = Pdf(["/X Do"], resources="/XObject<</X 6 0 R>>", more_objects=[stream(head, text)])
    assert read(pdf).text == "overflow firstfly"


def test_pdf_with_many_shapes_and_words_is_read_in_linear_time() -> None:
    """Twenty times the words and shapes take no more than a moment."""
    bars = "".join(f".9 g {20 + n % 20 * 25} {20 + n // 20 * 40} 24 39 re f " for n in range(400))
    letters = "".join(
        f"0 g BT /F 4 Tf {20 + n % 60 * 9} {800 - n // 60 * 8} Td (ab) Tj ET " for n in range(2_000)
    )
    assert read(Pdf([bars + letters])).text.count("ab") == 2_000


def test_pdf_whose_words_are_all_hidden_says_so() -> None:
    """Nothing is read instead."""
    with pytest.raises(ExtractionError, match="no text in it"):
        read(Pdf([words("1 g")]))
