"""PDF: tables as rows of cells, whatever draws them, and nothing else as a table."""

from collections.abc import Sequence

import pytest

from rich_agent.documents.extract.extraction import Extracted, extract
from rich_agent.documents.extract.pdf.table_finding import whole_words
from rich_agent.documents.extract.pdf.words import Box, Style, Word
from rich_agent.documents.fetch.outcomes import RawDocument
from tests.unit.documents.documents import Pdf, Words

ROWS = [
    ["Article", "Number", "Price"],
    ["Sealing ring", "A-12", "3.40"],
    ["Pump housing", "B-7", "148.00"],
    ["Hose", "C-119", "19.95"],
]
MARKDOWN = (
    "| Article | Number | Price |\n| --- | --- | --- |\n| Sealing ring | A-12 | 3.40 |\n"
    "| Pump housing | B-7 | 148.00 |\n| Hose | C-119 | 19.95 |"
)
PLACES = (72, 200, 300)
INTRODUCTION = "The parts of the pump are in the list, with the numbers that we use to order them."


def of(pages: Sequence[Sequence[Words] | str], rotate: int = 0) -> Extracted:
    """The content that is extracted from pages."""
    data = Pdf(pages, rotate=rotate).data()
    return extract(RawDocument("https://example.com/parts.pdf", data, "application/pdf"))


def texts(found: Extracted) -> list[str]:
    """The paragraphs and tables."""
    return [block.text for section in found.sections for block in section.blocks]


def drawn(words: Sequence[Words]) -> str:
    """The operators that draw words."""
    return "".join(f"BT /F {w.size} Tf {w.x} {w.y} Td ({w.text}) Tj ET\n" for w in words)


def cells(
    rows: Sequence[Sequence[str]],
    top: float = 700,
    places: Sequence[float] = PLACES,
    pitch: float = 18,
) -> list[Words]:
    """The cells of rows, of which lines are parted by slashes."""
    return [
        Words(line, top - pitch * number - 12 * below, place)
        for number, row in enumerate(rows)
        for place, cell in zip(places, row, strict=True)
        if cell
        for below, line in enumerate(cell.split("/"))
    ]


def rules(*lines: tuple[float, float, float, float]) -> str:
    """The operators that draw lines from one place to another."""
    return "".join(f"{a} {b} m {c} {d} l S\n" for a, b, c, d in lines)


def grid(count: int = 4, pitch: float = 18) -> str:
    """The lines around three columns of cells."""
    heights = [714 - pitch * number for number in range(count + 1)]
    return rules(
        *((68, y, 380, y) for y in heights),
        *((x, 714, x, heights[-1]) for x in (68, 196, 296, 380)),
    )


@pytest.mark.parametrize("rotate", [0, 90])
@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(grid(), id="grid"),
        pytest.param(
            rules((68, 714, 380, 714), (68, 696, 380, 696), (68, 640, 380, 640)), id="few"
        ),
        pytest.param("0.9 g 68 660 312 18 re f 68 696 312 18 re f 0 g\n", id="stripes"),
        pytest.param("", id="none"),
    ],
)
def test_pdf_table_has_rows_and_cells(lines: str, rotate: int) -> None:
    """With all lines, few or none, with stripes, on a page that is turned; text stays text."""
    words = drawn([Words(INTRODUCTION, 740), *cells(ROWS), Words(INTRODUCTION, 600)])
    found = of([lines + words], rotate)
    assert texts(found) == [INTRODUCTION, MARKDOWN, INTRODUCTION]
    assert found.sections[0].blocks[1].kind == "table"
    assert found.sections[0].blocks[1].anchor == "page=1"


def test_pdf_table_with_merged_cells_tells_them_in_each_row_and_column() -> None:
    """A group of rows in each of them, a group of columns in the head of each."""
    places = (72, 160, 240, 320)
    words = cells([["", "", "Sales", ""], ["Region", "Article", "2023", "2024"]], places=places)
    words += cells([["North", "Ring", "12", "15"], ["", "Hose", "7", "9"]], 664, places)
    lines = rules(
        *((x, 714, x, 642) for x in (68, 156, 236, 400)),
        (316, 696, 316, 642),
        *((68, y, 400, y) for y in (714, 678, 642)),
        (236, 696, 400, 696),
        (156, 660, 400, 660),
    )
    assert texts(of([lines + drawn(words)])) == [
        (
            "| Region | Article | Sales 2023 | Sales 2024 |\n| --- | --- | --- | --- |\n"
            "| North | Ring | 12 | 15 |\n| North | Hose | 7 | 9 |"
        )
    ]


@pytest.mark.parametrize("lines", [grid(pitch=44), rules((68, 714, 380, 714), (68, 538, 380, 538))])
def test_pdf_table_has_the_lines_of_a_cell_as_one_text(lines: str) -> None:
    """Lines closer than rows are one cell, and a split word is joined."""
    rows = [
        ["Part", "What it is for", "Interval"],
        ["Ring", "Keeps the water in/the hous-/ing", "6 months"],
        ["Hose", "Leads the water to/the next pump", "2 months"],
        ["Valve", "Lets too much/water out", "12 months"],
    ]
    assert texts(of([lines + drawn(cells(rows, pitch=44))])) == [
        (
            "| Part | What it is for | Interval |\n| --- | --- | --- |\n"
            "| Ring | Keeps the water in the housing | 6 months |\n"
            "| Hose | Leads the water to the next pump | 2 months |\n"
            "| Valve | Lets too much water out | 12 months |"
        )
    ]


def test_pdf_table_that_goes_on_over_pages_has_its_head_on_each() -> None:
    """Each part is cited with its page, whether or not the page repeats the head."""
    more = [["Valve", "D-4", "27.50"], ["Belt", "E-6", "8.10"], ["Union nut", "F-5", "1.20"]]
    last = [["Gasket", "G-1", "0.80"], ["Float", "H-2", "9.99"], ["Switch", "I-3", "14.00"]]
    found = of([cells(ROWS), cells(more), cells([ROWS[0], *last])])
    blocks = [block for section in found.sections for block in section.blocks]
    assert [block.anchor for block in blocks] == ["page=1", "page=2", "page=3"]
    assert [block.text.split("\n")[0] for block in blocks] == ["| Article | Number | Price |"] * 3
    assert blocks[1].text.endswith("| Belt | E-6 | 8.10 |\n| Union nut | F-5 | 1.20 |")
    assert len(blocks[2].text.split("\n")) == 5


def test_pdf_table_with_empty_cells_keeps_its_columns() -> None:
    """An empty cell does not move the others."""
    rows = [*ROWS, ["Belt", "", "8.10"], ["Nut", "F-5", ""]]
    assert texts(of([cells(rows)]))[0].endswith("| Belt |  | 8.10 |\n| Nut | F-5 |  |")


COLUMN = [
    "The valve opens when the pressure in it",
    "rises over the limit that was set, and it",
    "stays open until the pressure has fallen",
    "by a tenth of that. Then it closes again,",
    "slowly, so that nothing is damaged by it.",
]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            [Words(line, 700 - 13 * n, x) for x in (72, 320) for n, line in enumerate(COLUMN)],
            id="columns",
        ),
        pytest.param(
            [Words(line, 700 - 13 * n, x) for n, line in enumerate(COLUMN) for x in (72, 320)],
            id="columns drawn line by line",
        ),
        pytest.param(
            [
                w
                for n, t in enumerate(COLUMN)
                for w in (Words("•", 700 - n * 14), Words(t, 700 - n * 14, 90))
            ],
            id="list",
        ),
        pytest.param(
            cells([["Name of a firm", "Phone 0100"], ["1 Mill Lane", "www"]], places=(72, 300)),
            id="head",
        ),
        pytest.param(
            [
                Words(text, 700 - 14 * n)
                for n, text in enumerate(["Firm", "1 Mill Lane", "Sampleton"])
            ],
            id="address",
        ),
    ],
)
def test_pdf_text_that_is_no_table_stays_text(words: Sequence[Words]) -> None:
    """Columns of a newspaper, lists and addresses."""
    assert not any(block.kind == "table" for part in of([words]).sections for block in part.blocks)


def test_pdf_drawing_with_labels_is_no_table() -> None:
    """Lines of a chart with hardly a word between them, and a frame around a text."""
    chart = rules(
        *((100, 300 + 20 * n, 400, 300 + 20 * n) for n in range(10)),
        *((100 + 30 * n, 300, 100 + 30 * n, 480) for n in range(11)),
    )
    frame = "60 690 400 30 re S\n"
    words = drawn([Words(INTRODUCTION, 700), Words("peak", 385, 205)])
    assert not any("|" in text for text in texts(of([chart + frame + words])))


def test_pdf_drawing_with_very_many_lines_is_read_quickly() -> None:
    """Maps and plans have more lines than tables; their text is read without them."""
    lines = "".join(f"{n % 500} {n % 700} m {n % 500} {n % 700 + 9} l S\n" for n in range(12_000))
    assert texts(of([lines + drawn([Words(INTRODUCTION, 740)])])) == [INTRODUCTION]


def test_pdf_remark_on_a_cell_follows_the_table() -> None:
    """It is told after the table, whose cells stay as they are."""
    note = "/Subtype/Text/Rect[300 676 312 688]/Contents(Ask for a discount)/T(Anna)"
    data = Pdf([cells(ROWS)], annotations=[note]).data()
    found = extract(RawDocument("https://example.com/parts.pdf", data, "application/pdf"))
    assert texts(found)[0] == MARKDOWN
    assert "Ask for a discount" in texts(found)[1]


def test_pdf_table_with_cells_in_the_middle_of_their_rows_keeps_the_rows() -> None:
    """The words of a row stand on several heights; rows are farther from each other than lines."""
    rows = [("Ring", "Keeps the water in", "the house", "6")]
    rows += [
        ("Hose", "Leads the water to", "the pump", "2"),
        ("Cap", "Ends a hose of any", "kind", "12"),
    ]
    words = cells([["Part", "What it is for", "Months"]], places=(72, 200, 340))
    for number, (part, first, second, count) in enumerate(rows):
        top = 670 - 32 * number
        words += [Words(part, top - 7), Words(first, top, 200), Words(second, top - 13, 200)]
        words.append(Words(count, top - 7, 340))
    assert texts(of([words])) == [
        (
            "| Part | What it is for | Months |\n| --- | --- | --- |\n"
            "| Ring | Keeps the water in the house | 6 |\n"
            "| Hose | Leads the water to the pump | 2 |\n"
            "| Cap | Ends a hose of any kind | 12 |"
        )
    ]


def test_pdf_table_names_groups_of_columns_in_the_head_of_each() -> None:
    """A name over the middle of two columns belongs to both, also without lines between them."""
    places = (72, 200, 260, 320, 380)
    groups = [Words("2023", 718, 234), Words("2024", 718, 354)]
    rows = [["Article", "Sold", "Back", "Sold", "Back"], ["Ring", "12", "1", "15", "2"]]
    rows += [["Hose", "7", "0", "9", "3"], ["Belt", "4", "2", "8", "1"]]
    assert texts(of([[*groups, *cells(rows, places=places)]]))[0].startswith(
        "| Article | 2023 Sold | 2023 Back | 2024 Sold | 2024 Back |\n"
    )


def test_pdf_table_keeps_numbers_with_spaces_between_thousands_in_one_column() -> None:
    """Spaces that are as wide in each row part no columns."""
    rows = [["Article", "Number", "Price"], ["Ring", "A-12", "43 027,45"]]
    rows += [["Hose", "B-7", "71 044,29"], ["Belt", "C-1", "26 794,87"]]
    assert texts(of([cells(rows)]))[0].endswith("| Belt | C-1 | 26 794,87 |")


def test_pdf_table_that_is_drawn_letter_by_letter_has_whole_words() -> None:
    """Letters that touch are one word, even if each comes as a line of its own."""
    style = Style(10, 0)
    row = [
        Word(letter, n, style, Box(6.0 * n, 0, 6.0 * n + 6, 10)) for n, letter in enumerate("Ring")
    ]
    far = [
        Word(letter, n, style, Box(6.0 * n + 90, 0, 6.0 * n + 96, 10))
        for n, letter in enumerate("40")
    ]
    rows = [[word] for _ in range(4) for word in (*row, *far)]
    assert [word.text for word in whole_words(rows)[0]][:2] == ["Ring", "40"]


@pytest.mark.parametrize("count", [1_500])
def test_pdf_page_of_very_many_words_is_read_quickly(count: int) -> None:
    """Words far from each other, on one line and on many."""
    wide = [Words(f"w{n}", 700, 10 + 30 * n, 9) for n in range(count)]
    tall = [Words(f"v{n}", 690 - 0.4 * n, 10 + 40 * (n % 7), 3) for n in range(count)]
    data = Pdf([[*wide, *tall]], box=(60_000, 842)).data()
    found = extract(RawDocument("https://example.com/wide.pdf", data, "application/pdf"))
    assert f"w{count - 1}" in found.text
