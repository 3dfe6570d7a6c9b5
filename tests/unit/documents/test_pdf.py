"""PDF: what a reader sees, put together again, with the page of each part."""

import pytest

from rich_agent.documents.chunk.chunking import cut_sections
from rich_agent.documents.chunk.chunks import DocumentRef, make_chunks
from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.extract.pdf.lines import Line
from rich_agent.documents.extract.pdf.margins import without_margins
from rich_agent.documents.fetch.outcomes import RawDocument
from tests.unit.documents.documents import Pdf, Words, paragraph

URL = "https://example.com/manual.pdf"
LINES = [
    "The valve opens when the pressure in the boiler rises over the limit that",
    "was set at the factory, and it stays open until the pressure has fallen by a",
    "tenth of that.",
]
PROSE = " ".join(LINES)


def of(pdf: Pdf | bytes) -> Extracted:
    """The content that is extracted from a PDF."""
    data = pdf.data() if isinstance(pdf, Pdf) else pdf
    return extract(RawDocument(URL, data, "application/pdf"))


def texts(extracted: Extracted) -> list[str]:
    """The paragraphs."""
    return [block.text for section in extracted.sections for block in section.blocks]


@pytest.mark.req("RAG-3")
def test_pdf_has_the_sections_of_its_outline() -> None:
    """With the page of each as the anchor; the heading's own line is not said twice."""
    first = [Words("1 Safety", 780, size=16), *paragraph(LINES, 740)]
    second = [Words("2 Care", 780, size=16), *paragraph(["Clean it every week."], 740)]
    found = of(Pdf([first, second], [("Safety", 1), ("Care", 2)], title="Manual"))
    assert found.title == "Manual"
    assert [(part.path, part.anchor) for part in found.sections] == [
        (("Safety",), "page=1"),
        (("Care",), "page=2"),
    ]
    assert texts(found) == [PROSE, "Clean it every week."]
    assert found.text.startswith("# Safety\n\nThe valve")


@pytest.mark.req("RAG-3")
def test_pdf_chunks_lead_to_their_page() -> None:
    """Also those in the middle of a section, and also in a local file."""
    pages = [
        [
            Words(f"{letter * page} {PROSE}", 700 - 14 * n, size=5)
            for n, letter in enumerate("abcdefghijkl")
        ]
        for page in range(1, 5)
    ]
    found = of(Pdf(pages, title="Long"))
    pieces = cut_sections(found.sections, found.title)
    links = [chunk.link for chunk in make_chunks(DocumentRef(URL, URL, "Long"), pieces)]
    assert links[0] == f"{URL}#page=1"
    assert links[-1] == f"{URL}#page=4"
    local = make_chunks(DocumentRef(URL, "file:///manual.pdf", "Long"), pieces)
    assert local[-1].link == "file:///manual.pdf#page=4"


@pytest.mark.req("RAG-3")
def test_pdf_chunk_of_a_long_paragraph_leads_to_the_page_where_it_begins() -> None:
    """A paragraph that goes on over pages is cut; each part is cited at its own page."""
    pages = [
        [
            Words(f"the valve {page} of line {n} is opened slowly by hand, and then", 700 - 14 * n)
            for n in range(40)
        ]
        for page in ("one", "two", "three")
    ]
    found = of(Pdf(pages, title="Long"))
    assert len(texts(found)) == 1
    pieces = cut_sections(found.sections, found.title)
    assert len(pieces) > 3
    numbers = {"one": 1, "two": 2, "three": 3}
    for piece in pieces:
        first = next(word for word in piece.content.split() if word in numbers)
        assert piece.anchor == f"page={numbers[first]}"


def test_pdf_without_an_outline_has_sections_by_the_size_of_letters() -> None:
    """Larger lines are headings; the largest line of the first page is the title."""
    page = [
        Words("The boiler", 800, size=24),
        Words("Safety", 760, size=16),
        *paragraph(LINES, 740),
        Words("Care", 660, size=16),
        *paragraph(LINES, 640),
    ]
    found = of(Pdf([page]))
    assert found.title == "The boiler"
    assert [part.path for part in found.sections] == [
        ("The boiler", "Safety"),
        ("The boiler", "Care"),
    ]
    named = of(Pdf([page], title="Manual 7"))
    assert named.text.startswith("# The boiler\n\n## Safety\n\n")
    assert named.text.count("# The boiler") == 1


def test_pdf_paragraphs_are_put_together() -> None:
    """Lines are joined, parted words too, also over a page's end; items stay apart."""
    first = paragraph(["The pressure valve is an impor-", "tant part which is", "checked by"], 400)
    second = [
        *paragraph(["the maker once a year."], 780),
        *paragraph(["Tools:", "• a wrench", "• a lamp"], 700),
    ]
    assert texts(of(Pdf([first, second]))) == [
        "The pressure valve is an important part which is checked by the maker once a year.",
        "Tools:",
        "• a wrench",
        "• a lamp",
    ]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["It is a state-of-the-", "art pump."], "It is a state-of-the-art pump."),
        (["This self-", "priming unit is new."], "This self-priming unit is new."),
        (["The type AB-", "200 is new."], "The type AB-200 is new."),
        (["Saint-", "Germain is far away."], "Saint-Germain is far away."),
        (["It costs 1,200-", "1,400 euros."], "It costs 1,200-1,400 euros."),
        (
            ["It was main-", "tained and self-contain-", "ed."],
            "It was maintained and self-contained.",
        ),
        (["Das wirk-", "liche Ventil wird ge-", "pflegt."], "Das wirkliche Ventil wird gepflegt."),
        (["The brazzle turns. A braz-", "zle is new."], "The brazzle turns. A brazzle is new."),
    ],
)
def test_pdf_hyphen_at_a_line_end_is_kept_where_it_belongs_to_the_word(
    lines: list[str], text: str
) -> None:
    """The document's own words and their frequency in its language tell which it is."""
    assert texts(of(Pdf([paragraph(lines, 700)]))) == [text]


def test_pdf_lines_of_a_list_stay_lines() -> None:
    """A line that ends although the next word has room is not run together with the next."""
    lines = ["laundry 14 euros", "irons 9 euros", "tents 25 euros"]
    assert texts(of(Pdf([paragraph(lines, 700)]))) == ["\n".join(lines)]


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
@pytest.mark.parametrize("rotate", [0, 90])
@pytest.mark.parametrize("size", [6, 8, 14])
def test_pdf_rotated_page_is_read_as_an_upright_one(angle: int, rotate: int, size: int) -> None:
    """Narrow first letters are neither lost nor headings, in whatever direction a line runs."""
    lines = ["laundry 14 euros", "ironing 9 euros", "jackets", "I. General rules", "tents 25 euros"]
    turns = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}
    a, b, c, d = turns[angle]
    step = 2 * size
    content = "".join(
        f"BT /F {size} Tf {a} {b} {c} {d} {300 - c * n * step} {400 - d * n * step} Tm "
        f"({line}) Tj ET\n"
        for n, line in enumerate(lines)
    )
    found = of(Pdf([content], rotate=rotate))
    assert [line for line in found.text.split("\n") if line] == lines
    assert [part.path for part in found.sections] == [()]


def test_pdf_whose_unit_is_not_a_point_is_read() -> None:
    """Letters are too small to be seen only in relation to their page."""
    page = [Words("Pallets are stacked.", 10, x=0.8, size=0.16), Words("x", 9, x=1, size=0.01)]
    assert texts(of(Pdf([page], box=(8.5, 11)))) == ["Pallets are stacked."]


def test_pdf_whose_pages_share_one_size_is_read_to_their_edges() -> None:
    """The size of the paper stands once for all pages, and is higher than a letter's."""
    page = [Words("At the top.", 820), Words("At the bottom.", 20)]
    found = of(Pdf([page], has_shared_box=True))
    assert found.text.split("\n") == ["At the top.", "At the bottom."]
    assert found.inventory.to_json() == {}


def test_pdf_running_heads_and_page_numbers_are_left_out() -> None:
    """Running heads and feet are not part of the text."""
    pages = [
        [
            Words("Boiler manual, revision 3", 810, size=9),
            *paragraph([f"Page text number {'abcd'[n]} here."], 700),
            Words(f"{n + 1} / 4", 30, size=9),
        ]
        for n in range(4)
    ]
    found = of(Pdf(pages))
    assert "revision" not in found.text
    assert "/ 4" not in found.text
    assert found.text.count("Page text number") == 4


def test_pdf_table_of_contents_is_left_out() -> None:
    """Dotted lines lead to the sections, and answer nothing."""
    titles = ["Safety", "Cleaning", "Repair and spare parts", "Warranty"]
    contents = [
        Words(f"{n} {title} {'. ' * 10}{2 * n}", 700 - 14 * n)
        for n, title in enumerate(titles, start=1)
    ]
    chapters = [Words(f"{n} {title}", 600 - 40 * n) for n, title in enumerate(titles[:3], start=1)]
    found = of(Pdf([contents, chapters]))
    assert texts(found) == ["1 Safety\n2 Cleaning\n3 Repair and spare parts"]


@pytest.mark.parametrize(
    "lines",
    [
        ["Name: .......... Anna", "Town: .......... Ulm", "Age: .......... 39"],
        ["Tea .......... 3", "Coffee .......... 4", "Cake .......... 5"],
        ["Total .......... 12"],
    ],
)
def test_pdf_dotted_lines_of_forms_and_prices_are_read(lines: list[str]) -> None:
    """Only titles of the text with numbers that rise make a table of contents."""
    found = of(Pdf([paragraph(lines, 700), paragraph(["Tea is good."], 700)]))
    assert [line in found.text for line in lines] == [True] * len(lines)


def test_pdf_dots_take_linear_time() -> None:
    """Also those that lead nowhere."""
    line = Line(". " * 200_000 + "x", 1, 0, 500, 700, 11)
    assert list(without_margins([[line]])) == [[line]]


def test_pdf_text_that_is_not_seen_is_left_out() -> None:
    """Off the page, or too small to be read."""
    page = [
        Words("Visible.", 700),
        Words("secret", 700, x=-400),
        Words("secret", -50),
        Words("secret", 600, size=0.5),
    ]
    assert texts(of(Pdf([page]))) == ["Visible."]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (Pdf([[]]).data(), "no text in it"),
        (b"%PDF-1.7\nnothing", "the PDF is damaged"),
        (Pdf([[Words("x", 700)]]).data()[:300], "the PDF is damaged"),
        (b"", "the PDF is damaged"),
    ],
)
def test_pdf_that_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    """In words that a person can do something about."""
    with pytest.raises(ExtractionError, match=reason):
        of(data)


def test_pdf_counts_pages_without_text_on_which_something_is_seen() -> None:
    """Not an empty one, one with a frame or with white words; all of a scan's pages are such."""
    drawing = "".join(f"{n * 10} 100 m {n * 10} 300 l S " for n in range(9))
    white = "BT /F 12 Tf 1 g 72 700 Td (secret) Tj ET"
    pages: list[list[Words] | str] = [
        [Words("Some text.", 700)],
        "",
        drawing,
        "10 10 500 800 re S",
        white,
    ]
    found = of(Pdf(pages))
    assert (found.bare_pages, found.inventory.unread) == ((3,), {"page": 1})
    scan = of(Pdf([drawing, drawing]))
    assert (scan.sections, scan.bare_pages, scan.inventory.unread) == ((), (1, 2), {"page": 2})


def test_pdf_that_is_encrypted_says_so() -> None:
    """A document that needs a password is refused."""
    plain = Pdf([[Words("x", 700)]]).data()
    key = "<" + "00" * 32 + ">"
    lock = f"/Encrypt<</Filter/Standard/V 1/R 2/P -4/O {key}/U {key}>>/ID[<00><00>]"
    with pytest.raises(ExtractionError, match="the PDF is encrypted"):
        of(plain.replace(b"trailer<<", b"trailer<<" + lock.encode()))
