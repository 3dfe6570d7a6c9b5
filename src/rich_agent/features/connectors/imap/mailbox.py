"""Mails in folders of an IMAP server, with their attachments: a private source of one user.

A mail is identified by its number in its folder. Its Message-ID is never used, because anybody can
send a mail with the Message-ID of another mail.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
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
    pack_state,
    too_large,
    unpack_state,
)
from rich_agent.features.connectors.imap.mail_message import decode_part, text_message
from rich_agent.features.connectors.imap.mail_structure import (
    MailPart,
    Parsed,
    parts_of,
    picture_parts,
    text_parts,
)
from rich_agent.features.connectors.imap.mailbox_session import MailboxSession, Security

_Result = TypeVar("_Result")
_PLACE: Final = "mailbox"
_PORTION: Final = 500
_MOST_HEADER_BYTES: Final = 65_536
_PICTURE_BYTES: Final = 65_536
"""Bytes of a picture in a text that tell its size."""


class ImapConfig(ServiceConfig):
    """The mailbox, and the user who may ask about its mails."""

    host: str = Field(description="Name of the IMAP server.", pattern=r"^[A-Za-z0-9._:-]+$")
    user: str = Field(description="User name at the server, often the mail address.")
    reader: int = Field(gt=0, description="Telegram id of the only one who may read the mails.")
    folders: tuple[str, ...] = Field(default=("INBOX",), description="Folders that are read.")
    port: int = Field(default=993, gt=0, lt=65_536, description="Port of the server.")
    security: Security = Field(default="tls", description="tls, starttls, or none.")


class _Folder(BaseModel):
    """The listed mails of a folder."""

    validity: int = 0
    mark: str = ""
    """State of the folder when it was listed."""
    ranges: list[tuple[int, int]] = []
    """First and last number of each range of mails."""
    attachments: dict[int, list[str]] = {}
    """Sections of attachments, by the number of the mail."""


class _Mailbox(BaseModel):
    folders: dict[str, _Folder] = {}


def open_imap(config: ImapConfig, secret: str, *, source: str) -> "ImapConnector":  # noqa: ARG001 - no account is named
    """Open a mailbox; `secret` is the password."""
    session = MailboxSession(config.host, config.port, config.security, config.user, secret)
    return ImapConnector(config, session)


class ImapConnector:
    """Implements `Connector` with one connection. Its calls run in threads, one at a time."""

    def __init__(self, config: ImapConfig, session: MailboxSession) -> None:
        self._config = config
        self._session = session
        self._turn = asyncio.Lock()

    async def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """See `Connector.list`. A cursor has the numbers of the listed mails."""
        state = unpack_state(cursor, _Mailbox)
        for folder_name in state.folders.keys() - set(self._config.folders):
            keys = _keys(folder_name, state.folders.pop(folder_name))
            yield Changes((), pack_state(state), keys)
        for folder_name in self._config.folders:
            async for changes in self._list_folder(folder_name, state):
                yield changes
        yield Changes((), pack_state(state))

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """See `Connector.read`."""
        folder, _, number_and_section = entry.key.rpartition("|")
        validity_and_uid, _, section = number_and_section.partition("/")
        validity, _, uid = validity_and_uid.partition(":")
        mails = await self._fetch(folder, [int(uid)], "BODYSTRUCTURE")
        current_validity = await self._run(lambda: self._session.validity(folder))
        if str(current_validity) != validity or int(uid) not in mails:
            return Unreadable(entry.url, "there is no such mail", is_gone=True)
        parts = parts_of(mails[int(uid)].get("BODYSTRUCTURE"))
        chosen_parts = (
            [part for part in parts if part.section == section] if section else text_parts(parts)
        )
        size_bytes = sum(map(_size_of, chosen_parts))
        if size_bytes > most_bytes:
            return too_large(entry.url, size_bytes, most_bytes)
        if not chosen_parts:
            return Unreadable(entry.url, "the mail has no text")
        pictures = [] if section else picture_parts(parts)
        sizes = {part.section: 2 * most_bytes for part in chosen_parts}
        sizes |= {part.section: _PICTURE_BYTES for part in pictures}
        contents = await self._contents(folder, int(uid), sizes)
        if contents is None:
            return Unreadable(entry.url, "there is no such mail", is_gone=True)
        if not section:
            shown_parts = [part for part in parts if part.section in sizes]
            message = text_message(contents["HEADER"], shown_parts, contents)
            return RawDocument(entry.url, message, "message/rfc822", name="(no subject)")
        part = chosen_parts[0]
        media_type = part.media_type or "text/plain"
        part_bytes = decode_part(part, contents[section])
        charset = part.parameters.get("charset")
        return RawDocument(entry.url, part_bytes, media_type, charset, name=part.name)

    async def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """See `Connector.rights`. Only the configured reader may read the mails."""
        yield PlaceReaders(_PLACE, frozenset({f"user:{self._config.reader}"}))

    async def check(self) -> str:
        """See `Connector.check`."""
        for name in self._config.folders:
            await self._run(lambda name=name: self._session.status(name))  # type: ignore[misc]
        folder_list = ", ".join(self._config.folders)
        return (
            f"reads {folder_list} of {self._config.user} at {self._config.host}; "
            f"only user {self._config.reader} may ask about it"
        )

    async def aclose(self) -> None:
        """See `Connector.aclose`."""
        await self._run(self._session.close)

    async def _list_folder(self, folder_name: str, state: _Mailbox) -> AsyncIterator[Changes]:
        status = await self._run(lambda: self._session.status(folder_name))
        folder = state.folders.get(folder_name, _Folder())
        if (folder.validity, folder.mark) == (status.validity, status.mark):
            return
        present_uids = set(await self._run(lambda: self._session.uids(folder_name)))
        validity = await self._run(lambda: self._session.validity(folder_name))
        if folder.validity != validity:
            keys = _keys(folder_name, folder)
            folder = state.folders[folder_name] = _Folder(validity=validity)
            if keys:
                yield Changes((), pack_state(state), keys)
        listed_uids = set(_numbers(folder.ranges))
        missing_uids = listed_uids - present_uids
        if missing_uids:
            keys = _keys(folder_name, folder, missing_uids)
            folder.ranges = _ranges(listed_uids & present_uids)
            for uid in missing_uids & folder.attachments.keys():
                del folder.attachments[uid]
            yield Changes((), pack_state(state), keys)
        new_uids = sorted(present_uids - listed_uids)
        for start in range(0, len(new_uids), _PORTION):
            uids = new_uids[start : start + _PORTION]
            mails = await self._fetch(folder_name, uids, "BODYSTRUCTURE")
            entries, skips = self._entries(folder_name, folder, mails)
            folder.ranges = _ranges([*_numbers(folder.ranges), *mails])
            yield Changes(entries, pack_state(state), skipped=skips)
        folder.mark = status.mark

    def _entries(
        self, folder_name: str, folder: _Folder, mails: Mapping[int, dict[str, Parsed]]
    ) -> tuple[tuple[Entry, ...], Skipped]:
        """The entries of mails and their attachments. The folder records the attachments."""
        entries: list[Entry] = []
        skips = Skipped()
        for uid, fields in sorted(mails.items()):
            parts = parts_of(fields.get("BODYSTRUCTURE"))
            if text_parts(parts):
                entries.append(self._entry(folder_name, folder.validity, uid))
            else:
                skips.add("mails without text", f"{folder_name} {uid}")
            attachments = [part for part in parts if part.is_attachment]
            for part in attachments:
                if part.media_type is None:
                    skips.add("attachments of other kinds", part.name or part.media)
            sections = [part.section for part in attachments if part.media_type is not None]
            if sections:
                folder.attachments[uid] = sections
            entries += [
                self._entry(folder_name, folder.validity, uid, section) for section in sections
            ]
        return tuple(entries), skips

    def _entry(self, folder_name: str, validity: int, uid: int, section: str = "") -> Entry:
        """The entry of a mail or attachment.

        Mails never change, so the key is also the version. The address has the form of RFC 5092.
        """
        key = _key(folder_name, validity, uid, section)
        config = self._config
        url = (
            f"imap://{quote(config.user, safe='')}@{config.host}:{config.port}/{quote(folder_name)}"
            f";UIDVALIDITY={validity}/;UID={uid}" + (f"/;SECTION={section}" if section else "")
        )
        return Entry(key, url, key, _PLACE)

    async def _contents(
        self, folder: str, uid: int, sizes: Mapping[str, int]
    ) -> dict[str, bytes] | None:
        """The header, and the encoded parts by section; None if the mail is gone.

        `sizes` are the most bytes of each part: a server may announce a size that is too small.
        """
        fetch_items = [f"BODY.PEEK[HEADER]<0.{_MOST_HEADER_BYTES}>"]
        fetch_items += [f"BODY.PEEK[{section}]<0.{size}>" for section, size in sizes.items()]
        fields = (await self._fetch(folder, [uid], " ".join(fetch_items))).get(uid)
        if fields is None:
            return None
        bodies = {
            section.partition("[")[2].partition("]")[0]: value.encode("latin-1", "replace")
            for section, value in fields.items()
            if isinstance(value, str) and section.startswith("BODY[")
        }
        return {section: bodies.get(section, b"") for section in ("HEADER", *sizes)}

    async def _fetch(
        self, folder: str, uids: Sequence[int], items: str
    ) -> dict[int, dict[str, Parsed]]:
        return await self._run(lambda: self._session.fetch(folder, uids, items))

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        async with self._turn:
            return await asyncio.to_thread(work)


def _size_of(part: MailPart) -> int:
    """The approximate size of a decoded part, in bytes."""
    return part.size_bytes * 3 // 4 if part.encoding == "base64" else part.size_bytes


def _key(folder_name: str, validity: int, uid: int, section: str = "") -> str:
    return f"{folder_name}|{validity}:{uid}" + (f"/{section}" if section else "")


def _keys(folder_name: str, folder: _Folder, uids: Iterable[int] | None = None) -> tuple[str, ...]:
    """The keys of mails and their attachments.

    With `uids` None, these are all mails in the folder.
    """
    return tuple(
        _key(folder_name, folder.validity, uid, section)
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
