"""`/v1/audio/transcriptions`: transcribes a recording, which is not kept.

Source: https://platform.openai.com/docs/api-reference/audio/createTranscription
"""

import uuid
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import structlog
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from rich_agent.feature import Clocks, say
from rich_agent.feature.errors import (
    DailyLimitError,
    UpstreamError,
    UpstreamRefusedError,
    apology,
    code_of,
)
from rich_agent.feature.media import MAX_MEDIA_BYTES, MediaRefusedError
from rich_agent.feature.models import Payer
from rich_agent.feature.web import (
    Caller,
    GuardedRoute,
    RequestRefusedError,
    StreamPlaces,
    bad_request,
    handled_by,
    locale_of,
)
from rich_agent.features.voice.dictation import Dictation
from rich_agent.features.voice.sound import SOUND_SUFFIXES, Sound

PATH = "/v1/audio/transcriptions"
_MOST_BYTES = MAX_MEDIA_BYTES + 100_000
"""Most bytes of a form with a recording and other fields."""
_CODES = {
    "voice_silent": "recording_silent",
    "voice_refused": "recording_refused",
    "voice_unheard": "recording_unheard",
}
"""Codes of errors for programs, which have always used these codes."""
_MOST_FIELDS = 20
_AT_ONCE = 4
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Transcriptions:
    """Answers with the words of a recording, and describes failures in the request's language.

    Without `dictation`, the answer names the setting that the operator has to set.
    """

    dictation: Dictation | None
    places: StreamPlaces = field(default_factory=lambda: StreamPlaces(most_of_one=_AT_ONCE))

    def route(self) -> GuardedRoute:
        """The route, for tokens with the scope "chat" and for the web chat."""
        return GuardedRoute(PATH, "chat", handled_by(self.answer), ("POST",), _MOST_BYTES)

    async def answer(self, request: Request, caller: Caller) -> Response:
        """Answer in `json` or `text`. Raises: RequestRefusedError, DatabaseUnavailableError."""
        if self.dictation is None:
            raise RequestRefusedError(
                501, "not_set_up", say(locale_of(request), "voice-cannot-read-voice")
            )
        with self.places.place(caller.token_id or -caller.user_id):
            sound, is_text = await _read(request)
            payer = Payer(caller.user_id, f"{uuid.uuid4().hex}:media")
            try:
                words = await self.dictation.write_down(sound, payer)
            except (MediaRefusedError, DailyLimitError, UpstreamError) as error:
                raise _refusal(error, locale_of(request)) from error
        return PlainTextResponse(words) if is_text else JSONResponse({"text": words})


async def _read(request: Request) -> tuple[Sound, bool]:
    try:
        async with request.form(max_files=1, max_fields=_MOST_FIELDS) as form:
            return await _sound_in(form), _is_text(form)
    except HTTPException as error:
        raise bad_request(f"The form cannot be read: {error.detail}") from None


async def _sound_in(form: FormData) -> Sound:
    file = form.get("file")
    if not isinstance(file, UploadFile):
        raise bad_request("A recording is sent as the file of a form.", param="file")
    suffix = PurePosixPath(file.filename or "").suffix.lower()
    if suffix not in SOUND_SUFFIXES:
        suffixes = " ".join(SOUND_SUFFIXES)
        raise bad_request(f"The name of the file ends in one of: {suffixes}", 415, param="file")
    sound_bytes = await file.read()
    if not 0 < len(sound_bytes) <= MAX_MEDIA_BYTES:
        raise bad_request(f"A recording has 1 to {MAX_MEDIA_BYTES:,} bytes.", 413)
    return Sound(sound_bytes, f"recording{suffix}")


def _is_text(form: FormData) -> bool:
    response_format = form.get("response_format", "json")
    if response_format not in {"json", "text"}:
        raise bad_request("The response_format is json or text.", param="response_format")
    return response_format == "text"


def _refusal(error: Exception, locale: str) -> RequestRefusedError:
    if not isinstance(error, MediaRefusedError | DailyLimitError):
        _log.warning("web.not_heard", error=str(error))
    code = code_of(error)
    return RequestRefusedError(
        _status_of(error), _CODES.get(code, code), apology(error, Clocks(locale))
    )


def _status_of(error: Exception) -> int:
    match error:
        case MediaRefusedError():
            return 422
        case DailyLimitError():
            return 429
        case UpstreamRefusedError():
            return 502
    return 503
