"""Ends a turn before it is done: its user stops it, or its time is up."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import structlog

from rich_agent.runtime.concurrency import ended_by

log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class TurnEnd:
    """A signal that a turn ends: `asked` was set by the user, or `most_s` seconds have passed.

    What is waited for a busy server is added to the time.
    """

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    most_s: float | None = None
    _late: asyncio.Event = field(default_factory=asyncio.Event)
    _timer: asyncio.TimerHandle | None = None

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return self._late.is_set()

    def is_set(self) -> bool:
        """Whether the turn ends."""
        return self.asked.is_set() or self.is_late

    async def wait(self) -> None:
        """Return as soon as the turn ends."""
        async with ended_by(self._late):
            await self.asked.wait()

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the time that the block takes."""
        if self.most_s is not None:
            self._timer = asyncio.get_running_loop().call_later(self.most_s, self._expire)
        try:
            yield
        finally:
            if self._timer:
                self._timer.cancel()

    def prolong(self, seconds: float) -> None:
        """Add time that is not the turn's own."""
        if self._timer and not self.is_late:
            at = self._timer.when() + seconds
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_at(at, self._expire)

    def _expire(self) -> None:
        log.warning("turn_too_long", most_s=self.most_s)
        self._late.set()
