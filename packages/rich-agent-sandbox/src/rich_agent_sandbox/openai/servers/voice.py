"""`POST /audio/transcriptions` and `/audio/speech`, without ears and without a voice.

The first tells the words that stand as a comment in the recording (`sound.words`), the second
answers with one recording for all texts, which says that it is the sandbox's, and has the text as
its comment. Source: https://platform.openai.com/docs/api-reference/audio
"""

import math
from dataclasses import dataclass

from starlette.responses import JSONResponse, Response

from rich_agent_sandbox.exchange import Exchange, RefusalError, broken_json
from rich_agent_sandbox.openai.servers.personality import Json
from rich_agent_sandbox.openai.servers.refusing import Refused, refusal
from rich_agent_sandbox.openai.servers.serving import ModelServer
from rich_agent_sandbox.sound.ogg import is_opus, seconds_of
from rich_agent_sandbox.sound.words import recording_of, words_in

EARS, VOICE = "sandbox-transcription", "sandbox-speech"
_FORMATS = ("flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "wav", "webm")
_MOST_BYTES = 25_000_000
_MOST_SPOKEN = 4_096


@dataclass(frozen=True, slots=True)
class Voice:
    """The two endpoints of a server."""

    server: ModelServer

    async def transcribe(self, call: Exchange) -> Response:
        """`POST /audio/transcriptions`, as multipart/form-data."""
        self._check_model(call.body, EARS)
        upload = call.uploads.get("file")
        if upload is None:
            raise self._refused("Missing required parameter: 'file'.", "file")
        if upload.name.rpartition(".")[2].lower() not in _FORMATS:
            raise self._refused(f"Invalid file format. Supported formats: {list(_FORMATS)}", "file")
        if len(upload.content) > _MOST_BYTES:
            raise self._refused("Maximum content size limit (26214400) exceeded", "file")
        words = words_in(upload.content)
        if words is None:
            raise self._refused("Audio file might be corrupted or unsupported", "file")
        await self.server.think()
        told: Json = {"text": "" if call.shows("empty") else words}
        if is_opus(upload.content) and not call.shows("uncounted"):
            told["usage"] = {"type": "duration", "seconds": math.ceil(seconds_of(upload.content))}
        response = JSONResponse(told)
        return broken_json(response) if call.shows("malformed") else response

    async def speak(self, call: Exchange) -> Response:
        """`POST /audio/speech`, as opus."""
        self._check_model(call.body, VOICE)
        text = call.body.get("input")
        if not isinstance(text, str) or not 0 < len(text) <= _MOST_SPOKEN:
            raise self._refused(f"'input' has 1 to {_MOST_SPOKEN} characters.", "input")
        if not call.body.get("voice"):
            raise self._refused("Missing required parameter: 'voice'.", "voice")
        if call.shows("misnamed"):
            return Response(b"ID3\x04 not opus", media_type="audio/mpeg")
        if call.body.get("response_format") != "opus":
            raise self._refused("This stand-in speaks opus only.", "response_format")
        await self.server.think()
        return Response(recording_of(text), media_type="audio/ogg")

    def _check_model(self, body: object, name: str) -> None:
        asked = body.get("model") if isinstance(body, dict) else None
        if asked != name:
            told = f"The model `{asked}` does not exist or you do not have access to it."
            refused = Refused(404, told, code="model_not_found")
            raise refusal(self.server.personality.form, refused)

    def _refused(self, told: str, param: str) -> RefusalError:
        return refusal(self.server.personality.form, Refused(400, told, param=param))
