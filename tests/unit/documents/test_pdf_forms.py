"""PDF: what viewers draw over a page, next to what it belongs to."""

from pathlib import Path

import pytest

from rich_agent.documents.extract.extraction import Extracted, extract
from rich_agent.documents.extract.pdf.annotations import Annotation
from rich_agent.documents.extract.pdf.placing import place
from rich_agent.documents.extract.pdf.words import Box, Style, Word
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.domain.inventory import PartCount
from tests.unit.documents.documents import Pdf, Words, paragraph

CASES = Path(__file__).parents[2] / "cases" / "readers"


def of(pdf: Pdf | bytes) -> Extracted:
    """The content that is extracted from a PDF."""
    data = pdf.data() if isinstance(pdf, Pdf) else pdf
    return extract(RawDocument("https://example.com/form.pdf", data, "application/pdf"))


def blocks(pdf: Pdf | bytes) -> list[str]:
    """The paragraphs."""
    return [block.text for section in of(pdf).sections for block in section.blocks]


def text_field(value: str, left: float, bottom: float, width: float = 120, more: str = "") -> str:
    """A text field of one line with a value and no saved appearance."""
    rect = f"/Rect[{left} {bottom} {left + width} {bottom + 18}]"
    return f"/Subtype/Widget/FT/Tx/T(f{left}.{bottom})/V({value}){rect}{more}"


def box(state: str, left: float, bottom: float, more: str = "") -> str:
    """A check box, or with flags in `more` another button, in a state."""
    rect = f"/Rect[{left} {bottom} {left + 12} {bottom + 12}]"
    return f"/Subtype/Widget/FT/Btn/T(b{left}.{bottom})/V/{state}/AS/{state}{rect}{more}"


def test_pdf_form_has_its_values_next_to_their_labels() -> None:
    """Text and a ticked box, as viewers save them; all fields count as read."""
    form = (CASES / "filled_form.pdf").read_bytes()
    assert blocks(form) == [
        "Registration of a visitor",
        "Name: Example Person",
        "Company: Example Cables",
        "Vegetarian meal: ☒",
    ]
    assert of(form).inventory.parts == (PartCount("field", held=3, read=3),)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_pdf_form_is_read_on_a_turned_page(rotate: int) -> None:
    """A page that is shown sideways has the same order."""
    turns = {0: "1 0 0 1", 90: "0 1 -1 0", 180: "-1 0 0 -1", 270: "0 -1 1 0"}
    a, b, c, d = map(int, turns[rotate].split())
    content, fields = "", []
    for number, label in enumerate(["Name:", "Town:", "Street:"]):
        x, y = 300 - c * number * 24, 400 - d * number * 24
        content += f"BT /F 10 Tf {turns[rotate]} {x} {y} Tm ({label}) Tj ET\n"
        corners = [(x + a * i + c * j, y + b * i + d * j) for i, j in ((60, -4), (180, 14))]
        rect = " ".join(str(value) for corner in corners for value in corner)
        fields.append(f"/Subtype/Widget/FT/Tx/T(f{number})/V(value {number})/Rect[{rect}]")
    pdf = Pdf([content], rotate=rotate, annotations=fields)
    assert blocks(pdf) == ["Name: value 0", "Town: value 1", "Street: value 2"]


def test_pdf_labels_above_their_fields_keep_them_apart() -> None:
    """Small labels over two fields beside each other, or under them, as on official forms."""
    page = [
        Words("Street and number", 728, 60, 7),
        Words("Postcode and town", 728, 300, 7),
        Words("Place and date", 608, 60, 7),
        Words("Name in capitals", 608, 300, 7),
    ]
    fields = [
        text_field("12 Harbour Lane", 60, 706, 220),
        text_field("1011 AB Amsterdam", 300, 706, 220),
        text_field("Bern, 4 May", 60, 618, 220),
        text_field("J. MEIER", 300, 618, 220),
    ]
    assert blocks(Pdf([page], annotations=fields)) == [
        "Street and number 12 Harbour Lane",
        "Postcode and town 1011 AB Amsterdam",
        "Bern, 4 May Place and date",
        "J. MEIER Name in capitals",
    ]


def test_pdf_buttons_and_choices_stand_as_they_are_seen() -> None:
    """Boxes and round buttons before their words, a choice by its name and not by its code."""
    page = [
        Words("I am a resident", 700, 80),
        Words("I own a car", 700, 220),
        Words("single", 670, 80),
        Words("married", 670, 220),
        Words("Country:", 640, 60),
    ]
    choice = "/Ff 131072/Opt[[(NO)(Norway)][(ES)(Spain)]]"
    fields = [
        box("Yes", 60, 698),
        box("Off", 200, 699),
        box("Off", 60, 668, "/Ff 32768"),
        box("married", 200, 668, "/Ff 32768"),
        text_field("NO", 120, 636, more=choice).replace("/FT/Tx", "/FT/Ch"),
    ]
    assert blocks(Pdf([page], annotations=fields)) == [
        "☒ I am a resident ☐ I own a car",
        "○ single ◉ married",
        "Country: Norway",
    ]


def test_pdf_form_that_is_a_table_keeps_its_rows() -> None:
    """Fields in columns under a head are the cells of a table."""
    heads = [Words("Item", 730, 60), Words("Boxes", 730, 200), Words("Price", 730, 340)]
    cells = [["Pump", "3", "40"], ["Valve", "5", "12"]]
    fields = [
        text_field(cell, 60 + 140 * column, 706 - 18 * row, 130)
        for row, cells_of_row in enumerate(cells)
        for column, cell in enumerate(cells_of_row)
    ]
    assert blocks(Pdf([heads], annotations=fields)) == [
        "| Item | Boxes | Price |\n| --- | --- | --- |\n| Pump | 3 | 40 |\n| Valve | 5 | 12 |"
    ]


def test_pdf_fields_stand_within_sentences_and_on_dotted_lines() -> None:
    """Dots that show where a value belongs are left out."""
    page = [
        Words("I, the undersigned, ...................... declare this.", 700, 60, 10),
        Words("Remarks:", 650, 60),
    ]
    note = text_field("Ring twice.\\r\\rLeave the key.", 140, 600, 300, "/Ff 4096")
    note = note.replace("600 440 618", "600 440 664")
    fields = [text_field("Ana Lima", 148, 697, 60), note]
    assert blocks(Pdf([page], annotations=fields)) == [
        "I, the undersigned, Ana Lima declare this.",
        "Remarks: Ring twice.\nLeave the key.",
    ]


def test_pdf_field_on_each_page_is_not_a_running_head() -> None:
    """An answer is kept also where its line looks like a page's head, and is no heading."""
    pages = [[Words("Name:", 800, 60, 20), *paragraph([f"Part {n} of it."], 700)] for n in "abcd"]
    found = of(Pdf(pages, annotations=[text_field("Ana Lima", 130, 798)]))
    assert found.text.count("Name: Ana Lima") == 1


def test_pdf_hidden_and_secret_fields_are_left_out() -> None:
    """Neither is seen; an empty field is nothing."""
    fields = [
        text_field("secret", 130, 697, more="/F 2"),
        text_field("secret", 130, 667, more="/F 32"),
        text_field("secret", 130, 637, more="/Ff 8192"),
        text_field("", 130, 607),
    ]
    found = of(Pdf([[Words("Name:", 700, 60)]], annotations=fields))
    assert (found.text, found.inventory.parts) == ("Name:", ())


def test_pdf_labels_from_right_to_left_have_values_behind_them() -> None:
    """A value left of an Arabic label follows it."""
    label = Word("الاسم", 0, Style(10, 0), Box(450, 700, 500, 712))
    other = Word("المدينة", 6, Style(10, 0), Box(250, 700, 300, 712))
    fields = [
        Annotation("answer", "أنا", Box(330, 698, 440, 714)),
        Annotation("answer", "فاس", Box(130, 698, 240, 714)),
    ]
    rows = place(fields, [], [[label, other]], 0)
    assert [[word.text for word in row] for row in rows] == [["الاسم", "أنا", "المدينة", "فاس"]]


def test_pdf_remarks_follow_their_paragraphs_with_author_and_marked_words() -> None:
    """Notes, marked and struck words; what is typed onto a page is part of it."""
    lines = [
        "The deposit is 900 euros and is paid before the keys are handed over to",
        "the tenant, who signs for each of them, and it is paid back to the tenant",
        "once he has left the rooms, cleaned them, and handed over all of the keys",
        "that he was given.",
    ]
    quad = "/QuadPoints[72 710 141 710 72 698 141 698]/Rect[72 698 141 710]"
    notes = [
        f"/Subtype/Highlight/T(Ana)/Contents(Too much!){quad}",
        f"/Subtype/StrikeOut/T(Ben){quad}",
        "/Subtype/Text/T(Ana)/Contents(Which keys?)/Rect[300 670 318 690]",
        "/Subtype/FreeText/Contents(Paid on 4 May)/DA(/F 10 Tf)/Rect[72 600 200 616]",
        "/Subtype/Popup/Contents(Too much!)/Rect[400 600 500 700]",
        "/Subtype/Text/F 2/Contents(hidden)/Rect[300 680 318 700]",
    ]
    found = of(Pdf([[*paragraph(lines, 700), Words("Signed.", 640)]], annotations=notes))
    assert found.text.split("\n\n") == [
        " ".join(lines),
        "> Ana: “The deposit is” Too much!",
        "> Ben: ~~The deposit is~~",
        "> Ana: Which keys?",
        "Signed.",
        "Paid on 4 May",
    ]
    assert found.inventory.parts == (PartCount("remark", held=3, read=3),)


def test_pdf_scan_with_fields_over_it_has_a_page_without_text() -> None:
    """The values are read, and the labels are told to be missing."""
    drawing = "".join(f"{n * 10} 100 m {n * 10} 300 l S " for n in range(9))
    note = "/Subtype/Text/Contents(Look here)/Rect[300 680 318 700]"
    found = of(Pdf([drawing], annotations=[text_field("Ana Lima", 130, 697), note]))
    assert found.text.split("\n\n") == ["Ana Lima", "> Look here"]
    assert (found.bare_pages, found.inventory.unread) == ((1,), {"page": 1})


APPROVED = "BT /F 14 Tf 4 20 Td (APPROVED) Tj 0 -14 Td (4 May 2026) Tj ET"
SEAL = "0 0 60 30 re f"


def drawn(kind: str, left: float, bottom: float, number: int = 0) -> str:
    """An annotation of a size that shows one of the appearances."""
    rect = f"/Rect[{left} {bottom} {left + 200} {bottom + 40}]"
    return f"/Subtype/{kind}{rect}/AP<</N {6 + number} 0 R>>"


def test_pdf_stamps_are_read_as_they_are_drawn() -> None:
    """A stamp of a picture has its remark, or else counts as one; handwriting is a drawing."""
    notes = [
        drawn("Stamp/T(Ana)/Contents(Approved)", 72, 600),
        drawn("Stamp/T(Ben)/Contents(Seal of the town)", 72, 500, 1),
        drawn("Stamp", 72, 400, 1),
        "/Subtype/Ink/Rect[72 300 200 340]/InkList[[72 300 200 340]]",
    ]
    page = [Words("Application", 620)]
    found = of(Pdf([page], annotations=notes, appearances=[APPROVED, SEAL]))
    assert found.text.split("\n\n") == [
        "Application APPROVED\n4 May 2026",
        "> Ben: Seal of the town",
    ]
    assert found.inventory.unread == {"drawing": 1, "picture": 1}


def test_pdf_signatures_are_read_as_they_are_drawn() -> None:
    """An empty field for one is nothing, a signature of a picture is one."""
    name = "BT /F 9 Tf 4 24 Td (Digitally signed by Ana Lima) Tj ET"
    fields = [
        drawn("Widget/FT/Sig/T(s1)/V<</Type/Sig>>", 72, 500),
        drawn("Widget/FT/Sig/T(s2)/V<</Type/Sig>>", 72, 400, 1),
        drawn("Widget/FT/Sig/T(s3)", 72, 300, 1),
    ]
    found = of(Pdf([[Words("Signature:", 550)]], annotations=fields, appearances=[name, SEAL]))
    assert found.text == "Signature: Digitally signed by Ana Lima"
    assert found.inventory.unread == {"picture": 1}


def test_pdf_number_of_a_field_is_read_as_its_script_shows_it() -> None:
    """With its currency, unless what was drawn belongs to another number."""
    script = "/AA<</F<</S/JavaScript/JS(AFNumber_Format(2);)>>>>"
    shown = "BT /F 10 Tf 4 24 Td (EUR 1,234.50) Tj ET"
    fields = [
        drawn(f"Widget/FT/Tx/T(a)/V(1234.5){script}", 150, 600),
        drawn(f"Widget/FT/Tx/T(b)/V(77){script}", 150, 500),
    ]
    page = [Words("Price:", 620), Words("Deposit:", 520)]
    assert blocks(Pdf([page], annotations=fields, appearances=[shown])) == [
        "Price: EUR 1,234.50",
        "Deposit: 77",
    ]


def test_pdf_fields_without_a_form_are_read_as_they_are_drawn() -> None:
    """Programs that join files may lose the form, and keep what its fields look like."""
    name = "BT /F 9 Tf 4 24 Td (Ana Lima) Tj ET"
    field = drawn("Widget/FT/Tx/T(a)/V(Ana Lima)", 150, 600)
    data = Pdf([[Words("Name:", 620)]], annotations=[field], appearances=[name]).data()
    assert blocks(data.replace(b"/AcroForm", b"/NoForm__")) == ["Name: Ana Lima"]


def test_pdf_line_of_dots_alone_gives_way_to_its_value() -> None:
    """A remark finds another line then."""
    page = [Words("Name", 720), Words("....................", 700), Words("Town", 650)]
    notes = [
        text_field("Ana Lima", 72, 696),
        text_field("Bern", 300, 580),
        "/Subtype/Text/Contents(Who?)/Rect[200 700 210 710]",
    ]
    assert blocks(Pdf([page], annotations=notes)) == ["Name Ana Lima", "> Who?", "Town", "Bern"]


def test_pdf_page_with_very_many_fields_keeps_all_of_them() -> None:
    """Fields above a limit follow the text, so that the time is bounded."""
    fields = [
        Annotation("answer", f"v{n}", Box(50 + n % 9 * 50, 2_000 - y, 90 + n % 9 * 50, 2_012 - y))
        for n in range(1_200)
        for y in (n // 9 * 14,)
    ]
    words = [word.text for row in place(fields, [], [], 0) for word in row]
    assert sorted(words) == sorted(field.text for field in fields)


def test_pdf_values_that_became_part_of_the_page_stand_next_to_their_labels() -> None:
    """A flattened form draws them last, far from the labels; a figure stays where it is drawn."""
    page = [Words("Name:", 620), Words("Town:", 580), Words("Signed by hand.", 540)]
    values = ["BT /F 9 Tf 4 10 Td (Ana Lima) Tj ET", "BT /F 9 Tf 4 10 Td (Bern) Tj ET"]
    data = Pdf([page], appearances=values).data()
    forms = b"/XObject<</V 6 0 R/W 7 0 R>>/Font<</F 3 0 R>>"
    fields = b"q 1 0 0 1 120 610 cm /V Do Q q 1 0 0 1 120 570 cm /W Do Q"
    content = b"<</Length %d>>\nstream\n%s\nendstream" % (len(fields), fields)
    last = b"\n99 0 obj\n" + content + b"\nendobj\n"
    data = data.replace(b"/Font<</F 3 0 R>>>>/Contents 5 0 R", forms + b">>/Contents[5 0 R 99 0 R]")
    # Without its table of places, PDFium looks for the objects themselves.
    data = data[: data.index(b"xref\n")] + last + b"trailer<</Root 1 0 R>>\n%%EOF"
    assert blocks(data) == ["Name: Ana Lima", "Town: Bern", "Signed by hand."]
