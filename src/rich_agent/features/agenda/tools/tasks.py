"""Tools that read and change a user's tasks."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pydantic import Field

from rich_agent.feature import Arguments, Asker, Clocks, Outcome, Rule, Tool, ToolRefusedError, say
from rich_agent.feature.times import check_day_rule
from rich_agent.feature.tools import (
    Clock,
    Day,
    LenientArguments,
    Limit,
    Naming,
    RowId,
    Title,
    foreign_words,
    origin_of,
    today_of,
    without_empty,
)
from rich_agent.features.agenda.domain.tasks import (
    FieldChange,
    NewTask,
    Priority,
    Task,
    TaskOrder,
    TaskQuery,
    TaskStatus,
    TaskType,
)
from rich_agent.features.agenda.ports import Projects, TaskFreshness, Tasks
from rich_agent.features.agenda.tools.changing import (
    changed_fields,
    undo_create,
    undo_of,
    undo_update,
    with_origin,
)
from rich_agent.features.agenda.tools.names import naming_of_projects, naming_of_tasks


class GetTasks(LenientArguments):
    """A query for tasks, one page of them."""

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
    """The id of a task."""

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


class UpdateTask(Arguments):
    """Changes to a task. Fields that are left out stay as they are."""

    null_clears = True
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
        """The fields to change. Null is kept only for fields that it clears.

        Raises: TimeRefusedError, ToolRefusedError if there is none.
        """
        fields = changed_fields(self, "task_id", {"due_date", "project_id", "recurrence"})
        if "recurrence" in fields:
            fields["recurrence"] = check_day_rule(fields["recurrence"] or "")
        return fields


class DeleteTask(Arguments):
    """The id of a task to delete, and the reason."""

    task_id: RowId
    reason: str = Field("", max_length=1000)


MOST_LISTED_CHARS = 10_000
"""Length of a list of tasks for a model, which is told if there are more."""
_LISTED = (
    *("id", "title", "status", "task_type", "priority", "due_date", "estimated_minutes"),
    *("recurrence", "project_id", "parent_id"),
)


@dataclass(frozen=True, slots=True)
class TaskTools:
    """Tools for the tasks of the user who asks."""

    tasks: Tasks
    projects: Projects
    fresh: TaskFreshness
    now: Clock

    def tools(self) -> Sequence[Tool]:
        """Every tool for tasks."""
        return (*self._reading(), *self._changing())

    def _reading(self) -> Sequence[Tool]:
        return (
            Tool(
                "get_tasks",
                "List the user's tasks.",
                GetTasks,
                self.get_tasks,
                aliases=("get_user_tasks",),
                names=self._names,
                is_always_offered=True,
            ),
            Tool(
                "get_task_details",
                "Show a task with its description and subtasks.",
                OneTask,
                self.get_task_details,
                names=self._names,
            ),
        )

    def _changing(self) -> Sequence[Tool]:
        return (
            Tool(
                "create_task",
                "Add a task to the user's list.",
                CreateTask,
                self.create_task,
                "change",
                undo_create(self.tasks, "task"),
                rule=Rule.of_own_texts("title", "description", recurrence=("recurrence",)),
                names=self._names,
                is_always_offered=True,
            ),
            Tool(
                "update_task",
                "Change a task, or mark it as done. Find its id with get_tasks.",
                UpdateTask,
                self.update_task,
                "change",
                undo_update(self.tasks, "task"),
                rule=Rule(writes=("title", "description"), recurrence=("recurrence",)),
                names=self._names,
                is_always_offered=True,
            ),
            Tool(
                "delete_task",
                "Delete a task. A task that is done is updated instead.",
                DeleteTask,
                self.delete_task,
                "delete",
                self.undo_delete,
                names=self._names,
                is_always_offered=True,
            ),
        )

    @property
    def _names(self) -> Mapping[str, Naming]:
        task = naming_of_tasks(self.tasks)
        return {
            "task_id": task,
            "parent_id": task,
            "project_id": naming_of_projects(self.projects),
        }

    async def get_tasks(self, arguments: GetTasks, asker: Asker) -> Outcome:
        """A page of tasks, as many as a prompt can hold."""
        await self._check_project(arguments.project_id, asker)
        await self.fresh.freshen(asker.user_id)
        is_up = (
            arguments.sort_by == "due_date"
            if not arguments.sort_order
            else arguments.sort_order == "asc"
        )
        query = TaskQuery(
            project_id=arguments.project_id,
            status=arguments.status,
            task_type=arguments.task_type,
            priority=arguments.priority,
            due_by=arguments.due_date,
            title_part=arguments.search_title,
            with_done=arguments.include_completed,
            order=arguments.sort_by,
            descending=not is_up,
        )
        tasks, total = await self.tasks.page(asker.user_id, query, arguments.limit)
        clocks = self._clocks(asker)
        rows = _fitting([_row(task, clocks, _LISTED) for task in tasks])
        return Outcome(
            {
                "total_count": total,
                "has_more": total > len(rows),
                "query_parameters": without_empty(arguments.model_dump(mode="json")),
                "tasks": rows,
            },
            words=foreign_words(tasks),
        )

    async def get_task_details(self, arguments: OneTask, asker: Asker) -> Outcome:
        """Everything about one task."""
        task = await self._find(arguments.task_id, asker)
        subtasks = await self.tasks.subtasks(asker.user_id, task.id)
        clocks = self._clocks(asker)
        children = [_row(one, clocks, ("id", "title", "status", "due_date")) for one in subtasks]
        words = foreign_words([task, *subtasks])
        return Outcome({**_row(task, clocks), "subtasks": children}, words=words)

    async def create_task(self, new: CreateTask, asker: Asker) -> Outcome:
        """Create a task; returns its id."""
        await self._check_project(new.project_id, asker)
        if new.parent_id:
            await self._find(new.parent_id, asker)
        values = {**new.model_dump(), "recurrence": check_day_rule(new.recurrence)}
        origin = await origin_of(asker, new.title, new.description)
        task = await self.tasks.create(asker.user_id, NewTask(**values, origin=origin))
        if task is None:
            raise _no_project(new.project_id)
        data = {"task_id": task.id, "title": task.title, "created_at": task.created_at}
        notice = say(asker.locale, "agenda-task-created", title=task.title)
        undo = {"task_id": task.id, "title": task.title}
        return Outcome(data, done=notice, undo=undo, words=foreign_words([task]))

    async def update_task(self, arguments: UpdateTask, asker: Asker) -> Outcome:
        """Change a task; returns the names of the changed properties."""
        fields = arguments.changes()
        task = await self._find(arguments.task_id, asker)
        await self._check_project(fields.get("project_id"), asker)
        today = today_of(asker, self.now())
        values = await with_origin(fields, asker)
        change = await self.tasks.update(asker.user_id, task.id, values, today)
        if change is None:
            raise _no_task(task.id)
        after = await self._find(task.id, asker)
        data = {
            "task_id": task.id,
            "updated_at": after.updated_at,
            "updated_properties": sorted(change.before.keys() & fields.keys()),
        }
        if not change.before:
            return Outcome(data)
        if change.next_id is not None:
            data["next_occurrence"] = {"task_id": change.next_id, "due_date": change.next_due}
        undo = undo_of(change, task_id=task.id, title=after.title)
        notice, words = _update_notice(after, change, self._clocks(asker)), foreign_words([after])
        return Outcome(data, done=notice, undo=undo, words=words)

    async def delete_task(self, arguments: DeleteTask, asker: Asker) -> Outcome:
        """Delete a task with its subtasks, until the deletion is taken back."""
        task = await self._find(arguments.task_id, asker)
        deletion = await self.tasks.delete(asker.user_id, task.id)
        if deletion is None:
            raise _no_task(task.id)
        data = {
            "task_id": task.id,
            "title": task.title,
            "archived": True,
            "deleted_at": deletion.at,
        }
        undo = {"task_ids": list(deletion.ids), "title": task.title}
        notice = say(asker.locale, "agenda-task-deleted", title=task.title)
        return Outcome(data, done=notice, undo=undo, words=foreign_words([task]))

    async def undo_delete(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Restore a task with the subtasks that were deleted with it."""
        is_back = await self.tasks.restore(asker.user_id, undo["task_ids"])
        return (
            say(asker.locale, "agenda-task-delete-undone", title=undo["title"]) if is_back else ""
        )

    def _clocks(self, asker: Asker) -> Clocks:
        return Clocks(asker.locale, asker.time_zone, self.now())

    async def _find(self, task_id: int, asker: Asker) -> Task:
        task = await self.tasks.find(asker.user_id, task_id)
        if task is None:
            raise _no_task(task_id)
        return task

    async def _check_project(self, project_id: int | None, asker: Asker) -> None:
        if project_id and await self.projects.find(asker.user_id, project_id) is None:
            raise _no_project(project_id)


def _no_task(task_id: int) -> ToolRefusedError:
    return ToolRefusedError(f"Task {task_id} was not found. Find the id with get_tasks.")


def _no_project(project_id: int | None) -> ToolRefusedError:
    return ToolRefusedError(f"Project {project_id} was not found. Find the id with get_projects.")


def _update_notice(task: Task, change: FieldChange, clocks: Clocks) -> str:
    locale = clocks.locale
    if change.after.get("status") != "done":
        return say(locale, "agenda-task-updated", title=task.title)
    if change.next_due is None:
        return say(locale, "agenda-task-done", title=task.title)
    return say(locale, "agenda-task-done-again", title=task.title, date=clocks.day(change.next_due))


def _row(task: Task, clocks: Clocks, names: Sequence[str] = ()) -> dict[str, Any]:
    """A task as a model reads it. `due` is the day in words of the user's language."""
    values = asdict(task)
    del values["origin"]
    row = without_empty({name: values[name] for name in names or values})
    due_day = {"due": clocks.day(task.due_date)} if task.due_date else {}
    return {"task_id": row.pop("id"), **row, **due_day}


def _fitting(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first rows that together fit into the length of a list."""
    room_chars, first_rows = MOST_LISTED_CHARS, []
    for row in rows:
        room_chars -= len(json.dumps(row, ensure_ascii=False, default=str))
        if room_chars < 0:
            break
        first_rows.append(row)
    return first_rows
