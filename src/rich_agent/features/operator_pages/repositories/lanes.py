"""Lanes of users whose messages wait."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from rich_agent.feature import PostgresRepository

# The index of waiting messages holds all that is read here.
_WAITING = """
SELECT count(*) AS messages, count(DISTINCT (user_id, urgent)) AS lanes, min(received_at) AS since
FROM telegram_inbox WHERE done_at IS NULL AND dead_at IS NULL
"""
_LONG_WAIT: Final = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class WaitingLanes:
    """Messages that no worker has done yet, the lanes of their users, and when the oldest came."""

    messages: int
    lanes: int
    since: datetime | None

    def waited(self, now: datetime) -> timedelta | None:
        """The time that the oldest message has waited, None if none waits."""
        return now - self.since if self.since else None

    def is_slow(self, now: datetime) -> bool:
        """Whether the oldest message has waited too long."""
        return (self.waited(now) or timedelta(0)) > _LONG_WAIT


class Lanes(PostgresRepository):
    """Reads the lanes."""

    async def waiting(self) -> WaitingLanes:
        """The lanes with messages. Raises: DatabaseUnavailableError."""
        row = await self._row(_WAITING)
        return WaitingLanes(**row) if row else WaitingLanes(0, 0, None)
