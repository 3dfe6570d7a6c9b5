"""Recordings that are heard and quoted, and answers that are spoken and not kept."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import structlog

from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.answer.links import AllowedLinks, find_links
from rich_agent.domain.message import IncomingMessage
from rich_agent.domain.text import shorten, utf16_length
from rich_agent.domain.usage_limits import Payer
from rich_agent.domain.voice import SpeechMode, is_spoken
from rich_agent.errors import DailyLimitError, UpstreamError, UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi, TextEntity
from rich_agent.ports.models import Speaker
from rich_agent.rendering.markdown import LONG_QUOTE_UNITS, convert
from rich_agent.rendering.spans import nested, restrict_links, utf16_offsets
from rich_agent.rendering.splitting import split_message
from rich_agent.runtime.concurrency import survived, task_group
from rich_agent.runtime.metering import Billing, billed_to
from rich_agent.telegram.deliver.messenger import ReplyTarget
from rich_agent.telegram.receive.inbound import LONGEST_TEXT, Turn, Unsupported
from rich_agent.turns.voice import VoiceTranscription, unheard

_MARKER = re.compile(r"[ \t]{0,8}\[\d{1,4}\]")
_BLANKS = re.compile(r"[ \t]{2,64}")
_LONGEST = 40_000


def speakable(markdown: str, most: int) -> tuple[str, bool]:
    """The words to be read aloud, at most about `most` characters, and whether they are all.

    They end with a sentence, else with a word.
    """
    message = convert(markdown[:_LONGEST])
    words = _without_addresses(_MARKER.sub("", _without_blocks(message)))
    whole = _BLANKS.sub(" ", words).strip()
    # On one line: the end of a paragraph is no better place to stop than that of a sentence.
    parts = split_message(RenderedMessage(whole.replace("\n", " ")), most)
    return (whole[: len(parts[0].text)], len(parts) == 1) if parts else ("", True)


def _without_blocks(message: RenderedMessage) -> str:
    """The text without blocks of code, as which tables are shown too."""
    offsets = utf16_offsets(message.text)
    index_of = {unit: index for index, unit in enumerate(offsets)}
    blocks = [entity for entity in message.entities if entity.type == "pre"]
    pieces, end = [], 0
    for block in sorted(blocks, key=lambda block: block.offset):
        pieces.append(message.text[end : index_of[block.offset]])
        end = index_of[min(block.offset + block.length, utf16_length(message.text))]
    return "".join([*pieces, message.text[end:]])


def _without_addresses(text: str) -> str:
    pieces, end = [], 0
    for found in sorted(find_links(text), key=lambda found: found.start):
        if found.start >= end:
            pieces.append(text[end : found.start])
            end = found.start + len(found.texts[-1])
    return "".join([*pieces, text[end:]])


_GLANCE_CHARS = 300
"""Shown above what grows or asks, which has one message."""


def heard_quote(words: str, allowed_links: Iterable[str] = ()) -> RenderedMessage:
    """The words as a quote, folded if they are many; an empty message for none."""
    if not words:
        return RenderedMessage("")
    body = restrict_links(RenderedMessage(words), AllowedLinks.of(allowed_links))
    units = utf16_length(words)
    kind = "expandable_blockquote" if units > LONG_QUOTE_UNITS else "blockquote"
    return RenderedMessage(words, nested([TextEntity(kind, 0, units), *body.entities]))


def heard_glance(words: str) -> RenderedMessage:
    """The beginning of the words as a quote, without links."""
    return heard_quote(shorten(words, _GLANCE_CHARS))


SPEECH = 1_001
"""The voice message's part in the outbox, after a picture."""
_NODE = "speech"
_SHOWN_CHARS = 200
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class VoiceAnswers:
    """The speaker, when it speaks, for how many characters; each speech counts for daily limits."""

    speaker: Speaker
    billing: Billing
    mode: SpeechMode
    most_characters: int

    def of(self, answer: Answer, target: ReplyTarget) -> "VoiceAnswer | None":
        """The speech below an answer, None if it is not spoken or has no words."""
        if not is_spoken(target.speech or self.mode, in_kind=target.is_spoken_to):
            return None
        words, is_whole = speakable(answer.text, self.most_characters)
        if not words:
            return None
        more = "" if is_whole else " " + say(target.locale, "speech-more")
        return VoiceAnswer(words + more, self)


@dataclass(frozen=True, slots=True)
class VoiceAnswer:
    """Words that are spoken when they are sent; they stand in the answer too."""

    words: str
    speech: VoiceAnswers

    @property
    def text(self) -> str:
        """The text that the outbox notes of the speech once it is there."""
        return self.words[:_SHOWN_CHARS]

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """See `Recipe.send`.

        Raises: UpstreamRefusedError if it cannot be spoken: the text is there already, so nothing
        is tried again.
        """
        # Without tokens: what is written is spoken, also with the last ones.
        billing = replace(self.speech.billing, turn_tokens=0)
        payer = Payer(target.chat_id, f"tg:{target.update_id}:spoken")
        try:
            async with billing.of_turn(payer, "") as meter:
                with billed_to(meter, _NODE):
                    sound = await self.speech.speaker.speak(self.words)
        except (UpstreamError, DailyLimitError) as error:
            _log.warning("telegram.not_spoken", error=str(error))
            raise UpstreamRefusedError("speech", str(error)) from error
        return await api.send_voice(target.chat_id, sound, topic_id=target.topic_id)


_TYPING_S = 4.0


@dataclass(frozen=True, slots=True)
class VoiceMessages:
    """Turns recordings into words; what was heard before costs nothing again.

    Without `hearing`, recordings are left out.
    """

    api: TelegramApi
    hearing: VoiceTranscription | None = None

    async def listen(self, turn: Turn, update_id: int) -> Turn | Unsupported:
        """The turn with the words of its recordings; `Unsupported` if nothing is left to answer.

        Raises: what `VoiceTranscription.hear` raises.
        """
        message = turn.message
        if not message.recordings and not (message.reply and message.reply.recordings):
            return turn
        async with task_group() as group:
            typing = group.create_task(self._keep_typing(turn))
            heard = await self._hear(message, update_id)
            typing.cancel()
        if not (heard.photos or heard.files or heard.words()):
            kind = message.recordings[0].kind if message.recordings else "unknown"
            return Unsupported(
                kind, message.user, turn.chat_id, message.message_id, topic_id=turn.topic_id
            )
        if len(heard.text) > LONGEST_TEXT:
            unread = (*heard.unread, "long_text")
            heard = replace(heard, text=heard.text[:LONGEST_TEXT], unread=unread)
        return replace(turn, message=heard)

    async def _hear(self, message: IncomingMessage, update_id: int) -> IncomingMessage:
        if self.hearing is None:
            return unheard(message)
        return await self.hearing.hear(message, f"tg:{update_id}")

    async def _keep_typing(self, turn: Turn) -> None:
        while True:
            with survived("telegram.typing_failed", UpstreamError, level="debug"):
                await self.api.send_typing(turn.chat_id, topic_id=turn.topic_id)
            await asyncio.sleep(_TYPING_S)
