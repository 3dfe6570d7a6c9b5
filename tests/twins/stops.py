"""Stop requests without a database: the same contract, for one process's lifetime."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.twins.inbox import InMemoryInbox


@dataclass(slots=True)
class InMemoryStops:
    """Implements `Stops` next to an inbox; `clock` counts seconds, monotonically."""

    inbox: InMemoryInbox
    clock: Callable[[], float] = time.monotonic
    _asked_at: dict[int, float] = field(default_factory=dict)
    _heard: dict[int, asyncio.Event] = field(default_factory=dict)

    async def ask(self, user_id: int, update_id: int | None = None) -> int | None:
        if update_id is None:
            wanted = self.inbox.in_hand(user_id)
        else:
            waiting = [update.update_id for update in self.inbox.pending_of(user_id)]
            wanted = [known for known in waiting if known == update_id]
        if not wanted:
            return None
        self._asked_at.setdefault(wanted[0], self.clock())
        if heard := self._heard.get(wanted[0]):
            heard.set()
        return wanted[0]

    @asynccontextmanager
    async def hearing(self, update_id: int) -> AsyncIterator[asyncio.Event]:
        """An event that is set when somebody asks."""
        news = self._heard.setdefault(update_id, asyncio.Event())
        try:
            yield news
        finally:
            self._heard.pop(update_id, None)

    async def is_asked(self, update_id: int) -> bool:
        """Whether the answer to this update is to end."""
        return update_id in self._asked_at
