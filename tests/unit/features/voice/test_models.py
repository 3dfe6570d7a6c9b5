"""Refusals and answers of any shape, from servers that hear and speak."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import httpx2
import pytest
from starlette.responses import Response

from rich_agent.errors import BrokenAnswerError, UpstreamError, UpstreamRefusedError
from rich_agent.features.voice.models import OpenAISpeaker, OpenAITranscriber
from rich_agent.features.voice.sound import Sound
from rich_agent.upstreams.servers.capabilities import ModelAccess
from tests import make
from tests.odd_bodies import BODIES
from tests.unit.upstreams.test_odd_answers import answers

__all__ = ["answers"]
SPEECH = Sound(b"no sound at all")
CALLS: dict[str, Callable[[ModelAccess], Awaitable[object]]] = {
    "hear": lambda access: OpenAITranscriber(access).transcribe(SPEECH),
    "speak": lambda access: OpenAISpeaker(access, "alloy").speak("Hello"),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("status", [200, 207, 400, 401, 404, 422, 429, 500])
async def test_whatever_a_server_of_voices_answers_is_an_error_of_the_upstream(
    answers: tuple[str, list[Response]], call: str, status: int
) -> None:
    """The reader of a refusal, or of an answer that is none, does not fail itself."""
    url, given = answers
    async with httpx2.AsyncClient() as http:
        for body in BODIES:
            given[0] = Response(body, status, media_type="application/json")
            with suppress(UpstreamError) if status < 300 else pytest.raises(UpstreamError):
                await CALLS[call](make.access(url, http, "m"))


async def test_refused_recording_is_told_as_a_refusal(
    answers: tuple[str, list[Response]],
) -> None:
    """The request was a form with a file, of which nothing is left to be read."""
    url, given = answers
    given[0] = Response(b'{"error": {"message": "Invalid file format."}}', 400)
    async with httpx2.AsyncClient() as http:
        with pytest.raises(UpstreamRefusedError, match="Invalid file format"):
            await CALLS["hear"](make.access(url, http, "m"))


@pytest.mark.parametrize("text", [b"null", b"[]", b"7"])
async def test_transcript_that_is_no_text_is_broken(
    answers: tuple[str, list[Response]], text: bytes
) -> None:
    """Nobody is quoted with the word None."""
    url, given = answers
    given[0] = Response(b'{"text": ' + text + b"}", media_type="application/json")
    async with httpx2.AsyncClient() as http:
        with pytest.raises(BrokenAnswerError):
            await CALLS["hear"](make.access(url, http, "m"))
