"""A user's tasks: what one is, which of them are wanted, and when a recurring one is due again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from itertools import takewhile
from typing import Any, Literal

from rich_agent.domain.reminders.recurrence import check_rule, in_short_months, occurrences
from rich_agent.domain.reminders.wall_time import TimeRefusedError
from rich_agent.domain.words import Origin, Words

_SOME_DAY = datetime.fromisoformat("2026-01-01")
_OF_HOURS = {"BYHOUR", "BYMINUTE"}


def check_task_rule(text: str) -> str:
    """The RRULE (RFC 5545) in its normal form; "" for "".

    Raises: TimeRefusedError if it cannot be read, names times of day, or fits no day.
    """
    if not text.strip():
        return ""
    rule = check_rule(text, _SOME_DAY, "UTC")
    parts = _parts_of(rule)
    if parts["FREQ"] == "HOURLY" or _OF_HOURS & parts.keys():
        raise TimeRefusedError("A task is due on days. Use DAILY, WEEKLY, MONTHLY or YEARLY.")
    if "UNTIL" not in parts and next(occurrences(rule, _SOME_DAY, _SOME_DAY), None) is None:
        raise TimeRefusedError("No day fits this rule.")
    return rule


def next_occurrence(rule: str, due: date, today: date) -> tuple[date, str] | None:
    """The next day after `due` and `today`, and the rule from there on; None if there is none.

    COUNT goes down by one for each day, also for missed ones.
    """
    parts = _parts_of(in_short_months(rule, due))
    left = int(parts.pop("COUNT", "0"))
    missed = sum(1 for _ in takewhile(lambda day: day <= today, _days_after(due, parts)))
    following = next((day for day in _days_after(due, parts) if day > today), None)
    if following is None or 0 < left <= missed + 1:
        return None
    if left:
        parts["COUNT"] = str(left - missed - 1)
    return following, _rule_of(parts)


def _days_after(due: date, parts: Mapping[str, str]) -> Iterator[date]:
    start = datetime.combine(due, time.min)
    days = (found.date() for found in occurrences(_rule_of(parts), start, start))
    return (day for day in days if day > due)


def _parts_of(rule: str) -> dict[str, str]:
    return dict(part.split("=", 1) for part in rule.split(";"))


def _rule_of(parts: Mapping[str, str]) -> str:
    return ";".join(f"{name}={value}" for name, value in parts.items())


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
