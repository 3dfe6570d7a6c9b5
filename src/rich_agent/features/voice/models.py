"""The models that transcribe and speak, on OpenAI-compatible servers."""

import math
from typing import Any

import httpx2
import openai

from rich_agent.feature.errors import BrokenAnswerError, UpstreamRefusedError
from rich_agent.feature.models import (
    Call,
    ModelAccess,
    Receipt,
    charge,
    translate_openai_errors,
)
from rich_agent.features.voice.sound import Sound

HEARING = "transcription"
SPEECH = "speech"
"""Name in errors of the service that speaks; `HEARING` is the one that transcribes."""
_CHARACTERS_PER_S = 14
"""Characters per second of slow English speech. Other speech differs, so limits are approximate."""
_OGG = b"OggS"
_OPUS_HEAD = b"OpusHead"
_HEAD_BYTES = 64


class OpenAITranscriber:
    """Transcribes a recording by `audio.transcriptions`, with a JSON answer.

    Source: OpenAI, "Create transcription". speaches, whisper.cpp, LocalAI and vLLM serve this, too.
    """

    def __init__(self, access: ModelAccess) -> None:
        self.name = access.role.model
        self._access = access
        self._client = _client(access)

    async def transcribe(self, sound: Sound) -> str:
        """The words, "" if there are none. Raises: UpstreamError, DailyLimitError."""
        role = self._access.role
        call = Call("hearing", role.model, audio_seconds=sound.likely_seconds)
        with translate_openai_errors(HEARING, role):
            async with charge(call) as receipt:
                try:
                    answer = await self._post(sound)
                except openai.APIError:
                    receipt.refuse()
                    raise
                _count(answer, receipt)
            text: str = answer["text"]
            return text.strip()

    async def _post(self, sound: Sound) -> dict[str, Any]:
        """The answer as JSON. The client's own method does not check the answer's form."""
        role = self._access.role
        fields = {"model": role.model, "response_format": "json", **role.parameters}
        answer = await self._client.post(
            "/audio/transcriptions",
            cast_to=httpx2.Response,
            body={name: value for name, value in fields.items() if value is not None},
            files=[("file", (sound.name, sound.data))],
            options={"headers": {"Content-Type": "multipart/form-data"}},
        )
        body: dict[str, Any] = answer.json()
        return body


class OpenAISpeaker:
    """Reads texts aloud by `audio.speech`, in the format `opus`.

    Sources: OpenAI, "Create speech"; Bot API, sendVoice (another format arrives as a file).
    """

    def __init__(self, access: ModelAccess, voice: str) -> None:
        self._access = access
        self._voice = voice
        self._client = _client(access)

    async def speak(self, text: str) -> bytes:
        """The speech as OGG with Opus.

        Raises: UpstreamRefusedError with SPEECH_MODEL if the speech is in another format.
        """
        role = self._access.role
        seconds = math.ceil(len(text) / _CHARACTERS_PER_S)
        body = {"model": role.model, "input": text, "voice": self._voice}
        with translate_openai_errors(SPEECH, role):
            async with charge(Call("speech", role.model, audio_seconds=seconds)) as receipt:
                try:
                    answer = await self._client.post(
                        "/audio/speech",
                        cast_to=httpx2.Response,
                        body={**body, "response_format": "opus", **role.parameters},
                    )
                except openai.APIError:
                    receipt.refuse()
                    raise
            sound: bytes = answer.content
        if not sound:
            raise BrokenAnswerError(SPEECH, "it sent no sound")
        if not sound.startswith(_OGG) or _OPUS_HEAD not in sound[:_HEAD_BYTES]:
            raise UpstreamRefusedError(
                SPEECH,
                "does not give OGG with Opus",
                hint=f"Set {role.model_setting} and {role.url_setting} to a server that takes "
                "response_format=opus, or SPEECH=off.",
            )
        return sound


def _client(access: ModelAccess) -> openai.AsyncOpenAI:
    role = access.role
    return openai.AsyncOpenAI(
        base_url=role.base_url,
        api_key=role.api_key,
        timeout=role.timeout_s,
        max_retries=0,
        http_client=access.http,
    )


def _count(answer: dict[str, Any], receipt: Receipt) -> None:
    """Report the seconds or tokens that the server counted. Some servers count nothing."""
    usage = answer.get("usage") or {}
    receipt.report(read=usage.get("input_tokens") or 0, output=usage.get("output_tokens") or 0)
    if isinstance(seconds := usage.get("seconds", answer.get("duration")), int | float):
        receipt.note_audio(seconds)
