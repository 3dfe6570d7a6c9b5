"""Telegram's flood control, when it is switched on.

About one message a second per private chat with a short burst, 30 a second in all. Source:
https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rich_agent_sandbox.telegram.refusals import too_many_requests

CHAT_RATE_PER_S = 1.0
CHAT_BURST = 5.0
TOTAL_RATE_PER_S = 30.0
TOTAL_BURST = 30.0
PENALTY_S = 3.0
COUNTED_METHODS = frozenset(
    (
        "copyMessage",
        "editMessageText",
        "editMessageWidgetData",
        "forwardMessage",
        "sendDocument",
        "sendMessage",
        "sendPhoto",
        "sendWidget",
    )
)


@dataclass(slots=True)
class _Bucket:
    """A token bucket that starts full."""

    rate_per_s: float
    burst: float
    tokens: float
    filled_at: float
    closed_until: float = 0.0

    def wait_s(self, now: float) -> float:
        """Take a token and return 0, or return the seconds for which the bucket is closed."""
        if now < self.closed_until:
            return self.closed_until - now
        self.tokens = min(self.burst, self.tokens + (now - self.filled_at) * self.rate_per_s)
        self.filled_at = now
        if self.tokens >= 1:
            self.tokens -= 1
            return 0.0
        self.closed_until = now + PENALTY_S
        return PENALTY_S


@dataclass(slots=True)
class FloodControl:
    """Counts messages per chat and in all; too many close the chat for 3 s."""

    clock: Callable[[], float] = time.time
    _chats: dict[int, _Bucket] = field(default_factory=dict)
    _total: _Bucket | None = None
    _closed_until: dict[int, float] = field(default_factory=dict)

    def close(self, chat_id: int, seconds: float) -> None:
        """Refuse the chat's messages for this many seconds."""
        self._closed_until[chat_id] = self.clock() + seconds

    def check_closed(self, method: str, chat_id: int) -> None:
        """Raises: BotApiError 429 while the chat is closed."""
        left_s = self._closed_until.get(chat_id, 0.0) - self.clock()
        if method in COUNTED_METHODS and left_s > 0:
            raise too_many_requests(math.ceil(left_s))

    def admit(self, method: str, chat_id: int) -> None:
        """Let a call through. Raises: BotApiError 429 with the seconds to wait."""
        if method not in COUNTED_METHODS:
            return
        now = self.clock()
        if self._total is None:
            self._total = _Bucket(TOTAL_RATE_PER_S, TOTAL_BURST, TOTAL_BURST, now)
        chat = self._chats.setdefault(
            chat_id, _Bucket(CHAT_RATE_PER_S, CHAT_BURST, CHAT_BURST, now)
        )
        wait_s = chat.wait_s(now) or self._total.wait_s(now)
        if wait_s > 0:
            raise too_many_requests(math.ceil(wait_s))

    def forget(self) -> None:
        """Start again with full buckets."""
        self._chats.clear()
        self._closed_until.clear()
        self._total = None
