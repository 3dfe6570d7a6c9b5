"""Reads mails, mailboxes and saved web pages, which are MIME messages (RFC 2045 to 2049).

A message may be malformed on purpose, so the work is linear in its length.
"""

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from email._policybase import Compat32
from email.generator import BytesGenerator
from email.message import Message
from email.utils import collapse_rfc2231_value
from functools import partial
from itertools import islice
from typing import Final
from urllib.parse import unquote

import lxml.html
from lxml.html import HtmlElement
from PIL import Image
from typing_extensions import override

from rich_agent.documents.extract.containers import InnerFile
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.html import parse_page
from rich_agent.documents.extract.invitations import invitation_lines
from rich_agent.documents.extract.mail_headers import header_text
from rich_agent.documents.extract.plain import decode, visible
from rich_agent.domain.inventory import Tally

_SHOWN_FIELDS: Final = ("From", "To", "Cc", "Date")
_LONGEST_FIELD: Final = 16 * 1024
_DEEPEST: Final = 50
_MOST_PARTS: Final = 1_000
_MOST_MAILS: Final = 100_000
_SMALLEST_PX: Final = 38
"""Pixels in a centimetre of a screen with 96 dots per inch."""
_SIGNATURES: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
    | {"application/pgp-keys"}
)
_SEALED: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TEXTS: Final = frozenset({"text/plain", "text/html", "text/calendar", "text/enriched"})
_LOST_BOUNDARY: Final = re.compile(rb"^--([^\r\n]{1,70}?)[ \t]*+\r?\n(?=Content-)", re.MULTILINE)
_MAIL_START: Final = re.compile(
    rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\r\n]{1,500}\r?\n(?=[!-9;-~]{1,80}:)"
)
_PIXELS: Final = re.compile(r"\s*(\d{1,6})(?:\.\d{1,9})?(?:px)?\s*")
_SIZE_STYLE: Final = re.compile(r"(?:^|;)\s*+(width|height)\s*+:\s*+(\d{1,6})(?:\.\d{1,9})?px")


@dataclass(slots=True)
class MailText:
    """A piece of a mail's text."""

    text: str
    is_html: bool = False


@dataclass(slots=True)
class Mail:
    """The content of a mail, as a person sees it who opens it."""

    subject: str = ""
    head: list[str] = field(default_factory=list)
    """Lines with the sender, the recipients and the date."""
    texts: list[MailText] = field(default_factory=list)
    attachments: list[InnerFile] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    @property
    def head_text(self) -> str:
        """The lines above the text; they name the attachments, as programs show them."""
        names = ", ".join(attachment.name for attachment in self.attachments[:_NAMED])
        more = ", …" * (len(self.attachments) > _NAMED)
        return "\n".join([*self.head, *([f"Attachments: {names}{more}"] if names else [])])


_NAMED: Final = 50


def read_mail(data: bytes) -> Mail:
    """The content of a mail. Raises: ExtractionError if it is encrypted."""
    return read_message(_parse(data))


def read_message(message: Message) -> Mail:
    """The content of a mail that was parsed. Raises: ExtractionError if it is encrypted."""
    mail = Mail(_field(message, "subject"), list(_head(message)))
    parts = _Parts()
    parts.collect(message, 0)
    if parts.is_sealed and not parts.texts:
        raise ExtractionError("the mail is encrypted", "encrypted")
    mail.texts, mail.attachments = parts.texts, parts.attachments
    for text in mail.texts:
        page = parse_page(text.text) if text.is_html else None
        if page is not None:
            _count_pictures(page, parts.pictures, mail.tally)
    return mail


def _count_pictures(page: HtmlElement, pictures: Mapping[str, bytes], tally: Tally) -> None:
    """Count the pictures that stand in the text; small ones are decoration.

    `pictures` are the bytes by the id that the page names them with.
    """
    for image in page.iter("img"):
        data = pictures.get(unquote(image.get("src", "")).partition("cid:")[2])
        if data is not None and _is_seen(image, data):
            tally.note_unread("picture")


def read_saved_page(data: bytes) -> tuple[str, str] | None:
    """The HTML of a saved page, with its frames, and its address; None for a mail.

    A page has no recipients, and its first part has an address (RFC 2557).
    """
    message = _parse(data)
    if any(name in message for name in ("To", "Cc", "Bcc", "Received", "Delivered-To")):
        return None
    pages = [part for part in _walk(message, 0) if part.get_content_type() == "text/html"]
    start = str(message.get_param("start", ""))
    root = next((page for page in pages if start and page["Content-ID"] == start), None)
    root = root or next(iter(pages), None)
    if root is None:
        return None
    address = str(message["Snapshot-Content-Location"] or root["Content-Location"] or "").strip()
    if not address and message["From"] and message["Message-ID"]:
        return None
    return _with_frames(_html(root), pages), address


def split_mailbox(data: bytes) -> Iterator[InnerFile]:
    """The mails of a mailbox, which begin with a line "From " after an empty one (RFC 4155)."""
    starts = [match.start() for match in islice(_MAIL_START.finditer(data), _MOST_MAILS)]
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(data)], strict=True), 1):
        mail = memoryview(data)[start:end]
        yield InnerFile(f"{number}.eml", "message/rfc822", partial(_mail_of_mailbox, mail))


def _mail_of_mailbox(mail: memoryview) -> bytes:
    return bytes(mail).partition(b"\n")[2]


class _ShortFields(Compat32):
    """Cuts header fields, because the time for parameters grows with the square of their number."""

    @override
    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """The name and the value of a field."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_LONGEST_FIELD]


_SHORT_FIELDS: Final = _ShortFields()


def _parse(data: bytes) -> Message:
    """The message. Parts are found even if the boundary is not the one that the header names."""
    message = message_from_bytes(data.lstrip(b"\r\n\xef\xbb\xbf"), policy=_SHORT_FIELDS)
    if message.get_content_maintype() == "multipart" and not message.is_multipart():
        lost = _LOST_BOUNDARY.search(data)
        if lost:
            message.set_param("boundary", lost[1].decode("latin-1"))
            head = "".join(f"{name}: {value}\n" for name, value in message.items())
            body = data[lost.start() :]
            data = head.encode("utf-8", "surrogateescape") + b"\n" + body
            message = message_from_bytes(data, policy=_SHORT_FIELDS)
    return message


def _walk(message: Message, depth: int) -> Iterator[Message]:
    """The parts without parts, in order."""
    if not message.is_multipart():
        yield message
    elif depth < _DEEPEST:
        for part in _inner(message):
            yield from _walk(part, depth + 1)


def _inner(part: Message) -> list[Message]:
    """The parts within a part."""
    payload = part.get_payload()
    return [item for item in payload if isinstance(item, Message)] if part.is_multipart() else []


class _Parts:
    """Sorts the parts of a mail into texts, pictures within them, and attachments."""

    def __init__(self) -> None:
        self.texts: list[MailText] = []
        self.pictures: dict[str, bytes] = {}
        self.attachments: list[InnerFile] = []
        self.is_sealed = False
        self._count = 0

    def collect(self, part: Message, depth: int) -> None:
        """Add a part, and the parts within it."""
        self._count += 1
        media = part.get_content_type()
        if depth > _DEEPEST or self._count > _MOST_PARTS or media == "message/rfc822":
            self._attach(part)
        elif media == "multipart/alternative" and part.is_multipart():
            self._choose(_inner(part), depth)
        elif part.get_content_maintype() == "multipart" and part.is_multipart():
            self.is_sealed = self.is_sealed or media == "multipart/encrypted"
            for inner_part in _inner(part):
                self.collect(inner_part, depth + 1)
        elif media in _TEXTS and not _file_name(part) and not _is_attached(part):
            self.texts += _texts(part)
        elif media in _SEALED:
            self.is_sealed = True
        elif part["Content-ID"] and media.startswith("image/"):
            self.pictures[part["Content-ID"].strip(" <>")] = _bytes(part)
        elif media not in _SIGNATURES and (_file_name(part) or _bytes(part).strip()):
            self._attach(part)

    def _choose(self, parts: list[Message], depth: int) -> None:
        """Add the richest form of a text: the page if it has words, else the plain text.

        An invitation is added to the text that announces it.
        """
        before, self.texts = self.texts, []
        forms: list[list[MailText]] = []
        invitations: list[MailText] = []
        for part in parts:
            self.texts = []
            self.collect(part, depth + 1)
            if part.get_content_type() == "text/calendar":
                invitations += self.texts
            else:
                forms.append(self.texts)
        readable_forms = [form for form in forms if any(map(_has_words, form))]
        self.texts = [*before, *(readable_forms[-1] if readable_forms else []), *invitations]

    def _attach(self, part: Message) -> None:
        name = _file_name(part)
        if part.get_content_type() == "message/rfc822":
            subject = next((_field(mail, "subject") for mail in _inner(part)), "")
            name = name or f"{subject or 'mail'}.eml"
        media = part.get_content_type()
        self.attachments.append(InnerFile(name or media, media, partial(_bytes, part)))


def _has_words(text: MailText) -> bool:
    if not text.is_html:
        return bool(text.text.strip())
    page = parse_page(text.text)
    return page is not None and bool(page.body.text_content().strip())


def _is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment"


def _texts(part: Message) -> list[MailText]:
    """The text of a part as it is shown, if there is any."""
    media = part.get_content_type()
    if media == "text/html":
        return [MailText(_html(part), is_html=True)]
    text = visible(decode(_bytes(part), part.get_content_charset(), is_html=False))
    if media == "text/calendar":
        text = "\n".join(invitation_lines(text))
    elif str(part.get_param("format", "")).lower() == "flowed":
        text = unflow(text, delete_space=str(part.get_param("delsp", "")).lower() == "yes")
    return [MailText(text)] if text.strip() else []


def unflow(text: str, *, delete_space: bool = False) -> str:
    """Text whose lines were broken softly, with whole paragraphs. Source: RFC 3676, 4."""
    lines: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_soft = content.endswith(" ") and content != "-- "
        if open_depth == depth and content != "-- ":
            lines[-1] += content
        else:
            lines.append(f"{'>' * depth} {content}" if depth else content)
        if is_soft and delete_space:
            lines[-1] = lines[-1][:-1]
        open_depth = depth if is_soft else -1
    return "\n".join(lines)


def _html(part: Message) -> str:
    return visible(decode(_bytes(part), part.get_content_charset(), is_html=True))


def _with_frames(html: str, pages: list[Message]) -> str:
    """The page with the content of those frames that were saved with it."""
    pages_by_name = {
        name: page
        for page in pages
        for name in (f"cid:{str(page['Content-ID'] or '').strip(' <>')}", page["Content-Location"])
        if name
    }
    root = parse_page(html) if len(pages) > 1 else None
    if root is None:
        return html
    for frame in list(root.iter("frame", "iframe")):
        page = pages_by_name.pop(frame.get("src", ""), None)
        content = parse_page(_html(page)) if page is not None else None
        if content is not None:
            body = content.body
            body.tag, body.tail = "div", frame.tail
            frame.getparent().replace(frame, body)
    for frameset in list(root.iter("frameset")):
        frameset.tag = "div"
    return str(lxml.html.tostring(root, encoding="unicode"))


def _bytes(part: Message) -> bytes:
    """The decoded content of a part; of a mail within a mail, the mail."""
    if not part.is_multipart():
        payload = part.get_payload(decode=True)
        return payload if isinstance(payload, bytes) else b""
    target = io.BytesIO()
    for inner_part in _inner(part):
        with suppress(UnicodeError, LookupError, ValueError, TypeError):
            BytesGenerator(target, mangle_from_=False, maxheaderlen=0).flatten(inner_part)
    return target.getvalue()


def _file_name(part: Message) -> str:
    """The name of an attached file without its folder, "" if it has none."""
    with suppress(ValueError, LookupError, TypeError):
        name = part.get_param("filename", None, "Content-Disposition")
        name = part.get_param("name", "") if name is None else name
        text = header_text(collapse_rfc2231_value(name)) if name else ""
        return text.replace("\\", "/").rpartition("/")[2]
    return ""


def _head(message: Message) -> Iterator[str]:
    for name in _SHOWN_FIELDS:
        if text := _field(message, name.lower()):
            yield f"{name}: {text}"


def _field(message: Message, name: str) -> str:
    """The first value of a header, decoded, "" if it is missing."""
    values = (value for key, value in message.raw_items() if key.lower() == name)
    return header_text(next(values, ""))


def _is_seen(image: HtmlElement, data: bytes) -> bool:
    """Whether a picture is shown with at least a centimetre in width and height."""
    shown = dict(_SIZE_STYLE.findall(image.get("style", "").lower()))
    sides = [_PIXELS.fullmatch(image.get(side, "")) for side in ("width", "height")]
    width, height = (
        int(shown.get(side) or (match[1] if match else 0))
        for side, match in zip(("width", "height"), sides, strict=True)
    )
    if not (width and height):
        try:
            with Image.open(io.BytesIO(data)) as picture:
                own_width, own_height = picture.size
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            own_width = own_height = _SMALLEST_PX
        width, height = width or own_width, height or own_height
    return width >= _SMALLEST_PX and height >= _SMALLEST_PX
