"""Reads the structure of mails as IMAP servers describe it (RFC 3501, 7.4.2, BODYSTRUCTURE).

A mail may be malformed on purpose. So the work is linear in the length of the description, and
invalid parts are ignored.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email.utils import collapse_rfc2231_value, decode_params
from itertools import takewhile
from typing import Final

from rich_agent.feature.connectors import (
    MediaType,
    header_text,
    media_type_of,
    media_type_of_path,
)

# A text that is never closed ends with the input, so that no quote in it is tried again.
_TOKEN: Final = re.compile(rb'[()]|"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[^\s()"]++', re.DOTALL)
_ESCAPED: Final = re.compile(rb"\\(.)", re.DOTALL)
_LITERAL: Final = re.compile(rb"\{[0-9]{1,10}\}$")
_DEEPEST: Final = 50
_MOST_PARTS: Final = 50
_MOST_CHARS: Final = 500
# Positions of fields in a part, and of its disposition by the type of the part.
_PARAMETERS, _ID, _ENCODING, _SIZE = 2, 3, 5, 6
_DISPOSITION: Final = {"text": 9, "message/rfc822": 11, "": 8}

_TEXTS: Final = frozenset({"text/plain", "text/html", "text/calendar", "text/enriched"})
# Parameters that tell how a text is shown. Sources: RFC 2046, RFC 3676.
_SHOWN_PARAMETERS: Final = ("charset", "format", "delsp")
_NOT_IN_FIELD: Final = re.compile(r"[^\w.:/+<>@=$%!#&*'-]")

Parsed = str | None | list["Parsed"]


@dataclass(frozen=True, slots=True)
class MailPart:
    """A part of a mail with content."""

    section: str
    """Section number."""
    media: str
    encoding: str
    size_bytes: int
    """Size before decoding."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Parameters that tell how a text is shown, by name."""
    content_id: str = ""
    """Id by which the text names the part, "" if it has none."""
    name: str = ""
    """File name, "" if the part has none."""
    is_attachment: bool = False
    alternative: str = ""
    """Section of what the part belongs to a form of; "" if there is one form only."""
    form: str = ""
    """Section of the form that the part belongs to."""

    @property
    def media_type(self) -> MediaType | None:
        """The media type, None if such files are not read."""
        return media_type_of_path(self.name) or media_type_of(self.media, self.name)


def parse_responses(data: Sequence[object]) -> Iterator[list[Parsed]]:
    """The fields of each message in the data of a FETCH, as returned by imaplib."""
    stack: list[list[Parsed]] = [[]]
    for token in _tokens(data):
        if token == b"(":
            inner_list: list[Parsed] = []
            stack[-1].append(inner_list)
            stack.append(inner_list)
        elif token == b")":
            if len(stack) == 2:
                yield stack[1]
            if len(stack) > 1:
                stack.pop()
        elif len(stack) > 1:
            stack[-1].append(_value(token))


def fields_of(response: Sequence[Parsed]) -> dict[str, Parsed]:
    """The fields of a message by name, in capitals."""
    pairs = zip(response[::2], response[1::2], strict=False)
    return {name.upper(): value for name, value in pairs if isinstance(name, str)}


def parts_of(structure: Parsed) -> list[MailPart]:
    """The parts of a mail in order, at most 50, without the parts of attached mails."""
    parts: list[MailPart] = []
    _collect(structure, _Place(), 0, parts)
    return parts


def text_parts(parts: Sequence[MailPart]) -> list[MailPart]:
    """The parts with the text of a mail, in each of its forms, and invitations."""
    return [part for part in parts if not part.is_attachment and part.media in _TEXTS]


def picture_parts(parts: Sequence[MailPart]) -> list[MailPart]:
    """The pictures that stand in the text of a mail, at most 20."""
    return [part for part in parts if part.content_id and part.media.startswith("image/")][:20]


def _tokens(data: Sequence[object]) -> Iterator[bytes | str]:
    """Parentheses, atoms and quoted texts as bytes; literals as text."""
    for item in data:
        is_literal = isinstance(item, tuple)
        line = item[0] if isinstance(item, tuple) else item
        if not isinstance(line, bytes):
            continue
        yield from (match[0] for match in _TOKEN.finditer(_LITERAL.sub(b"", line)))
        if is_literal and isinstance(item, tuple):
            # Latin-1 keeps the bytes of contents; `in_words` decodes names that are UTF-8.
            yield item[1].decode("latin-1")


def _value(token: bytes | str) -> str | None:
    if isinstance(token, str):
        return token
    if token.startswith(b'"'):
        return _ESCAPED.sub(rb"\1", token[1:-1]).decode("latin-1")
    return None if token.upper() == b"NIL" else token.decode("latin-1")


def _collect(structure: Parsed, place: "_Place", depth: int, parts: list[MailPart]) -> None:
    """Add the parts at this place."""
    if not isinstance(structure, list) or depth > _DEEPEST:
        return
    if not structure or not isinstance(structure[0], list):
        with suppress(IndexError, TypeError, ValueError):
            part = _part(structure, place.section or "1")
            parts.append(replace(part, alternative=place.alternative, form=place.form))
        return
    inner_parts = list(takewhile(lambda item: isinstance(item, list), structure))
    kind = structure[len(inner_parts)] if len(structure) > len(inner_parts) else ""
    has_forms = not place.alternative and str(kind).lower() == "alternative"
    for part_number, item in enumerate(inner_parts, start=1):
        if len(parts) >= _MOST_PARTS:
            return
        section = f"{place.section}.{part_number}" if place.section else str(part_number)
        inner_place = (
            _Place(section, place.section or "0", section)
            if has_forms
            else replace(place, section=section)
        )
        _collect(item, inner_place, depth + 1, parts)


@dataclass(frozen=True, slots=True)
class _Place:
    """The section of a part, and what it is a form of, as `MailPart` has them."""

    section: str = ""
    alternative: str = ""
    form: str = ""


def _part(fields: list[Parsed], section: str) -> MailPart:
    """Read a part. Raises: IndexError, TypeError, ValueError for an invalid part."""
    main_type, subtype = str(fields[0]).lower(), str(fields[1]).lower()
    media_type = f"{main_type}/{subtype}"[:_MOST_CHARS]
    position = _DISPOSITION.get(main_type) or _DISPOSITION.get(media_type) or _DISPOSITION[""]
    disposition = fields[position] if len(fields) > position else None
    if not isinstance(disposition, list):
        disposition = [None, None]
    parameters = _parameters(fields[_PARAMETERS])
    name = _parameters(disposition[1]).get("filename") or parameters.get("name", "")
    return MailPart(
        section=section,
        media=_NOT_IN_FIELD.sub("", media_type),
        encoding=_NOT_IN_FIELD.sub("", str(fields[_ENCODING] or "").lower()),
        size_bytes=int(str(fields[_SIZE])),
        parameters={
            shown: _NOT_IN_FIELD.sub("", parameters[shown])
            for shown in _SHOWN_PARAMETERS
            if shown in parameters
        },
        content_id=_NOT_IN_FIELD.sub("", str(fields[_ID] or "")),
        name=_file_name(name),
        is_attachment=bool(name) or str(disposition[0]).lower() == "attachment",
    )


def _file_name(name: str) -> str:
    """A decoded file name. A raw one holds its bytes as characters."""
    with suppress(UnicodeError):
        name = name.encode("latin-1").decode("utf-8", "surrogateescape")
    return header_text(name)


def _parameters(structure: Parsed) -> dict[str, str]:
    """The parameters of a field by name. RFC 2231 may spread a value over several parameters."""
    if not isinstance(structure, list):
        return {}
    items = [str(item or "")[:_MOST_CHARS] for item in structure[:40]]
    pairs = [("", ""), *zip(items[::2], items[1::2], strict=False)]
    try:
        parameters = decode_params(pairs)[1:]
        return {
            name.lower(): collapse_rfc2231_value(value).strip('"') for name, value in parameters
        }
    except (ValueError, LookupError):
        return {}
