"""Which documents are read: by suffix, by what a server says, by their first bytes."""

import pytest

from rich_agent.documents.media import (
    MediaType,
    media_type_of,
    media_type_of_path,
    sniff_type,
    type_of_zip,
)
from tests.unit.documents.documents import archive, docx, word_paragraph, xlsx

ODT: MediaType = "application/vnd.oasis.opendocument.text"
DOCX: MediaType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX: MediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("docs/a.MD", "text/markdown"),
        ("a.rst", "text/x-rst"),
        ("a.pdf", "application/pdf"),
        ("a.docx", DOCX),
        ("a.eml", "message/rfc822"),
        ("a.mhtml", "multipart/related"),
        ("a.zip", "application/zip"),
        (".md", None),
        ("a.png", None),
    ],
)
def test_media_type_of_path_goes_by_the_suffix(path: str, found: MediaType | None) -> None:
    """A name that is nothing but a suffix has none."""
    assert media_type_of_path(path) == found


@pytest.mark.parametrize(
    ("content_type", "url", "data", "found"),
    [
        ("text/html; charset=utf-8", "https://a.b/c.pdf", b"", "text/html"),
        ("application/pdf", "https://a.b/c", b"", "application/pdf"),
        ("text/plain", "https://a.b/c.md", b"", "text/markdown"),
        ("text/plain", "https://a.b/c.html", b"", "text/plain"),
        ("application/octet-stream", "https://a.b/c.docx", b"", DOCX),
        ("application/octet-stream", "https://a.b/c", b"%PDF-1.4", "application/pdf"),
        ("application/octet-stream", "https://a.b/c", b"\x7fELF", None),
        ("image/png", "https://a.b/c.md", b"", None),
        ("text/plain", "https://a.b/c.eml", b"", "message/rfc822"),
        ("application/zip", "https://a.b/c", archive({"a.txt": "x"}), "application/zip"),
        ("application/zip", "https://a.b/c.docx", b"", DOCX),
    ],
)
def test_media_type_of_believes_the_server_first(
    content_type: str, url: str, data: bytes, found: MediaType | None
) -> None:
    """The address decides if the server says little; the bytes decide if that says nothing."""
    assert media_type_of(content_type, url, data) == found


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"%PDF-1.7", "application/pdf"),
        (b"{\\rtf1 x}", "application/rtf"),
        (b"\n<!DOCTYPE html><p>", "text/html"),
        (archive({"mimetype": ODT, "content.xml": "<a/>"}), None),
        (docx(word_paragraph("x")), DOCX),
        (xlsx({"a": {"A1": "x"}}), XLSX),
        (archive({"a.txt": "x"}), None),
        (b"MIME-Version: 1.0\nContent-Type: text/html\n\n<p>", "message/rfc822"),
        (b"Received: x\n y\nFrom: a\nDate: b\r\n\r\nwords", "message/rfc822"),
        (b"From a@b Fri Nov\nMessage-ID: <1>\nFrom: a\nDate: b\n\nx", "application/mbox"),
        (b"From: Ann\nTo: Bob\nDate: today\n\nA memo.", None),
        (b"MIME-Version: 1.0 and\nContent-Type: are fields\nof mails", None),
        (b"words", None),
    ],
)
def test_sniffed_knows_documents_by_their_bytes(data: bytes, found: MediaType | None) -> None:
    """For servers that do not know what they send; a compressed `mimetype` is none."""
    assert sniff_type(data) == found


def test_sniffed_knows_opendocument_by_its_stored_mimetype() -> None:
    """As the format wants it: the first part, stored as it is."""
    head = b"PK\x03\x04" + b"\0" * 22 + (8).to_bytes(2, "little") + b"\0\0mimetype"
    assert sniff_type(head + ODT.encode() + b"PK\x03\x04") == ODT


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (archive({"word/notes.txt": "x", "xl/more.txt": "y"}), "application/zip"),
        (archive({}), "application/zip"),
        (archive({"[Content_Types].xml": "<a/>", "word/document.xml": "x"}), DOCX),
        (b"%PDF-1.7", "application/pdf"),
        (b"words", None),
    ],
)
def test_type_of_zip_knows_documents_of_office_programs(
    data: bytes, found: MediaType | None
) -> None:
    """They are archives, too; folders of any name are not enough."""
    assert type_of_zip(data) == found
