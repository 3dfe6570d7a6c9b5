"""Answers that are read aloud; the sound is not kept."""

import asyncio
import re
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
from rich_agent.features.voice.sound import SpeechMode, is_spoken

_MARKER = re.compile(r"[ \t]{0,8}\[\d{1,4}\]")
_BLANKS = re.compile(r"[ \t]{2,64}")
_LONGEST = 40_000
_NODE = "speech"
_SHOWN_CHARS = 200
_log = structlog.get_logger()


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
    for link in sorted(find_links(text), key=lambda link: link.start):
        if link.start >= end:
            pieces.append(text[end : link.start])
            end = link.start + len(link.texts[-1])
    return "".join([*pieces, text[end:]])


@dataclass(frozen=True, slots=True)
class VoiceAnswers:
    """The speaker, when it speaks, for how many characters; each speech counts for daily limits."""

    speaker: OpenAISpeaker
    choices: VoiceChoices
    billing: Billing
    mode: SpeechMode
    most_characters: int

    async def follow_up(self, answer: Answer, target: ReplyTarget) -> "VoiceAnswer | None":
        """The speech below an answer, None if it is not spoken or has no words."""
        mode = await self.choices.find(target.chat_id) or self.mode
        if not is_spoken(mode, in_kind=target.is_of_media):
            return None
        # A long answer takes a while to render, and others are waiting.
        words, is_whole = await asyncio.to_thread(speakable, answer.text, self.most_characters)
        if not words:
            return None
        more = "" if is_whole else " " + say(target.locale, "voice-more")
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
                with bill_to(meter, _NODE):
                    sound = await self.speech.speaker.speak(self.words)
        except (UpstreamError, DailyLimitError) as error:
            _log.warning("telegram.not_spoken", error=str(error))
            raise UpstreamRefusedError("speech", str(error)) from error
        return await api.send_voice(target.chat_id, sound, topic_id=target.topic_id)
