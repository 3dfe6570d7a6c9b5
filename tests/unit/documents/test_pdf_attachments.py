"""PDF: the files that are attached to it, or to a place on its pages."""

import pytest

from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.user_files.reading import units_of
from tests.unit.documents.documents import Pdf, Words

PAGE = [Words("Some text.", 700)]


def of(pdf: Pdf) -> Extracted:
    """The content that is extracted from a PDF."""
    return extract(RawDocument("https://example.com/offer.pdf", pdf.data(), "application/pdf"))


def test_pdf_attachments_are_read_by_the_readers_of_their_types() -> None:
    """Each under its name; one that cannot be read is counted, one listed twice is read once."""
    files = {"prices.csv": b"name,price\nPump,40\n", "raw.bin": b"\0\1\2"}
    clip = "/Subtype/FileAttachment/FS 7 0 R/Contents(See the prices)/Rect[72 650 90 668]"
    found = of(Pdf([PAGE], files=files, annotations=[clip]))
    assert [(section.path, section.anchor) for section in found.sections] == [
        ((), "page=1"),
        (("prices.csv",), ""),
    ]
    assert "| Pump | 40 |" in found.text
    assert "> See the prices" in found.text
    assert found.inventory.unread == {"attachment": 1}
    assert [part.held for part in found.inventory.parts if part.kind == "attachment"] == [2]


def test_pdf_attachments_are_parts_of_a_file_of_a_user() -> None:
    """They follow the pages, with their names."""
    found = of(Pdf([PAGE, PAGE], files={"note.txt": b"Ring twice.", "more.txt": b"Go on."}))
    assert [
        (unit.kind, unit.number, unit.heading) for unit in units_of(found, "application/pdf")
    ] == [
        ("page", 1, ""),
        ("page", 2, ""),
        ("section", 1, "note.txt"),
        ("section", 2, "more.txt"),
    ]


def test_pdf_attachment_that_is_the_same_in_another_form_is_left_out() -> None:
    """The source of the pages has nothing that they lack."""
    data = Pdf([PAGE], files={"source.txt": b"Some text."}).data()
    same = data.replace(b"/UF(source.txt)", b"/AFRelationship/Source")
    found = extract(RawDocument("https://example.com/offer.pdf", same, "application/pdf"))
    assert (found.text, found.inventory.parts) == ("Some text.", ())


def test_pdf_with_an_empty_page_has_the_text_of_its_attachments() -> None:
    """A file whose pages say nothing may be a folder of others."""
    found = of(Pdf([""], files={"note.txt": b"Ring twice."}))
    assert [section.path for section in found.sections] == [("note.txt",)]
    with pytest.raises(ExtractionError, match="not read"):
        of(Pdf([""], files={"raw.bin": b"\0\1\2"}))


def test_pdf_that_contains_itself_ends() -> None:
    """Files within files are read to a depth."""
    data = Pdf([PAGE], files={"note.txt": b"Ring twice."}).data()
    for _ in range(6):
        data = Pdf([PAGE], files={"inner.pdf": data}).data()
    found = extract(RawDocument("https://example.com/a.pdf", data, "application/pdf"))
    assert found.inventory.unread == {"attachment": 1}
