"""Answers that are read aloud. The sound is not kept."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog

from rich_agent.feature import say
from rich_agent.feature.errors import DailyLimitError, UpstreamError, UpstreamRefusedError
from rich_agent.feature.models import Billing, Payer, bill_to
from rich_agent.feature.telegram import (
    Answer,
    RenderedMessage,
    ReplyTarget,
    TelegramApi,
    convert,
    find_links,
    split_message,
    utf16_length,
    utf16_offsets,
)
from rich_agent.features.voice.models import OpenAISpeaker
from rich_agent.features.voice.repository import VoiceChoices
from rich_agent.features.voice.settings import VoiceSettings
from rich_agent.features.voice.sound import is_spoken

_MARKER = re.compile(r"[ \t]{0,8}\[\d{1,4}\]")
_BLANKS = re.compile(r"[ \t]{2,64}")
_LONGEST = 40_000
_NODE = "speech"
_SHOWN_CHARS = 200
_log = structlog.get_logger()


def speakable(markdown: str, most: int) -> tuple[str, bool]:
    """The words to read aloud, at most about `most` characters, and whether these are all words.

    The words end with a sentence if possible, else with a word.
    """
    message = convert(markdown[:_LONGEST])
    visible_words = _without_addresses(_MARKER.sub("", _without_blocks(message)))
    full_text = _BLANKS.sub(" ", visible_words).strip()
    # On one line, because the end of a sentence is as good a place to stop as a paragraph's.
    message_parts = split_message(RenderedMessage(full_text.replace("\n", " ")), most)
    return (
        (full_text[: len(message_parts[0].text)], len(message_parts) == 1)
        if message_parts
        else ("", True)
    )


def _without_blocks(message: RenderedMessage) -> str:
    """The text without code blocks, and without tables, which are shown as code."""
    offsets = utf16_offsets(message.text)
    index_by_utf16_offset = {unit_offset: index for index, unit_offset in enumerate(offsets)}
    blocks = [entity for entity in message.entities if entity.type == "pre"]
    text_pieces, end = [], 0
    for block in sorted(blocks, key=lambda block: block.offset):
        text_pieces.append(message.text[end : index_by_utf16_offset[block.offset]])
        end = index_by_utf16_offset[min(block.offset + block.length, utf16_length(message.text))]
    return "".join([*text_pieces, message.text[end:]])


def _without_addresses(text: str) -> str:
    text_pieces, end = [], 0
    for link in sorted(find_links(text), key=lambda link: link.start):
        if link.start >= end:
            text_pieces.append(text[end : link.start])
            end = link.start + len(link.texts[-1])
    return "".join([*text_pieces, text[end:]])


@dataclass(frozen=True, slots=True)
class VoiceAnswers:
    """Decides which answers are spoken, and up to where. Speech counts for daily limits."""

    speaker: OpenAISpeaker
    choices: VoiceChoices
    billing: Billing
    settings: Callable[[], VoiceSettings]
    """Returns the settings in effect."""

    async def follow_up(self, answer: Answer, target: ReplyTarget) -> "VoiceAnswer | None":
        """The speech for an answer, None if the answer is not spoken or has no words."""
        settings = self.settings()
        mode = await self.choices.find(target.chat_id) or settings.mode
        if not is_spoken(mode, in_kind=target.is_of_media):
            return None
        # A long answer takes a while to render, so it is rendered in a thread.
        words, is_whole = await asyncio.to_thread(speakable, answer.text, settings.characters)
        if not words:
            return None
        continuation = "" if is_whole else " " + say(target.locale, "voice-more")
        return VoiceAnswer(words + continuation, self)


@dataclass(frozen=True, slots=True)
class VoiceAnswer:
    """The words of a speech, which is made when it is sent.

    The written answer has these words, too.
    """

    words: str
    speech: VoiceAnswers

    @property
    def text(self) -> str:
        """The text that the outbox records for the speech once it is sent."""
        return self.words[:_SHOWN_CHARS]

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """See `Recipe.send`.

        Raises: UpstreamRefusedError if the speech fails. It is not tried again, because the answer
        has already been sent as text.
        """
        # Without tokens: a written answer is spoken even if it used up the tokens.
        billing = replace(self.speech.billing, turn_tokens=0)
        payer = Payer(target.chat_id, f"tg:{target.update_id}:spoken")
        try:
            async with billing.of_turn(payer, "") as meter:
                with bill_to(meter, _NODE):
                    sound = await self.speech.speaker.speak(self.words)
        except (UpstreamError, DailyLimitError) as error:
            _log.warning("telegram.not_spoken", error=str(error))
            raise UpstreamRefusedError("speech", str(error)) from error
        return await api.send_voice(target.chat_id, sound, topic_id=target.topic_id)
