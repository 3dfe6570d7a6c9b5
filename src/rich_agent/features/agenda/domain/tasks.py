"""A user's tasks: what one is, which of them are wanted, and what a change replaced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from rich_agent.feature.text import Origin, Words

TaskStatus = Literal["todo", "in_progress", "done", "blocked"]
TaskType = Literal["Today", "Next Actions", "Someday / Maybe", "Wait for", "Routine"]
Priority = Literal["low", "medium", "high", "urgent"]
TaskOrder = Literal["created_at", "updated_at", "due_date"]


@dataclass(frozen=True, slots=True)
class Task:
    """A task; `recurrence` is an RRULE (RFC 5545), "" for one that comes once.

    An archived task is kept and not listed. A deleted one can be restored until it is pruned.
    `origin` is whose words it holds: "other" where they came from a task list, to which others may
    write.
    """

    id: int
    title: str
    description: str
    status: TaskStatus
    task_type: TaskType | None
    priority: Priority
    due_date: date | None
    estimated_minutes: int | None
    recurrence: str
    project_id: int | None
    parent_id: int | None
    is_archived: bool
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None
    origin: Origin = "user"

    @property
    def words(self) -> Words:
        """The title and the description, with who wrote them."""
        return Words(f"{self.title}\n{self.description}".strip(), self.origin)


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task to be created; `parent_id` makes it a subtask."""

    title: str
    description: str = ""
    task_type: TaskType | None = None
    priority: Priority = "medium"
    due_date: date | None = None
    estimated_minutes: int | None = None
    recurrence: str = ""
    project_id: int | None = None
    parent_id: int | None = None
    origin: Origin = "user"


@dataclass(frozen=True, slots=True)
class TaskQuery:
    """Which tasks are wanted, in which order; None and "" ask for any.

    `due_by` is the last day on which they may be due. A task that is due today or earlier and one
    of the type "Today" are `for_day`. Archived tasks are never found, done ones only if they are
    asked for.
    """

    project_id: int | None = None
    status: TaskStatus | None = None
    task_type: TaskType | None = None
    priority: Priority | None = None
    due_by: date | None = None
    for_day: date | None = None
    title_part: str = ""
    with_done: bool = False
    order: TaskOrder = "created_at"
    descending: bool = True


@dataclass(frozen=True, slots=True)
class FieldChange:
    """The fields that a change replaced, as JSON before and after it.

    `next_id` is the next occurrence of a recurring task that was completed, due at `next_due`.
    """

    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    next_id: int | None = None
    next_due: date | None = None


@dataclass(frozen=True, slots=True)
class DeletedTasks:
    """A task and its subtasks that were deleted."""

    ids: Sequence[int]
    at: datetime
