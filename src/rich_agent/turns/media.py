"""Puts the text of media into messages before their turns begin; the media are not stored.

If a medium cannot be read, the user is told so: no placeholder stands in for its text.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import structlog

from rich_agent.domain.media import MAX_MEDIA_BYTES, MediaKind, Medium
from rich_agent.domain.message import Forwarded, IncomingMessage, ReplyContext, SentFile
from rich_agent.domain.usage_limits import Payer
from rich_agent.errors import (
    DailyLimitError,
    ImageRefusedError,
    MediaRefusedError,
    RichAgentError,
    UpstreamError,
)
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.media import MediaReader

_LONGEST_READING_S = 300.0
"""The deadline of a reader, which would hold the user's lane; models have shorter deadlines."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MediaTexts:
    """Reads the media of messages, each with the reader of its kind.

    Media without a reader are removed from the message and noted as unread.
    """

    files: ImageFiles
    readers: Mapping[MediaKind, MediaReader] = field(default_factory=dict)

    async def read(self, message: IncomingMessage, request_id: str) -> IncomingMessage:
        """Return the message with the text of its media, and of those of the message replied to.

        The text of a forwarded medium is added to the forwarded text. A medium of the message
        replied to is noted as unread if it cannot be read.

        Raises: MediaRefusedError, DailyLimitError, UpstreamError, LaneLostError,
        DatabaseUnavailableError.
        """
        payer = Payer(message.user.telegram_user_id, f"{request_id}:heard")
        message = self._without_unreadable(message)
        texts = [await self._text_of(medium, payer) for medium in message.media]
        message = _with_text(message, "\n".join(texts)) if texts else message
        return await self._with_reply(message, payer)

    def take_files(self, message: IncomingMessage) -> IncomingMessage:
        """Return the message with the files that are media by their suffix as media."""
        files, media = list[SentFile](), list[Medium]()
        for file in message.files:
            suffix = Path(file.name).suffix.lower()
            kinds = (kind for kind, reader in self.readers.items() if suffix in reader.suffixes)
            if kind := next(kinds, None):
                name, size = f"{kind}{suffix}", file.size_bytes
                media.append(Medium(file.file_id, kind, name, size_bytes=size))
            else:
                files.append(file)
        return replace(message, files=tuple(files), media=(*message.media, *media))

    def refusal_of(self, message: IncomingMessage) -> str:
        """The phrase that tells why a medium of the message cannot be read, "" if all can be."""
        readers = (self.readers.get(medium.kind) for medium in message.media)
        return next((medium.refusal for medium in readers if medium and medium.read is None), "")

    async def _with_reply(self, message: IncomingMessage, payer: Payer) -> IncomingMessage:
        """The message with the text of the media of the message replied to."""
        reply = message.reply
        if reply is None or not reply.media:
            return message
        try:
            texts = [await self._text_of(medium, payer) for medium in reply.media]
        except (MediaRefusedError, DailyLimitError, UpstreamError) as error:
            _log.info("media.reply_not_read", error=str(error))
            return _without(message, (*message.media, *reply.media))
        text = "\n".join(filter(None, [reply.text, *texts]))
        return replace(message, reply=replace(reply, text=text, media=()))

    def _can_read(self, medium: Medium) -> bool:
        """Whether there is a reader for the medium."""
        reader = self.readers.get(medium.kind)
        return reader is not None and reader.read is not None

    def _without_unreadable(self, message: IncomingMessage) -> IncomingMessage:
        """The message without media that no reader can read."""
        media = (*message.media, *(message.reply.media if message.reply else ()))
        return _without(message, [medium for medium in media if not self._can_read(medium)])

    async def _text_of(self, medium: Medium, payer: Payer) -> str:
        """The text of a medium.

        Raises: MediaRefusedError, DailyLimitError, UpstreamError.
        """
        if (medium.size_bytes or 0) > MAX_MEDIA_BYTES:
            raise MediaRefusedError("media-too-large", f"it has {medium.size_bytes} bytes")
        reader = self.readers[medium.kind]
        assert reader.read is not None  # noqa: S101 - the others were left out
        try:
            async with asyncio.timeout(_LONGEST_READING_S):
                return await reader.read(medium, partial(self._fetch, medium), payer)
        except RichAgentError:
            raise
        except Exception as error:
            _log.exception("media.reader_failed", kind=medium.kind)
            problem = f"{type(error).__name__} of its reader"
            raise MediaRefusedError("media-unreadable", problem) from error

    async def _fetch(self, medium: Medium) -> bytes:
        """The bytes of a medium.

        Raises: MediaRefusedError, UpstreamError.
        """
        try:
            return await self.files.fetch(medium.file_id)
        except ImageRefusedError as error:
            reason = "too-large" if error.reason == "too_large" else "unreadable"
            raise MediaRefusedError(f"media-{reason}", str(error)) from error


def _with_text(message: IncomingMessage, words: str) -> IncomingMessage:
    """The message with the text of its media, added to the forwarded text if there is one."""
    if forward := message.forwarded:
        text = "\n".join(filter(None, [forward.text, words]))
        return replace(
            message, forwarded=Forwarded(text, forward.author), media_text=words, media=()
        )
    text = "\n".join(filter(None, [message.text, words]))
    return replace(message, text=text, media_text=words, media=())


def _without(message: IncomingMessage, unread: Sequence[Medium]) -> IncomingMessage:
    """The message without the media `unread`, whose kinds are noted as unread."""
    if not unread:
        return message
    kinds = dict.fromkeys([*message.unread, *(medium.kind for medium in unread)])
    reply = message.reply
    return replace(
        message,
        unread=tuple(kinds),
        media=tuple(medium for medium in message.media if medium not in unread),
        reply=_reply_without(reply, unread) if reply else None,
    )


def _reply_without(reply: ReplyContext, unread: Sequence[Medium]) -> ReplyContext:
    """The message replied to, without these media."""
    return replace(reply, media=tuple(medium for medium in reply.media if medium not in unread))
