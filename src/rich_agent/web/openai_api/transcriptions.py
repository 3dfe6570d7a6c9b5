"""`/v1/audio/transcriptions`: the words of a recording, which is not kept.

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

from rich_agent.domain.usage_limits import Payer
from rich_agent.domain.voice import MAX_SOUND_BYTES, SOUND_SUFFIXES, Sound
from rich_agent.errors import DailyLimitError, UpstreamError, UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.models import RecordingRefusedError
from rich_agent.times import Clocks
from rich_agent.turns.apologies import apology, code_of
from rich_agent.turns.voice import Dictation
from rich_agent.web.access import Caller
from rich_agent.web.languages import locale_of
from rich_agent.web.refusals import RequestRefusedError
from rich_agent.web.run_requests import bad_request
from rich_agent.web.streams import StreamPlaces

TRANSCRIPTIONS_PATH = "/v1/audio/transcriptions"
MOST_TRANSCRIBED_BYTES = MAX_SOUND_BYTES + 100_000
"""A recording with the other fields of its form."""
_MOST_FIELDS = 20
_AT_ONCE = 4
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Transcriptions:
    """Answers with words; a failure is told in the language of the request.

    Without `dictation` it says what the operator has to set.
    """

    dictation: Dictation | None
    places: StreamPlaces = field(default_factory=lambda: StreamPlaces(most_of_one=_AT_ONCE))

    async def answer(self, request: Request, caller: Caller) -> Response:
        """As `json` or `text`. Raises: RequestRefusedError, DatabaseUnavailableError."""
        if self.dictation is None:
            raise RequestRefusedError(
                501, "not_set_up", say(locale_of(request), "cannot-read-voice")
            )
        with self.places.place(caller.token_id or -caller.user_id):
            sound, is_text = await _read(request)
            payer = Payer(caller.user_id, f"{uuid.uuid4().hex}:heard")
            try:
                words = await self.dictation.write_down(sound, payer)
            except (RecordingRefusedError, DailyLimitError, UpstreamError) as error:
                raise _refused(error, locale_of(request)) from error
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
        told = f"The name of the file ends in one of: {' '.join(SOUND_SUFFIXES)}"
        raise bad_request(told, 415, param="file")
    data = await file.read()
    if not 0 < len(data) <= MAX_SOUND_BYTES:
        raise bad_request(f"A recording has 1 to {MAX_SOUND_BYTES:,} bytes.", 413)
    return Sound(data, f"recording{suffix}")


def _is_text(form: FormData) -> bool:
    wanted = form.get("response_format", "json")
    if wanted not in {"json", "text"}:
        raise bad_request("The response_format is json or text.", param="response_format")
    return wanted == "text"


def _refused(error: Exception, locale: str) -> RequestRefusedError:
    if not isinstance(error, RecordingRefusedError | DailyLimitError):
        _log.warning("web.not_heard", error=str(error))
    return RequestRefusedError(_status_of(error), code_of(error), apology(error, Clocks(locale)))


def _status_of(error: Exception) -> int:
    match error:
        case RecordingRefusedError():
            return 422
        case DailyLimitError():
            return 429
        case UpstreamRefusedError():
            return 502
    return 503
