"""Projects and goals that a user's tasks serve, and notes, which may be in folders."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

Timeframe = Literal["daily", "weekly", "monthly", "quarterly", "yearly"]


@dataclass(frozen=True, slots=True)
class Project:
    """A project with the number of its tasks; `importance` is 1..5."""

    id: int
    name: str
    description: str
    importance: int
    action_plan: str
    is_archived: bool
    created_at: datetime
    open_tasks: int = 0
    done_tasks: int = 0


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project to be created."""

    name: str
    description: str
    importance: int = 3
    action_plan: str = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal; `progress` is in percent."""

    id: int
    title: str
    timeframe: Timeframe | None
    target_date: date | None
    progress: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class NewGoal:
    """A goal to be created."""

    title: str
    timeframe: Timeframe | None = None
    target_date: date | None = None
    progress: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """A note; `content` is Markdown."""

    id: int
    title: str
    content: str
    folder_id: int | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class NoteFolder:
    """A folder with the number of its notes."""

    id: int
    name: str
    notes: int = 0
