"""Messages that Telegram took and whose numbers were lost, over real HTTP."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from typing_extensions import override

from rich_agent.domain.message import TurnRequest
from rich_agent.errors import LaneLostError
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import ReceivedUpdate
from rich_agent.ports.outbox import Place
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.runtime.fencing import confirm_lease_with, work_under
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.lost_messages import MOST_ASKED, Tidying
from rich_agent.telegram.deliver.messenger import NOTICE, Messenger, ReplyTarget
from rich_agent.turns.runner import StageChanged, TextSoFar, TurnEvent
from tests.integration.catalogue import execute
from tests.integration.telegram_support import (
    Bot,
    ScriptedTurns,
    Sim,
    answered,
    open_client,
    until,
)
from tests.sandbox_server import RunningSandbox
from tests.twins.outbox import InMemoryOutbox

ADA, BOB = 42, 43
NOTE = "(Sent again: Telegram had not confirmed the first try.)"


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    """A bot that echoes, and waits for no answer of Telegram for long."""
    async with open_client(sandbox, read_s=1.0) as client:
        yield Bot(client)


async def grows(_: TurnRequest) -> AsyncIterator[TurnEvent]:
    """Searches, then writes for a while."""
    text = "Proof of history is a clock that everybody can check, one hash after another. "
    yield StageChanged("searching")
    await asyncio.sleep(0.3)
    for length in range(35, len(text), 4):
        yield TextSoFar(text[:length])
        await asyncio.sleep(0.03)
    for event in answered(text):
        yield event


@pytest.mark.req("DUR-2", "IDEMP-1")
@pytest.mark.parametrize("kind", ["reset", "timeout", "502_done"])
@pytest.mark.parametrize("is_growing", [False, True], ids=["at once", "growing"])
async def test_message_in_doubt_is_found_and_stands_there_once(
    bot: Bot, sim: Sim, kind: str, *, is_growing: bool
) -> None:
    """If the first send's reply was lost, the copy is deleted and no note is needed."""
    if is_growing:
        bot.turns = ScriptedTurns(grows)
    await sim.fail(kind, method="sendMessage", delay_s=1.2)
    async with bot.running():
        await sim.send(ADA, "question")
        await until(lambda: _is_done(bot))
    (text,) = await sim.texts(ADA)
    assert text.startswith("Proof of history" if is_growing else "You said")
    await until(lambda: _was_sent(sim, times=2))


async def test_refused_send_leaves_nothing_to_look_for(bot: Bot, sim: Sim) -> None:
    """A 502 that meant what it said: the next number shows that nothing was sent."""
    await sim.fail("502", method="sendMessage", times=2)
    async with bot.running():
        await sim.send(ADA, "question")
        await until(lambda: _is_done(bot))
    assert await sim.texts(ADA) == ["You said: question"]
    assert await sim.calls("editMessageCaption", "deleteMessage") == []


@pytest.mark.req("DUR-1", "REL-1")
@pytest.mark.parametrize("text", ["Searching…", "Got it. I will answer this.", "You said: quest"])
async def test_message_of_a_dead_process_is_taken_away(bot: Bot, sim: Sim, text: str) -> None:
    """It died between Telegram's 200 and its own commit; what others sent meanwhile stays."""
    sent = await sim.send(ADA, "question")
    await bot.outbox.begin(sent["update_id"], 0, Place(ADA, sent["message_id"]))
    await sim.send(BOB, "hello")
    await bot.client.send_message(ADA, RenderedMessage(text))
    known = await bot.client.send_message(ADA, RenderedMessage("from a command"))
    await bot.outbox.begin(1, 0, Place(ADA))
    await bot.outbox.note_sent(1, 0, known)
    async with bot.running():
        await until(lambda: _is_done(bot, 2))
    assert await sim.texts(ADA) == ["from a command", "You said: question"]
    assert await sim.texts(BOB) == ["You said: hello"]
    assert next(m["text"] for m in (await sim.chat(ADA))["messages"]) == "question"


async def test_message_that_replaces_one_is_looked_for_after_a_crash(bot: Bot, sim: Sim) -> None:
    """The process deleted one that an earlier answer had overtaken, sent another one, and died."""
    for _ in range(2):
        asked = await sim.send(ADA, "question")
    shown = {}
    for update_id in (2, 1):
        await bot.outbox.begin(update_id, 0, Place(ADA, asked["message_id"]))
        shown[update_id] = await bot.client.send_message(ADA, RenderedMessage("Got it."))
        await bot.outbox.note_sent(update_id, 0, shown[update_id])
    messenger = Messenger(bot.client, bot.outbox, bot.users, bot.limiter)

    def delivery() -> Delivery:
        return Delivery(messenger, ReplyTarget(2, ADA, "en"), _holds)

    await sim.fail("timeout", method="sendMessage", delay_s=30)
    growing = asyncio.ensure_future(delivery().grow(RenderedMessage("Thinking…")))
    await sim.until_said(ADA, "Got it.", "Thinking…")
    growing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await growing
    await delivery().complete([RenderedMessage("The answer.")])
    assert await sim.texts(ADA) == ["Got it.", "The answer."]


async def test_nothing_is_deleted_where_no_earlier_message_is_known(bot: Bot, sim: Sim) -> None:
    """Messages without a record may be earlier answers; so the new one says that it came twice."""
    await sim.send(ADA, "question")
    await bot.client.send_message(ADA, RenderedMessage("An answer of last year."))
    messenger = Messenger(bot.client, bot.outbox, bot.users, bot.limiter)
    await sim.fail("502_done", method="sendMessage")
    await Delivery(messenger, ReplyTarget(2, ADA, "en"), _holds).complete([RenderedMessage("New.")])
    assert await sim.texts(ADA) == ["An answer of last year.", "New.", f"{NOTE}\n\nNew."]


async def test_late_process_sends_nothing(bot: Bot, sim: Sim) -> None:
    """Its lease ran out after everything was checked; the message is another process's to send."""
    await sim.send(ADA, "question")

    messenger = Messenger(bot.client, bot.outbox, bot.users, bot.limiter)

    async def send(update_id: int, *, is_leased: bool) -> None:
        confirm_lease_with(lambda: is_leased)
        await bot.client.send_typing(ADA)  # also while the database is away
        delivery = Delivery(messenger, ReplyTarget(update_id, ADA, "en"), _holds)
        await delivery.complete([RenderedMessage("Late.")])

    with pytest.raises(LaneLostError):
        await asyncio.create_task(send(1, is_leased=False))
    assert await sim.texts(ADA) == []
    await asyncio.create_task(send(2, is_leased=True))
    assert await sim.texts(ADA) == ["Late."]
    assert len(await sim.calls("sendChatAction")) == 2


class ForgottenOutbox(InMemoryOutbox):
    """The outbox of a user who has everything forgotten while a message is on its way."""

    @override
    async def note_sent(self, *_: object, **__: object) -> None:
        raise LaneLostError("lane of fence 1")


async def test_message_that_cannot_be_recorded_any_more_is_taken_away(bot: Bot, sim: Sim) -> None:
    """Nobody else knows of it: "Searching…" would stand there for ever."""
    await sim.send(ADA, "question")
    messenger = Messenger(bot.client, ForgottenOutbox(), bot.users, bot.limiter)
    delivery = Delivery(messenger, ReplyTarget(1, ADA, "en"), _holds)
    with pytest.raises(LaneLostError):
        await delivery.announce(RenderedMessage("Searching…"))
    assert await sim.texts(ADA) == []


async def test_ids_of_received_messages_are_no_lost_ones(database_url: str) -> None:
    """Only private chats count their messages together."""
    async with open_pool(database_url, max_size=4) as pool, PostgresInbox(pool) as inbox:
        outbox = PostgresOutbox(pool)
        await outbox.begin(9, 0, Place(ADA, 70))
        await inbox.store([ReceivedUpdate(1, BOB, b"{}", user_message_id=80)])
        await inbox.store([ReceivedUpdate(2, BOB, b"{}")])
        assert (await outbox.account_before(9, 0, 90)).message_ids == {80}
        await outbox.begin(10, 0, Place(ADA, 70))
        assert (await outbox.account_before(10, 0, 90)).after_id == 80


@pytest.mark.costs("a bot sends many messages")
async def test_lost_message_of_a_busy_bot_is_found(bot: Bot, sim: Sim) -> None:
    """However many messages it sent to others before and since: their ids are known."""
    sent = await sim.send(ADA, "question")
    await sim.send(BOB, "hello")

    async def answer_others(first_id: int) -> None:
        for update_id in range(first_id, first_id + MOST_ASKED):
            await bot.outbox.begin(update_id, 0, Place(BOB))
            message_id = await bot.client.send_message(BOB, RenderedMessage("to somebody else"))
            await bot.outbox.note_sent(update_id, 0, message_id)

    await answer_others(10_000)
    await bot.outbox.begin(sent["update_id"], 0, Place(ADA, sent["message_id"]))
    await bot.client.send_message(ADA, RenderedMessage("Searching…"))
    await answer_others(20_000)
    async with bot.running():
        await until(lambda: _is_done(bot, 2))
    assert await sim.texts(ADA) == ["You said: question"]


@pytest.mark.parametrize("is_far", [True, False], ids=["too many numbers", "Telegram fails"])
async def test_message_that_cannot_be_looked_for_says_that_it_was_sent_again(
    bot: Bot, sim: Sim, *, is_far: bool
) -> None:
    """In the only case in which a text may appear twice, it says so."""
    sent = await sim.send(ADA, "question")
    await bot.outbox.begin(sent["update_id"], 0, Place(ADA, sent["message_id"]))
    await bot.client.send_message(ADA, RenderedMessage("You said"))
    if is_far:
        await sim.send(BOB, "hello")
        for _ in range(MOST_ASKED):
            await bot.client.send_message(BOB, RenderedMessage("to somebody else"))
    else:
        await sim.fail("502", method="editMessageCaption", times=100)
    async with bot.running():
        await until(lambda: _has(sim, f"{NOTE}\n\nYou said: question"))
    assert await sim.texts(ADA) == ["You said", f"{NOTE}\n\nYou said: question"]


@pytest.mark.parametrize("is_lost", [False, True], ids=["known", "lost"])
async def test_notice_that_a_message_waits_goes_with_its_answer(
    bot: Bot, sim: Sim, *, is_lost: bool
) -> None:
    """If answers do not grow in messages, the notice is a separate message."""
    goes_on = asyncio.Event()

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        if request.message.text == "first":
            await goes_on.wait()
        for event in answered(f"Re: {request.message.text}"):
            yield event

    bot.turns, bot.streaming = ScriptedTurns(script), "off"
    if is_lost:
        await sim.fail("reset", method="sendMessage")
    async with bot.running():
        await sim.send(ADA, "first")
        await sim.send(ADA, "second")
        await until(lambda: _has(sim, "Got it."))
        goes_on.set()
        await sim.until_said(ADA, "Re: first", "Re: second")


async def _was_sent(sim: Sim, times: int) -> bool:
    return len(await sim.calls("sendMessage", chat_id=ADA)) == times


async def _has(sim: Sim, text: str) -> bool:
    return any(shown.startswith(text) for shown in await sim.texts(ADA))


async def _is_done(bot: Bot, answers: int = 1) -> bool:
    return len(bot.turns.requests) >= answers and (await bot.inbox.depth()).pending == 0


@pytest.mark.req("DUR-1")
async def test_promise_of_an_answer_that_was_given_up_is_taken_back(
    database_url: str, bot: Bot, sim: Sim
) -> None:
    """No process lived to say so; neither the answer of another nor one under way is touched."""
    async with open_pool(database_url, max_size=4) as pool, PostgresInbox(pool) as inbox:
        outbox = PostgresOutbox(pool)
        sent = [await sim.send(user, "question") for user in (ADA, BOB)]
        for user, one in zip((ADA, BOB), sent, strict=True):
            await inbox.store([ReceivedUpdate(one["update_id"], user, b"{}")])
            for part, text in ((0, "Searching…"), (NOTICE, "Got it.")):
                await outbox.begin(one["update_id"], part, Place(user))
                message_id = await bot.client.send_message(user, RenderedMessage(text))
                await outbox.note_sent(one["update_id"], part, message_id)
        execute(
            database_url,
            f"UPDATE telegram_inbox SET dead_at = now() - interval '1 h' WHERE user_id = {ADA}",
            f"DELETE FROM telegram_lanes WHERE user_id = {ADA}",
        )
        messenger = Messenger(bot.client, outbox, bot.users, bot.limiter)
        tidying = Tidying(messenger, bot.accounts)
        await tidying.tidy()
        await tidying.tidy()
    (text,) = await sim.texts(ADA)
    assert text.startswith("Sorry")
    assert await sim.texts(BOB) == ["Searching…", "Got it."]
    assert len(await sim.calls("editMessageText", "deleteMessage")) == 2


async def test_answer_stands_below_the_whole_answer_before_it(bot: Bot, sim: Sim) -> None:
    """Its notice was there when the answer before it got a second message."""
    goes_on = asyncio.Event()
    long_text = "word " * 1_500

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield StageChanged("searching")
        if request.message.text == "first":
            await goes_on.wait()
        for event in answered(long_text if request.message.text == "first" else "The second."):
            yield event

    bot.turns = ScriptedTurns(script)
    async with bot.running():
        await sim.send(ADA, "first")
        await sim.send(ADA, "second")
        await until(lambda: _has(sim, "Got it."))
        goes_on.set()
        await until(lambda: _is_done(bot, 2))
    assert [text[:11] for text in await sim.texts(ADA)] == ["word word w"] * 2 + ["The second."]


async def test_notice_in_doubt_keeps_nobody_from_looking_back(
    database_url: str, bot: Bot, sim: Sim
) -> None:
    """Neither one of a dead process, which is not begun again, nor one of this process."""
    async with open_pool(database_url, max_size=4) as pool, PostgresInbox(pool) as inbox:
        outbox = PostgresOutbox(pool)
        await inbox.store([ReceivedUpdate(1, ADA, b"{}")])
        lane = await inbox.claim()
        assert lane is not None

        async def serve() -> None:
            work_under(lane.fence)
            await outbox.begin(2, 0, Place(ADA))
            assert (await outbox.account_before(2, 0, 99)).under_way == 1
            await outbox.note_interruption(2, 0)
            assert (await outbox.account_before(2, 0, 99)).under_way == 0
            await outbox.begin(3, 0, Place(ADA))
            await inbox.release(lane, counted=False)
            assert (await outbox.account_before(2, 0, 99)).under_way == 0
            target = ReplyTarget(3, ADA, "en")
            delivery = Delivery(
                Messenger(bot.client, outbox, bot.users, bot.limiter), target, _holds
            )
            assert await delivery.announce(RenderedMessage("Got it."))

        await asyncio.create_task(serve())
    assert await sim.calls("sendMessage") == []


async def _holds() -> None:
    """The lane is ours."""
