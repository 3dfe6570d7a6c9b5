"""getUpdates: long polling by one reader at a time."""

import asyncio
from dataclasses import dataclass, field

from rich_agent_sandbox.telegram.refusals import BotApiError
from rich_agent_sandbox.telegram.updates import Update, UpdateQueue

LONGEST_POLL_S = 50
MOST_UPDATES = 100


@dataclass(slots=True)
class _Reader:
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    displaced_by: str | None = None


@dataclass(slots=True)
class Poller:
    """Gives updates to the newest getUpdates; an older one that still waits ends with 409."""

    queue: UpdateQueue
    _reader: _Reader | None = None
    _closed: bool = False

    async def get_updates(self, offset: int, limit: int, timeout_s: int) -> list[Update]:
        """Confirm everything below `offset`, then wait up to `timeout_s` for updates.

        A negative offset keeps only that many of the newest. Raises: BotApiError 409.
        """
        self.displace(
            "terminated by other getUpdates request; "
            "make sure that only one bot instance is running"
        )
        start = self.queue.newest(-offset) if offset < 0 else offset
        self.queue.confirm_before(start)
        reader = self._reader = _Reader()
        found = await self._wait_for_updates(
            reader, start, min(max(limit, 1), MOST_UPDATES), timeout_s
        )
        for update in found:
            self.queue.note_attempt(update.update_id, None)
        return found

    async def _wait_for_updates(
        self, reader: _Reader, offset: int, limit: int, timeout_s: int
    ) -> list[Update]:
        deadline_s = min(max(timeout_s, 0), LONGEST_POLL_S)
        try:
            async with asyncio.timeout(deadline_s):
                while not (found := self.queue.first(offset, limit)) and not self._closed:
                    await reader.woken.wait()
                    reader.woken.clear()
                    if reader.displaced_by:
                        raise BotApiError(409, f"Conflict: {reader.displaced_by}")
        except TimeoutError:
            return []
        return found

    def displace(self, reason: str) -> None:
        """End the getUpdates that waits, if one does, with `reason`."""
        if self._reader:
            self._reader.displaced_by = reason
            self._reader.woken.set()
            self._reader = None

    def wake(self) -> None:
        """Wake the waiting getUpdates."""
        if self._reader:
            self._reader.woken.set()

    def close(self) -> None:
        """End all waiting."""
        self._closed = True
        self.wake()
