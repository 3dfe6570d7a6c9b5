"""Tasks of users, queries for tasks, and changes of a task's fields."""

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
    """A task. Its `recurrence` is an RRULE (RFC 5545), "" for a task that comes once.

    An archived task is kept but not listed. A deleted task can be restored until it is pruned.
    `origin` is the author of its words: "other" if they came from a task list that others may write
    to.
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
        """The title and the description, with their author."""
        return Words(f"{self.title}\n{self.description}".strip(), self.origin)


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task to be created. With a `parent_id`, it is a subtask."""

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
    """A query for tasks, and their order. A field that is None or "" does not restrict it.

    `due_by` is the last day on which the tasks may be due, `due_on` the only one. With `for_day`,
    they are due on that day or earlier, or of the type "Today". Archived tasks are never found;
    tasks that are done only with `with_done`, or with the `status` "done".
    """

    project_id: int | None = None
    status: TaskStatus | None = None
    task_type: TaskType | None = None
    priority: Priority | None = None
    due_by: date | None = None
    due_on: date | None = None
    for_day: date | None = None
    title_part: str = ""
    with_done: bool = False
    order: TaskOrder = "created_at"
    descending: bool = True


@dataclass(frozen=True, slots=True)
class FieldChange:
    """The fields that a change replaced, as JSON before and after the change.

    If a recurring task was completed, `next_id` is its next occurrence, due on `next_due`.
    """

    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    next_id: int | None = None
    next_due: date | None = None


@dataclass(frozen=True, slots=True)
class DeletedTasks:
    """The ids of a deleted task and its subtasks, and the time of the deletion."""

    ids: Sequence[int]
    at: datetime
