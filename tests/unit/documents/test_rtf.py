"""RTF: what a person sees in Word, and a count of the rest."""

import time

import pytest

from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}"
    r"{\f2\fcharset128 MS Mincho;}}{\colortbl;\red255\green255\blue255;\red0\green0\blue128;}"
    r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}"
)


def read(body: str) -> Extracted:
    """The content of a file with fonts, colours and styles."""
    data = f"{HEAD}{body}}}".encode("latin-1")
    return extract(RawDocument("https://example.com/a.rtf", data, "application/rtf"))


def blocks(body: str) -> list[str]:
    """The blocks of a file, without its headings."""
    return [block.text for section in read(body).sections for block in section.blocks]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"K\'f6nigsweg \u8364?40 \'8040 \u-10179?\u-8704?", "Königsweg €40 €40 😀"),
        (r"{\f1 \'d6\'e5\'ed\'e0}", "Цена"),
        (r"{\f2 \'93\'fa\'96\'7b}", "日本"),
        (r"\uc2\u228ae x\uc0\u228 y", "ä xäy"),
        (r"a\~b\emdash c\endash d\{e\}\line f\\g", "a b—c–d{e} f\\g"),
        ("a\r\nb", "ab"),
    ],
    ids=["western", "cyrillic", "japanese", "stand-ins", "signs", "line end of the file"],
)
def test_characters_are_those_of_their_font(source: str, text: str) -> None:
    """Bytes by the character set of the font, others by their number in Unicode."""
    assert blocks(rf"\pard {source}\par") == [text]


def test_headings_and_numbers_are_read() -> None:
    """Headings by their styles; the numbers as the program wrote them."""
    found = read(
        r"\pard\s1 Rent\par\pard{\listtext\f0 1.1\tab}\ilvl1 Is due.\par"
        r"\pard{\listtext\'b7\tab}In euros.\par\pard{\pntext b)\tab}At once.\par"
        r"\pard\plain End.\par"
    )
    assert found.sections[0].path == ("Rent",)
    assert [block.text for block in found.sections[0].blocks] == [
        "- 1.1 Is due.", "- In euros.", "- b) At once.", "End.",
    ]  # fmt: skip


def test_text_for_programs_without_nested_tables_is_left_out() -> None:
    """Word writes a line end there, other programs words."""
    found = blocks(
        r"\trowd\cellx1\pard\intbl\itap2 Inner\nestcell{\*\nesttableprops\trowd\cellx1\nestrow}"
        r"{\nonesttables Instead\par}\pard\intbl Outer\cell\row"
    )
    assert "Instead" not in found[0]
    assert "Inner" in found[0]


def test_cells_of_merged_ones_have_their_text() -> None:
    """Each row tells its group; paragraphs of a cell stand in one line."""
    first = r"\trowd\clvmgf\cellx1\cellx2\intbl North\cell Jan\par uary\cell\row"
    second = r"\trowd\clvmrg\cellx1\cellx2\intbl\cell February\cell\row"
    wide = r"\trowd\clmgf\cellx1\clmrg\cellx2\intbl All\cell\cell\row"
    assert blocks(rf"{first}{second}{wide}\pard End.\par") == [
        "| North | Jan uary |\n| --- | --- |\n| North | February |\n| All | All |",
        "End.",
    ]


def test_text_that_nobody_sees_is_left_out() -> None:
    """Hidden, white, tiny or deleted; white text on dark is seen."""
    found = read(
        r"\pard a{\v secret one}{\cf1 secret}{\fs2 secret}{\deleted secret}"
        r" {\cf1\chcbpat2 seen}{\v\v0 too}\par"
    )
    assert [block.text for block in found.sections[0].blocks] == ["a seentoo"]
    assert found.inventory.to_json() == {"hidden_word": [5, 0]}


def test_wide_cells_keep_the_columns_of_other_rows() -> None:
    """Most programs tell the width of merged cells and nothing more."""
    inner = r"{\*\nesttableprops\trowd\cellx500}"
    rows = [
        r"\trowd\cellx1000\cellx2000\cellx3000\intbl Item\cell Price\cell Total\cell\row",
        rf"\trowd\cellx1003\cellx2000\cellx3000\intbl Pump{inner}\cell 640\cell 1280\cell\row",
        r"\trowd\cellx2000\cellx3000\intbl Sum\cell 1280\cell\row",
    ]
    assert blocks("".join(rows) + r"\pard End.\par")[0].splitlines() == [
        "| Item | Price | Total |",
        "| --- | --- | --- |",
        "| Pump | 640 | 1280 |",
        "| Sum |  | 1280 |",
    ]


def test_list_in_a_cell_stays_there() -> None:
    """The bullet of LibreOffice resets the paragraph for itself alone."""
    bullet = r"{\listtext\pard\plain \u61623\'3f\tab}"
    cell = (
        rf"\trowd\cellx900\pard\intbl Phone\par\pard\intbl{bullet}0170\par\pard\intbl{bullet}0171"
    )
    assert blocks(rf"{cell}\cell\row\pard End.\par")[0].startswith("| Phone • 0170 • 0171 |")


@pytest.mark.parametrize(
    ("place", "count"),
    [
        (r"\trowd\cellx1\clcbpat2\cellx2\intbl a\cell{\cf1 White}\cell\row", 1),
        (r"\trowd\clcfpat2\clshdng10000\clcbpat1\cellx1\intbl{\cf1 White}\cell\row", 1),
        (r"\trowd\clcbpat2\cellx1\cellx2\intbl a\cell{\cf1 White}\cell\row", 0),
        (r"\pard a{\shp{\*\shpinst{\shptxt\pard\plain{\cf1 White}\par}}}\par", 1),
        (r"\trowd\cellx1\pard\intbl\itap2{\cf1 White}\nestcell\pard\intbl\cell\row", 1),
    ],
    ids=["dark cell", "pattern", "white cell", "box", "inner table"],
)
def test_white_text_is_read_where_it_may_stand_on_dark(place: str, count: int) -> None:
    """As the heads of most tables do."""
    assert read(rf"\pard b\par{place}\pard").text.count("White") == count


def test_notes_remarks_and_boxes_stand_after_their_paragraph() -> None:
    """Notes with their number, remarks with their author."""
    found = read(
        r"\pard The rent{\super\chftn{\footnote\pard\chftn  Without heating.\par}} is due"
        r"{\*\atnauthor Ines}\chatn{\*\annotation\pard Sure?\par}."
        r"{\shp{\*\shpinst{\shptxt\pard In a box.\par}}}\par\pard End.\par"
    )
    assert found.text.replace("\n\n", "\n").splitlines() == [
        "The rent[1] is due.", "[1] Without heating.", "> Ines: Sure?", "In a box.", "End.",
    ]  # fmt: skip
    assert found.inventory.to_json() == {"remark": [1, 1]}


def test_headers_stand_once_at_the_end() -> None:
    """Without numbers of pages and tables of contents."""
    page = r"{\field{\*\fldinst PAGE}{\fldrslt 7}}"
    header = rf"{{\headerl\pard Contract 4471 {page}\par}}{{\headerr\pard Contract 4471\par}}"
    contents = r"{\field{\*\fldinst TOC \\o}{\fldrslt Rent 2\par}}"
    link = r'{\field{\*\fldinst HYPERLINK "https://example.org"}{\fldrslt Text.}}'
    assert blocks(rf"{header}\pard {contents}{link}\par") == ["Text.", "Contract 4471"]


def test_boxes_of_forms_are_read() -> None:
    """Ticked, empty, and as they were at first."""
    box = r"{\field{\*\fldinst FORMCHECKBOX{\*\formfield{\fftype1%s}}}{\fldrslt}}%s\par"
    body = "".join(
        box % one for one in ((r"\ffres1", "A"), (r"\ffres0", "B"), (r"\ffres25\ffdefres1", "C"))
    )
    assert blocks(rf"\pard {body}") == ["☒ A", "☐ B", "☒ C"]
    assert read(rf"\pard {body}").inventory.to_json() == {"field": [3, 3]}


def test_pictures_and_objects_are_counted() -> None:
    """A picture by its text, once, and without icons; what other programs made is not read."""
    picture = r"{\pict\picwgoal%d\pichgoal%d%s 89504e470d0a}"
    name = r"{\*\picprop{\sp{\sn wzDescription}{\sv The pump}}}"
    body = (
        rf"{{\*\shppict{picture % (900, 900, name)}}}{{\nonshppict{picture % (900, 900, '')}}}"
        rf"{picture % (900, 900, '')}{picture % (200, 200, '')}"
        rf"{{\object\objemb{{\*\objdata 0105}}{{\result{picture % (900, 900, '')}}}}}"
    )
    found = read(rf"\pard Text.{body}\par")
    assert found.text == "Text.\n\nThe pump"
    assert found.inventory.to_json() == {"object": [1, 0], "picture": [2, 1]}


def test_bytes_within_the_file_are_skipped() -> None:
    """They may look like braces."""
    assert blocks(r"\pard a{\pict\bin5 }}{{\}}b\par") == ["ab"]


def test_text_under_the_name_of_rtf_is_read_as_it_is() -> None:
    """The bytes tell what it is."""
    found = extract(RawDocument("https://example.com/a.rtf", b"Just words.", "application/rtf"))
    assert found.text == "Just words."


def test_file_that_is_nested_too_deeply_is_refused() -> None:
    """Each group costs memory."""
    with pytest.raises(ExtractionError, match="nested"):
        read("{" * 100_000)


@pytest.mark.parametrize(
    "piece",
    ["}", r"\v", r"\u8364", r"\'80", "{}", r"{\*\x}", r"\cell", r"\par", r"\bin-9 ", r"\uc999 ",
     r"{\footnote a}", r"\fs99999999999 ", "\\"],
)  # fmt: skip
def test_odd_files_are_read_in_linear_time(piece: str) -> None:
    """Whatever repeats in them; what is never closed is read to the end."""
    started = time.process_time()
    assert "seen" in read(rf"\pard seen\par {piece * 10_000}").text
    assert time.process_time() - started < 0.9
