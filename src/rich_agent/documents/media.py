"""Media types that can be read, by a file's suffix, a server's Content-Type, or the bytes."""

from collections.abc import Mapping
from email.message import Message
from pathlib import PurePosixPath
from typing import Final, Literal
from urllib.parse import urlsplit

MediaType = Literal[
    "text/html",
    "text/markdown",
    "text/plain",
    "text/csv",
    "text/x-rst",
    "application/epub+zip",
    "application/pdf",
    "application/rtf",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/x-ipynb+json",
]

_BY_SUFFIX: Final[Mapping[str, MediaType]] = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".txt": "text/plain",
    ".rst": "text/x-rst",
    ".csv": "text/csv",
    ".tsv": "text/csv",
    ".pdf": "application/pdf",
    ".rtf": "application/rtf",
    ".epub": "application/epub+zip",
    ".ipynb": "application/x-ipynb+json",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_BY_CONTENT_TYPE: Final[Mapping[str, MediaType]] = {
    **{media_type: media_type for media_type in _BY_SUFFIX.values()},
    "application/xhtml+xml": "text/html",
    "text/x-markdown": "text/markdown",
    "text/tab-separated-values": "text/csv",
    "text/prs.fallenstein.rst": "text/x-rst",
    "text/rtf": "application/rtf",
    "application/x-pdf": "application/pdf",
}
_SAYS_LITTLE = frozenset(
    {"", "text/plain", "application/octet-stream", "binary/octet-stream", "application/zip"}
)

# Text formats that servers often call plain text.
_PLAIN = frozenset({"text/csv", "text/markdown", "text/x-rst"})
_PARTS: Final[Mapping[bytes, MediaType]] = {
    b"word/": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    b"ppt/": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    b"xl/": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_MIMETYPE_AT = 38  # an archive whose first part is named `mimetype` and stored uncompressed

_LONGEST_TYPE = 80
_LISTING_BYTES = 64 * 1024

SUFFIXES: Final = tuple(sorted(_BY_SUFFIX))


def media_type_of_path(path: str) -> MediaType | None:
    """The media type of a file by its suffix, None if such files cannot be read."""
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return _BY_SUFFIX.get(f"{dot}{suffix.lower()}") if stem else None


def media_type_of(content_type: str, url: str, data: bytes = b"") -> MediaType | None:
    """The media type of a page, None if such pages cannot be read.

    Content-Type decides. If it is missing or too general, the suffix of the address decides, then
    the first bytes. Plain text may be Markdown by its suffix, because many servers call Markdown
    plain text.
    """
    header_type = _bare(content_type)
    if header_type in _BY_CONTENT_TYPE and header_type not in _SAYS_LITTLE:
        return _BY_CONTENT_TYPE[header_type]
    if header_type not in _SAYS_LITTLE:
        return None
    suffix_type = _BY_SUFFIX.get(PurePosixPath(urlsplit(url).path).suffix.lower())
    if header_type == "text/plain":
        return suffix_type if suffix_type in _PLAIN else "text/plain"
    return suffix_type or sniff_type(data)


def sniff_type(data: bytes) -> MediaType | None:
    """The media type by the first bytes, None if the bytes do not tell it."""
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    if head.startswith(b"{\\rtf"):
        return "application/rtf"
    if head[:14].lower() == b"<!doctype html" or head[:5].lower() == b"<html":
        return "text/html"
    return _sniff_archive(data) if head.startswith(b"PK\x03\x04") else None


def _sniff_archive(data: bytes) -> MediaType | None:
    """The media type of an archive, by its first part (OpenDocument, EPUB) or any (Office)."""
    type_name = data[_MIMETYPE_AT : _MIMETYPE_AT + _LONGEST_TYPE].partition(b"PK")[0]
    named_type = _BY_CONTENT_TYPE.get(type_name.decode("ascii", "replace"))
    archive_tail = data[-_LISTING_BYTES:]
    part_types = (media_type for folder, media_type in _PARTS.items() if folder in archive_tail)
    return named_type or next(part_types, None)


def charset_of(content_type: str) -> str | None:
    """The charset in a Content-Type header, in lower case, None without one."""
    return _parse_header(content_type).get_content_charset()


def _bare(content_type: str) -> str:
    return _parse_header(content_type).get_content_type() if content_type else ""


def _parse_header(content_type: str) -> Message:
    message = Message()
    message["Content-Type"] = content_type
    return message
