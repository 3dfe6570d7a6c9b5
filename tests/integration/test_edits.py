"""Edited questions, through the bot with scripted turns, over real HTTP."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from typing_extensions import override

from rich_agent.domain.message import TurnRequest
from rich_agent.errors import UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import Lane, StoredUpdate
from rich_agent.telegram.deliver.media import MediaMessages
from rich_agent.telegram.receive.inbound import Turn, Unsupported
from rich_agent.telegram.serve.worker import LaneTimings
from rich_agent.turns.runner import StageChanged, TextSoFar, TurnEvent
from tests.integration.telegram_support import (
    DEADLINE_S,
    Bot,
    ScriptedTurns,
    Sim,
    answered,
    base64_of,
    open_client,
    png,
    until,
)
from tests.sandbox_server import RunningSandbox
from tests.twins.inbox import InMemoryInbox

ADA = 42
TOO_LATE = say("en", "edit-too-late")


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    """A bot that echoes, not running yet."""
    async with open_client(sandbox) as client:
        yield Bot(client)


async def _is_idle(bot: Bot) -> bool:
    return (await bot.inbox.depth()).pending == 0


async def _edit(sim: Sim, message_id: int, text: str) -> None:
    await sim.send(ADA, text, edit_message_id=message_id)


async def test_edit_of_the_latest_question_is_answered_in_the_old_answers_place(
    bot: Bot, sim: Sim
) -> None:
    """The same message shows the new answer; the same turn, with a higher revision."""
    async with bot.running():
        asked = await sim.send(ADA, "What is staking?")
        await sim.until_said(ADA, "You said: What is staking?")
        (first,) = await sim.from_bot(ADA)
        await _edit(sim, asked["message_id"], "What is slashing?")
        await sim.until_said(ADA, "You said: What is slashing?")
    (second,) = await sim.from_bot(ADA)
    assert second["message_id"] == first["message_id"]
    old, new = bot.turns.requests
    assert old.request_id == new.request_id
    assert (old.revision, new.revision > 0) == (0, True)


async def test_edit_takes_away_what_the_old_answer_had_more_of(bot: Bot, sim: Sim) -> None:
    """A long answer that becomes a short one leaves no old part behind; and the other way round."""

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        long = "\n".join(f"line {n} of a long answer" for n in range(500))
        for event in answered(long if "long" in request.message.text else "Short."):
            yield event

    bot.turns = ScriptedTurns(script)
    async with bot.running():
        asked = await sim.send(ADA, "long please")
        await until(lambda: _shows(sim, "line 499"))
        parts = len(await sim.from_bot(ADA))
        await _edit(sim, asked["message_id"], "brief please")
        await sim.until_said(ADA, "Short.")
        await _edit(sim, asked["message_id"], "long again")
        await until(lambda: _shows(sim, "line 499"))
    assert parts >= 3
    assert len(await sim.from_bot(ADA)) == parts


async def _count(sim: Sim, count: int) -> bool:
    return len(await sim.from_bot(ADA)) == count


async def test_edit_of_a_question_that_waits_is_its_new_form(bot: Bot, sim: Sim) -> None:
    """It is answered once, as it reads now."""
    asked = await sim.send(ADA, "What is staking?")
    await _edit(sim, asked["message_id"], "What is slashing?")
    async with bot.running():
        await sim.until_said(ADA, "You said: What is slashing?")
        await until(lambda: _is_idle(bot))
    assert len(bot.turns.requests) == 1
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


async def test_edit_ends_the_answer_that_is_being_written(bot: Bot, sim: Sim) -> None:
    """The model is not waited for; the message goes on with the new answer."""
    ended = asyncio.Event()

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield StageChanged("drafting")
        if request.revision == 0:
            try:
                yield TextSoFar("Something about staking that goes on for ever and ever")
                await asyncio.Event().wait()
            finally:
                ended.set()
        for event in answered(f"You said: {request.message.text}"):
            yield event

    bot.turns = ScriptedTurns(script)
    async with bot.running():
        asked = await sim.send(ADA, "What is staking?")
        await until(lambda: _shows(sim, "Something about"))
        await _edit(sim, asked["message_id"], "What is slashing?")
        await sim.until_said(ADA, "You said: What is slashing?")
        await until(lambda: _is_idle(bot))
    assert ended.is_set()
    assert [request.revision > 0 for request in bot.turns.requests] == [False, True]
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


async def _shows(sim: Sim, text: str) -> bool:
    return any(text in shown for shown in await sim.texts(ADA))


async def test_edit_of_an_older_question_is_answered_with_one_hint(bot: Bot, sim: Sim) -> None:
    """No second answer, however often that message is edited; the hint hangs on to it."""
    async with bot.running():
        old = await sim.send(ADA, "first")
        await sim.send(ADA, "second")
        await until(lambda: _shows(sim, "second"))
        for text in ("first!", "first!!"):
            await _edit(sim, old["message_id"], text)
        await until(lambda: _shows(sim, TOO_LATE))
        await until(lambda: _is_idle(bot))
    assert await sim.texts(ADA) == ["You said: first", "You said: second", TOO_LATE]
    assert (await sim.from_bot(ADA))[-1]["reply_to_message_id"] == old["message_id"]
    assert len(bot.turns.requests) == 2


@pytest.mark.parametrize("text", ["What is staking?", "/help"])
async def test_edit_that_asks_nothing_new_does_nothing(bot: Bot, sim: Sim, text: str) -> None:
    """A link preview that comes later, or a command that an edit does not run."""
    async with bot.running():
        asked = await sim.send(ADA, "What is staking?")
        await sim.until_said(ADA, "You said: What is staking?")
        await _edit(sim, asked["message_id"], text)
        await until(lambda: _is_idle(bot))
    assert await sim.texts(ADA) == ["You said: What is staking?"]
    assert len(bot.turns.requests) == 1
    assert len(await sim.calls("sendMessage", "editMessageText", chat_id=ADA)) == 1


async def test_edit_of_a_mistyped_command_makes_it_a_question(bot: Bot, sim: Sim) -> None:
    """A message that was no question before is asked now."""
    async with bot.running():
        asked = await sim.send(ADA, "/What is staking?")
        await until(lambda: _count(sim, 1))
        await _edit(sim, asked["message_id"], "What is staking?")
        await until(lambda: _shows(sim, "You said: What is staking?"))
    assert len(bot.turns.requests) == 1


async def test_edit_of_an_albums_caption_keeps_its_photos(bot: Bot, sim: Sim) -> None:
    """The question is the whole album with the new caption."""
    photo = base64_of(png())
    async with bot.running():
        asked = await sim.send(ADA, "compare", photo_base64=photo, media_group_id="g")
        await sim.send(ADA, photo_base64=photo, media_group_id="g")
        await sim.until_said(ADA, "You said: compare")
        await _edit(sim, asked["message_id"], "which is larger?")
        await sim.until_said(ADA, "You said: which is larger?")
    assert [len(request.message.photos) for request in bot.turns.requests] == [2, 2]


@pytest.mark.req("DUR-1", "IDEMP-1")
async def test_edit_is_answered_once_though_its_worker_dies(bot: Bot, sim: Sim) -> None:
    """The next worker takes the edit up again, and writes to the same message."""

    async def dies_once(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield StageChanged("drafting")
        if request.revision and len(bot.turns.requests) == 2:
            await asyncio.Event().wait()
        for event in answered(f"You said: {request.message.text}"):
            yield event

    bot.turns = ScriptedTurns(dies_once)
    bot.options = replace(bot.options, grace_s=0.0)
    async with bot.running():
        asked = await sim.send(ADA, "one")
        await sim.until_said(ADA, "You said: one")
        await _edit(sim, asked["message_id"], "two")
        await sim.until_said(ADA, "Drafting…")
    async with bot.running(receiving=False):
        await sim.until_said(ADA, "You said: two")
        await until(lambda: _is_idle(bot))
    assert [request.revision > 0 for request in bot.turns.requests] == [False, True, True]
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


async def test_edit_that_fails_is_apologized_for_in_the_answers_place(bot: Bot, sim: Sim) -> None:
    """The old answer does not stay as if it were the new one."""

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        if request.revision:
            raise UpstreamRefusedError("model", "no")
        for event in answered("One."):
            yield event

    bot.turns = ScriptedTurns(script)
    async with bot.running():
        asked = await sim.send(ADA, "one")
        await sim.until_said(ADA, "One.")
        await _edit(sim, asked["message_id"], "two")
        await sim.until_said(ADA, say("en", "apology-refused"))
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


class WatchedInbox(InMemoryInbox):
    """Counts how often the worker has dealt with one, two and more waiting messages."""

    def __init__(self) -> None:
        super().__init__()
        self.looks: Counter[int] = Counter()

    @override
    async def waiting_updates(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        """Count the look."""
        waiting = await super().waiting_updates(lane)
        self.looks[len(waiting)] += 1
        return waiting


@pytest.mark.parametrize("change", ["edit", "file"])
async def test_change_while_media_are_read_belongs_to_the_question(
    bot: Bot, sim: Sim, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """The text is not answered without it, though nothing waited when it was taken."""
    read, is_reading = MediaMessages.read, asyncio.Event()

    async def is_seen() -> bool:
        return inbox.looks[1] > 0

    async def read_slowly(media: MediaMessages, turn: Turn, update_id: int) -> Turn | Unsupported:
        if not is_reading.is_set():
            is_reading.set()
            await until(is_seen)
        return await read(media, turn, update_id)

    monkeypatch.setattr(MediaMessages, "read", read_slowly)
    bot.inbox = inbox = WatchedInbox()
    async with bot.running():
        asked = await sim.send(ADA, "What is this?")
        await asyncio.wait_for(is_reading.wait(), DEADLINE_S)
        if change == "edit":
            await _edit(sim, asked["message_id"], "What is that?")
        else:
            await sim.send(ADA, photo_base64=base64_of(png()))
        await until(lambda: _is_idle(bot))
    (request,) = bot.turns.requests
    expected = ("What is that?", 0) if change == "edit" else ("What is this?", 1)
    assert (request.message.text, len(request.message.photos)) == expected
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


async def test_file_after_a_waiting_text_belongs_to_that_text_alone(bot: Bot, sim: Sim) -> None:
    """The text under way is not asked again, and the file is acknowledged with its text."""
    opened = asyncio.Event()

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield StageChanged("searching")
        await opened.wait()
        for event in answered(f"Re: {request.message.text}"):
            yield event

    async def is_seen() -> bool:
        return inbox.looks[2] > 1

    bot.turns, bot.inbox = ScriptedTurns(script), (inbox := WatchedInbox())
    timings = LaneTimings(heartbeat_s=0.1, notice_s=0.05, look_s=0.05)
    bot.options = replace(bot.options, timings=timings)
    async with bot.running():
        await sim.send(ADA, "first")
        await until(lambda: _count(sim, 1))
        await sim.send(ADA, "second")
        await until(lambda: _shows(sim, say("en", "status-queued")))
        await sim.send(ADA, photo_base64=base64_of(png()))
        await until(is_seen)
        opened.set()
        await until(lambda: _is_idle(bot))
    asked = {r.message.text: len(r.message.photos) for r in bot.turns.requests}
    assert asked == {"first": 0, "second": 1}
    assert await sim.texts(ADA) == ["Re: first", "Re: second"]
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 2


async def test_file_that_was_announced_and_joins_a_text_leaves_no_line(bot: Bot, sim: Sim) -> None:
    """Its own line would promise an answer that stands above it."""

    async def hold() -> None:
        """The lane is held."""

    async with bot.running():
        await sim.send(ADA, "What is this?")
        await until(lambda: _count(sim, 1))
        await until(lambda: _is_idle(bot))
    async with bot.receiving():
        await sim.send(ADA, photo_base64=base64_of(png()))
        await until(lambda: _is_waiting(bot))
    lane, handler = await bot.inbox.claim(), bot.handler()
    assert lane
    delivery = await handler.delivery_of(lane.updates, hold)
    assert delivery
    assert await delivery.announce(RenderedMessage("Got it."))
    await handler.handle(lane.updates, hold)
    assert await sim.texts(ADA) == ["You said: What is this?"]
    assert bot.turns.requests[-1].message.photos


async def _is_waiting(bot: Bot) -> bool:
    return (await bot.inbox.depth()).pending == 1
