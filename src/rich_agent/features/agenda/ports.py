"""Interfaces to a user's tasks, projects, goals, notes and schedule.

No method finds or changes a row of another user. Every method may raise DatabaseUnavailableError.
A method that writes raises LaneLostError if another process has taken over the user's lane.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

from rich_agent.feature.text import Origin
from rich_agent.features.agenda.domain.plans import (
    Goal,
    ListPosition,
    NewBlock,
    NewGoal,
    NewProject,
    Note,
    NoteFolder,
    Project,
    ScheduleBlock,
)
from rich_agent.features.agenda.domain.tasks import (
    DeletedTasks,
    FieldChange,
    NewTask,
    Task,
    TaskQuery,
)


class TaskFreshness(Protocol):
    """Updates tasks from other places before they are read."""

    async def freshen(self, user_id: int) -> None:
        """Wait until the user's tasks are up to date, for a few seconds at most.

        Raises: LaneLostError, and nothing else.
        """


class Tasks(Protocol):
    """Tasks of users. Open tasks are also the items of the kind `tasks` in the user's memory."""

    async def create(self, user_id: int, new: NewTask) -> Task | None:
        """Create a task and return it, or None if its project or its parent is not the user's."""

    async def find(self, user_id: int, task_id: int) -> Task | None:
        """The task with this id, None if there is none or it is deleted."""

    async def find_all(self, user_id: int, task_ids: Collection[int]) -> Mapping[int, Task]:
        """The tasks with these ids that exist and are not deleted, by id."""

    async def page(
        self, user_id: int, query: TaskQuery, limit: int, offset: int = 0
    ) -> tuple[Sequence[Task], int]:
        """One page of the tasks that fit the query, and the number of all that fit."""

    async def following(
        self, user_id: int, after: ListPosition | None, limit: int, *, is_done: bool = False
    ) -> Sequence[Task]:
        """The open tasks behind that position, those that are due soon first.

        None stands for the beginning. With `is_done`, the tasks that are done, the last ones first.
        """

    async def subtasks(self, user_id: int, task_id: int) -> Sequence[Task]:
        """The subtasks of a task, oldest first."""

    async def update(
        self, user_id: int, task_id: int, fields: Mapping[str, Any], today: date
    ) -> FieldChange | None:
        """Replace fields of a task; None if the task or its new project is not the user's.

        If a recurring task becomes done, its next occurrence is created, due after `today`.
        """

    async def take_back(self, user_id: int, task_id: int, change: FieldChange) -> bool:
        """Restore the fields of a change that are still as it left them; whether there were any.

        The next occurrence that the change created is deleted.
        """

    async def delete(self, user_id: int, task_id: int) -> DeletedTasks | None:
        """Delete a task with its subtasks; None if there is no such task."""

    async def restore(self, user_id: int, task_ids: Collection[int]) -> int:
        """Restore deleted tasks; returns their number."""


class Projects(Protocol):
    """Projects of users."""

    async def create(self, user_id: int, new: NewProject) -> Project:
        """Create a project and return it."""

    async def all(self, user_id: int, *, with_archived: bool = False) -> Sequence[Project]:
        """The projects, the most important first."""

    async def find(self, user_id: int, project_id: int) -> Project | None:
        """The project with this id, None if there is none."""

    async def update(
        self, user_id: int, project_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        """Replace fields of a project; None if there is no such project."""

    async def take_back(self, user_id: int, project_id: int, change: FieldChange) -> bool:
        """Undo a change, as `Tasks.take_back` does."""

    async def delete(self, user_id: int, project_id: int) -> bool:
        """Delete a project but not its tasks; whether there was such a project."""


class Goals(Protocol):
    """Goals of users."""

    async def create(self, user_id: int, new: NewGoal) -> Goal:
        """Create a goal and return it."""

    async def all(self, user_id: int, timeframe: str | None = None) -> Sequence[Goal]:
        """The goals, the earliest target date first."""

    async def update(
        self, user_id: int, goal_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        """Replace fields of a goal; None if there is no such goal."""

    async def take_back(self, user_id: int, goal_id: int, change: FieldChange) -> bool:
        """Undo a change, as `Tasks.take_back` does."""

    async def delete(self, user_id: int, goal_id: int) -> bool:
        """Delete a goal; whether there was such a goal."""


class Notes(Protocol):
    """Notes of users, and their folders."""

    async def create(
        self,
        user_id: int,
        title: str,
        content: str,
        folder_id: int | None = None,
        *,
        origin: Origin = "user",
    ) -> Note | None:
        """Create a note and return it, or None if the folder is not the user's."""

    async def page(
        self, user_id: int, limit: int, offset: int = 0, folder_id: int | None = None
    ) -> tuple[Sequence[Note], int]:
        """One page of the notes of a folder, or of all, newest first, and the number of all."""

    async def following(
        self, user_id: int, after: ListPosition | None, limit: int
    ) -> Sequence[Note]:
        """The notes behind that position, newest first; None: from the beginning."""

    async def find(self, user_id: int, note_id: int) -> Note | None:
        """The note with this id, None if there is none or it is deleted."""

    async def update(
        self, user_id: int, note_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        """Replace fields of a note; None if there is no such note, or its folder is not theirs."""

    async def take_back(self, user_id: int, note_id: int, change: FieldChange) -> bool:
        """Undo a change, as `Tasks.take_back` does."""

    async def delete(self, user_id: int, note_id: int) -> bool:
        """Delete a note; whether there was such a note."""

    async def restore(self, user_id: int, note_id: int) -> bool:
        """Restore a deleted note; whether there was such a note."""

    async def folders(self, user_id: int) -> Sequence[NoteFolder]:
        """The folders, ordered by name."""

    async def open_folder(self, user_id: int, name: str) -> NoteFolder:
        """The folder of this name. It is created if there is none."""


class Schedule(Protocol):
    """Schedules of users: blocks of time in their days."""

    async def day(self, user_id: int, day: date) -> Sequence[ScheduleBlock]:
        """The blocks of a day, in order, with those that begin or end on another day."""

    async def create(
        self, user_id: int, new: NewBlock
    ) -> ScheduleBlock | Sequence[ScheduleBlock] | None:
        """Create a block and return it; None if its task is not the user's.

        If it would overlap other blocks, these are returned, and none is created.
        """

    async def find(self, user_id: int, block_id: int) -> ScheduleBlock | None:
        """The block with this id, None if there is none."""

    async def move(
        self, user_id: int, block_id: int, starts_at: datetime
    ) -> ScheduleBlock | Sequence[ScheduleBlock] | None:
        """Have a block begin at another time, as long as before; None if there is no such block.

        If it would overlap other blocks, these are returned, and it stays.
        """

    async def delete(self, user_id: int, block_id: int) -> bool:
        """Delete a block; whether there was such a block."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """The repositories of everything that users plan and note."""

    tasks: Tasks
    projects: Projects
    goals: Goals
    notes: Notes
    schedule: Schedule
