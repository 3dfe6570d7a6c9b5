"""Word documents: the words that a person sees, and a count of the rest."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from rich_agent.documents.extract.extracted import Extracted
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.extract.symbols import symbol
from rich_agent.documents.fetch.outcomes import RawDocument
from tests.unit.documents.documents import OFFICE, W, archive, relations

CASES = Path(__file__).parents[2] / "cases" / "readers"
TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
NAMES = " ".join(
    f'xmlns:{key}="{name}"'
    for key, name in {
        "w": W,
        "r": OFFICE,
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "o": "urn:schemas-microsoft-com:office:office",
        "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
        "v": "urn:schemas-microsoft-com:vml",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    }.items()
)
WHITE = '<w:color w:val="FFFFFF"/>'
STYLES = (
    '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="H8"><w:name w:val="heading 8"/></w:style>'
)


def word(
    body: str, *, styles: str = "", numbering: str = "", parts: Mapping[str, tuple[str, str]] = {}
) -> Extracted:
    """The result of reading a document; `parts` are others: kind of relation and XML by name."""
    parts = {
        "styles": ("styles", f"<w:styles {NAMES}>{STYLES}{styles}</w:styles>"),
        "numbering": ("numbering", f"<w:numbering {NAMES}>{numbering}</w:numbering>"),
        **parts,
    }
    data = archive(
        {
            "_rels/.rels": relations({"r1": ("officeDocument", "word/document.xml")}),
            "word/_rels/document.xml.rels": relations(
                {f"r_{name}": (kind, f"{name}.xml") for name, (kind, _) in parts.items()}
            ),
            "word/document.xml": f"<w:document {NAMES}><w:body>{body}</w:body></w:document>",
            **{f"word/{name}.xml": xml for name, (_, xml) in parts.items()},
        }
    )
    return extract(RawDocument("https://example.com/a.docx", data, TYPE))


def case(name: str) -> Extracted:
    """The result of reading a file among the cases."""
    data = (CASES / name).read_bytes()
    return extract(RawDocument(f"https://example.com/{name}", data, TYPE))


def run(text: str, look: str = "") -> str:
    """A run of letters; `look` are its properties."""
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(content: str, *, style: str = "", properties: str = "") -> str:
    """A paragraph of runs, or of a plain text."""
    inner = content if content.startswith("<") else run(content)
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{inner}</w:p>"


def numbered(text: str, list_id: int, level: int = 0) -> str:
    """A paragraph of a list."""
    numbers = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'
    return paragraph(text, properties=numbers)


def level(place: int, text: str, *, form: str = "decimal", more: str = "") -> str:
    """A level of a list."""
    return (
        f'<w:lvl w:ilvl="{place}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/>{more}</w:lvl>'
    )


def lists(*levels: str, ids: Mapping[int, str] = {1: ""}) -> str:
    """A definition of a list, and lists that share it, each with what it overrides."""
    return f'<w:abstractNum w:abstractNumId="0">{"".join(levels)}</w:abstractNum>' + "".join(
        f'<w:num w:numId="{key}"><w:abstractNumId w:val="0"/>{more}</w:num>'
        for key, more in ids.items()
    )


def lines(extracted: Extracted) -> list[str]:
    """The blocks of a document."""
    return [block.text for section in extracted.sections for block in section.blocks]


def table(*rows: str) -> str:
    """A table of rows."""
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def row(*cells: str, properties: str = "") -> str:
    """A row of cells."""
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def cell(content: str, properties: str = "") -> str:
    """A cell with a paragraph, or with blocks."""
    inner = content if content.startswith("<") else paragraph(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def test_clauses_keep_the_numbers_of_word() -> None:
    """Headings and paragraphs share a list; a section's path has its number."""
    found = case("clauses.docx")
    assert [section.path[-1] for section in found.sections] == ["1. Rent", "2. Notice"]
    assert lines(found)[:2] == [
        "1.1 The rent is 900 euros a month.",
        "1.2 It is due on the third working day.",
    ]
    assert lines(found)[3].startswith("2.2 Whoever breaks clause 1.2")


def test_numbers_go_on_after_other_text_and_start_again_where_told() -> None:
    """Lists that share a definition share its numbers, but for one that overrides its start."""
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    found = word(
        numbered("a", 1)
        + table(row(cell("x"), cell("y")))
        + numbered("b", 2)
        + numbered("c", 3)
        + numbered("d", 3),
        numbering=lists(level(0, "%1)"), ids={1: "", 2: "", 3: override}),
    )
    assert [line for line in lines(found) if "|" not in line] == ["1) a", "2) b", "1) c", "2) d"]


def test_numbers_have_their_formats() -> None:
    """Letters, Roman numerals, words around them; a level without a restart goes on."""
    found = word(
        numbered("a", 1)
        + numbered("b", 1, 1)
        + numbered("c", 1, 2)
        + numbered("d", 1)
        + numbered("e", 1, 1)
        + numbered("f", 1, 2),
        numbering=lists(
            level(0, "Article %1", form="upperRoman"),
            level(1, "(%2)", form="lowerLetter"),
            level(2, "%1-%3", more='<w:lvlRestart w:val="0"/><w:isLgl/>'),
        ),
    )
    assert lines(found) == [
        "Article I a", "(a) b", "1-1 c", "Article II d", "(a) e", "2-2 f",
    ]  # fmt: skip


def test_numbers_come_from_styles() -> None:
    """A style names the list, and the list names the style of each level."""
    numbers = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    styles = (
        f'<w:style w:type="paragraph" w:styleId="C1"><w:name w:val="Clause"/>{numbers}</w:style>'
        f'<w:style w:type="paragraph" w:styleId="C2"><w:name w:val="Part"/>{numbers}</w:style>'
    )
    found = word(
        paragraph("a", style="C1") + paragraph("b", style="C2") + paragraph("c", style="C2"),
        styles=styles,
        numbering=lists(
            level(0, "§ %1", more='<w:pStyle w:val="C1"/>'),
            level(1, "%1.%2", more='<w:pStyle w:val="C2"/>'),
        ),
    )
    assert lines(found) == ["§ 1 a", "1.1 b", "1.2 c"]


def test_bullets_are_nested_items() -> None:
    """A bullet is no number."""
    found = word(
        numbered("a", 1) + numbered("b", 1, 1) + numbered("c", 1) + paragraph("d"),
        numbering=lists(level(0, "\uf0b7", form="bullet"), level(1, "o", form="bullet")),
    )
    assert found.text == "- a\n  * b\n- c\n\nd"


def test_paragraph_that_is_gone_has_no_number() -> None:
    """Hidden with its mark; an empty one is counted, as Word does."""
    gone = "<w:rPr><w:vanish/></w:rPr>"
    numbers = f'<w:numPr><w:numId w:val="1"/></w:numPr>{gone}'
    found = word(
        numbered("a", 1)
        + paragraph(run("secret", "<w:vanish/>"), properties=numbers)
        + numbered("", 1)
        + numbered("b", 1),
        numbering=lists(level(0, "%1.")),
    )
    assert lines(found) == ["1. a", "3. b"]


def test_equations_stand_in_their_lines() -> None:
    """As TeX, and counted."""
    found = case("equation.docx")
    assert lines(found)[1] == r"The force is $F=\frac{m·v}{t}$ where m is the mass in kilograms."
    assert found.inventory.to_json() == {"equation": [2, 2]}


def test_equation_keeps_its_backslashes() -> None:
    """Markdown would double those that stand before a mark."""
    lines_of_array = "".join(f"<m:e><m:r><m:t>{text}</m:t></m:r></m:e>" for text in "ab")
    braces = '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>'
    array = f"<m:d>{braces}<m:e><m:eqArr>{lines_of_array}</m:eqArr></m:e></m:d>"
    found = word(paragraph(f"<m:oMath>{array}</m:oMath>"))
    assert lines(found) == [r"$\left\{\begin{aligned}a \\ b\end{aligned}\right.$"]


def test_form_shows_boxes_and_choices() -> None:
    """A ticked box differs from an empty one."""
    found = case("form.docx")
    assert lines(found) == ["Plan: Premium", "☒ Vegetarian", "☐ Needs parking"]
    assert found.inventory.to_json() == {"field": [3, 3]}


def field(kind: str, result: str = "", form: str = "") -> str:
    """A field with its instruction, and its result."""
    separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>' if result else ""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{form}</w:ffData></w:fldChar></w:r>'
        f"<w:r><w:instrText>{kind}</w:instrText></w:r>{separate}{result}"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def test_older_form_shows_boxes_choices_and_texts() -> None:
    """Fields of forms as Word had them before content controls."""
    choices = (
        '<w:ddList><w:result w:val="1"/><w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/>'
        "</w:ddList>"
    )
    found = word(
        paragraph(
            field("FORMCHECKBOX", form="<w:checkBox><w:checked/></w:checkBox>")
            + run(" yes ")
            + field("FORMCHECKBOX", form='<w:checkBox><w:default w:val="0"/></w:checkBox>')
            + run(" no ")
            + field("FORMDROPDOWN", form=choices)
            + field(" FORMTEXT ", run(" 12 pieces"))
        )
    )
    assert lines(found) == ["☒ yes ☐ no Blue 12 pieces"]
    assert found.inventory.to_json() == {"field": [4, 4]}


def test_field_shows_its_result_alone() -> None:
    """Also within another field; what is no field's result is an instruction."""
    inner = field("MERGEFIELD Name", run("Kim"))
    nested = field("IF ", run("Dear Kim")).replace(
        "IF </w:instrText></w:r>", f"IF </w:instrText></w:r>{inner}"
    )
    assert lines(word(paragraph(nested + field('XE "secret"')))) == ["Dear Kim"]


def test_field_without_an_end_hides_nothing() -> None:
    """A damaged document keeps its text."""
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    assert lines(word(paragraph(f"{begin}{run('Text.')}") + paragraph("More."))) == [
        "Text.",
        "More.",
    ]


def test_link_of_a_field_leads_to_its_address() -> None:
    """As a link of its own."""
    link = field(' HYPERLINK "https://example.com/a" ', run("here"))
    assert lines(word(paragraph(run("Look ") + link))) == ["Look [here](https://example.com/a)"]


def test_diagram_and_header_are_read() -> None:
    """Texts of parts outside the body."""
    assert lines(case("smartart.docx"))[1:] == [
        "- Order is checked", "- Stock is reserved for 48 hours", "- Goods leave gate C",
    ]  # fmt: skip
    assert lines(case("header.docx"))[0] == "Contract number 2026-4471"


def test_headers_and_footers_stand_once() -> None:
    """After the first heading, without numbers of pages; one that no page shows is left out."""
    margin = f"<w:hdr {NAMES}>{{}}</w:hdr>"
    pages = run("Page ") + field("PAGE", run("1")) + run(" of ") + field("NUMPAGES", run("9"))
    references = "".join(
        f'<w:headerReference w:type="{kind}" r:id="r_h_{kind}"/>' for kind in ("default", "first")
    )
    section = f'<w:sectPr>{references}<w:footerReference w:type="default" r:id="r_f"/></w:sectPr>'
    found = word(
        paragraph("Lease", style="H1")
        + paragraph("a", properties=section)
        + paragraph("b")
        + section,
        parts={
            "h_default": ("header", margin.format(paragraph("Contract 4471"))),
            "h_first": ("header", margin.format(paragraph("secret"))),
            "f": ("footer", margin.format(paragraph(f"{run('Gate C')}<w:r><w:tab/></w:r>{pages}"))),
        },
    )
    assert found.title == "Lease"
    assert lines(found) == ["Contract 4471", "Gate C", "a", "b"]


def test_table_of_contents_is_left_out() -> None:
    """By the styles of its lines, its field, or its content control."""
    assert "Rent 2" not in case("toc.docx").text
    begin, end = field("TOC", run("x")).split(run("x"))
    control = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/>'
        f"</w:docPartObj></w:sdtPr><w:sdtContent>{paragraph('Keys 5')}</w:sdtContent></w:sdt>"
    )
    found = word(
        paragraph(begin + run("Rent 2"))
        + paragraph("Notice 3")
        + paragraph(run("Doors 4") + end)
        + control
        + paragraph("Text.")
    )
    assert lines(found) == ["Text."]


def test_only_its_own_styles_make_a_table_of_contents() -> None:
    """Names that begin or end as theirs do are of a person's own styles."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{name[0]}"><w:name w:val="{name}"/></w:style>'
        for name in ("body2", "xtoc 1")
    )
    found = word("".join(paragraph(f"words {one}", style=one) for one in "bx"), styles=styles)
    assert lines(found) == ["words b", "words x"]


@pytest.mark.parametrize(
    "hidden",
    [
        run("secret", "<w:vanish/>"),
        run("secret", '<w:rStyle w:val="Gone"/>'),
        run("secret", WHITE),
        run("secret", '<w:sz w:val="2"/>'),
        run("secret", '<w:color w:val="FAFAFA"/><w:shd w:val="clear" w:fill="FFFFFF"/>'),
        run("secret", '<w:color w:val="000000"/><w:highlight w:val="black"/>'),
    ],
)
def test_words_that_nobody_sees_are_left_out(hidden: str) -> None:
    """Hidden, in the colour of the paper, or tiny; they are counted, and not missing."""
    styles = (
        '<w:style w:type="character" w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Gone"><w:basedOn w:val="Base"/></w:style>'
    )
    found = word(paragraph(run("Seen.") + hidden), styles=styles)
    assert lines(found) == ["Seen."]
    assert found.inventory.to_json() == {"hidden_word": [1, 0]}
    assert not found.inventory.missing


@pytest.mark.parametrize(
    "body",
    [
        paragraph(run("Seen.", '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="002060"/>')),
        paragraph(
            run("Seen.", WHITE),
            properties='<w:shd w:val="clear" w:fill="002060"/>',
        ),
        table(row(cell(paragraph(run("Seen.", WHITE)), '<w:shd w:fill="002060"/>'))),
        '<w:tbl><w:tblPr><w:tblStyle w:val="Blue"/></w:tblPr>'
        + row(cell(paragraph(run("Seen.", WHITE))))
        + "</w:tbl>",
        paragraph(run("Seen.", '<w:rStyle w:val="Gone"/><w:vanish w:val="0"/>')),
        paragraph(run("Seen.", '<w:rStyle w:val="Gone"/>'), style="GoneP"),
        paragraph(run("Seen.", '<w:color w:val="auto"/>'), style="White"),
        paragraph(run("Seen.", '<w:color w:val="000000"/>')),
    ],
)
def test_words_that_a_person_sees_stay(body: str) -> None:
    """White on dark, shown again, hidden twice, or beside a tiny style that has no id."""
    dark = '<w:tcPr><w:shd w:val="clear" w:fill="002060"/></w:tcPr>'
    styles = (
        '<w:style w:type="character" w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="GoneP"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="White"><w:rPr><w:color w:val="FFFFFF"/></w:rPr>'
        '</w:style><w:style w:type="table" w:styleId="Blue"><w:tblStylePr w:type="firstRow">'
        f"{dark}</w:tblStylePr></w:style>"
        '<w:style><w:name w:val="EmptyCellLayoutStyle"/><w:rPr><w:sz w:val="2"/></w:rPr></w:style>'
    )
    assert lines(word(body, styles=styles)) == ["Seen."]


def test_changes_are_read_as_accepted() -> None:
    """Inserted and moved text is read, deleted text and rows are not."""
    found = word(
        paragraph(
            f"{run('one ')}<w:ins>{run('two ')}</w:ins><w:moveFrom>{run('secret')}</w:moveFrom>"
            "<w:del><w:r><w:delText>secret</w:delText></w:r></w:del>"
        )
        + table(row(cell("a"), cell("b")), row(cell("secret"), cell("c"), properties="<w:del/>"))
    )
    assert lines(found) == ["one two", "| a | b |\n| --- | --- |"]


def test_merged_cells_tell_their_value_in_each_row() -> None:
    """The group of a row stands in the row."""
    assert "| North | February | 130 |" in case("merged_table.docx").text


def test_head_of_two_lines_becomes_one() -> None:
    """A column's name has both of its lines."""
    merged = '<w:vMerge w:val="{}"/>'
    found = word(
        table(
            row(
                cell("Region", merged.format("restart")),
                cell("2025", '<w:gridSpan w:val="2"/>'),
                cell("2026", '<w:gridSpan w:val="2"/>'),
            ),
            row(cell("", merged.format("continue")), *map(cell, ("Units", "Price") * 2)),
            row(*map(cell, ("North", "1", "2", "3", "4"))),
        )
    )
    assert lines(found)[0].splitlines()[0::2] == [
        "| Region | 2025 Units | 2025 Price | 2026 Units | 2026 Price |",
        "| North | 1 | 2 | 3 | 4 |",
    ]


def test_hidden_row_is_left_out_and_counted() -> None:
    """Nothing is missing then."""
    found = word(
        table(row(cell("a"), cell("b")), row(cell("secret"), cell("c"), properties="<w:hidden/>"))
    )
    assert lines(found) == ["| a | b |\n| --- | --- |"]
    assert found.inventory.to_json() == {"hidden_row": [1, 0]}


def test_table_for_layout_is_opened() -> None:
    """A box of one cell; a table within a table stands below it."""
    inner = table(row(cell("x"), cell("y")), row(cell("1"), cell("2")))
    box = table(row(cell(paragraph("Note") + inner)))
    outer = table(row(cell("a"), cell("b")), row(cell(paragraph("c") + inner), cell("d")))
    expected = "| x | y |\n| --- | --- |\n| 1 | 2 |"
    assert lines(word(box)) == ["Note", expected]
    assert lines(word(outer)) == ["| a | b |\n| --- | --- |\n| c | d |", expected]


def drawing(content: str, properties: str = "", size: int = 900_000) -> str:
    """A drawing in a line."""
    return (
        f'<w:drawing><wp:inline><wp:extent cx="{size}" cy="{size}"/>'
        f'<wp:docPr id="1" name="d" {properties}/><a:graphic><a:graphicData>{content}'
        "</a:graphicData></a:graphic></wp:inline></w:drawing>"
    )


def text_box(text: str) -> str:
    """A text box of the newer form."""
    return (
        f"<wps:wsp><wps:txbx><w:txbxContent>{paragraph(text)}</w:txbxContent></wps:txbx></wps:wsp>"
    )


def test_text_box_is_read_once() -> None:
    """In its newer form, not in the older one beside it; and in the older one alone."""
    content = f"<w:txbxContent>{paragraph('Box')}</w:txbxContent>"
    old = f"<w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict>"
    new = drawing(text_box("Box"))
    both = (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{new}</mc:Choice>'
        f"<mc:Fallback>{old}</mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert lines(word(paragraph(run("Text.") + both) + paragraph("End."))) == [
        "Text.",
        "Box",
        "End.",
    ]
    assert lines(word(paragraph(f"<w:r>{old}</w:r>"))) == ["Box"]


def test_chart_is_a_table() -> None:
    """From the part that has its figures; without figures it is missing."""
    points = '<c:pt idx="0"><c:v>{}</c:v></c:pt>'
    series = (
        f"<c:ser><c:tx><c:v>Visitors</c:v></c:tx><c:cat><c:strLit>{points.format('Q1')}</c:strLit>"
        f"</c:cat><c:val><c:numLit>{points.format(5120)}</c:numLit></c:val></c:ser>"
    )
    chart = "<c:chartSpace {}><c:chart><c:plotArea>{}</c:plotArea></c:chart></c:chartSpace>"
    found = word(
        paragraph(
            "<w:r>" + "".join(drawing(f'<c:chart r:id="r_chart{n}"/>') for n in (1, 2)) + "</w:r>"
        )
        + paragraph("End."),
        parts={
            "chart1": ("chart", chart.format(NAMES, series)),
            "chart2": ("chart", chart.format(NAMES, "")),
        },
    )
    assert lines(found) == ["|  | Visitors |\n| --- | --- |\n| Q1 | 5120 |", "End."]
    assert found.inventory.to_json() == {"chart": [2, 1]}


def test_pictures_are_read_by_their_texts_or_counted() -> None:
    """Icons, decoration, and a picture that is repeated are not counted."""
    decorative = '<a:ext><x:decorative xmlns:x="urn:x" val="1"/></a:ext>'
    picture = '<pic:pic><pic:blipFill><a:blip r:embed="{}"/></pic:blipFill></pic:pic>'
    found = word(
        paragraph(
            "<w:r>"
            + drawing(picture.format("a"), 'descr="A red valve"')
            + drawing(picture.format("b"), 'descr="C:\\My Files\\image 1.png"')
            + drawing(picture.format("b"))
            + drawing(picture.format("c"), size=90_000)
            + drawing(picture.format("d") + decorative)
            + "</w:r>"
            + run("Text.")
        )
    )
    assert lines(found) == ["Text.", "A red valve"]
    assert found.inventory.to_json() == {"picture": [2, 1]}


@pytest.mark.parametrize(
    ("program", "kind"),
    [("Excel.Sheet.12", "object"), ("Equation.3", "equation"), ("MSGraph.Chart.8", "chart")],
)
def test_object_of_another_program_is_missing(program: str, kind: str) -> None:
    """By what it is."""
    embedded = f'<w:object><v:shape/><o:OLEObject ProgID="{program}"/></w:object>'
    found = word(paragraph(f"<w:r>{embedded}</w:r>{run('Text.')}"))
    assert [part.kind for part in found.inventory.missing] == [kind]


def test_notes_and_remarks_follow_their_paragraphs() -> None:
    """A note by its number, a remark by its author."""
    note = (
        f'<w:footnotes {NAMES}><w:footnote w:id="5">{paragraph("Since 2025.")}</w:footnote>'
        "</w:footnotes>"
    )
    remark = (
        f'<w:comments {NAMES}><w:comment w:id="7" w:author="Kim">{paragraph("Really?")}</w:comment>'
        "</w:comments>"
    )
    found = word(
        paragraph(
            f'{run("Rent")}<w:r><w:footnoteReference w:id="5"/></w:r>'
            f'<w:r><w:commentReference w:id="7"/></w:r>{run(" is due.")}'
        )
        + paragraph("End."),
        parts={"notes": ("footnotes", note), "remarks": ("comments", remark)},
    )
    assert lines(found) == ["Rent[1] is due.", "[1] Since 2025.", "> Kim: Really?", "End."]
    assert found.inventory.to_json() == {"remark": [1, 1]}


def test_letters_of_symbol_fonts_are_what_they_show() -> None:
    """As symbols, as letters of the private area, and as letters in such a font."""
    font = '<w:rFonts w:ascii="Wingdings"/>'
    found = word(
        paragraph(
            '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'
            + run(" yes ")
            + run("\uf0fc", font)
            + run(" done ")
            + run("a", '<w:rFonts w:ascii="Symbol"/>')
        )
    )
    assert lines(found) == ["☑ yes ✓ done α"]
    assert symbol("Wingdings", 0x21) == "", "a sign that no character is known for"
    assert symbol("Wingdings", 0x2022) == "•", "a letter that the font does not have"
    assert (symbol("Arial", 0x41), symbol("Arial", 0xF041)) == ("A", "")


def test_readings_are_left_out() -> None:
    """As of pages: they would cut the words that are searched for."""
    ruby = (
        "<w:r><w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r>"
        "</w:rubyBase></w:ruby></w:r>"
    )
    assert lines(word(paragraph(ruby + run("京")))) == ["東京"]


def test_deep_headings_stay_headings() -> None:
    """As deep as Markdown has them, and by the level that a paragraph sets."""
    found = word(
        paragraph("Deep", style="H8")
        + paragraph("a")
        + paragraph("Own", properties='<w:outlineLvl w:val="1"/>')
        + paragraph("b")
    )
    assert [section.path[-1] for section in found.sections] == ["Deep", "Own"]


def test_document_of_headings_is_read() -> None:
    """As an invitation, all of whose lines are headings; the first one is the title."""
    found = word("".join(paragraph(text, style="H1") for text in ("Party", "On Friday", "At six")))
    assert found.title == "Party"
    assert lines(found) == ["On Friday", "At six"]


def test_emphasis_does_not_cut_words() -> None:
    """Marks stand around words only."""
    bold = "<w:b/>"
    found = word(paragraph(run("Re", bold) + run("nt is ") + run("due", bold) + run(" now.")))
    assert lines(found) == ["Rent is **due** now."]


def test_raised_and_lowered_letters_stay_apart() -> None:
    """An exponent is none of the digits before it."""
    high, low = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'
    found = word(
        paragraph(
            run("10 m") + run("3", high) + run(", 10") + run("-", high) + run("3", high)
            + run(" g, H") + run("2", low) + run("O, 1") + run("st", high)
        )
    )  # fmt: skip
    assert lines(found) == ["10 m³, 10^-3 g, H₂O, 1st"]


def test_large_first_letter_belongs_to_its_word() -> None:
    """Word keeps it in a paragraph of its own."""
    drop = paragraph("O", properties='<w:framePr w:dropCap="drop"/>')
    assert lines(word(drop + paragraph("nce upon a time."))) == ["Once upon a time."]


def test_strict_form_is_read() -> None:
    """It has other names for the same elements."""
    body = f"<w:document {NAMES}><w:body>{paragraph('Text.')}</w:body></w:document>"
    strict = body.replace(
        "schemas.openxmlformats.org/wordprocessingml/2006", "purl.oclc.org/ooxml/wordprocessingml"
    )
    data = archive({"word/document.xml": strict})
    assert extract(RawDocument("https://example.com/a.docx", data, TYPE)).text == "Text."
