"""Admits turns only while the process keeps up with those under way."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AdmissionLimits:
    """The lag of the event loop above which no turn is admitted, in seconds.

    Every `look_s` the lag is measured, and at most `burst` turns are admitted until then: what they
    cost shows only after they have begun. Of each measurement `weight` counts at once.
    """

    lag_s: float = 0.1
    look_s: float = 0.05
    burst: int = 12
    weight: float = 0.3


def never() -> bool:
    """Tell that nothing lacks."""
    return False


class TurnAdmission:
    """Opens and closes by what is measured; `is_strained` tells of anything else that lacks."""

    def __init__(
        self, is_strained: Callable[[], bool] = never, limits: AdmissionLimits | None = None
    ) -> None:
        self._is_strained = is_strained
        self._limits = limits or AdmissionLimits()
        self._looked = asyncio.Condition()
        self._admitted = 0
        self.lag_s = 0.0

    async def measure(self) -> None:
        """Measure forever; without it, only a first burst is admitted."""
        loop, limits = asyncio.get_running_loop(), self._limits
        while True:
            due = loop.time() + limits.look_s
            await asyncio.sleep(limits.look_s)
            self.lag_s += limits.weight * (max(0.0, loop.time() - due) - self.lag_s)
            self._admitted = 0
            async with self._looked:
                self._looked.notify_all()

    async def admit(self) -> None:
        """Return when a turn may begin."""
        async with self._looked:
            await self._looked.wait_for(self._may_begin)
        self._admitted += 1

    def _may_begin(self) -> bool:
        is_slow = self.lag_s > self._limits.lag_s
        return self._admitted < self._limits.burst and not is_slow and not self._is_strained()
