"""Presentations: what a person sees on the slides, and a count of the rest."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from rich_agent.documents.extract.extraction import Extracted, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import MediaType
from tests.unit.documents.documents import OFFICE, archive, relations

CASES = Path(__file__).parents[2] / "cases" / "readers"
TYPE: MediaType = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
SPACES = " ".join(
    f'xmlns:{key}="{name}"'
    for key, name in {
        "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "r": OFFICE,
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    }.items()
)
THEME = (
    f"<a:theme {SPACES}><a:clrScheme><a:dk1><a:sysClr lastClr='000000'/></a:dk1>"
    "<a:lt1><a:srgbClr val='FFFFFF'/></a:lt1><a:accent1><a:srgbClr val='4472C4'/></a:accent1>"
    "</a:clrScheme></a:theme>"
)
WHITE = "<a:solidFill><a:schemeClr val='bg1'/></a:solidFill>"
BLUE = "<a:solidFill><a:srgbClr val='000080'/></a:solidFill>"


def run(text: str, look: str = "", inner: str = "") -> str:
    """A run of text; `look` are attributes of its properties, `inner` elements within them."""
    return f"<a:r><a:rPr {look}>{inner}</a:rPr><a:t>{text}</a:t></a:r>"


def line(text: str, bullet: str = "", level: int = 0) -> str:
    """A paragraph of runs."""
    return f'<a:p><a:pPr lvl="{level}">{bullet}</a:pPr>{text}</a:p>'


def shape(text: str, *, at: str = "", fill: str = "", name: str = "", role: str = "") -> str:
    """A shape with paragraphs; `at` is "x y width height"."""
    x, y, width, height = at.split() if at else ("",) * 4
    place = f'<a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
    placeholder = f'<p:ph type="{role}"/>' if role else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="s" {name}/><p:nvPr>{placeholder}</p:nvPr>'
        f"</p:nvSpPr><p:spPr>{place if at else ''}{fill}</p:spPr>"
        f"<p:txBody><a:bodyPr/>{text}</p:txBody></p:sp>"
    )


def frame(inner: str) -> str:
    """A frame of a table or of something that another program made."""
    data = f'<a:graphicData uri="x">{inner}</a:graphicData>'
    return f"<p:graphicFrame><a:graphic>{data}</a:graphic></p:graphicFrame>"


def group(inner: str, look: str = "", transform: str = "") -> str:
    """A group of shapes."""
    name = f'<p:nvGrpSpPr><p:cNvPr id="1" name="g" {look}/></p:nvGrpSpPr>'
    return f"<p:grpSp>{name}<p:grpSpPr>{transform}</p:grpSpPr>{inner}</p:grpSp>"


def picture(key: str, look: str = "", *, inner: str = "", film: bool = False) -> str:
    """A picture of 2 by 2 cm."""
    video = f'<a:videoFile r:link="{key}"/>' if film else ""
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="1" name="p" {look}>{inner}</p:cNvPr><p:nvPr>{video}'
        f'</p:nvPr></p:nvPicPr><p:blipFill><a:blip r:embed="{key}"/></p:blipFill><p:spPr><a:xfrm>'
        '<a:off x="1" y="1"/><a:ext cx="720000" cy="720000"/></a:xfrm></p:spPr></p:pic>'
    )


def sheet(kind: str, shapes: str, *, look: str = "", before: str = "", after: str = "") -> str:
    """A slide, layout or master."""
    return (
        f"<p:{kind} {SPACES} {look}><p:cSld>{before}<p:spTree>{shapes}</p:spTree></p:cSld>"
        f"{after}</p:{kind}>"
    )


def deck(
    *slides: str,
    master: str = "",
    links: Mapping[str, tuple[str, str]] | None = None,
    parts: Mapping[str, str] | None = None,
) -> bytes:
    """A presentation with a layout, a master and a theme; slides share their relationships."""
    colour_map = '<p:clrMap bg1="lt1" tx1="dk1"/>'
    bullets = "<p:bodyStyle><a:lvl1pPr><a:buChar char='-'/></a:lvl1pPr></p:bodyStyle>"
    styles = f"{colour_map}<p:txStyles>{bullets}</p:txStyles>"
    body = shape("<a:p/>", role="body", at="0 0 1 1")
    ids = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in range(len(slides)))
    files: dict[str, str | bytes] = {
        "ppt/presentation.xml": (
            f"<p:presentation {SPACES}><p:sldIdLst>{ids}</p:sldIdLst>"
            '<p:sldSz cx="9144000" cy="6858000"/></p:presentation>'
        ),
        "ppt/_rels/presentation.xml.rels": relations(
            {f"r{n}": ("slide", f"slides/s{n}.xml") for n in range(len(slides))}
        ),
        "ppt/layout.xml": sheet("sldLayout", ""),
        "ppt/_rels/layout.xml.rels": relations({"r1": ("slideMaster", "master.xml")}),
        "ppt/master.xml": sheet("sldMaster", body + master, after=styles),
        "ppt/_rels/master.xml.rels": relations({"r1": ("theme", "theme.xml")}),
        "ppt/theme.xml": THEME,
        **(parts or {}),
    }
    for number, slide in enumerate(slides):
        files[f"ppt/slides/s{number}.xml"] = slide
        files[f"ppt/slides/_rels/s{number}.xml.rels"] = relations(
            {"layout": ("slideLayout", "../layout.xml"), **(links or {})}
        ).replace('/hyperlink"', '/hyperlink" TargetMode="External"')
    return archive(files)


def slide(*shapes: str, title: str = "T", look: str = "", before: str = "") -> str:
    """A slide with a title."""
    head = shape(line(run(title)), role="title") if title else ""
    return sheet("sld", head + "".join(shapes), look=look, before=before)


def read(data: bytes) -> Extracted:
    """The content of a presentation."""
    return extract(RawDocument("https://example.com/a.pptx", data, TYPE))


def text_of(data: bytes) -> str:
    """The text under the headings, without their ids."""
    return re.sub(r"## .*\n\n", "", read(data).text)


def test_diagram_is_read_as_its_steps() -> None:
    """A slide whose content is a SmartArt has its texts in order."""
    found = read((CASES / "smartart.pptx").read_bytes())
    assert found.text.splitlines()[2:] == [
        "- Order is checked", "- Stock is reserved for 48 hours", "- Goods leave gate C",
    ]  # fmt: skip
    assert found.inventory.to_json() == {"diagram": [1, 1]}


def test_chart_is_read_as_a_table() -> None:
    """With its title, its categories and its values."""
    found = read((CASES / "chart.pptx").read_bytes())
    assert "Visitors by quarter" in found.text
    assert "| Q2 | 6340 |" in found.text
    assert found.inventory.to_json() == {"chart": [1, 1]}


def test_slide_is_cited_by_its_number() -> None:
    """Hidden slides and slides without text count; equal titles do not make one slide of two."""
    slides = [
        slide(shape(line(run("one"))), title="Costs"),
        slide(shape(line(run("secret"))), look='show="0"'),
        sheet("sld", ""),
        slide(title="Costs"),
        slide(shape(line(run("five"))), title=""),
    ]
    found = read(deck(*slides))
    assert [(part.path[-1], part.anchor, part.blocks[0].text) for part in found.sections] == [
        ("Costs", "slide=1", "one"), ("Costs", "slide=4", "Costs"), ("Slide 5", "slide=5", "five"),
    ]  # fmt: skip
    assert found.inventory.to_json() == {"hidden_slide": [1, 0]}


def test_lists_have_their_bullets_and_numbers() -> None:
    """Numbers go on after inner levels; a body has the bullets of its master."""
    number = '<a:buAutoNum type="{}"/>'.format
    steps = [
        line(run("ask"), number("arabicPeriod")),
        line(run("form"), number("alphaLcParenR"), level=1),
        line(run("photo"), number("alphaLcParenR"), level=1),
        line(run("wait"), number("arabicPeriod")),
        line(run("then")),
        line(run("again"), number("romanUcPeriod")),
    ]
    body = shape(line(run("point")), role="body")
    assert text_of(deck(slide(shape("".join(steps)), body))) == (
        "1. ask\n   - a) form\n   - b) photo\n2. wait\n\nthen\n\n- I. again\n\n- point"
    )


def test_text_that_nobody_sees_is_left_out() -> None:
    """White on white, tiny, transparent, beside the slide, or hidden by its author."""
    shapes = [
        shape(line(run("seen"))),
        shape(line(run("white one", inner=WHITE))),
        shape(line(run("tiny", 'sz="100"'))),
        shape(line(run("clear", inner="<a:noFill/>"))),
        shape(line(run("blue", inner=BLUE)), fill=BLUE),
        shape(line(run("outside")), at="-900 0 800 800"),
        shape(line(run("hidden")), name='hidden="1"'),
    ]
    found = read(deck(slide(*shapes)))
    assert found.sections[0].blocks[0].text == "seen"
    assert len(found.sections[0].blocks) == 1
    assert found.inventory.to_json() == {"hidden_word": [7, 0]}
    assert not found.inventory.missing


def test_white_text_on_something_dark_is_read() -> None:
    """On its own fill, on a shape or picture beneath it, or on the slide's background."""
    white = line(run("seen", inner=WHITE))
    cases = [
        slide(shape(white, fill=BLUE)),
        slide(shape("", at="0 0 900 900", fill=BLUE), shape(white, at="10 10 80 80")),
        slide(picture("p", 'descr=""'), shape(white, at="10 10 80 80")),
        slide(shape(white), before=f"<p:bg><p:bgPr>{BLUE}</p:bgPr></p:bg>"),
        slide(shape(white), before="<p:bg><p:bgPr><a:blipFill/></p:bgPr></p:bg>"),
    ]
    for case in cases:
        assert text_of(deck(case)) == "seen"
    assert "seen" not in text_of(
        deck(slide(shape("", at="5000 0 9 9", fill=BLUE), shape(white, at="1 1 9 9")))
    )


def test_text_beside_a_bar_of_its_colour_is_read() -> None:
    """A box that a bar of the text's colour only touches stands on the slide, too."""
    bar = shape("", at="0 0 900 20", fill=BLUE)
    text = shape(line(run("seen", inner=BLUE)), at="10 10 80 80")
    assert text_of(deck(slide(bar, text))) == "seen"


def test_cells_of_merged_ones_have_their_text() -> None:
    """Each row tells its group; a line over the whole table stands once."""
    cell = "<a:tc {}><a:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>".format
    rows = [
        cell('gridSpan="2"', "Sales of a year") + cell('hMerge="1"', ""),
        cell('rowSpan="2"', "North") + cell("", "120"),
        cell('vMerge="1"', "") + cell("", "130"),
    ]
    table = "".join(f"<a:tr>{row}</a:tr>" for row in rows)
    assert text_of(deck(slide(frame(f"<a:tbl>{table}</a:tbl>")))) == (
        "| Sales of a year |  |\n| --- | --- |\n| North | 120 |\n| North | 130 |"
    )


def test_lines_of_layouts_and_feet_stand_once() -> None:
    """Numbers, dates that change, and prompts of placeholders are no text of the author."""
    foot = shape(line(run("ACME 2026")), role="ftr")
    date = shape(line("<a:fld type='datetime1'><a:t>1 May</a:t></a:fld>"), role="dt")
    number = shape(line(run("7")), role="sldNum")
    drawn = shape(line("<a:fld type='slidenum'><a:t>7</a:t></a:fld>"))
    master = shape(line(run("Confidential"))) + shape(line(run("Click to edit")), role="title")
    master += drawn
    one, two = (
        slide(shape(line(run("one"))), foot, date, number),
        slide(shape(line(run("two"))), foot),
    )
    assert text_of(deck(one, two, master=master)) == "one\n\nACME 2026\n\nConfidential\n\ntwo"
    bare = slide(shape(line(run("one"))), look='showMasterSp="0"')
    assert text_of(deck(bare, master=master)) == "one"


def test_groups_equations_links_and_exponents_are_read() -> None:
    """In the order of the slide; a picture of an equation for older programs is not counted."""
    inner = shape(line(run("inner")), at="0 0 10 10")
    parts = "".join(
        f"<m:{tag}><m:r><m:t>{text}</m:t></m:r></m:{tag}>" for tag, text in (("e", "x"), ("sup", 2))
    )
    maths = shape(f"<a:p><m:oMath><m:sSup>{parts}</m:sSup></m:oMath></a:p>")
    equation = (
        f"<mc:AlternateContent><mc:Choice>{maths}</mc:Choice>"
        f"<mc:Fallback>{picture('p')}</mc:Fallback></mc:AlternateContent>"
    )
    link = shape(line(run("Statutes", inner='<a:hlinkClick r:id="web"/>')))
    exponent = shape(line(run("m") + run("3", 'baseline="30000"') + run(" of water")))
    data = deck(
        slide(group(inner), group(inner, 'hidden="1"'), equation, link, exponent),
        links={"web": ("hyperlink", "https://example.org/s")},
    )
    found = read(data)
    blocks = [block.text for block in found.sections[0].blocks]
    assert blocks[:3] == ["inner", "$x^{2}$", "[Statutes](https://example.org/s)"]
    assert blocks[3].startswith("m")
    assert blocks[3].endswith("of water")
    assert found.inventory.to_json() == {"equation": [1, 1], "hidden_word": [1, 0]}


def test_pictures_films_and_objects_are_counted() -> None:
    """Pictures with a text are read; logos and ornaments do not count."""
    mark = '<a:extLst><a:ext><d:decorative xmlns:d="urn:d" val="1"/></a:ext></a:extLst>'
    shapes = [
        picture("one", 'descr="The pump from the left"'),
        picture("two", 'descr="IMG_2.png"'),
        picture("three", inner=mark),
        picture("four", film=True),
        picture("logo", 'descr="Logo of ACME"'),
        frame("<p:oleObj/>"),
    ]
    logo = picture("logo", 'descr="Logo of ACME"')
    links = {
        name: ("image", f"../media/{name}.png") for name in ("one", "two", "three", "four", "logo")
    }
    found = read(deck(slide(*shapes), slide(logo), slide(logo), links=links))
    assert found.sections[0].blocks[0].text == "The pump from the left"
    assert found.inventory.to_json() == {"object": [2, 0], "picture": [2, 1]}


def test_slide_of_a_picture_only_is_counted_as_one_without_text() -> None:
    """Not as a picture as well."""
    found = read(deck(slide(shape(line(run("x")))), slide(picture("p"), title="")))
    assert found.inventory.to_json() == {"slide": [1, 0]}


def test_notes_and_remarks_are_quoted() -> None:
    """Remarks with their authors, of both kinds of files."""
    links = {
        "n": ("notesSlide", "../notes.xml"),
        "c": ("comments", "../old.xml"),
        "d": ("comments", "../new.xml"),
    }
    remark = '<{0} authorId="{1}">{3}<n:txBody><a:p>{2}</a:p></n:txBody></{0}>'.format
    reply = remark("n:reply", "x", run("This one."), "")
    new = remark("n:cm", "{A}", run("Old?"), f"<n:replyLst>{reply}</n:replyLst>")
    parts = {
        "ppt/notes.xml": sheet("notes", shape(line(run("Speak slowly.")), role="body")),
        "ppt/old.xml": (
            f'<p:cmLst {SPACES}><p:cm authorId="0"><p:text>Which year?</p:text></p:cm></p:cmLst>'
        ),
        "ppt/commentAuthors.xml": f'<p:l {SPACES}><p:cmAuthor id="0" name="Ines"/></p:l>',
        "ppt/new.xml": f'<n:cmLst xmlns:n="urn:n" {SPACES}>{new}</n:cmLst>',
        "ppt/authors.xml": '<n:l xmlns:n="urn:n"><n:author id="{A}" name="Tomas"/></n:l>',
    }
    found = read(deck(slide(shape(line(run("x")))), links=links, parts=parts))
    assert re.findall("> (.+)", found.text) == [
        "Ines: Which year?", "Tomas: Old?", "This one.", "Speak slowly.",
    ]  # fmt: skip
    assert found.inventory.to_json() == {"remark": [3, 3]}


@pytest.mark.parametrize("value", ["", "x", "9" * 400, "-1", "1e999", "nan"])
def test_odd_numbers_of_a_slide_do_no_harm(value: str) -> None:
    """In places, sizes, levels, numbers of lists and spans."""
    bullet = f'<a:buAutoNum type="arabicPeriod" startAt="{value}"/>'
    size = f'sz="{value}"'
    words = f'<a:p><a:pPr lvl="{value}">{bullet}</a:pPr>{run("seen", size)}</a:p>'
    scale = (
        "<a:xfrm><a:off x='0' y='0'/><a:ext cx='1' cy='1'/><a:chOff x='0' y='0'/>"
        f"<a:chExt cx='{value}' cy='{value}'/></a:xfrm>"
    )
    inner = group(shape(words, at="0 0 9 9"), transform=scale)
    found = read(deck(slide(shape(words, at=f"0 0 {value or 1} 1"), inner)))
    assert found.sections
