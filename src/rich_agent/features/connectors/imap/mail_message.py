"""Writes the text of a mail as a message of its own, without its attachments."""

from collections.abc import Iterator, Mapping, Sequence
from email import message_from_bytes
from hashlib import sha256
from itertools import groupby
from typing import Final

from rich_agent.features.connectors.imap.mail_structure import MailPart

_KEPT_FIELDS: Final = frozenset({"subject", "from", "to", "cc", "date"})


def text_message(header: bytes, parts: Sequence[MailPart], contents: Mapping[str, bytes]) -> bytes:
    """A mail with these parts, which have their contents by section.

    Forms of one text stay forms of one text.
    """
    # No part can contain the hash of all.
    boundary = sha256(b"".join(contents[part.section] for part in parts)).hexdigest()
    fields = "".join(
        f"{name}: {value}\n"
        for name, value in message_from_bytes(header).raw_items()
        if name.lower() in _KEPT_FIELDS
    )
    groups = groupby(parts, key=lambda part: part.alternative or part.section)
    bodies = [_forms(list(group), contents, boundary) for _, group in groups]
    return fields.encode("utf-8", "surrogateescape") + _multipart("mixed", f"{boundary}-0", bodies)


def _forms(parts: Sequence[MailPart], contents: Mapping[str, bytes], boundary: str) -> bytes:
    """The forms of a text, each with all its parts; or a part that has one form only."""
    if not parts[0].alternative:
        return _part(parts[0], contents)
    forms = [list(form) for _, form in groupby(parts, key=lambda part: part.form)]
    bodies = [
        _part(form[0], contents)
        if len(form) == 1
        else _multipart("mixed", f"{boundary}-2", [_part(part, contents) for part in form])
        for form in forms
    ]
    return _multipart("alternative", f"{boundary}-1", bodies)


def decode_part(part: MailPart, content: bytes) -> bytes:
    """The decoded content of a part."""
    payload = message_from_bytes(_part(part, {part.section: content})).get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _multipart(kind: str, boundary: str, bodies: Sequence[bytes]) -> bytes:
    mark = f"--{boundary}".encode()
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n'.encode()
    return head + b"".join(mark + b"\n" + body + b"\n" for body in bodies) + mark + b"--\n"


def _part(part: MailPart, contents: Mapping[str, bytes]) -> bytes:
    return "".join(_head(part)).encode() + b"\n" + contents[part.section]


def _head(part: MailPart) -> Iterator[str]:
    parameters = "".join(f'; {name}="{value}"' for name, value in part.parameters.items())
    yield f"Content-Type: {part.media}{parameters}\n"
    if part.encoding:
        yield f"Content-Transfer-Encoding: {part.encoding}\n"
    if part.content_id:
        yield f"Content-ID: {part.content_id}\n"
