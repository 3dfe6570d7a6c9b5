"""Opens the parts that transcribe and speak, if the settings name models for them."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich_agent.feature import Check, Core, Finding, ModelRole, Parts
from rich_agent.feature.errors import RichAgentError
from rich_agent.feature.media import MEDIA_KINDS, MediaKind, MediaReader
from rich_agent.feature.models import ModelAccess
from rich_agent.feature.text import shorten
from rich_agent.features.voice.commands import VERB, VoiceCommand
from rich_agent.features.voice.dictation import Dictation
from rich_agent.features.voice.models import OpenAISpeaker, OpenAITranscriber
from rich_agent.features.voice.panel import VoicePanel
from rich_agent.features.voice.repository import VoiceChoices, VoiceTexts
from rich_agent.features.voice.settings import VoiceSettings, speech_role, transcription_role
from rich_agent.features.voice.sound import SOUND_SUFFIXES, Sound
from rich_agent.features.voice.speaking import VoiceAnswers
from rich_agent.features.voice.transcriptions import Transcriptions

_GREETING = Path(__file__).parent / "hello.ogg"
"""A voice that says "hello": `espeak-ng -w h.wav hello`, then FFmpeg with libopus at 12 kbit/s."""
_SHOWN = 60


@asynccontextmanager
async def open_parts(core: Core) -> AsyncIterator[Parts]:
    """Open the parts of the feature. Raises: SettingsError without a key."""
    choices = VoiceChoices(core.databases.app)

    def settings() -> VoiceSettings:
        return core.section(VoiceSettings)

    async with core.open_models() as access:
        transcriber, speaker = _make_transcriber(core, access), _make_speaker(core, access)
        texts = VoiceTexts(core.databases.app)
        dictation = Dictation(transcriber, texts, core.billing) if transcriber else None
        answers = VoiceAnswers(speaker, choices, core.billing, settings) if speaker else None
        # A program's recording is billed without tokens of a turn, because no turn follows.
        program_dictation = dictation and replace(
            dictation, billing=replace(core.billing, turn_tokens=0)
        )
        command = VoiceCommand(choices, lambda: settings().mode if speaker else None)
        yield Parts(
            commands={"voice": command.answer},
            presses={VERB: command.press},
            panels=[VoicePanel(choices, command.default).panel()],
            media=_readers(dictation),
            follow_ups=[answers.follow_up] if answers else [],
            routes=[Transcriptions(program_dictation).route()],
            checks=_checks(transcriber, speaker),
        )


def _make_transcriber(
    core: Core, access: Callable[[ModelRole], ModelAccess]
) -> OpenAITranscriber | None:
    role = transcription_role(core.settings)
    return OpenAITranscriber(access(role)) if role else None


def _make_speaker(core: Core, access: Callable[[ModelRole], ModelAccess]) -> OpenAISpeaker | None:
    role = speech_role(core.settings)
    return OpenAISpeaker(access(role), core.section(VoiceSettings).speaker) if role else None


def _readers(dictation: Dictation | None) -> Mapping[MediaKind, MediaReader]:
    """The readers of all kinds of media. Without a dictation, they name the missing setting."""
    return {
        kind: MediaReader(
            dictation.read if dictation else None,
            SOUND_SUFFIXES,
            f"voice-cannot-read-{kind.replace('_', '-')}",
        )
        for kind in MEDIA_KINDS
    }


def _checks(transcriber: OpenAITranscriber | None, speaker: OpenAISpeaker | None) -> list[Check]:
    checks: list[Check] = []
    if transcriber:
        checks.append(partial(_try, partial(_hear, transcriber)))
    if speaker:
        checks.append(partial(_try, partial(_speak, speaker)))
    return checks


async def _try(trial: Callable[[], Awaitable[str]]) -> Finding:
    started_s = time.perf_counter()
    try:
        outcome = await trial()
    except RichAgentError as error:
        return Finding(str(error), error.hint, is_well=False, is_failure=True)
    return Finding(f"{outcome}; {time.perf_counter() - started_s:.1f} s")


async def _hear(transcriber: OpenAITranscriber) -> str:
    words = await transcriber.transcribe(Sound(_GREETING.read_bytes(), "voice.ogg", 1))
    return f"{transcriber.name} heard “{shorten(words, _SHOWN)}” in a “hello”"


async def _speak(speaker: OpenAISpeaker) -> str:
    return f"gives {len(await speaker.speak('Hello.')):,} bytes of Opus"
