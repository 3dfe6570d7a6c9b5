"""Keeps a process within its share of the sending rate that Telegram allows the whole bot."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.outbox import SendingShares
from rich_agent.runtime.concurrency import alongside
from rich_agent.runtime.surviving import survived
from rich_agent.telegram.deliver.limiter import Limiter

BEAT_S = 2.0


def _ignore(share_per_s: float) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """The share of one process; `on_share` is called with it, in messages per second.

    No message waits for the database: every `BEAT_S` the share is renewed according to the rate
    that was wanted since. While the database is unavailable, the last share stays in force.
    """

    shares: SendingShares
    limiter: Limiter
    on_share: Callable[[float], None] = _ignore
    process: UUID = field(default_factory=uuid4)

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Renew the share while the block runs, then give it back."""
        await self.renew()
        async with alongside(self._renew_on()):
            yield
        with survived("telegram.share_not_released", DatabaseUnavailableError):
            await self.shares.release(self.process)

    async def renew(self) -> None:
        """Renew the share once, and set the limiter's rate to it."""
        with survived("telegram.share_not_renewed", DatabaseUnavailableError):
            share_per_s = await self.shares.renew(self.process, self.limiter.wanted_per_s())
            self.limiter.allot(share_per_s)
            self.on_share(share_per_s)

    async def _renew_on(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            await self.renew()
