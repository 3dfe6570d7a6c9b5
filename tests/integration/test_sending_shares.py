"""Several processes with one bot token keep Telegram's limit together."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from uuid import uuid4

import pytest

from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.outbox import PostgresSendingShares
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.sharing import BEAT_S, Sharing
from tests.integration.catalogue import read

STEP_S = 0.05
TOTAL = 30


@dataclass(slots=True)
class Clock:
    """Time that passes when a test says so."""

    now: float = 0.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


@dataclass(slots=True)
class Process:
    """A worker with more to send than it may, or with nothing."""

    sharing: Sharing
    chats: int
    sent: int = 0

    @classmethod
    def on(cls, pool: Pool, clock: Clock, *, chats: int) -> "Process":
        """One that is connected by a pool of its own."""
        return cls(Sharing(PostgresSendingShares(pool, lease_s=3600), Limiter(clock=clock)), chats)

    def send(self) -> None:
        """Send to each chat whatever may go."""
        self.sent += sum(self.sharing.limiter.try_take(chat) for chat in range(self.chats))


@pytest.fixture
async def pools(database_url: str) -> AsyncIterator[tuple[Pool, Pool]]:
    """Of two processes."""
    async with (
        open_pool(database_url, max_size=2) as one,
        open_pool(database_url, max_size=2) as two,
    ):
        yield one, two


async def live(processes: Sequence[Process], clock: Clock, seconds: float) -> int:
    """Have processes send for so long, each renewing its share every beat; what all sent."""
    before = sum(process.sent for process in processes)
    beats = round(BEAT_S / STEP_S)
    for step in range(round(seconds / STEP_S)):
        for process in processes:
            if step % beats == 0:
                await process.sharing.renew()
            process.send()
        clock.now += STEP_S
    return sum(process.sent for process in processes) - before


async def test_two_busy_processes_send_no_more_than_one_may(pools: tuple[Pool, Pool]) -> None:
    """Thirty a second together for a minute, each its half, once the second is known."""
    clock = Clock()
    busy = [Process.on(pool, clock, chats=100) for pool in pools]
    started = await live(busy, clock, 2 * BEAT_S)
    assert started <= 2 * BEAT_S * TOTAL + 2 * TOTAL
    before = [process.sent for process in busy]
    settled = await live(busy, clock, 60)
    assert 60 * TOTAL * 0.97 <= settled <= 60 * TOTAL + TOTAL
    mine, yours = (process.sent - sent for process, sent in zip(busy, before, strict=True))
    assert abs(mine - yours) < settled * 0.1


async def test_idle_process_leaves_its_share_to_the_busy_one(pools: tuple[Pool, Pool]) -> None:
    """And has its own soon after it needs it."""
    clock = Clock()
    busy, idle = (
        Process.on(pool, clock, chats=chats) for pool, chats in zip(pools, (100, 0), strict=True)
    )
    await live([busy, idle], clock, 3 * BEAT_S)
    assert await live([busy, idle], clock, 10) >= 10 * TOTAL * 0.9
    idle.chats = 100
    await live([busy, idle], clock, 3 * BEAT_S)
    before = idle.sent
    await live([busy, idle], clock, 10)
    assert idle.sent - before > 10 * TOTAL * 0.4


async def test_share_is_given_back_at_the_end(pools: tuple[Pool, Pool], database_url: str) -> None:
    """The next process need not wait for it to lapse."""
    sharing = Sharing(PostgresSendingShares(pools[0]), Limiter())
    async with sharing.kept():
        found = read(database_url, "SELECT process, share_per_s FROM telegram_senders")
        assert found == {(sharing.process, TOTAL)}
    assert read(database_url, "SELECT * FROM telegram_senders") == set()


async def test_share_holds_while_the_database_is_away(database_url: str) -> None:
    """Sends do not wait for it, and without an answer the rate does not grow."""
    told: list[float] = []
    limiter = Limiter(clock=Clock())
    async with open_pool(database_url, max_size=2) as pool:
        await PostgresSendingShares(pool).renew(uuid4(), 5)
        sharing = Sharing(PostgresSendingShares(pool), limiter, told.append)
        await sharing.renew()
    await sharing.renew()
    assert told == [2.5]
    assert sum(limiter.try_take(chat) for chat in range(100)) == 2
