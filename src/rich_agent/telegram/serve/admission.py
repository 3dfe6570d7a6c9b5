"""Admits new turns only while the process keeps up with the turns that are running."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from rich_agent.runtime.concurrency import never


@dataclass(frozen=True, slots=True)
class AdmissionLimits:
    """The limits for the admission of turns; times in seconds.

    - `lag_s`: the lag of the event loop above which no turn is admitted.
    - `look_s`: between two measurements of the lag.
    - `burst`: turns admitted between two measurements; their cost shows only once they run.
    - `weight`: the share of a new measurement in the running average, 0 to 1.
    """

    lag_s: float = 0.1
    look_s: float = 0.05
    burst: int = 12
    weight: float = 0.3


class TurnAdmission:
    """Admits turns while the event loop is not late and `is_strained` returns False."""

    def __init__(
        self, is_strained: Callable[[], bool] = never, limits: AdmissionLimits | None = None
    ) -> None:
        self._is_strained = is_strained
        self._limits = limits or AdmissionLimits()
        self._looked = asyncio.Condition()
        self._admitted = 0
        self.lag_s = 0.0

    async def measure(self) -> None:
        """Measure the lag forever.

        Without a measurement, only a first burst of turns is admitted.
        """
        loop, limits = asyncio.get_running_loop(), self._limits
        while True:
            due_at = loop.time() + limits.look_s
            await asyncio.sleep(limits.look_s)
            self.lag_s += limits.weight * (max(0.0, loop.time() - due_at) - self.lag_s)
            self._admitted = 0
            async with self._looked:
                self._looked.notify_all()

    async def admit(self) -> None:
        """Wait until a turn may begin, and count it."""
        async with self._looked:
            await self._looked.wait_for(self._may_begin)
        self._admitted += 1

    def _may_begin(self) -> bool:
        is_slow = self.lag_s > self._limits.lag_s
        return self._admitted < self._limits.burst and not is_slow and not self._is_strained()
