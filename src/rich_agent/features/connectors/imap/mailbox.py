"""Mails in folders of an IMAP server, with their attachments: a private source of one user.

A mail is identified by its number in its folder, never by its Message-ID, because anybody can send
a mail with the Message-ID of another one.
"""

import asyncio
import binascii
import quopri
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from email import message_from_bytes
from html import escape
from typing import Final, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, Field

from rich_agent.feature.connectors import (
    Changes,
    Entry,
    Outcome,
    PlaceReaders,
    RawDocument,
    ServiceConfig,
    ServiceGroup,
    Skipped,
    Unreadable,
    decode,
    pack_state,
    too_large,
    unpack_state,
)
from rich_agent.features.connectors.imap.mail_structure import (
    MailPart,
    Parsed,
    in_words,
    parts_of,
    text_parts,
)
from rich_agent.features.connectors.imap.mailbox_session import MailboxSession, Security

_Result = TypeVar("_Result")
_PLACE: Final = "mailbox"
_PORTION: Final = 500
_MOST_HEADER_BYTES: Final = 65_536
_SHOWN_HEADERS: Final = ("From", "To", "Date")


class ImapConfig(ServiceConfig):
    """The mailbox, and the user who may ask about its mails."""

    host: str = Field(description="Name of the IMAP server.", pattern=r"^[A-Za-z0-9._:-]+$")
    user: str = Field(description="User name at the server, often the mail address.")
    reader: int = Field(gt=0, description="Telegram id of the only one who may read the mails.")
    folders: tuple[str, ...] = Field(default=("INBOX",), description="Folders that are read.")
    port: int = Field(default=993, gt=0, lt=65_536, description="Port of the server.")
    security: Security = Field(default="tls", description="tls, starttls, or none.")


class _Folder(BaseModel):
    """The listed mails of a folder.

    `mark`: the state of the folder when it was listed.
    `ranges`: the first and last number of each range of mails.
    `attachments`: the sections of attachments, by mail.
    """

    validity: int = 0
    mark: str = ""
    ranges: list[tuple[int, int]] = []
    attachments: dict[int, list[str]] = {}


class _Mailbox(BaseModel):
    folders: dict[str, _Folder] = {}


def open_imap(config: ImapConfig, secret: str, *, source: str) -> "ImapConnector":  # noqa: ARG001 - no account is named
    """Open a mailbox; `secret` is the password."""
    session = MailboxSession(config.host, config.port, config.security, config.user, secret)
    return ImapConnector(config, session)


class ImapConnector:
    """Implements `Connector` with one connection, whose calls run in threads, one at a time."""

    def __init__(self, config: ImapConfig, session: MailboxSession) -> None:
        self._config = config
        self._session = session
        self._turn = asyncio.Lock()

    async def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """See `Connector.list`; a cursor holds the numbers of the listed mails."""
        state = unpack_state(cursor, _Mailbox)
        for name in state.folders.keys() - set(self._config.folders):
            keys = _keys(name, state.folders.pop(name))
            yield Changes((), pack_state(state), keys)
        for name in self._config.folders:
            async for changes in self._list_folder(name, state):
                yield changes
        yield Changes((), pack_state(state))

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """See `Connector.read`."""
        folder, _, rest = entry.key.rpartition("|")
        numbers, _, section = rest.partition("/")
        validity, _, uid = numbers.partition(":")
        mails = await self._fetch(folder, [int(uid)], "BODYSTRUCTURE")
        current_validity = await self._run(lambda: self._session.validity(folder))
        if str(current_validity) != validity or int(uid) not in mails:
            return Unreadable(entry.url, "there is no such mail", is_gone=True)
        parts = parts_of(mails[int(uid)].get("BODYSTRUCTURE"))
        chosen_parts = (
            [part for part in parts if part.section == section] if section else text_parts(parts)
        )
        size = sum(map(_size_of, chosen_parts))
        if size > most_bytes:
            return too_large(entry.url, size, most_bytes)
        if not chosen_parts:
            return Unreadable(entry.url, "the mail has no text")
        contents = await self._contents(folder, int(uid), chosen_parts, most_bytes)
        if contents is None:
            return Unreadable(entry.url, "there is no such mail", is_gone=True)
        if not section:
            return _mail(entry.url, contents["HEADER"], chosen_parts, contents)
        part = chosen_parts[0]
        media_type = part.media_type or "text/plain"
        data = _decode_part(part, contents[section])
        return RawDocument(entry.url, data, media_type, part.charset or None, name=part.name)

    async def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """See `Connector.rights`; one user may read all mails."""
        yield PlaceReaders(_PLACE, frozenset({f"user:{self._config.reader}"}))

    async def check(self) -> str:
        """See `Connector.check`."""
        for name in self._config.folders:
            await self._run(lambda name=name: self._session.status(name))  # type: ignore[misc]
        folders = ", ".join(self._config.folders)
        return (
            f"reads {folders} of {self._config.user} at {self._config.host}; "
            f"only user {self._config.reader} may ask about it"
        )

    async def aclose(self) -> None:
        """See `Connector.aclose`."""
        await self._run(self._session.close)

    async def _list_folder(self, name: str, state: _Mailbox) -> AsyncIterator[Changes]:
        status = await self._run(lambda: self._session.status(name))
        folder = state.folders.get(name, _Folder())
        if (folder.validity, folder.mark) == (status.validity, status.mark):
            return
        present_uids = set(await self._run(lambda: self._session.uids(name)))
        validity = await self._run(lambda: self._session.validity(name))
        if folder.validity != validity:
            keys = _keys(name, folder)
            folder = state.folders[name] = _Folder(validity=validity)
            if keys:
                yield Changes((), pack_state(state), keys)
        listed_uids = set(_numbers(folder.ranges))
        missing_uids = listed_uids - present_uids
        if missing_uids:
            keys = _keys(name, folder, missing_uids)
            folder.ranges = _ranges(listed_uids & present_uids)
            for uid in missing_uids & folder.attachments.keys():
                del folder.attachments[uid]
            yield Changes((), pack_state(state), keys)
        new_uids = sorted(present_uids - listed_uids)
        for start in range(0, len(new_uids), _PORTION):
            uids = new_uids[start : start + _PORTION]
            mails = await self._fetch(name, uids, "BODYSTRUCTURE")
            entries, skips = self._entries(name, folder, mails)
            folder.ranges = _ranges([*_numbers(folder.ranges), *mails])
            yield Changes(entries, pack_state(state), skipped=skips)
        folder.mark = status.mark

    def _entries(
        self, name: str, folder: _Folder, mails: Mapping[int, dict[str, Parsed]]
    ) -> tuple[tuple[Entry, ...], Skipped]:
        """The entries of mails and their attachments; the folder records the attachments."""
        entries: list[Entry] = []
        skips = Skipped()
        for uid, fields in sorted(mails.items()):
            parts = parts_of(fields.get("BODYSTRUCTURE"))
            if text_parts(parts):
                entries.append(self._entry(name, folder.validity, uid))
            else:
                skips.add("mails without text", f"{name} {uid}")
            attachments = [part for part in parts if part.is_attachment]
            for part in attachments:
                if part.media_type is None:
                    skips.add("attachments of other kinds", part.name or part.media)
            sections = [part.section for part in attachments if part.media_type is not None]
            if sections:
                folder.attachments[uid] = sections
            entries += [self._entry(name, folder.validity, uid, section) for section in sections]
        return tuple(entries), skips

    def _entry(self, name: str, validity: int, uid: int, section: str = "") -> Entry:
        """The entry of a mail or attachment. Mails never change, so the key is also the version.

        The address follows RFC 5092.
        """
        key = _key(name, validity, uid, section)
        config = self._config
        url = (
            f"imap://{quote(config.user, safe='')}@{config.host}:{config.port}/{quote(name)}"
            f";UIDVALIDITY={validity}/;UID={uid}" + (f"/;SECTION={section}" if section else "")
        )
        return Entry(key, url, key, _PLACE)

    async def _contents(
        self, folder: str, uid: int, parts: Sequence[MailPart], most_bytes: int
    ) -> dict[str, bytes] | None:
        """The encoded parts by section, and the header; None if the mail is gone."""
        items = [f"BODY.PEEK[HEADER]<0.{_MOST_HEADER_BYTES}>"]
        # A server may say a smaller size than it has.
        items += [f"BODY.PEEK[{part.section}]<0.{2 * most_bytes}>" for part in parts]
        fields = (await self._fetch(folder, [uid], " ".join(items))).get(uid)
        if fields is None:
            return None
        bodies = {
            name.partition("[")[2].partition("]")[0]: value.encode("latin-1", "replace")
            for name, value in fields.items()
            if isinstance(value, str) and name.startswith("BODY[")
        }
        return {
            name: bodies.get(name, b"") for name in ("HEADER", *(part.section for part in parts))
        }

    async def _fetch(
        self, folder: str, uids: Sequence[int], items: str
    ) -> dict[int, dict[str, Parsed]]:
        return await self._run(lambda: self._session.fetch(folder, uids, items))

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        async with self._turn:
            return await asyncio.to_thread(work)


def _mail(
    url: str, header: bytes, parts: Sequence[MailPart], contents: dict[str, bytes]
) -> RawDocument:
    """A mail as a page: the subject as the heading, the sender and recipients, and the text."""
    headers = _headers(header)
    subject = headers.get("subject") or "(no subject)"
    header_lines = [
        f"{name}: {value}" for name in _SHOWN_HEADERS if (value := headers.get(name.lower()))
    ]
    texts = [_text(part, contents[part.section]) for part in parts]
    if parts[0].media == "text/plain":
        blocks = [block for text in texts for block in text.split("\n\n") if block.strip()]
        texts = [f"<p>{escape(block.strip())}</p>".replace("\n", "<br>\n") for block in blocks]
    page = (
        f"<!doctype html><title>{escape(subject)}</title><h1>{escape(subject)}</h1>"
        f"<p>{'<br>'.join(map(escape, header_lines))}</p>{''.join(texts)}"
    )
    return RawDocument(url, page.encode("utf-8", "replace"), "text/html", "utf-8")


def _headers(header: bytes) -> dict[str, str]:
    """The first value of each field, decoded."""
    texts: dict[str, str] = {}
    for name, value in message_from_bytes(header).raw_items():
        text = str(value).encode("ascii", "surrogateescape").decode("latin-1")
        texts.setdefault(name.lower(), in_words(text))
    return texts


def _text(part: MailPart, data: bytes) -> str:
    text = decode(_decode_part(part, data), part.charset or None, is_html=part.media == "text/html")
    return "\n".join(text.splitlines())


def _decode_part(part: MailPart, data: bytes) -> bytes:
    """The decoded content of a part; empty if its encoding is invalid."""
    if part.encoding == "quoted-printable":
        return quopri.decodestring(data)
    if part.encoding != "base64":
        return data
    try:
        return binascii.a2b_base64(data)
    except binascii.Error:
        return b""


def _size_of(part: MailPart) -> int:
    """The approximate size of a decoded part, in bytes."""
    return part.size_bytes * 3 // 4 if part.encoding == "base64" else part.size_bytes


def _key(name: str, validity: int, uid: int, section: str = "") -> str:
    return f"{name}|{validity}:{uid}" + (f"/{section}" if section else "")


def _keys(name: str, folder: _Folder, uids: Iterable[int] | None = None) -> tuple[str, ...]:
    """The keys of mails and their attachments; of all mails in the folder if `uids` is None."""
    return tuple(
        _key(name, folder.validity, uid, section)
        for uid in (_numbers(folder.ranges) if uids is None else sorted(uids))
        for section in ("", *folder.attachments.get(uid, ()))
    )


def _numbers(ranges: Sequence[tuple[int, int]]) -> Iterator[int]:
    return (uid for first, last in ranges for uid in range(first, last + 1))


def _ranges(uids: Iterable[int]) -> list[tuple[int, int]]:
    """The numbers as ranges of a first and a last number, in order."""
    ranges: list[tuple[int, int]] = []
    for uid in sorted(uids):
        if ranges and uid == ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], uid
        else:
            ranges.append((uid, uid))
    return ranges
