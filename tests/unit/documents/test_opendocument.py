"""OpenDocument texts and slides: what a person sees in LibreOffice, and a count of the rest."""

from collections.abc import Mapping
from itertools import chain

import pytest

from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import MediaType
from tests.unit.documents.documents import archive

ODF = "urn:oasis:names:tc:opendocument:xmlns"
SPACES = " ".join(
    f'xmlns:{key}="{name}"'
    for key, name in chain(
        (
            (key, f"{ODF}:{name}:1.0")
            for key, name in (
                ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"),
                ("style", "style"), ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible"),
                ("presentation", "presentation"), ("form", "form"), ("chart", "chart"),
            )
        ),
        (
            ("xlink", "http://www.w3.org/1999/xlink"),
            ("math", "http://www.w3.org/1998/Math/MathML"),
            ("dc", "http://purl.org/dc/elements/1.1/"),
            ("loext", "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"),
        ),
    )
)  # fmt: skip


def style(name: str, properties: str, family: str = "text", parent: str = "") -> str:
    """A style; `properties` is an element with them."""
    return (
        f'<style:style style:name="{name}" style:family="{family}"'
        f' style:parent-style-name="{parent}">{properties}</style:style>'
    )


def text_style(name: str, looks: str, **kinds: str) -> str:
    """A style of text."""
    return style(name, f"<style:text-properties {looks}/>", **kinds)


def odf(
    body: str,
    *,
    kind: str = "text",
    styles: str = "",
    common: str = "",
    parts: Mapping[str, str] | None = None,
) -> bytes:
    """A file; `styles` are its own, `common` those of its templates, with the kinds of pages."""
    return archive(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": (
                f"<office:document-content {SPACES}><office:automatic-styles>{styles}"
                f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}>"
                "</office:body></office:document-content>"
            ),
            "styles.xml": f"<office:document-styles {SPACES}>{common}</office:document-styles>",
            **(parts or {}),
        }
    )


def read(data: bytes, suffix: str = "text") -> Extracted:
    """The content of a file."""
    media_types: dict[str, MediaType] = {
        "text": "application/vnd.oasis.opendocument.text",
        "presentation": "application/vnd.oasis.opendocument.presentation",
    }
    return extract(RawDocument("https://example.com/a", data, media_types[suffix]))


def p(text: str, name: str = "") -> str:
    """A paragraph."""
    return f'<text:p text:style-name="{name}">{text}</text:p>'


def span(text: str, name: str) -> str:
    """A run of text."""
    return f'<text:span text:style-name="{name}">{text}</text:span>'


def items(*texts: str) -> str:
    """The items of a list; a text that is a list stays within the item before it."""
    return "".join(f"<text:list-item>{text}</text:list-item>" for text in texts)


def level(number: int, form: str, suffix: str = ".", shown: int = 1, kind: str = "") -> str:
    """A level of a list."""
    return (
        f'<text:{kind or "list-level-style-number"} text:level="{number}"'
        f' style:num-format="{form}" style:num-suffix="{suffix}" text:display-levels="{shown}"/>'
    )


LIST = f'<text:list-style style:name="L">{level(1, "1")}{level(2, "1", "", 2)}</text:list-style>'


def test_headings_have_the_numbers_that_the_program_makes() -> None:
    """By the levels of the outline; an unnumbered heading has none."""
    outline = "".join(level(n, "1", "", n, "outline-level-style") for n in (1, 2))
    common = f"<office:styles><text:outline-style>{outline}</text:outline-style></office:styles>"
    heading = '<text:h text:outline-level="{}" {}>{}</text:h>'.format
    body = (
        heading(1, "", "Rent")
        + heading(2, "", "Amount")
        + heading(2, "", "Date")
        + heading(1, "", "Notice")
        + heading(2, "", "Form")
        + heading(1, 'text:is-list-header="true"', "Annex")
    )
    texts = body.replace("</text:h>", "</text:h>" + p("x"))
    assert [part.path[-1] for part in read(odf(texts, common=common)).sections] == [
        "1 Rent", "1.1 Amount", "1.2 Date", "2 Notice", "2.1 Form", "Annex",
    ]  # fmt: skip


def test_lists_have_the_numbers_that_the_program_makes() -> None:
    """A list that goes on after a paragraph goes on with its number."""
    first = f'<text:list text:style-name="L">{items(p("one") + inner())}</text:list>'
    later = f'<text:list text:style-name="L" text:continue-numbering="true">{items(p("two"))}'
    again = f'<text:list text:style-name="L">{items(p("new"))}</text:list>'
    body = f"{first}{p('between')}{later}</text:list>{p('then')}{again}"
    assert read(odf(body, styles=LIST)).text == (
        "1. one\n   - 1.1 deep\n   - 1.2 deeper\n\nbetween\n\n2. two\n\nthen\n\n1. new"
    )


def inner() -> str:
    """A list within an item."""
    return f"<text:list>{items(p('deep'), p('deeper'))}</text:list>"


def test_cells_of_merged_ones_have_their_text() -> None:
    """Each row tells its group; repeated cells and rows are counted; hidden rows are left out."""
    cell = "<table:table-cell {}>{}</table:table-cell>".format
    covered = "<table:covered-table-cell/>"
    rows = [
        cell('table:number-columns-spanned="3"', p("Sales")) + covered * 2,
        cell('table:number-rows-spanned="2"', p("North"))
        + cell('table:number-columns-repeated="2"', p("7")),
        covered + cell("", p("8")) + cell("", p("9")),
    ]
    hidden = f'<table:table-row table:visibility="collapse">{cell("", p("secret"))}'
    table = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    body = f"<table:table>{table}{hidden}</table:table-row></table:table>"
    found = read(odf(body))
    assert found.text == (
        "| Sales |  |  |\n| --- | --- | --- |\n| North | 7 | 7 |\n| North | 8 | 9 |"
    )
    assert found.inventory.to_json() == {"hidden_row": [1, 0]}


def test_text_that_nobody_sees_is_left_out() -> None:
    """White, tiny or hidden, by a style or one that it inherits from; sections and fields too."""
    styles = (
        text_style("white", 'fo:color="#ffffff"')
        + text_style("heir", 'fo:font-weight="bold"', parent="white")
        + text_style("tiny", 'fo:font-size="1pt"')
        + text_style("hidden", 'text:display="none"')
        + text_style("marked", 'fo:color="#ffffff" fo:background-color="#000080"')
        + text_style("dark", 'fo:color="#ffffff" fo:background-color="#000000"', family="paragraph")
    )
    body = (
        p("".join(span(f"secret {name}", name) for name in ("white", "heir", "tiny", "hidden")))
        + p(f"a {span('seen', 'marked')}")
        + p("seen too", "dark")
        + f'<text:section text:display="none">{p("secret section")}</text:section>'
        + p('x<text:hidden-text text:is-hidden="true">secret</text:hidden-text>')
        + p('secret<text:hidden-paragraph text:is-hidden="true"/>')
    )
    found = read(odf(body, styles=styles))
    assert found.text == "a seen\n\nseen too\n\nx"
    assert found.inventory.to_json() == {"hidden_word": [12, 0]}


def test_white_text_on_dark_pages_is_read() -> None:
    """A page with a picture or a dark colour shows it."""
    page = '<style:master-page style:name="Standard" style:page-layout-name="pm"/>'
    for look in ('fo:background-color="#101010"', 'draw:fill="bitmap"'):
        layout = (
            f'<style:page-layout style:name="pm"><style:page-layout-properties {look}/>'
            "</style:page-layout>"
        )
        styles = text_style("white", 'fo:color="#ffffff"')
        data = odf(p(span("seen", "white")), styles=styles, common=layout + page)
        assert read(data).text == "seen"


def test_notes_are_numbered_as_they_are_shown() -> None:
    """The numbers that programs saved may be old; a mark of its own stays."""

    def note(kind: str, mark: str, label: str = "") -> str:
        own = f' text:label="{label}"' if label else ""
        return (
            f'<text:note text:note-class="{kind}"><text:note-citation{own}>{mark}'
            f"</text:note-citation><text:note-body>{p('Words.')}</text:note-body></text:note>"
        )

    marks = [note("footnote", "1"), note("footnote", "1"), note("endnote", "1")]
    found = read(odf("".join(p(f"Text{mark}") for mark in [*marks, note("footnote", "*", "*")])))
    assert [line for line in found.text.splitlines() if line.startswith("Text")] == [
        "Text[1]", "Text[2]", "Text[i]", "Text[*]"
    ]  # fmt: skip


def test_notes_remarks_and_boxes_stand_after_their_paragraph() -> None:
    """A note with its mark, a remark with its author, a box with its text."""
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        f"{p('Without heating.')}</text:note-body></text:note>"
    )
    remark = f"<office:annotation><dc:creator>Ines</dc:creator>{p('Sure?')}</office:annotation>"
    box = f"<draw:frame><draw:text-box>{p('In a box.')}</draw:text-box></draw:frame>"
    found = read(odf(p(f"The rent{note} is due{remark}.{box}") + p("End.")))
    assert [block.text for block in found.sections[0].blocks] == [
        "The rent[1] is due.", "[1] Without heating.", "> Ines: Sure?", "In a box.", "End.",
    ]  # fmt: skip
    assert found.inventory.to_json() == {"remark": [1, 1]}


def test_headers_and_footers_stand_once_at_the_end() -> None:
    """Without numbers of pages; pages that are not used have none."""
    number = "<text:page-number>7</text:page-number>"
    pages = (
        '<style:master-page style:name="Standard">'
        f"<style:header>{p('Contract 2026-4471')}</style:header>"
        f"<style:header-left>{p('Contract 2026-4471')}</style:header-left>"
        f"<style:footer>{p(number)}</style:footer></style:master-page>"
        f'<style:master-page style:name="Unused"><style:header>{p("x")}</style:header>'
        "</style:master-page>"
    )
    assert read(odf(p("Text."), common=pages)).text == "Text.\n\nContract 2026-4471"


def test_equations_and_charts_are_read() -> None:
    """From the objects that are embedded in the file."""

    def frame(name: str) -> str:
        return f'<draw:frame><draw:object xlink:href="./{name}"/><draw:image/></draw:frame>'

    power = "<math:msup><math:mi>x</math:mi><math:mn>2</math:mn></math:msup>"
    source = '<math:annotation math:encoding="StarMath 5.0">x ^ 2</math:annotation>'
    cell = "<table:table-cell>{}</table:table-cell>".format
    rows = "".join(
        f"<table:table-row>{cell(one)}{cell(p(other))}</table:table-row>"
        for one, other in (("", "Visitors"), (p("Q1"), "5120"))
    )
    parts = {
        "Object 1/content.xml": (
            f"<math:math {SPACES}><math:semantics>{power}{source}</math:semantics></math:math>"
        ),
        "Object 2/content.xml": (
            f"<office:document-content {SPACES}><office:body><office:chart><chart:chart>"
            f"<chart:title>{p('By quarter')}</chart:title><table:table>{rows}</table:table>"
            "</chart:chart></office:chart></office:body></office:document-content>"
        ),
    }
    body = p(f"Area {frame('Object 1')} here.") + p(frame("Object 2")) + p(frame("Object 3"))
    found = read(odf(body, parts=parts))
    text, title, table = [block.text for block in found.sections[0].blocks]
    assert text.startswith("Area x")
    assert text.endswith(" here.")
    assert "^ 2" not in text
    assert (title, table) == ("By quarter", "|  | Visitors |\n| --- | --- |\n| Q1 | 5120 |")
    assert found.inventory.to_json() == {"chart": [1, 1], "equation": [1, 1], "object": [1, 0]}


def test_pictures_are_counted_and_read_by_their_texts() -> None:
    """Icons, ornaments and names of files do not count as texts."""

    def frame(look: str, inner: str = "") -> str:
        image = f'<draw:image xlink:href="{len(look + inner)}"/>'
        return f"<draw:frame {look}>{image}{inner}</draw:frame>"

    body = p(
        "Text."
        + frame("", "<svg:title>a.png</svg:title><svg:desc>The pump</svg:desc>")
        + frame("", "<svg:title>image.png</svg:title>")
        + frame('svg:width="0.5cm" svg:height="0.5cm"')
        + frame('loext:decorative="true"')
    )
    found = read(odf(body))
    assert found.text == "Text.\n\nThe pump"
    assert found.inventory.to_json() == {"picture": [2, 1]}


def test_fields_of_forms_are_read_with_what_is_filled_in() -> None:
    """Texts, choices and boxes."""
    controls = (
        '<form:text form:id="a" form:title="Name" form:current-value="Ines"/>'
        '<form:checkbox form:id="b" form:label="Vegetarian" form:current-state="checked"/>'
        '<form:checkbox form:id="c" form:label="Parking"/>'
        '<form:listbox form:id="d" form:title="Plan"><form:option form:label="Basic"/>'
        '<form:option form:label="Premium" form:current-selected="true"/></form:listbox>'
    )
    shapes = "".join(f'<draw:control draw:control="{name}"/>' for name in "abcd")
    found = read(odf(f"<office:forms><form:form>{controls}</form:form></office:forms>{p(shapes)}"))
    assert [block.text for block in found.sections[0].blocks] == [
        "Name: Ines", "☒ Vegetarian", "☐ Parking", "Plan: Premium",
    ]  # fmt: skip
    assert found.inventory.to_json() == {"field": [4, 4]}


def test_tables_of_contents_are_left_out() -> None:
    """They repeat the headings."""
    contents = f"<text:table-of-content><text:index-body>{p('Rent 2')}</text:index-body>"
    assert read(odf(f"{contents}</text:table-of-content>{p('Rent is due.')}")).text == (
        "Rent is due."
    )


def test_slides_are_cited_by_their_numbers() -> None:
    """Hidden slides and what stands beside a slide are left out; master and footer stand once."""
    hidden = '<style:drawing-page-properties presentation:visibility="hidden"/>'
    colours = shape("196 0 84", 'svg:x="29cm" svg:width="5cm"')
    common = (
        '<style:page-layout style:name="pm"><style:page-layout-properties fo:page-width="28cm"'
        ' fo:page-height="21cm"/></style:page-layout><office:master-styles><style:master-page'
        f' style:name="M" style:page-layout-name="pm">{shape("ACME")}{colours}</style:master-page>'
        "</office:master-styles>"
    )
    footer = '<presentation:footer-decl presentation:name="f">Draft</presentation:footer-decl>'
    aside = shape("secret words", 'svg:x="-9cm" svg:width="5cm"')
    prompt = shape("Click here", 'presentation:placeholder="true"')
    notes = f"<presentation:notes>{shape('Speak slowly.', role('notes'))}</presentation:notes>"
    body = footer + "".join(
        [
            slide("", shape("Costs", role("title")) + shape("one") + aside + prompt + notes),
            slide("hide", shape("secret")),
            slide("", shape("Costs", role("title")) + shape("three")),
        ]
    )
    styles = style("hide", hidden, "drawing-page")
    found = read(odf(body, kind="presentation", styles=styles, common=common), "presentation")
    assert [(part.path[-1], part.anchor) for part in found.sections] == [
        ("Costs", "slide=1"), ("Costs", "slide=3"),
    ]  # fmt: skip
    assert [block.text for block in found.sections[0].blocks] == [
        "one", "> Speak slowly.", "Draft", "ACME",
    ]  # fmt: skip
    assert [block.text for block in found.sections[1].blocks] == ["three"]
    assert found.inventory.to_json() == {"hidden_slide": [1, 0], "hidden_word": [2, 0]}


def role(name: str) -> str:
    """The attribute that tells the part that a shape plays on a slide."""
    return f'presentation:class="{name}"'


def shape(text: str, look: str = "") -> str:
    """A frame on a slide."""
    return f"<draw:frame {look}><draw:text-box>{p(text)}</draw:text-box></draw:frame>"


def slide(name: str, shapes: str) -> str:
    """A slide with a style."""
    return (
        f'<draw:page draw:style-name="{name}" draw:master-page-name="M"'
        f' presentation:use-footer-name="f">{shapes}</draw:page>'
    )


def test_encrypted_document_says_so() -> None:
    """The list of its parts tells."""
    manifest = '<m:manifest xmlns:m="urn:m"><m:encryption-data/></m:manifest>'
    with pytest.raises(ExtractionError) as refused:
        read(odf(p("x"), parts={"META-INF/manifest.xml": manifest}))
    assert refused.value.kind == "encrypted"


@pytest.mark.parametrize("value", ["", "x", "9" * 40, "-1", "0"])
def test_odd_numbers_of_a_document_do_no_harm(value: str) -> None:
    """In levels, spans, repeats and lengths."""
    cell = (
        f'<table:table-cell table:number-columns-repeated="{value}"'
        f' table:number-rows-spanned="{value}">{p("seen", "s")}</table:table-cell>'
    )
    row = f'<table:table-row table:number-rows-repeated="{value}">{cell}</table:table-row>'
    heading = f'<text:h text:outline-level="{value}" text:start-value="{value}">H</text:h>'
    styles = text_style("s", f'fo:font-size="{value}pt" fo:color="{value}"', family="paragraph")
    body = f"{heading}{p('seen', 's')}<table:table>{row}</table:table>"
    if value in {"0", "-1"}:  # such letters are too small to be seen
        styles = ""
    assert "seen" in read(odf(body, styles=styles)).text
