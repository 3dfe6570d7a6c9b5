"""What a user does when; every time is the user's local time."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

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
    """A block of the schedule; no two of one user overlap."""

    id: int
    starts_at: datetime
    ends_at: datetime
    title: str
    task_id: int | None
    block_type: BlockType
