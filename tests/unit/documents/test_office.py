"""Documents of office programs, books and notebooks: the words that are seen, by their headings."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest

from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import media_type_of_path
from tests.unit.documents.documents import OFFICE, archive, docx, relations, word_paragraph, xlsx

ODF = "urn:oasis:names:tc:opendocument:xmlns"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"


def of(name: str, data: bytes) -> Extracted:
    """The content that is extracted from a file with this name."""
    media_type = media_type_of_path(name)
    assert media_type is not None
    return extract(RawDocument(f"https://example.com/{name}", data, media_type))


def outline(extracted: Extracted) -> list[tuple[tuple[str, ...], list[str]]]:
    """The blocks under each heading path."""
    return [(part.path, [block.text for block in part.blocks]) for part in extracted.sections]


def slide(title: str, *lines: str, shown: bool = True) -> str:
    """A slide with a title and paragraphs."""
    text = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
    return (
        f'<p:sld xmlns:p="{P}" xmlns:a="{A}" show="{int(shown)}"><p:cSld><p:spTree>'
        f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>'
        f"<p:txBody><a:p><a:r><a:t>{title}</a:t></a:r></a:p></p:txBody></p:sp>"
        f"<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>{text}</p:txBody></p:sp>"
        '<p:sp><p:nvSpPr><p:nvPr><p:ph type="sldNum"/></p:nvPr></p:nvSpPr>'
        "<p:txBody><a:p><a:r><a:t>7</a:t></a:r></a:p></p:txBody></p:sp>"
        "</p:spTree></p:cSld></p:sld>"
    )


def pptx(*slides: str) -> bytes:
    """A presentation of these slides, whose files are named in another order."""
    count = len(slides)
    ids = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in range(count))
    files = [f"slides/slide{count - n}.xml" for n in range(count)]
    return archive(
        {
            "ppt/presentation.xml": (
                f'<p:presentation xmlns:p="{P}" xmlns:r="{OFFICE}">'
                f"<p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
            ),
            "ppt/_rels/presentation.xml.rels": relations(
                {f"r{n}": ("slide", file) for n, file in enumerate(files)}
            ),
            **{f"ppt/{file}": text for file, text in zip(files, slides, strict=True)},
        }
    )


def odf(body: str, *, kind: str = "text", title: str = "") -> bytes:
    """An OpenDocument file."""
    names = "".join(
        f' xmlns:{key}="{ODF}:{name}:1.0"'
        for key, name in {
            "office": "office", "text": "text", "table": "table", "draw": "drawing",
            "presentation": "presentation", "meta": "meta",
        }.items()
    )  # fmt: skip
    head = f'<office:meta><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">{title}</dc:title>'
    return archive(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": (
                f"<office:document-content{names}><office:body><office:{kind}>{body}"
                f"</office:{kind}></office:body></office:document-content>"
            ),
            "meta.xml": f"<office:document-meta{names}>{head}</office:meta></office:document-meta>",
        }
    )


@pytest.mark.req("RAG-3")
def test_docx_keeps_headings_and_tables() -> None:
    """The title is the document's; hidden runs are not read."""
    cells = "".join(f"<w:tc>{word_paragraph(text)}</w:tc>" for text in ("left", "right"))
    found = of(
        "a.docx",
        docx(
            word_paragraph("Handbook", "T")
            + word_paragraph("Safety", "H1")
            + word_paragraph("Wear gloves &amp; goggles.")
            + word_paragraph("secret", hidden=True)
            + word_paragraph("At night", "H2")
            + f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
        ),
    )
    assert found.title == "Handbook"
    assert outline(found) == [
        (("Safety",), ["Wear gloves & goggles."]),
        (("Safety", "At night"), ["| left | right |\n| --- | --- |"]),
    ]


@pytest.mark.req("RAG-3")
def test_pptx_has_a_section_for_each_slide() -> None:
    """In the order of the presentation; numbers and hidden slides are left out."""
    hidden = slide("Hidden", "secret", shown=False)
    deck = pptx(slide("First", "One.", "Two."), hidden, slide("Last", "End."))
    assert outline(of("a.pptx", deck)) == [(("First",), ["One.", "Two."]), (("Last",), ["End."])]


@pytest.mark.req("RAG-3")
def test_xlsx_has_a_table_for_each_sheet() -> None:
    """Empty rows and hidden sheets are left out."""
    book = xlsx(
        {
            "Prices": {"A1": "part", "B1": "price", "A3": "valve", "B3": "12"},
            "Notes": {"A1": "secret"},
        },
        hidden=["Notes"],
    )
    assert outline(of("a.xlsx", book)) == [
        (("Prices",), ["| part | price |\n| --- | --- |\n| valve | 12 |"])
    ]


@pytest.mark.req("RAG-3")
def test_odt_keeps_headings_lists_and_tables() -> None:
    """Deleted text is left out; a remark stands after its paragraph."""
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = f"<table:table-row>{cell.format('left')}{cell.format('right')}</table:table-row>"
    found = of(
        "a.odt",
        odf(
            "<text:tracked-changes><text:p>secret</text:p></text:tracked-changes>"
            '<text:h text:outline-level="1">Safety</text:h>'
            "<text:p>Wear <text:span>gloves</text:span><text:s/>&amp; goggles"
            "<office:annotation><text:p>which?</text:p></office:annotation>.</text:p>"
            "<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>"
            f'<text:h text:outline-level="2">At night</text:h><table:table>{row}</table:table>',
            title="Handbook",
        ),
    )
    assert found.title == "Handbook"
    assert outline(found) == [
        (("Safety",), ["Wear gloves & goggles.", "> which?", "- one"]),
        (("Safety", "At night"), ["| left | right |\n| --- | --- |"]),
    ]


def test_odp_has_a_section_for_each_slide() -> None:
    """Under the title of the slide."""
    frame = "<draw:frame{}><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    title = frame.format(' presentation:class="title"', "First")
    page = f'<draw:page draw:name="page1">{title}{frame.format("", "One.")}</draw:page>'
    assert outline(of("a.odp", odf(page, kind="presentation"))) == [(("First",), ["One."])]


@pytest.mark.req("RAG-3")
def test_epub_has_the_chapters_in_reading_order() -> None:
    """Not in that of the files."""
    container = (
        f'<container xmlns="{ODF}:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata>'
        '<dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">Book</dc:title></metadata>'
        '<manifest><item id="a" href="z.xhtml"/><item id="b" href="a%20b.xhtml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    found = of(
        "a.epub",
        archive(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": container,
                "OEBPS/book.opf": package,
                "OEBPS/a b.xhtml": "<html><body><h1>Two</h1><p>2</p></body></html>",
                "OEBPS/z.xhtml": "<html><body><h1>One</h1><p>1</p></body></html>",
            }
        ),
    )
    assert found.title == "Book"
    assert outline(found) == [(("One",), ["1"]), (("Two",), ["2"])]


def test_rtf_is_read_as_text() -> None:
    """Fonts and other settings are no words."""
    data = rb"{\rtf1{\fonttbl{\f0 Arial;}}\f0\fs24 Wear \b gloves\b0 .\par\par At night, too.\par}"
    assert [text for _, text in outline(of("a.rtf", data))] == [["Wear gloves.", "At night, too."]]


def test_notebook_keeps_what_a_person_wrote() -> None:
    """Markdown as it is, code as code, no output."""
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "Some *text*."]},
        {"cell_type": "code", "source": "print(1)", "outputs": [{"text": "secret"}]},
    ]
    found = of("a.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode())
    assert outline(found) == [(("Title",), ["Some *text*.", "```python\nprint(1)\n```"])]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_csv_is_a_table(mark: str) -> None:
    """Whatever parts its cells."""
    rows = [["part", "price"], ["valve", "12"], ["lid", "3"]]
    found = of("prices.csv", "\n".join(mark.join(row) for row in rows).encode())
    assert outline(found) == [
        ((), ["| part | price |\n| --- | --- |\n| valve | 12 |\n| lid | 3 |"])
    ]


@pytest.mark.parametrize("name", ["a.docx", "a.pptx", "a.xlsx", "a.odt", "a.epub"])
@pytest.mark.parametrize(
    "data",
    [b"", b"PK\x03\x04 and no more", archive({"other.xml": "<a/>"})],
    ids=["empty", "cut off", "of other things"],
)
def test_archive_that_is_no_document_says_so(name: str, data: bytes) -> None:
    """Cut off, empty, or something else."""
    with pytest.raises(ExtractionError):
        of(name, data)


@pytest.mark.costs("it packs a bomb")
def test_docx_that_unpacks_to_too_much_is_refused() -> None:
    """A bomb of 300 MB in 300 kB, stopped by what comes out of it."""
    bomb = docx(word_paragraph("a" * 300_000_000))
    assert len(bomb) < 1_000_000
    with pytest.raises(ExtractionError, match="too much memory"):
        of("a.docx", bomb)


def test_docx_that_lies_about_its_sizes_is_refused() -> None:
    """The size in the archive's list is not believed."""
    honest = docx(word_paragraph("word " * 1_000))
    size = ZipFile(BytesIO(honest)).getinfo("word/document.xml").file_size
    lie = honest.replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lie != honest
    with pytest.raises(ExtractionError, match="damaged"):
        of("a.docx", lie)


@pytest.mark.parametrize(
    "prolog",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_docx_that_declares_entities_is_refused(prolog: str) -> None:
    """They can grow without end, or read files."""
    with pytest.raises(ExtractionError, match="entities"):
        of("a.docx", docx(word_paragraph("x"), prolog=prolog))


def test_encrypted_archive_says_so() -> None:
    """The flag of its parts tells."""
    data = bytearray(docx(word_paragraph("x")))
    place = data.find(b"PK\x01\x02")
    while place != -1:
        data[place + 8] |= 1
        place = data.find(b"PK\x01\x02", place + 4)
    with pytest.raises(ExtractionError, match="encrypted"):
        of("a.docx", bytes(data))


def test_document_with_a_password_says_so() -> None:
    """Office puts it into another container, whatever its name."""
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(ExtractionError) as refused:
        of("a.docx", data)
    assert refused.value.kind == "encrypted"


def test_document_under_another_name_is_read_by_its_bytes() -> None:
    """RTF and pages under a name of Word are read; a renamed old file says how to convert it."""
    assert of("a.docx", rb"{\rtf1\pard Seen.\par}").text == "Seen."
    assert of("a.docx", b"<html><body><p>Seen.</p></body></html>").text == "Seen."
    with pytest.raises(ExtractionError, match="save it as DOCX"):
        of("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
