"""Tests the models that hear and speak, each once."""

import time
from importlib.resources import files

from rich_agent.commands.diagnosis.check_results import CheckResult, run_check
from rich_agent.composition.model_server import make_speaker, make_transcriber, open_models
from rich_agent.domain.text import shorten
from rich_agent.domain.voice import Sound
from rich_agent.ports.models import Speaker, Transcriber
from rich_agent.settings.settings import Settings

_GREETING = "hello.ogg"
"""A voice says "hello": `espeak-ng -w h.wav hello`, then FFmpeg with libopus at 12 kbit/s."""
_SHOWN = 60


async def try_voice(settings: Settings) -> list[CheckResult]:
    """The results of hearing a word and of saying one, where a model is configured."""
    found = []
    async with open_models() as access:
        if transcriber := make_transcriber(settings, access):
            found.append(await run_check("hearing", lambda: _hear(transcriber)))
        if speaker := make_speaker(settings, access):
            found.append(await run_check("speech", lambda: _speak(speaker)))
    return found


async def _hear(transcriber: Transcriber) -> str:
    began = time.perf_counter()
    sound = files("rich_agent.commands.diagnosis").joinpath(_GREETING).read_bytes()
    words = await transcriber.transcribe(Sound(sound, "voice.ogg", 1))
    took_s = time.perf_counter() - began
    return f"{transcriber.name} heard “{shorten(words, _SHOWN)}” in a “hello”; {took_s:.1f} s"


async def _speak(speaker: Speaker) -> str:
    began = time.perf_counter()
    sound = await speaker.speak("Hello.")
    return f"gives {len(sound):,} bytes of Opus; {time.perf_counter() - began:.1f} s"
