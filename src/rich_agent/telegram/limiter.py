"""Keeps the bot under Telegram's flood limits, one chat's trouble away from all others."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

_IDLE_CHATS = 10_000


def _ignore() -> None:
    """Nobody counts."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Messages per second and how many may come at once, for one private chat and for all.

    Source: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
    """

    chat_per_s: float = 1.0
    chat_burst: float = 4.0
    total_per_s: float = 30.0
    total_burst: float = 30.0


@dataclass(slots=True)
class _Bucket:
    rate_per_s: float
    burst: float
    tokens: float
    filled_at: float
    closed_until: float = 0.0

    def wait_s(self, now: float, tokens: float = 1.0) -> float:
        """Seconds until so many tokens are there (0: now)."""
        if now < self.closed_until:
            return self.closed_until - now
        self.tokens = min(self.burst, self.tokens + (now - self.filled_at) * self.rate_per_s)
        self.filled_at = now
        return max(0.0, (tokens - self.tokens) / self.rate_per_s)

    def is_idle(self, now: float) -> bool:
        return self.wait_s(now) == 0 and self.tokens >= self.burst


@dataclass(slots=True)
class Limiter:
    """Token buckets per chat and for all chats; `clock` counts seconds, monotonically.

    `on_penalty` is called for each 429.
    """

    rates: Rates = field(default_factory=Rates)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    on_penalty: Callable[[], None] = _ignore
    _chats: dict[int, _Bucket] = field(default_factory=dict)
    _total: _Bucket | None = None

    def try_take(self, chat_id: int, *, spare: int = 0) -> bool:
        """Take a token if one is free now, and `spare` more are left for what is to come."""
        return self._take(chat_id, spare) == 0

    async def take(self, chat_id: int) -> None:
        """Wait for a token."""
        while (wait_s := self._take(chat_id)) > 0:
            await self.sleep(wait_s)

    def closed_for_s(self, chat_id: int) -> float:
        """For how long Telegram takes nothing in this chat, 0 when it is open."""
        known = self._chats.get(chat_id)
        return max(0.0, known.closed_until - self.clock()) if known else 0.0

    def penalize(self, chat_id: int, retry_after_s: float) -> None:
        """Close one chat for as long as Telegram said (429); the others go on."""
        self.on_penalty()
        bucket = self._bucket(chat_id)
        bucket.closed_until = max(bucket.closed_until, self.clock() + retry_after_s)

    def _take(self, chat_id: int, spare: int = 0) -> float:
        now = self.clock()
        chat = self._bucket(chat_id)
        if self._total is None:
            burst = self.rates.total_burst
            self._total = _Bucket(self.rates.total_per_s, burst, burst, now)
        wait_s = max(chat.wait_s(now, 1.0 + spare), self._total.wait_s(now))
        if wait_s == 0:
            chat.tokens -= 1
            self._total.tokens -= 1
        return wait_s

    def _bucket(self, chat_id: int) -> _Bucket:
        if chat_id not in self._chats:
            now = self.clock()
            if len(self._chats) >= _IDLE_CHATS:
                self._chats = {c: b for c, b in self._chats.items() if not b.is_idle(now)}
            burst = self.rates.chat_burst
            self._chats[chat_id] = _Bucket(self.rates.chat_per_s, burst, burst, now)
        return self._chats[chat_id]
