"""Long polling: nothing is confirmed before it is stored, and nothing ends it."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs
from typing_extensions import override

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.inbox import ReceivedUpdate
from tests.integration.telegram_support import Bot, Sim, open_client, until
from tests.sandbox_server import RunningSandbox
from tests.twins.inbox import InMemoryInbox

ADA = 42


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    """A bot of which only the receiver runs."""
    async with open_client(sandbox) as client:
        yield Bot(client)


@asynccontextmanager
async def polling(bot: Bot, **options: float) -> AsyncIterator[None]:
    """Receive while the block runs."""
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(bot.poller(**options).run(stop))
        yield
        stop.set()


async def until_stored(bot: Bot, count: int) -> None:
    """Wait until the inbox holds so many updates."""

    async def holds() -> bool:
        return (await bot.inbox.depth()).pending == count

    await until(holds)


async def until_confirmed(sim: Sim, count: int) -> None:
    """Wait until Telegram has let go of so many updates."""

    async def confirmed() -> bool:
        deliveries = (await sim.http.get("/sim/deliveries")).json()["deliveries"]
        return len([delivery for delivery in deliveries if delivery["ok"]]) == count

    await until(confirmed)


async def test_polling_stores_then_confirms(bot: Bot, sim: Sim) -> None:
    """Updates that waited before the start come too."""
    await sim.send(ADA, "before")
    async with polling(bot):
        await until_stored(bot, 1)
        await sim.send(ADA, "after")
        await until_stored(bot, 2)
        await until_confirmed(sim, 2)


async def test_polling_removes_a_webhook_without_dropping_anything(bot: Bot, sim: Sim) -> None:
    """A bot that had a webhook yesterday polls today."""
    await bot.client.set_webhook("http://127.0.0.1:9/telegram/webhook", "secret", ("message",))
    await sim.send(ADA, "waiting")
    async with polling(bot):
        await until_stored(bot, 1)
    (call,) = await sim.calls("deleteWebhook")
    assert not call["body"].get("drop_pending_updates")


async def test_polling_confirms_nothing_that_it_could_not_store(bot: Bot, sim: Sim) -> None:
    """While the database is away Telegram keeps the update, and gives it again."""
    away = [True]

    class Inbox(InMemoryInbox):
        @override
        async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
            if away:
                raise DatabaseUnavailableError("away")
            return await super().store(updates)

    bot.inbox = Inbox()
    await sim.send(ADA, "hello")
    async with polling(bot):
        await until(lambda: _has_polls(sim, 4))
        deliveries = (await sim.http.get("/sim/deliveries")).json()["deliveries"]
        assert [delivery["ok"] for delivery in deliveries] == [False]
        away.clear()
        await until_stored(bot, 1)
        await until_confirmed(sim, 1)


async def test_polling_confirms_nothing_while_the_database_hangs(bot: Bot, sim: Sim) -> None:
    """A database that does not answer is like one that is away."""
    hanging = [True]

    class Inbox(InMemoryInbox):
        @override
        async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
            if hanging:
                await asyncio.Event().wait()
            return await super().store(updates)

    bot.inbox = Inbox()
    await sim.send(ADA, "hello")
    with capture_logs() as logs:
        async with polling(bot, store_s=0.05):
            await until(lambda: _has_event(logs, "telegram.polling_failed"))
            await until(lambda: _has_polls(sim, 3))
            hanging.clear()
            await until_stored(bot, 1)
            await until_confirmed(sim, 1)


async def test_polling_needs_no_offset_once_all_is_confirmed(bot: Bot, sim: Sim) -> None:
    """Telegram's numbers start again after a quiet week; an old offset would hide them."""
    async with polling(bot):
        sent = await sim.send(ADA, "hello")
        await until(lambda: _has_offsets(sim, sent["update_id"] + 1, None))


async def _has_offsets(sim: Sim, *wanted: int | None) -> bool:
    calls = await sim.calls("getUpdates")
    return tuple(call["body"].get("offset") for call in calls)[-len(wanted) :] == wanted


async def _has_polls(sim: Sim, count: int) -> bool:
    return len(await sim.calls("getUpdates")) >= count


@pytest.mark.parametrize("kind", ["500", "429", "reset"])
async def test_polling_survives_every_failure(bot: Bot, sim: Sim, kind: str) -> None:
    """It pauses, and goes on."""
    await sim.fail(kind, method="getUpdates", times=2, retry_after=0)
    await sim.send(ADA, "hello")
    async with polling(bot):
        await until_stored(bot, 1)


async def test_polling_opens_a_new_connection_when_it_went_deaf(bot: Bot, sim: Sim) -> None:
    """A call that never comes back, without any error, is noticed."""
    await sim.fail("timeout", method="getUpdates", delay_s=60)
    with capture_logs() as logs:
        async with polling(bot, deaf_after_s=0.4):
            await until(lambda: _has_event(logs, "telegram.polling_deaf"))
            assert bot.metrics.registry.get_sample_value("telegram_polling_reconnects_total")
            await sim.send(ADA, "hello")
            await until_stored(bot, 1)


async def test_polling_says_when_another_program_takes_the_updates(bot: Bot, sim: Sim) -> None:
    """A clear line in the log, and no end."""
    with capture_logs() as logs:
        async with polling(bot):
            await until(lambda: _has_polls(sim, 1))
            await bot.client.set_webhook("http://127.0.0.1:9/x", "secret", ("message",))
            await until(lambda: _has_event(logs, "telegram.polling_conflict"))
            assert bot.metrics.registry.get_sample_value("telegram_polling_conflicts_total")
            await bot.client.delete_webhook()
            await sim.send(ADA, "hello")
            await until_stored(bot, 1)


async def _has_event(logs: Sequence[Mapping[str, object]], event: str) -> bool:
    return any(line["event"] == event for line in logs)
