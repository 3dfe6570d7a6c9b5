"""Stops an answer while it grows: by its button, by /stop, or in the draft.

Stop requests go through the database, because another process may be writing the answer.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.outbox import Stops
from rich_agent.runtime.concurrency import alongside, happens_within, never, survived


@dataclass(frozen=True, slots=True)
class Stopping:
    """Stores stop requests, and stops the answers that this process writes.

    Requests of other processes arrive as notifications of the database. They are also looked for
    every `poll_s` seconds, and every `deaf_poll_s` seconds while `is_deaf`, because no
    notifications arrive then.
    """

    stops: Stops
    is_deaf: Callable[[], bool] = never
    poll_s: float = 15.0
    deaf_poll_s: float = 5.0
    _written_here: dict[int, asyncio.Event] = field(default_factory=dict)

    async def ask(self, user_id: int, update_id: int | None = None) -> bool:
        """Stop the answer to an update, by default the one being written; False without one."""
        stopped_id = await self.stops.ask(user_id, update_id)
        if stopped_id in self._written_here:
            self._written_here[stopped_id].set()
        return stopped_id is not None

    @asynccontextmanager
    async def watching(self, update_id: int) -> AsyncIterator[asyncio.Event]:
        """Yield an event that is set when the answer to the update has to stop."""
        stop = self._written_here.setdefault(update_id, asyncio.Event())
        try:
            async with alongside(self._look(update_id, stop)):
                yield stop
        finally:
            self._written_here.pop(update_id, None)

    async def _look(self, update_id: int, stop_event: asyncio.Event) -> None:
        """Set `stop` once the answer has to stop."""
        async with self.stops.hearing(update_id) as news_event:
            while not stop_event.is_set():
                news_event.clear()
                with survived("telegram.stop_not_looked_for", DatabaseUnavailableError):
                    if await self.stops.is_asked(update_id):
                        stop_event.set()
                poll_s = self.deaf_poll_s if self.is_deaf() else self.poll_s
                await happens_within(news_event, poll_s)
