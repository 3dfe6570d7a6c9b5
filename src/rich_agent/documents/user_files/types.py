"""The type of a file that a user sent: its bytes count more than its name."""

from typing import Final

from rich_agent.documents.extract.plain import has_byte_order_mark
from rich_agent.documents.media import MediaType, media_type_of, media_type_of_path, sniffed
from rich_agent.ports.user_files import FileRefusedError

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OPEN_XML: Final = (".docx", ".docm", ".xlsx", ".xlsm", ".pptx", ".pptm")
_SPREADSHEETS: Final = (".xlsx", ".xlsm", ".xls", ".ods")
_TEXTS: Final = frozenset(
    {"text/html", "text/markdown", "text/plain", "text/csv", "text/x-rst"}
    | {"application/rtf", "application/x-ipynb+json"}
)
_LOOKED_AT: Final = 64 * 1024


def media_type_of_file(name: str, mime: str, data: bytes) -> MediaType:
    """The type by which a file is read; a text of a type that is not known is plain text.

    Raises: FileRefusedError("empty", "encrypted", "old_office", "unsupported").
    """
    if not data.strip():
        raise FileRefusedError("empty", "the file is empty")
    if data.startswith(_OLE):
        # Office puts encrypted documents of today into the container of former times.
        is_encrypted = name.lower().endswith(_OPEN_XML)
        raise FileRefusedError("encrypted" if is_encrypted else "old_office", "an OLE container")
    named = media_type_of_path(name) or media_type_of(mime, "")
    if named in _TEXTS and _is_text(data):
        return named
    if found := sniffed(data):
        return found
    if _is_text(data):
        # Programs save tables as text under the names of spreadsheets.
        return "text/csv" if name.lower().endswith(_SPREADSHEETS) else "text/plain"
    raise FileRefusedError("damaged" if named else "unsupported", "neither text nor a document")


def _is_text(data: bytes) -> bool:
    start = data[:_LOOKED_AT]
    if start.startswith((b"%PDF-", b"PK\x03\x04")):
        return False
    return has_byte_order_mark(data) or b"\0" not in start
