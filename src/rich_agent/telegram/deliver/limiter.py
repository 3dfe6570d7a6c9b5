"""Keeps the bot within Telegram's flood limits. A 429 in one chat closes only that chat."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from rich_agent.ports.outbox import TOTAL_PER_S

_IDLE_CHATS = 10_000


def _ignore() -> None:
    """Nobody counts."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Messages per second and burst size, for one private chat and for all chats together.

    A process that shares the bot with others gets only a share, see `Limiter.allot`.

    Source: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
    """

    chat_per_s: float = 1.0
    chat_burst: float = 4.0
    total_per_s: float = TOTAL_PER_S
    total_burst: float = 30.0


@dataclass(slots=True)
class _Bucket:
    rate_per_s: float
    burst: float
    tokens: float
    filled_at: float
    closed_until: float = 0.0

    def wait_s(self, now: float, tokens: float = 1.0) -> float:
        """Seconds until that many tokens are available, 0 for now."""
        if now < self.closed_until:
            return self.closed_until - now
        self.tokens = min(self.burst, self.tokens + (now - self.filled_at) * self.rate_per_s)
        self.filled_at = now
        return max(0.0, (tokens - self.tokens) / self.rate_per_s)

    def is_idle(self, now: float) -> bool:
        return self.wait_s(now) == 0 and self.tokens >= self.burst


@dataclass(slots=True)
class Limiter:
    """Token buckets per chat and for all chats; `clock` returns monotonic seconds.

    `on_penalty` is called for each 429.
    """

    rates: Rates = field(default_factory=Rates)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    on_penalty: Callable[[], None] = _ignore
    _chats: dict[int, _Bucket] = field(default_factory=dict)
    _total: _Bucket = field(init=False)
    _sent: int = 0
    _held_up: set[int] = field(default_factory=set)
    _counted_from: float = field(init=False)

    def __post_init__(self) -> None:
        now, burst = self.clock(), self.rates.total_burst
        self._total = _Bucket(self.rates.total_per_s, burst, burst, now)
        self._counted_from = now

    def try_take(self, chat_id: int, *, spare: int = 0) -> bool:
        """Take a token if one is available now and `spare` more would remain."""
        return self._take(chat_id, spare) == 0

    async def take(self, chat_id: int) -> None:
        """Wait for a token and take it."""
        while (wait_s := self._take(chat_id)) > 0:
            await self.sleep(wait_s)

    def closed_for_s(self, chat_id: int) -> float:
        """Seconds for which this chat is closed after a 429, 0 if it is open."""
        known = self._chats.get(chat_id)
        return max(0.0, known.closed_until - self.clock()) if known else 0.0

    def penalize(self, chat_id: int, retry_after_s: float) -> None:
        """Close one chat for as long as Telegram's 429 says; other chats are not affected."""
        self.on_penalty()
        bucket = self._bucket(chat_id)
        bucket.closed_until = max(bucket.closed_until, self.clock() + retry_after_s)

    def allot(self, per_s: float) -> None:
        """Set the rate for all chats together, in messages per second."""
        total = self._total
        total.wait_s(self.clock())  # tokens up to this moment accrued at the old rate
        total.rate_per_s = per_s
        total.burst = max(1.0, per_s * self.rates.total_burst / self.rates.total_per_s)
        total.tokens = min(total.tokens, total.burst)

    def wanted_per_s(self) -> float:
        """The rate since the last call, had there been no limit for all chats together."""
        now = self.clock()
        wanted = self._sent + len(self._held_up)
        elapsed_s = now - self._counted_from
        self._sent, self._counted_from = 0, now
        self._held_up.clear()
        return wanted / elapsed_s if elapsed_s else float(wanted)

    def _take(self, chat_id: int, spare: int = 0) -> float:
        now = self.clock()
        chat = self._bucket(chat_id)
        chat_s, total_s = chat.wait_s(now, 1.0 + spare), self._total.wait_s(now)
        if chat_s == total_s == 0:
            chat.tokens -= 1
            self._total.tokens -= 1
            self._sent += 1
        elif chat_s == 0:
            self._held_up.add(chat_id)
        return max(chat_s, total_s)

    def _bucket(self, chat_id: int) -> _Bucket:
        if chat_id not in self._chats:
            now = self.clock()
            if len(self._chats) >= _IDLE_CHATS:
                self._chats = {c: b for c, b in self._chats.items() if not b.is_idle(now)}
            burst = self.rates.chat_burst
            self._chats[chat_id] = _Bucket(self.rates.chat_per_s, burst, burst, now)
        return self._chats[chat_id]
