"""Text of media: a reader that fails ends its own part."""

import asyncio

import pytest

from rich_agent.domain.media import Medium
from rich_agent.domain.message import IncomingMessage, ReplyContext, User
from rich_agent.domain.usage_limits import Payer
from rich_agent.errors import MediaRefusedError, UpstreamTimeoutError
from rich_agent.ports.media import Fetch, MediaReader, ReadMedium
from rich_agent.turns import media
from rich_agent.turns.media import MediaTexts
from tests.scripted import ScriptedFiles

MEDIUM = Medium("m1")
SPOKEN = IncomingMessage(User(1), "", media=(MEDIUM,))
REPLYING = IncomingMessage(User(1), "What is this?", reply=ReplyContext(1, media=(MEDIUM,)))


async def broken(_medium: Medium, _fetch: Fetch, _payer: Payer) -> str:
    """A reader with a fault of its own."""
    raise KeyError("words")


async def hanging(_medium: Medium, _fetch: Fetch, _payer: Payer) -> str:
    """A reader that never ends."""
    await asyncio.Event().wait()
    return ""


async def refused(_medium: Medium, _fetch: Fetch, _payer: Payer) -> str:
    """A reader whose server is away."""
    raise UpstreamTimeoutError("model", 1.0)


@pytest.mark.parametrize("read", [broken, hanging])
async def test_reader_that_fails_leaves_its_medium_unread(
    read: ReadMedium, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user is told so; what the message replies to is answered without it."""
    monkeypatch.setattr(media, "_LONGEST_READING_S", 0.02)
    texts = MediaTexts(ScriptedFiles(), {"voice": MediaReader(read)})
    with pytest.raises(MediaRefusedError):
        await texts.read(SPOKEN, "r1")
    assert (await texts.read(REPLYING, "r2")).unread == ("voice",)


async def test_failure_with_a_name_is_told_by_it() -> None:
    """It is no fault of the reader."""
    texts = MediaTexts(ScriptedFiles(), {"voice": MediaReader(refused)})
    with pytest.raises(UpstreamTimeoutError):
        await texts.read(SPOKEN, "r1")
