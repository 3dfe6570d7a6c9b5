"""Media types that can be read, by a file's suffix, a server's Content-Type, or the bytes."""

import re
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
    "application/mbox",
    "application/pdf",
    "application/rtf",
    "application/vnd.ms-outlook",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/x-ipynb+json",
    "application/zip",
    "message/rfc822",
    "multipart/related",
]

_BY_SUFFIX: Final[Mapping[str, MediaType]] = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mdx": "text/markdown",
    ".qmd": "text/markdown",
    ".rmd": "text/markdown",
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
    ".eml": "message/rfc822",
    ".mbox": "application/mbox",
    ".mht": "multipart/related",
    ".mhtml": "multipart/related",
    ".msg": "application/vnd.ms-outlook",
    ".zip": "application/zip",
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
    "application/x-mimearchive": "multipart/related",
    "application/x-pdf": "application/pdf",
    "application/x-zip-compressed": "application/zip",
}
_ZIP_TYPES = frozenset({"application/zip", "application/x-zip-compressed"})
_SAYS_LITTLE = _ZIP_TYPES | {"", "text/plain", "application/octet-stream", "binary/octet-stream"}

# Text formats that servers often call plain text.
_PLAIN = frozenset(
    {"text/csv", "text/markdown", "text/x-rst"}
    | {"application/mbox", "message/rfc822", "multipart/related"}
)
_PARTS: Final[Mapping[bytes, MediaType]] = {
    b"word/": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    b"ppt/": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    b"xl/": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_MIMETYPE_AT = 38  # an archive whose first part is named `mimetype` and stored uncompressed

_OFFICE_LISTING: Final = b"[Content_Types].xml"
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MSG_PART: Final = "__properties_version1.0".encode("utf-16-le")
_ENCRYPTED_PART: Final = "EncryptedPackage".encode("utf-16-le")
_FIELD: Final = re.compile(rb"([!-9;-~]{1,80})[ \t]{0,8}:")
_FIELDS_WITHIN: Final = 16 * 1024

_LONGEST_TYPE = 80
_LISTING_BYTES = 64 * 1024

CONTAINER_TYPES: Final = frozenset[MediaType](
    {
        "application/mbox",
        "application/vnd.ms-outlook",
        "application/zip",
        "message/rfc822",
        "multipart/related",
    }
)
"""Types of files that hold other files, or the pictures of a page."""
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
    if suffix_type or header_type not in _ZIP_TYPES:
        return suffix_type or sniff_type(data)
    return type_of_zip(data)


def sniff_type(data: bytes) -> MediaType | None:
    """The media type by the first bytes, None if the bytes do not tell it."""
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    if head.startswith(b"{\\rtf"):
        return "application/rtf"
    if head[:14].lower() == b"<!doctype html" or head[:5].lower() == b"<html":
        return "text/html"
    if head.startswith(b"PK\x03\x04"):
        return _sniff_archive(data)
    if head.startswith(_OLE):
        return "application/vnd.ms-outlook" if _MSG_PART in data else None
    return _sniff_mail(data)


def is_old_office(data: bytes) -> bool:
    """Whether these are the bytes of a document as Office wrote them before 2007, or encrypted."""
    return data.startswith(_OLE) and _MSG_PART not in data


def is_encrypted_office(data: bytes) -> bool:
    """Whether these are the bytes of an encrypted Office document, which `is_old_office` is too.

    Source: MS-OFFCRYPTO, 2.3.4.4.
    """
    return data.startswith(_OLE) and _ENCRYPTED_PART in data


def type_of_zip(data: bytes) -> MediaType | None:
    """The media type of what is called a ZIP archive, which may be a document of an office program.

    None if it is no archive.
    """
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return sniff_type(data)
    is_office = _OFFICE_LISTING in data[:1024] or _OFFICE_LISTING in data[-_LISTING_BYTES:]
    named_type = _named_type(data)
    return (sniff_type(data) if is_office else named_type) or "application/zip"


def _sniff_mail(data: bytes) -> MediaType | None:
    """The media type of a mail, a saved page or a mailbox, by the names of the first fields."""
    text = data[:_FIELDS_WITHIN].lstrip()
    first_line, _, other_lines = text.partition(b"\n")
    is_mailbox = first_line.startswith(b"From ")
    names: set[bytes] = set()
    for line in (other_lines if is_mailbox else text).splitlines():
        field = _FIELD.match(line)
        if field:
            names.add(field[1].lower())
        elif not line.startswith((b" ", b"\t")):
            if line:
                return None
            break
    is_mail = {b"from", b"date"} <= names and not names.isdisjoint({b"received", b"message-id"})
    if not is_mail and not {b"mime-version", b"content-type"} <= names:
        return None
    return "application/mbox" if is_mailbox else "message/rfc822"


def _sniff_archive(data: bytes) -> MediaType | None:
    """The media type of an archive, by its first part (OpenDocument, EPUB) or any (Office)."""
    archive_tail = data[-_LISTING_BYTES:]
    part_types = (media_type for folder, media_type in _PARTS.items() if folder in archive_tail)
    return _named_type(data) or next(part_types, None)


def _named_type(data: bytes) -> MediaType | None:
    """The media type that the first part of an archive names."""
    type_name = data[_MIMETYPE_AT : _MIMETYPE_AT + _LONGEST_TYPE].partition(b"PK")[0]
    return _BY_CONTENT_TYPE.get(type_name.decode("ascii", "replace"))


def charset_of(content_type: str) -> str | None:
    """The charset in a Content-Type header, in lower case, None without one."""
    return _parse_header(content_type).get_content_charset()


def _bare(content_type: str) -> str:
    return _parse_header(content_type).get_content_type() if content_type else ""


def _parse_header(content_type: str) -> Message:
    message = Message()
    message["Content-Type"] = content_type
    return message
