"""Topics of a private chat: whatever the bot says goes where the user wrote."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from rich_agent.domain.message import TurnRequest
from rich_agent.errors import MalformedOutputError
from rich_agent.ports.bot_api import FileToSend, RenderedMessage
from rich_agent.turns.runner import StageChanged, TextSoFar, TurnEvent
from tests.integration.telegram_support import (
    Bot,
    ScriptedTurns,
    Sim,
    answered,
    open_client,
    png,
    until,
)
from tests.sandbox_server import RunningSandbox

ADA = 42
TEXT = "Proof of history is a clock that everybody can check, one hash after another. "
SENDS = ("sendMessage", "sendChatAction", "sendMessageDraft", "sendDocument", "sendPhoto")


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    """A bot whose answers grow."""
    async with open_client(sandbox) as client:
        yield Bot(client, turns=ScriptedTurns(grows))


async def grows(request: TurnRequest) -> AsyncIterator[TurnEvent]:
    """Searches, then writes for a while; some questions fail, some get two messages."""
    asked = request.message.text
    yield StageChanged("searching")
    await asyncio.sleep(0.2)
    if asked == "fail":
        raise MalformedOutputError("model", "no answer")
    for length in range(35, len(TEXT), 8):
        yield TextSoFar(TEXT[:length])
        await asyncio.sleep(0.03)
    for event in answered(TEXT * 80 if asked == "long" else f"Re: {asked}"):
        yield event


@pytest.mark.req("TG-1", "TG-4")
@pytest.mark.parametrize("streaming", ["edit", "draft", "off"])
async def test_answer_notice_and_apology_stay_in_the_topic(
    bot: Bot, sim: Sim, streaming: str
) -> None:
    """Two topics and the chat itself, one after another; a sticker, a command and a button too."""
    bot.streaming = streaming  # type: ignore[assignment]  # one of the three words
    asked = {7: "one", 8: "fail", 9: "long", None: "two"}
    async with bot.running():
        for topic, text in asked.items():
            await sim.send(ADA, text, **_in(topic))
        await sim.send(ADA, "/help", **_in(8))
        await sim.send(ADA, attachment="sticker", **_in(9))
        await until(lambda: _is_done(bot, 4))
    shown: dict[int | None, list[str]] = {topic: [] for topic in asked}
    for message in await sim.from_bot(ADA):
        shown[message["message_thread_id"]].append(message["text"])
    assert shown[7] == ["Re: one"]
    assert [text.split()[0] for text in shown[8] if "/" not in text] == ["Sorry,"]
    assert len(shown[8]) == 2
    assert len(shown[9]) == 3
    assert shown[None] == ["Re: two"]
    for call in await sim.calls(*SENDS, chat_id=ADA):
        assert call["body"].get("message_thread_id") in asked, call


def _in(topic: int | None) -> dict[str, Any]:
    return {} if topic is None else {"message_thread_id": topic}


async def test_long_texts_of_different_topics_are_not_joined(bot: Bot, sim: Sim) -> None:
    """Though they came as closely as the pieces of one."""
    async with bot.running():
        await sim.send(ADA, "a" * 4096, message_thread_id=7)
        await sim.send(ADA, "b" * 100, message_thread_id=8)
        await until(lambda: _is_done(bot, 2))
    assert [set(request.message.text) for request in bot.turns.requests] == [{"a"}, {"b"}]


async def test_what_was_meant_for_a_topic_that_is_gone_goes_to_the_chat(bot: Bot, sim: Sim) -> None:
    """Telegram refuses it once, in its own words, and takes it then."""
    await sim.send(ADA, "hello", message_thread_id=7)
    await bot.client.send_message(ADA, RenderedMessage("a text"), topic_id=99)
    await bot.client.send_file(ADA, FileToSend("f.txt", b"x"), topic_id=99)
    await bot.client.send_photo(ADA, png(), topic_id=99)
    await bot.client.send_typing(ADA, topic_id=99)
    await bot.client.send_draft(ADA, 1, RenderedMessage("a draft"), topic_id=99)
    assert [m["message_thread_id"] for m in await sim.from_bot(ADA)] == [None] * 3
    calls = await sim.calls(*SENDS, chat_id=ADA)
    assert [call["status"] for call in calls] == [400, 200] * 5
    assert (await bot.client.get_me()).has_topics


async def _is_done(bot: Bot, turns: int) -> bool:
    return len(bot.turns.requests) >= turns and (await bot.inbox.depth()).pending == 0
