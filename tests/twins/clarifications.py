"""The questions that the bot asked back, without a database."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rich_agent.ports.turns import AskedBack
from tests.twins.fences import Fences


@dataclass(slots=True)
class _Open:
    asked: AskedBack
    at: float
    answered_by: str | None = None
    is_cancelled: bool = False


@dataclass(slots=True)
class InMemoryClarifications:
    """Implements `Clarifications`; `clock` counts seconds, monotonically."""

    open_s: float = 86_400.0
    fences: Fences = field(default_factory=Fences)
    clock: Callable[[], float] = time.monotonic
    _by_thread: dict[str, _Open] = field(default_factory=dict)

    async def open(self, asked: AskedBack) -> None:
        self.fences.check()
        known = self._by_thread.get(asked.thread_id)
        if known is None or known.asked != asked:
            self._by_thread[asked.thread_id] = _Open(asked, self.clock())

    async def take(self, asked: AskedBack, by: str) -> bool:
        self.fences.check()
        known = self._by_thread.get(asked.thread_id)
        if known is None or known.asked != asked:
            return False
        if known.answered_by == by:
            return True
        if not self._is_open(known):
            return False
        known.answered_by = by
        return True

    async def cancel(self, thread_id: str) -> str | None:
        self.fences.check()
        known = self._by_thread.get(thread_id)
        if known is None or not self._is_open(known):
            return None
        known.is_cancelled = True
        return known.asked.request_id

    def _is_open(self, known: _Open) -> bool:
        is_fresh = known.at > self.clock() - self.open_s
        return is_fresh and known.answered_by is None and not known.is_cancelled
