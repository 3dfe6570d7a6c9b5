"""Arguments of the tools for tasks."""

from typing import Any, Literal

from pydantic import Field
from typing_extensions import override

from rich_agent.domain.agenda.repeating import check_task_rule
from rich_agent.domain.agenda.tasks import Priority, TaskOrder, TaskStatus, TaskType
from rich_agent.tools.arguments import Day, LenientArguments, Limit, RowId, Title
from rich_agent.tools.changing import fields_given
from rich_agent.tools.tool import Arguments


class GetTasks(LenientArguments):
    """Which tasks to list."""

    project_id: RowId | None = None
    status: TaskStatus | None = None
    task_type: TaskType | None = None
    due_date: Day | None = Field(None, description="Due on or before this day, YYYY-MM-DD.")
    priority: Priority | None = None
    search_title: str = Field("", max_length=300, description="Part of the title.")
    limit: Limit = 10
    include_completed: bool = False
    sort_by: TaskOrder = "created_at"
    sort_order: Literal["asc", "desc"] | None = None


class OneTask(Arguments):
    """Which task."""

    task_id: RowId


class CreateTask(LenientArguments):
    """The new task."""

    title: Title
    description: str = Field("", max_length=4000)
    project_id: RowId | None = None
    priority: Priority = "medium"
    due_date: Day | None = Field(None, description="YYYY-MM-DD")
    estimated_minutes: int | None = Field(None, ge=1, le=10_000)
    task_type: TaskType | None = None
    parent_id: RowId | None = Field(None, description="The task of which this one is a part.")
    recurrence: str = Field("", description="RRULE, such as FREQ=WEEKLY;BYDAY=MO.")

    @override
    def added(self) -> tuple[str, ...]:
        return self.title, self.description


class UpdateTask(Arguments):
    """The changes to a task; what is left out stays."""

    task_id: RowId
    title: Title | None = None
    description: str | None = Field(None, max_length=4000)
    status: TaskStatus | None = None
    project_id: RowId | None = Field(None, description="null: in no project.")
    priority: Priority | None = None
    due_date: Day | None = Field(None, description="YYYY-MM-DD; null: no date.")
    estimated_minutes: int | None = Field(None, ge=1, le=10_000)
    task_type: TaskType | None = None
    recurrence: str | None = Field(None, description="RRULE; null: it comes once.")
    is_archived: bool | None = None

    def changes(self) -> dict[str, Any]:
        """The fields that were given, with null only where it clears.

        Raises: TimeRefusedError, ToolRefusedError if there is none.
        """
        fields = fields_given(self, "task_id", {"due_date", "project_id", "recurrence"})
        if "recurrence" in fields:
            fields["recurrence"] = check_task_rule(fields["recurrence"] or "")
        return fields


class DeleteTask(Arguments):
    """Which task to delete."""

    task_id: RowId
    reason: str = Field("", max_length=1000)
