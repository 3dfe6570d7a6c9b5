"""Which documents are read: by suffix, by what a server says, by their first bytes."""

import pytest

from rich_agent.documents.media import MediaType, media_type_of, media_type_of_path, sniff_type
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
