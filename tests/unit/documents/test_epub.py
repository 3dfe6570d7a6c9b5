"""Books: the chapters as a reading program shows them, in any encoding."""

import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from tests.unit.documents.documents import archive

CASES = Path(__file__).parents[2] / "cases" / "readers"
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)


def read(data: bytes) -> Extracted:
    """The content of a book."""
    return extract(RawDocument("https://example.com/a.epub", data, "application/epub+zip"))


def book(
    chapters: Mapping[str, str | bytes],
    *,
    items: str = "",
    spine: str = "",
    package: str = "",
    other: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A book of these files in order; other items, references and elements come after them."""
    manifest = "".join(f'<item id="{name}" href="{name}"/>' for name in chapters)
    references = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    opf = (
        '<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "oeb.dtd">'
        f'<package xmlns="http://www.idpf.org/2007/opf"><metadata>{package}</metadata>'
        f"<manifest>{manifest}{items}</manifest><spine>{spine or references}</spine></package>"
    )
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OEBPS/book.opf": opf,
            **{f"OEBPS/{name}": content for name, content in chapters.items()},
            **(other or {}),
        }
    )


def page(body: str, head: str = "<title/>") -> str:
    """A chapter."""
    return (
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head>{head}</head><body>{body}</body></html>'
    )


def test_book_is_read_in_the_encodings_that_it_declares() -> None:
    """UTF-16 and Latin-1, in one book."""
    text = read((CASES / "encodings.epub").read_bytes()).text
    assert "Die Straße heißt Königsweg." in text
    assert "Das Café schließt um zehn." in text


@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp1251"])
def test_chapter_is_read_in_any_encoding(charset: str) -> None:
    """With and without a byte order mark."""
    text = f'<?xml version="1.0" encoding="{charset}"?>{page("<p>Цена 40 евро.</p>")}'
    assert read(book({"a.xhtml": text.encode(charset)})).text == "Цена 40 евро."


def test_empty_elements_of_xml_end_where_they_begin() -> None:
    """Neither an empty title nor an empty anchor takes the text after it."""
    chapter = page('<p><a id="p1"/>One&nbsp;&mdash; two.</p><div/><p>Three.</p>')
    assert read(book({"a.xhtml": chapter})).text == "One — two.\n\nThree."
    damaged = chapter.replace("</html>", "")
    assert read(book({"a.xhtml": damaged})).text == "One — two.\n\nThree."


def test_book_leaves_out_its_table_of_contents() -> None:
    """That of EPUB 2 and that of EPUB 3."""
    contents = page("<ol><li><a href='a.xhtml'>Rent</a></li></ol>")
    chapters = {"a.xhtml": page("<p>Rent is due.</p>"), "toc.xhtml": contents}
    guide = '</metadata><guide><reference type="toc" href="toc.xhtml#x"/></guide><metadata>'
    assert read(book(chapters, package=guide)).text == "Rent is due."
    items = '<item id="n" href="toc.xhtml" properties="nav"/>'
    spine = '<itemref idref="n"/><itemref idref="a.xhtml"/>'
    assert read(book(chapters, items=items, spine=spine)).text == "Rent is due."


def test_book_has_what_is_outside_its_order_at_the_end() -> None:
    """Readers reach it by links only."""
    chapters = {"notes.xhtml": page("<p>Answers.</p>"), "a.xhtml": page("<p>Questions.</p>")}
    spine = '<itemref idref="notes.xhtml" linear="no"/><itemref idref="a.xhtml"/>'
    assert read(book(chapters, spine=spine)).text == "Questions.\n\nAnswers."


def test_pictures_of_a_book_are_read_by_their_texts() -> None:
    """A picture without one is missing, unless it is an ornament, an icon or the cover."""
    pictures = (
        '<p><img src="a.png" alt="The pump from the left"/></p><p><img src="b.png"/></p>'
        '<p><img src="c.png" alt=""/></p><p><img src="d.png" width="16"/></p>'
        '<p><img src="cover.jpg" alt="Cover"/></p>' + '<p><img src="star.png"/></p>' * 3
    )
    items = '<item id="c" href="cover.jpg" properties="cover-image"/>'
    found = read(book({"a.xhtml": page(f"<p>Text.</p>{pictures}")}, items=items))
    assert found.text == "Text.\n\nThe pump from the left"
    assert found.inventory.to_json() == {"picture": [2, 1]}


def test_text_that_a_style_sheet_hides_is_left_out() -> None:
    """Of a class, an element or both, in the book's sheets or the chapter's."""
    head = (
        '<title>x</title><link rel="stylesheet" href="s.css"/><style>p.b { display: none }</style>'
    )
    body = '<p class="a x">secret one</p><p class="b">secret</p><div class="b">seen</div>'
    sheet = "/* { */ .x.a, em{color:red;display:none}"
    found = read(book({"a.xhtml": page(body, head)}, other={"OEBPS/s.css": sheet}))
    assert found.text == "seen"
    assert found.inventory.to_json() == {"hidden_word": [3, 0]}
    assert not found.inventory.missing


def encryption(algorithm: str, name: str) -> str:
    """The part of a book that lists its encrypted parts."""
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"'
        ' xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData>'
        f'<e:EncryptionMethod Algorithm="{algorithm}"/><e:CipherData>'
        f'<e:CipherReference URI="{name}"/></e:CipherData></e:EncryptedData></encryption>'
    )


def test_book_that_is_protected_against_copying_says_so() -> None:
    """Scrambled fonts are no obstacle."""
    chapters = {"a.xhtml": page("<p>Text.</p>")}
    locked = encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/a.xhtml")
    with pytest.raises(ExtractionError, match="protected") as refused:
        read(book(chapters, other={"META-INF/encryption.xml": locked}))
    assert refused.value.kind == "encrypted"
    fonts = encryption("http://www.idpf.org/2008/embedding", "OEBPS/font.otf")
    assert read(book(chapters, other={"META-INF/encryption.xml": fonts})).text == "Text."


@pytest.mark.parametrize("piece", ["/*", "a{", "a,", "}", "a{b:", ".a"])
def test_style_sheet_is_read_in_linear_time(piece: str) -> None:
    """Whatever repeats in it."""
    chapter = page("<p class='a'>Text.</p>", f"<title>x</title><style>{piece * 100_000}</style>")
    started = time.process_time()
    read(book({"a.xhtml": chapter}))
    assert time.process_time() - started < 0.9
