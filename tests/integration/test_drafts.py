"""Answers that grow as drafts, or not at all (STREAMING=draft|off)."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rich_agent.domain.message import TurnRequest
from rich_agent.telegram.deliver import progress
from rich_agent.turns.runner import StageChanged, TextSoFar, TurnEvent
from tests.contract.telegram_models import check_update
from tests.integration.telegram_support import (
    Bot,
    ScriptedTurns,
    Sim,
    answered,
    open_client,
    until,
)
from tests.sandbox_server import RunningSandbox

ADA = 42
SAID = "Proof of history is a clock that everybody can check."


async def grows(_: TurnRequest) -> AsyncIterator[TurnEvent]:
    """Searches, and writes for a while."""
    yield StageChanged("searching")
    await asyncio.sleep(0.2)
    text = f"{SAID} " * 4
    for length in range(10, len(text), 6):
        yield TextSoFar(text[:length])
        await asyncio.sleep(0.03)
    for event in answered(text):
        yield event


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    """A bot that shows drafts."""
    async with open_client(sandbox) as client:
        yield Bot(client, turns=ScriptedTurns(grows), streaming="draft")


async def is_answered(sim: Sim) -> bool:
    """Whether the whole answer is there."""
    return any(text.count(SAID) == 4 and not text.endswith("…") for text in await sim.texts(ADA))


@pytest.mark.req("TG-4")
async def test_draft_grows_and_becomes_one_message(bot: Bot, sim: Sim) -> None:
    """One draft number, growing texts, each call after the last; then a message, and no edit."""
    async with bot.running():
        sent = await sim.send(ADA, "What is proof of history?")
        await until(lambda: is_answered(sim))
    drafts = await sim.calls("sendMessageDraft", chat_id=ADA)
    assert {call["body"]["draft_id"] for call in drafts} == {sent["update_id"]}
    assert all(call["body"]["can_stop"] for call in drafts)
    texts = [call["body"]["text"] for call in drafts]
    assert texts[0] == "Searching…"
    growing = [text for text in texts if SAID[:20] in text]
    assert len(growing) >= 2
    assert growing == sorted(growing, key=len)
    ends = [call["ended_at"] for call in drafts]
    starts = [call["started_at"] for call in drafts]
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1
    assert await sim.calls("editMessageText", chat_id=ADA) == []
    assert (await sim.chat(ADA))["draft"] is None


async def test_draft_is_shown_again_before_it_fades(
    bot: Bot, sim: Sim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long silence of the model: the same draft is sent again."""
    goes_on = asyncio.Event()

    async def script(_: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield StageChanged("drafting")
        await goes_on.wait()
        for event in answered("Done."):
            yield event

    monkeypatch.setattr(progress, "DRAFT_REFRESH_S", 0.1)
    bot.turns = ScriptedTurns(script)
    async with bot.running():
        await sim.send(ADA, "question")

        async def is_repeated() -> bool:
            return len(await sim.calls("sendMessageDraft", chat_id=ADA)) >= 3

        await until(is_repeated)
        goes_on.set()
        await sim.until_said(ADA, "Done.")
    texts = [c["body"]["text"] for c in await sim.calls("sendMessageDraft", chat_id=ADA)]
    assert set(texts) == {"Drafting…"}


async def test_draft_is_stopped_by_its_user(bot: Bot, sim: Sim) -> None:
    """Telegram's own button; what was said becomes the message."""

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        stop = bot.turns.stops[-1]
        assert stop is not None
        yield StageChanged("drafting")
        yield TextSoFar(f"{SAID} And")
        await stop.wait()
        for event in answered(f"{SAID}\n\n_(stopped)_ {request.message.text}"):
            yield event

    bot.turns = ScriptedTurns(script)
    async with bot.running():
        await sim.send(ADA, "tell")

        async def shows_text() -> bool:
            draft = (await sim.chat(ADA))["draft"]
            return draft is not None and SAID in draft["text"] and draft["can_stop"]

        await until(shows_text)
        stopped = (await sim.http.post(f"/sim/chats/{ADA}/stop", json={})).json()
        assert stopped["stopped"]
        await sim.until_said(ADA, f"{SAID}\n\n(stopped) tell")


def test_stopped_generation_is_an_update_of_telegram() -> None:
    """As the sandbox sends it."""
    chat = {"id": ADA, "type": "private", "first_name": "Ada"}
    check_update({"update_id": 1, "stopped_message_generation": {"chat": chat, "draft_id": 7}})


async def test_draft_that_is_refused_gives_way_to_edits(bot: Bot, sim: Sim) -> None:
    """A chat, or a server, without drafts: the answer grows in a message."""
    await sim.fail("403_blocked", method="sendMessageDraft", times=99)
    async with bot.running():
        await sim.send(ADA, "What is proof of history?")
        await until(lambda: is_answered(sim))
    assert len(await sim.calls("sendMessageDraft", chat_id=ADA)) == 1
    assert len(await sim.calls("editMessageText", chat_id=ADA)) >= 2
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


async def test_draft_of_a_dead_worker_leaves_one_message(bot: Bot, sim: Sim) -> None:
    """After a crash the draft fades, and the next worker's answer is the only message."""
    hangs = asyncio.Event()

    async def dies_once(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield StageChanged("searching")
        if len(bot.turns.requests) == 1:
            await hangs.wait()
        for event in answered(f"Here it is, {request.message.text}."):
            yield event

    bot.turns = ScriptedTurns(dies_once)
    bot.options = replace(bot.options, grace_s=0.0)
    async with bot.running():
        await sim.send(ADA, "Ada")

        async def has_draft() -> bool:
            return (await sim.chat(ADA))["draft"] is not None

        await until(has_draft)
    async with bot.running(receiving=False):
        await sim.until_said(ADA, "Here it is, Ada.")
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


async def test_streaming_off_shows_typing_and_the_whole_answer(bot: Bot, sim: Sim) -> None:
    """One message, no draft, no edit."""
    bot.streaming = "off"
    async with bot.running():
        await sim.send(ADA, "What is proof of history?")
        await until(lambda: is_answered(sim))
    assert await sim.calls("sendMessageDraft", "editMessageText", chat_id=ADA) == []
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1
    assert await sim.calls("sendChatAction", chat_id=ADA)


@pytest.mark.parametrize("streaming", ["draft", "off"])
async def test_queued_notice_is_a_message_of_its_own_without_edits(
    bot: Bot, sim: Sim, streaming: progress.Streaming
) -> None:
    """The user hears at once that the second message waits, until the answers come in order."""
    goes_on = asyncio.Event()

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        if request.message.text == "first":
            await goes_on.wait()
        for event in answered(f"Re: {request.message.text}"):
            yield event

    bot.turns, bot.streaming = ScriptedTurns(script), streaming
    async with bot.running():
        await sim.send(ADA, "first")
        await sim.send(ADA, "second")

        async def is_told() -> bool:
            return any(text.startswith("Got it.") for text in await sim.texts(ADA))

        await until(is_told)
        goes_on.set()
        await sim.until_said(ADA, "Re: first", "Re: second")
