"""Projects, goals, blocks of time, and notes, which may be in folders.

The `origin` of each is the author of its words.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from rich_agent.feature.day import BlockType
from rich_agent.feature.text import Origin, Words, whole_number

_LONGEST_PLACE = 60


@dataclass(frozen=True, slots=True)
class ListPosition:
    """The last row of a part of a list, behind which the next part begins."""

    id: int
    at: date | datetime | None = None
    """What the list is ordered by; None is last."""

    @property
    def text(self) -> str:
        """The position as a field of an address has it."""
        return f"{self.id}:{self.at.isoformat() if self.at else ''}"

    @classmethod
    def read(cls, text: str, *, is_day: bool = False) -> "ListPosition | None":
        """The position of such a field, None for any other text."""
        number, _, at = text[:_LONGEST_PLACE].partition(":")
        row_id = whole_number(number)
        try:
            moment = datetime.fromisoformat(at) if at else None
        except ValueError:
            return None
        if row_id is None or (moment and not is_day and moment.tzinfo is None):
            return None
        return cls(row_id, moment.date() if moment and is_day else moment)


Timeframe = Literal["daily", "weekly", "monthly", "quarterly", "yearly"]


@dataclass(frozen=True, slots=True)
class Project:
    """A project with the numbers of its tasks. Its `importance` is 1 to 5."""

    id: int
    name: str
    description: str
    importance: int
    action_plan: str
    is_archived: bool
    created_at: datetime
    open_tasks: int = 0
    done_tasks: int = 0
    origin: Origin = "user"

    @property
    def words(self) -> Words:
        """All texts of the project, with their author."""
        return Words(f"{self.name}\n{self.description}\n{self.action_plan}", self.origin)


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project to be created."""

    name: str
    description: str
    importance: int = 3
    action_plan: str = ""
    origin: Origin = "user"


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal. Its `progress` is in percent."""

    id: int
    title: str
    timeframe: Timeframe | None
    target_date: date | None
    progress: int
    created_at: datetime
    updated_at: datetime
    origin: Origin = "user"

    @property
    def words(self) -> Words:
        """The title, with its author."""
        return Words(self.title, self.origin)


@dataclass(frozen=True, slots=True)
class NewGoal:
    """A goal to be created."""

    title: str
    timeframe: Timeframe | None = None
    target_date: date | None = None
    progress: int = 0
    origin: Origin = "user"


@dataclass(frozen=True, slots=True)
class Note:
    """A note. Its `content` is Markdown."""

    id: int
    title: str
    content: str
    folder_id: int | None
    created_at: datetime
    updated_at: datetime
    origin: Origin = "user"

    @property
    def words(self) -> Words:
        """The title and the content, with their author."""
        return Words(f"{self.title}\n{self.content}", self.origin)


@dataclass(frozen=True, slots=True)
class NoteFolder:
    """A folder with the number of its notes."""

    id: int
    name: str
    notes: int = 0


@dataclass(frozen=True, slots=True)
class NewBlock:
    """A block to be created, in the user's local time. With a task, it has the task's title."""

    starts_at: datetime
    ends_at: datetime
    title: str = ""
    task_id: int | None = None
    block_type: BlockType = "work"
    origin: Origin = "user"


@dataclass(frozen=True, slots=True)
class ScheduleBlock:
    """A block of the schedule, in the user's local time. No two blocks of a user overlap.

    With a task, `title` and `origin` are those of the task.
    """

    id: int
    starts_at: datetime
    ends_at: datetime
    title: str
    task_id: int | None
    block_type: BlockType
    origin: Origin = "user"

    @property
    def length(self) -> timedelta:
        """The time that the block takes."""
        return self.ends_at - self.starts_at

    @property
    def words(self) -> Words:
        """The title, with its author."""
        return Words(self.title, self.origin)
