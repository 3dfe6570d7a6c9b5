"""Projects, goals, blocks of time, and notes, which may be in folders.

The `origin` of each is the author of its words.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from rich_agent.feature.day import BlockType
from rich_agent.feature.text import Origin, Words

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
    def words(self) -> Words:
        """The title, with its author."""
        return Words(self.title, self.origin)
