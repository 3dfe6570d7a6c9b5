"""Messages besides plain text, through the bot with scripted turns, over real HTTP."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from rich_agent.domain.media import MEDIA_KINDS
from rich_agent.domain.message import Forwarded
from rich_agent.phrases import say
from rich_agent.telegram.receive.envelope import envelope
from rich_agent_sandbox.telegram.attachments import ATTACHMENT_KINDS
from tests.integration.telegram_support import Bot, Sim, base64_of, open_client, png, until
from tests.sandbox_server import RunningSandbox

ADA = 42
_PLAYED = [kind for kind in ATTACHMENT_KINDS if kind not in {"pinned_message", *MEDIA_KINDS}]
"""Without the kinds that a feature reads, or the bot does not know by a name of its own."""


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    """A bot that echoes, not running yet."""
    async with open_client(sandbox) as client:
        yield Bot(client)


async def _said(sim: Sim, count: int) -> bool:
    return len(await sim.from_bot(ADA)) == count


async def _is_idle(bot: Bot) -> bool:
    return (await bot.inbox.depth()).pending == 0


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_each_kind_is_answered_with_what_the_bot_can_do(
    bot: Bot, sim: Sim, language: str
) -> None:
    """In the user's language, in words of its own for each, and no turn is run."""
    async with bot.running():
        for kind in _PLAYED:
            await sim.send(ADA, attachment=kind, language_code=language)
        await until(lambda: _said(sim, len(_PLAYED)))
    texts = await sim.texts(ADA)
    assert len(set(texts)) == len(_PLAYED)
    assert say(language, "cannot-read") not in texts
    assert not any("blank" in text for text in texts)
    assert bot.turns.requests == []


async def test_sticker_is_answered_with_its_emoji(bot: Bot, sim: Sim) -> None:
    """The user sees that it arrived."""
    async with bot.running():
        await sim.send(ADA, attachment="sticker", emoji="🎉")
        await until(lambda: _said(sim, 1))
    assert (await sim.texts(ADA))[0].startswith("🎉 – nice!")


async def test_service_message_is_passed_over(bot: Bot, sim: Sim) -> None:
    """Nobody asked anything; the message behind it is answered."""
    async with bot.running():
        await sim.send(ADA, attachment="pinned_message")
        await sim.send(ADA, "hi")
        await sim.until_said(ADA, "You said: hi")
    assert len(bot.turns.requests) == 1


async def test_album_of_videos_is_answered_once(bot: Bot, sim: Sim) -> None:
    """One sentence for all of them."""
    async with bot.running():
        for _ in range(3):
            await sim.send(ADA, attachment="video", media_group_id="g")
        await until(lambda: _said(sim, 1))
        await until(lambda: _is_idle(bot))
    assert await sim.texts(ADA) == [say("en", "cannot-read-video", detail="blank")]


@pytest.mark.req("TG-2")
async def test_mixed_album_is_one_turn_with_its_photos_in_order(bot: Bot, sim: Sim) -> None:
    """Photos and image files count, the video between them is named."""
    picture = base64_of(png())
    async with bot.running():
        await sim.send(ADA, "compare", photo_base64=picture, media_group_id="g")
        await sim.send(ADA, attachment="video", media_group_id="g")
        await sim.send(
            ADA, document_base64=picture, file_name="b.png", mime_type="", media_group_id="g"
        )
        await sim.until_said(ADA, "You said: compare")
        await until(lambda: _is_idle(bot))
    (request,) = bot.turns.requests
    assert request.message.unread == ("video",)
    updates = [call for call in await sim.calls("getUpdates") if call.get("result")]
    assert len(request.message.photos) == 2, updates
    assert len({photo.file_id for photo in request.message.photos}) == 2


async def test_long_text_that_was_split_is_one_question(bot: Bot, sim: Sim) -> None:
    """The pieces come as messages of their own; the turn has the text as it was written."""
    text = "staking " * 1200
    async with bot.running():
        for start in range(0, len(text), 4096):
            await sim.send(ADA, text[start : start + 4096])
        await until(lambda: _is_answered(bot, sim))
    (request,) = bot.turns.requests
    assert request.message.text == text


@pytest.mark.parametrize(
    ("fields", "forwarded"),
    [
        ({"text": "/start", "forward_from": "Eve"}, Forwarded("/start", "Eve")),
        ({"text": "Staking is", "via_bot": "wiki"}, Forwarded("Staking is", "@wiki")),
    ],
)
async def test_words_of_others_start_a_turn_marked_as_such(
    bot: Bot, sim: Sim, fields: dict[str, Any], forwarded: Forwarded
) -> None:
    """A forwarded command is not run."""
    async with bot.running():
        await sim.send(ADA, **fields)
        await until(lambda: _said(sim, 1))
    (request,) = bot.turns.requests
    assert (request.message.text, request.message.forwarded) == ("", forwarded)


async def test_reply_to_the_bots_answer_brings_what_was_quoted(bot: Bot, sim: Sim) -> None:
    """The answer, whose it is, and the part that the user marked."""
    async with bot.running():
        await sim.send(ADA, "first")
        await sim.until_said(ADA, "You said: first")
        (answer,) = await sim.from_bot(ADA)
        await sim.send(ADA, "why?", reply_to_message_id=answer["message_id"], quote="said")
        await until(lambda: _said(sim, 2))
    reply = bot.turns.requests[-1].message.reply
    assert reply is not None
    assert (reply.text, reply.quote, reply.author) == ("You said: first", "said", "assistant")


@pytest.mark.parametrize("text", ["\x00", "\ud800", " \n ", "🙂" * 2048, "https://a.example/?q=1"])
async def test_odd_text_is_answered(bot: Bot, sim: Sim, text: str) -> None:
    """Nothing that a client lets through leaves the user without an answer."""
    async with bot.running():
        body = {"text": text}
        answer = await sim.http.post(
            f"/sim/chats/{ADA}/messages",
            content=_escaped(body),
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == 200, answer.text
        await until(lambda: _is_answered(bot, sim))
    assert len(bot.turns.requests) == 1


async def _is_answered(bot: Bot, sim: Sim) -> bool:
    return bool(await sim.from_bot(ADA)) and await _is_idle(bot)


_BROKEN = [
    b"",
    b"\x00\xff",
    b"[]",
    b'{"update_id": 1, "message": 5}',
    b'{"update_id": 2, "message": {"from": {"id": 42}}}',
    b'{"update_id": 3, "edited_message": {"message_id": 99999999999999999999, "from": {"id": 42}}}',
    b'{"update_id": 4, "edited_message": {"from": {"id": 42}, "text": ["hi"]}}',
    b'{"update_id": 5, "purchased_paid_media": {"from": {"id": 42}}}',
    b'{"update_id": 6, "message": {"message_id": 1, "chat": {"id": 42, "type": "private"}}}',
    b'{"update_id": 7, "callback_query": {"from": {"id": 42}}}',
    b'{"update_id": 8, "a thing of the future": {"from": {"id": 42}}}',
]


async def test_broken_updates_are_done_with_at_once(bot: Bot, sim: Sim) -> None:
    """None is tried again or becomes a dead letter, and the user's next message is answered."""
    await bot.inbox.store([envelope(raw) for raw in _BROKEN])
    async with bot.running():
        await sim.send(ADA, "hi")
        await sim.until_said(ADA, "You said: hi")
        await until(lambda: _is_idle(bot))
    assert (await bot.inbox.depth()).dead == 0
    assert len(bot.turns.requests) == 1


def _escaped(body: dict[str, str]) -> bytes:
    return json.dumps(body).encode("ascii")
