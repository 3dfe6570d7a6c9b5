"""Schedule of a user; every time is the user's local time."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal

from rich_agent.domain.reminders.wall_time import local_of, zone_named
from rich_agent.domain.words import Origin, Words

BlockType = Literal["work", "break", "meeting", "personal"]


@dataclass(frozen=True, slots=True)
class NewBlock:
    """A part of a day, `starts_at` to `ends_at`; with a task it bears the task's title."""

    starts_at: datetime
    ends_at: datetime
    title: str = ""
    task_id: int | None = None
    block_type: BlockType = "work"


@dataclass(frozen=True, slots=True)
class ScheduleBlock:
    """A block of the schedule; no two of one user overlap. `origin` is that of its task."""

    id: int
    starts_at: datetime
    ends_at: datetime
    title: str
    task_id: int | None
    block_type: BlockType
    origin: Origin = "user"

    @property
    def words(self) -> Words:
        """The title, with who wrote it."""
        return Words(self.title, self.origin)


def day_at(now: datetime, time_zone: str) -> date:
    """The day in a time zone, in UTC for an unknown one."""
    zone = zone_named(time_zone)
    return local_of(now, zone).date() if zone else now.astimezone(UTC).date()
