"""Hears what users say: recordings become words before a turn begins.

Sound is not kept. A failure is told to the user: no placeholder ever takes the place of words.
"""

import asyncio
import hashlib
from dataclasses import dataclass, field, replace

import structlog

from rich_agent.domain.message import Forwarded, IncomingMessage, ReplyContext
from rich_agent.domain.usage_limits import Payer
from rich_agent.domain.voice import MAX_SOUND_BYTES, Recording, Sound
from rich_agent.errors import (
    DailyLimitError,
    ImageRefusedError,
    UpstreamError,
)
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.models import RecordingRefusedError, Transcriber, VoiceText, VoiceTexts
from rich_agent.runtime.metering import Billing, billed_to

_NODE = "hearing"
_AT_ONCE = 8
"""Recordings in memory at a time."""
_log = structlog.get_logger()


def _places() -> asyncio.Semaphore:
    return asyncio.Semaphore(_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Dictation:
    """Writes recordings down, each content once for a user, who pays for it by the daily limits."""

    transcriber: Transcriber
    heard: VoiceTexts
    billing: Billing = field(default_factory=Billing)

    async def known(self, user_id: int, *, sha256: str = "", unique_id: str = "") -> str | None:
        """The words of a recording that is known. Raises: DatabaseUnavailableError."""
        name = self.transcriber.name
        return await self.heard.find(user_id, name, sha256=sha256, unique_id=unique_id)

    async def write_down(self, sound: Sound, payer: Payer, unique_id: str = "") -> str:
        """The words of a recording; `unique_id` is the messenger's name of it.

        Raises: RecordingRefusedError, DailyLimitError, UpstreamError, LaneLostError,
        DatabaseUnavailableError.
        """
        sha256 = hashlib.sha256(sound.data).hexdigest()
        if (known := await self.known(payer.user_id, sha256=sha256)) is not None:
            return known
        async with self.billing.of_turn(payer, "") as meter:
            with billed_to(meter, _NODE):
                words = await self.transcriber.transcribe(sound)
        if not words:
            raise RecordingRefusedError("silent", "no words were heard")
        found = VoiceText(sha256, unique_id, words)
        await self.heard.store(payer.user_id, self.transcriber.name, found)
        return words


@dataclass(frozen=True, slots=True)
class VoiceTranscription:
    """Puts the words of recordings into messages."""

    dictation: Dictation
    files: ImageFiles
    places: asyncio.Semaphore = field(default_factory=_places)

    async def hear(self, message: IncomingMessage, request_id: str) -> IncomingMessage:
        """The message with the words of its recordings, and of the one that it replies to.

        Those of a forwarded recording are not the user's own. One that is replied to and cannot be
        heard is left out as unread.

        Raises: RecordingRefusedError, DailyLimitError, UpstreamError, LaneLostError,
        DatabaseUnavailableError.
        """
        payer = Payer(message.user.telegram_user_id, f"{request_id}:heard")
        words = [await self._words_of(one, payer) for one in message.recordings]
        message = _with_words(message, "\n".join(words)) if words else message
        return await self._with_reply(message, payer)

    async def _with_reply(self, message: IncomingMessage, payer: Payer) -> IncomingMessage:
        if message.reply is None or not message.reply.recordings:
            return message
        try:
            words = [await self._words_of(one, payer) for one in message.reply.recordings]
        except (RecordingRefusedError, DailyLimitError, UpstreamError) as error:
            _log.info("hearing.reply_not_heard", error=str(error))
            return unheard(message)
        return replace(message, reply=_heard_reply(message.reply, "\n".join(words)))

    async def _words_of(self, recording: Recording, payer: Payer) -> str:
        if (recording.size_bytes or 0) > MAX_SOUND_BYTES:
            raise RecordingRefusedError("too_large", f"it has {recording.size_bytes} bytes")
        unique_id = recording.unique_id
        known = await self.dictation.known(payer.user_id, unique_id=unique_id)
        if known is not None:
            return known
        async with self.places:
            try:
                data = await self.files.fetch(recording.file_id)
            except ImageRefusedError as error:
                reason = error.reason if error.reason == "too_large" else "unreadable"
                raise RecordingRefusedError(reason, str(error)) from error
            sound = Sound(data, recording.name, recording.seconds)
            return await self.dictation.write_down(sound, payer, unique_id)


def _with_words(message: IncomingMessage, words: str) -> IncomingMessage:
    if forwarded := message.forwarded:
        text = "\n".join(filter(None, [forwarded.text, words]))
        return replace(
            message, forwarded=Forwarded(text, forwarded.author), heard=words, recordings=()
        )
    text = "\n".join(filter(None, [message.text, words]))
    return replace(message, text=text, heard=words, recordings=())


def _heard_reply(reply: ReplyContext, words: str) -> ReplyContext:
    return replace(reply, text="\n".join(filter(None, [reply.text, words])), recordings=())


def unheard(message: IncomingMessage) -> IncomingMessage:
    """The message whose recordings, and those that it replies to, are left out as unread."""
    reply = message.reply
    recordings = (*message.recordings, *(reply.recordings if reply else ()))
    unread = dict.fromkeys([*message.unread, *(one.kind for one in recordings)])
    silent = replace(reply, recordings=()) if reply else None
    return replace(message, unread=tuple(unread), recordings=(), reply=silent)
