"""Sending rates of Telegram, without a database: the same contract, for one process."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from rich_agent.ports.outbox import BURST_S, TOTAL_PER_S


@dataclass(slots=True)
class InMemorySendingRate:
    """Implements `SendingRate`; `clock` counts seconds, monotonically."""

    total_per_s: float = TOTAL_PER_S
    burst_s: float = BURST_S
    clock: Callable[[], float] = time.monotonic
    _whole_at: float = 0.0

    async def try_take(self, spare: int = 0) -> bool:
        if self._wait_s(spare) > 0:
            return False
        await self.reserve()
        return True

    async def reserve(self) -> float:
        wait_s = self._wait_s()
        self._whole_at = max(self._whole_at, self.clock()) + 1 / self.total_per_s
        return wait_s

    def _wait_s(self, spare: int = 0) -> float:
        now, taken_s = self.clock(), (1 + spare) / self.total_per_s
        # PostgreSQL counts microseconds.
        return max(0.0, round(max(self._whole_at - now, 0.0) + taken_s - self.burst_s, 6))
