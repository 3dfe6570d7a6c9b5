"""Telegram's rate limits: a token bucket for each chat, and one for all chats together."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from rich_agent.errors import (
    DatabaseUnavailableError,
)
from rich_agent.ports.outbox import SendingRate
from rich_agent.runtime.concurrency import survived

UNTOLD_S = 1.0
"""Seconds between messages while the database cannot tell the total rate of all processes."""
REFUSED_S = 0.1
"""Seconds for which a refusal by `total` counts for later requests, because many follow at once."""
_SPARE_OF_ALL = 3
_IDLE_CHATS = 10_000
DEFAULT_RETRY_AFTER_S = 5.0


def _ignore(*_: float) -> None:
    """Callback that counts nothing."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Messages per second and burst size for one private chat.

    Source: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
    """

    chat_per_s: float = 1.0
    chat_burst: float = 4.0


@dataclass(slots=True)
class _Bucket:
    rate_per_s: float
    burst: float
    tokens: float
    filled_at: float
    closed_until: float = 0.0

    def wait_s(self, now: float, tokens: float = 1.0) -> float:
        """Seconds until so many tokens are available, 0 if they are available now."""
        if now < self.closed_until:
            return self.closed_until - now
        self.tokens = min(self.burst, self.tokens + (now - self.filled_at) * self.rate_per_s)
        self.filled_at = now
        return max(0.0, (tokens - self.tokens) / self.rate_per_s)

    def is_idle(self, now: float) -> bool:
        return self.wait_s(now) == 0 and self.tokens >= self.burst


@dataclass(slots=True)
class Limiter:
    """A token bucket for each chat, and `total` for all chats.

    A chat is served by one process at a time, so each process has its own buckets for chats.
    `total` is shared by all processes. A process reserves the moment of one message at a time in
    `total`, so a process that dies wastes at most one moment. `clock` returns monotonic seconds.
    `on_penalty` is called for each 429, `on_wait` with the seconds that a message waits for
    `total`.
    """

    total: SendingRate
    rates: Rates = field(default_factory=Rates)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    on_penalty: Callable[[], None] = _ignore
    on_wait: Callable[[float], None] = _ignore
    _chats: dict[int, _Bucket] = field(default_factory=dict)
    _queue: asyncio.Lock = field(default_factory=asyncio.Lock)
    _refused_until: dict[int, float] = field(default_factory=dict)

    async def try_take(self, chat_id: int, *, spare: int = 0) -> bool:
        """Take a token and return True, if one is available now and `spare` more would remain.

        In `total`, three times `spare` tokens have to remain, so that in a crowd the beginnings and
        ends of answers come before growing texts. While a message waits in `take`, the result is
        False.

        Raises: DatabaseUnavailableError.
        """
        now, chat = self.clock(), self._bucket(chat_id)
        is_refused = now < self._refused_until.get(spare, 0.0)
        if is_refused or self._queue.locked() or chat.wait_s(now, 1.0 + spare) > 0:
            return False
        chat.tokens -= 1
        if await self.total.try_take(_SPARE_OF_ALL * spare):
            return True
        chat.tokens += 1
        self._refused_until[spare] = now + REFUSED_S
        return False

    async def take(self, chat_id: int) -> None:
        """Wait for a token and take it.

        While the database is away, take one every `UNTOLD_S` seconds.
        """
        while (wait_s := self._bucket(chat_id).wait_s(self.clock())) > 0:
            await self.sleep(wait_s)
        self._bucket(chat_id).tokens -= 1
        async with self._queue:
            wait_s = UNTOLD_S
            with survived("telegram.rate_unknown", DatabaseUnavailableError):
                wait_s = await self.total.reserve()
            self.on_wait(wait_s)
            await self.sleep(wait_s)

    def closed_for_s(self, chat_id: int) -> float:
        """Seconds for which this chat is closed after a 429, 0 if it is open."""
        bucket = self._chats.get(chat_id)
        return max(0.0, bucket.closed_until - self.clock()) if bucket else 0.0

    def penalize(self, chat_id: int, retry_after_s: float) -> None:
        """Close one chat for `retry_after_s`, as Telegram's 429 asks; other chats stay open."""
        self.on_penalty()
        bucket = self._bucket(chat_id)
        bucket.closed_until = max(bucket.closed_until, self.clock() + retry_after_s)

    def _bucket(self, chat_id: int) -> _Bucket:
        if chat_id not in self._chats:
            now = self.clock()
            if len(self._chats) >= _IDLE_CHATS:
                self._chats = {
                    chat: bucket for chat, bucket in self._chats.items() if not bucket.is_idle(now)
                }
            burst = self.rates.chat_burst
            self._chats[chat_id] = _Bucket(self.rates.chat_per_s, burst, burst, now)
        return self._chats[chat_id]
