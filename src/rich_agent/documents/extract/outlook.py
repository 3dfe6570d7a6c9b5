"""Reads mails that Outlook saved (MS-OXMSG) as MIME messages, with their attachments."""

import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.encoders import encode_base64
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.parser import HeaderParser
from typing import TYPE_CHECKING, Final

from rich_agent.documents.extract.extracted import ExtractionError

if TYPE_CHECKING:
    from olefile import OleFileIO

# Ids of properties. Source: MS-OXPROPS.
_SUBJECT, _HEADERS, _SENDER, _SENDER_ADDRESS, _SENDER_SMTP = 0x37, 0x7D, 0xC1A, 0xC1F, 0x5D01
_TO, _CC, _SENT, _DELIVERED = 0xE04, 0xE03, 0x39, 0xE06
_BODY, _HTML, _HTML_CODEPAGE, _TEXT_CODEPAGE = 0x1000, 0x1013, 0x3FDE, 0x3FFD
_NAME, _LONG_NAME, _SHOWN_NAME = 0x3704, 0x3707, 0x3001
_MEDIA, _CONTENT, _CONTENT_ID = 0x370E, 0x3701, 0x3712
_PROPERTIES: Final = "__properties_version1.0"
_MAIL_HEAD, _INNER_MAIL_HEAD, _ATTACHMENT_HEAD = 32, 24, 8
_RECORD_BYTES: Final = 16
_CODEPAGES: Final = {65001: "utf-8", 20127: "ascii", 28591: "iso-8859-1", 50220: "iso-2022-jp"}
_EPOCH: Final = datetime(1601, 1, 1, tzinfo=UTC)
_DEEPEST: Final = 5
_MOST_ATTACHMENTS: Final = 1_000


def outlook_message(data: bytes) -> Message:
    """A mail with its attachments. Raises: ExtractionError if the file is damaged."""
    from olefile import OleFileIO  # noqa: PLC0415 - no other format needs it

    try:
        with OleFileIO(io.BytesIO(data)) as file:
            return _message(_Storage(file, (), _MAIL_HEAD), 0)
    except (OSError, ValueError, LookupError, AttributeError, TypeError) as error:
        raise ExtractionError(f"the file is damaged: {error}") from error


@dataclass(frozen=True, slots=True)
class _Storage:
    """A mail or an attachment: named properties, each a stream, or a number in a list."""

    file: "OleFileIO"
    path: tuple[str, ...]
    head_bytes: int
    """Bytes before the list of numbers."""

    def bytes_of(self, property_id: int, kind: str = "0102") -> bytes | None:
        """The bytes of a property, None if it is missing."""
        path = [*self.path, f"__substg1.0_{property_id:04X}{kind}"]
        if self.file.get_type(path) != 2:
            return None
        with self.file.openstream(path) as stream:
            return bytes(stream.read())

    def text_of(self, *property_ids: int) -> str:
        """The first of these properties that is there, as text."""
        for property_id in property_ids:
            if (text := self.bytes_of(property_id, "001F")) is not None:
                return text.decode("utf-16-le", "replace").rstrip("\0")
            if (text := self.bytes_of(property_id, "001E")) is not None:
                return text.decode(self.charset_of(_TEXT_CODEPAGE), "replace").rstrip("\0")
        return ""

    def charset_of(self, property_id: int) -> str:
        """The charset that a property names by its number on Windows."""
        number = int.from_bytes(self.number_of(property_id)[:4], "little")
        return _CODEPAGES.get(number, f"cp{number or 1252}")

    def number_of(self, property_id: int) -> bytes:
        """The eight bytes of a property of fixed length, b"" if it is missing."""
        path = [*self.path, _PROPERTIES]
        if self.file.get_type(path) != 2:
            return b""
        with self.file.openstream(path) as stream:
            records = stream.read()
        for start in range(self.head_bytes, len(records) - _RECORD_BYTES + 1, _RECORD_BYTES):
            if int.from_bytes(records[start + 2 : start + 4], "little") == property_id:
                return bytes(records[start + 8 : start + _RECORD_BYTES])
        return b""

    def inner(self, name: str, head_bytes: int) -> "_Storage":
        """A storage within this one."""
        return _Storage(self.file, (*self.path, name), head_bytes)

    def attachments(self) -> Iterator["_Storage"]:
        """The attachments, in order."""
        depth = len(self.path)
        names = {
            path[depth]
            for path in self.file.listdir(streams=True, storages=False)
            if tuple(path[:depth]) == self.path and path[depth].startswith("__attach_version1.0_")
        }
        for name in sorted(names)[:_MOST_ATTACHMENTS]:
            yield self.inner(name, _ATTACHMENT_HEAD)


def _message(mail: _Storage, depth: int) -> Message:
    """The mail as a MIME message."""
    message = MIMEMultipart()
    for name, value in _fields(mail):
        if value:
            message[name] = " ".join(value.split())
    texts = MIMEMultipart("alternative")
    texts.attach(
        _part("text/plain", mail.text_of(_BODY).encode("utf-8", "replace"), charset="utf-8")
    )
    if html := mail.bytes_of(_HTML):
        texts.attach(_part("text/html", html, charset=mail.charset_of(_HTML_CODEPAGE)))
    elif html_text := mail.text_of(_HTML):
        texts.attach(_part("text/html", html_text.encode("utf-8", "replace"), charset="utf-8"))
    message.attach(texts)
    for attachment in mail.attachments():
        message.attach(_attached_part(attachment, depth))
    return message


def _fields(mail: _Storage) -> Iterator[tuple[str, str]]:
    """The header fields that people see."""
    headers = HeaderParser().parsestr(mail.text_of(_HEADERS))
    name, address = mail.text_of(_SENDER), mail.text_of(_SENDER_SMTP, _SENDER_ADDRESS)
    sender = f"{name} <{address}>".strip() if "@" in address and name != address else name
    yield "Subject", mail.text_of(_SUBJECT)
    yield "From", str(headers["From"] or sender)
    yield "To", str(headers["To"] or mail.text_of(_TO))
    yield "Cc", str(headers["Cc"] or mail.text_of(_CC))
    yield "Date", str(headers["Date"] or _time(mail.number_of(_SENT) or mail.number_of(_DELIVERED)))


def _time(ticks: bytes) -> str:
    """A time in tenths of microseconds since 1601, "" without one."""
    with suppress(OverflowError):
        if any(ticks):
            time = _EPOCH + timedelta(microseconds=int.from_bytes(ticks, "little") // 10)
            return time.strftime("%Y-%m-%d %H:%M UTC")
    return ""


def _attached_part(attachment: _Storage, depth: int) -> Message:
    """An attachment as a part; a mail within a mail as a message."""
    name = attachment.text_of(_LONG_NAME, _NAME, _SHOWN_NAME)
    inner_name = f"__substg1.0_{_CONTENT:04X}000D"
    inner_mail = attachment.inner(inner_name, _INNER_MAIL_HEAD)
    if attachment.file.exists([*inner_mail.path, _PROPERTIES]) and depth < _DEEPEST:
        return MIMEMessage(_message(inner_mail, depth + 1))
    media = attachment.text_of(_MEDIA).partition(";")[0]
    part = _part(
        media if media.count("/") == 1 else "application/octet-stream",
        attachment.bytes_of(_CONTENT) or b"",
    )
    content_id = attachment.text_of(_CONTENT_ID)
    if content_id and media.startswith("image/"):
        part["Content-ID"] = f"<{content_id}>"
    part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", name or "file"))
    return part


def _part(media: str, content: bytes, charset: str = "") -> MIMEBase:
    main_type, _, subtype = media.partition("/")
    part = MIMEBase(main_type, subtype)
    if charset:
        part.set_param("charset", charset)
    part.set_payload(content)
    encode_base64(part)
    return part
