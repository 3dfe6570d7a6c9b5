"""Interfaces to a user's tasks, projects, goals, notes and schedule.

A row of another user is never found, whatever is asked for. Every method may raise
DatabaseUnavailableError; what a lane writes is refused with LaneLostError once it is lost.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from rich_agent.feature.text import Origin
from rich_agent.features.agenda.domain.plans import (
    Goal,
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
    """Brings tasks up to date before they are read."""

    async def freshen(self, user_id: int) -> None:
        """Return once the user's tasks are fresh, or after a short while.

        Raises: LaneLostError, and nothing else.
        """


class Tasks(Protocol):
    """Tasks. The open ones are the memory's `tasks` too: it is one list."""

    async def create(self, user_id: int, new: NewTask) -> Task | None:
        """The new task; None if its project or its parent is not the user's."""

    async def find(self, user_id: int, task_id: int) -> Task | None:
        """A task that is not deleted."""

    async def page(
        self, user_id: int, query: TaskQuery, limit: int, offset: int = 0
    ) -> tuple[Sequence[Task], int]:
        """The tasks that are asked for, and how many there are of them."""

    async def subtasks(self, user_id: int, task_id: int) -> Sequence[Task]:
        """The subtasks of a task, oldest first."""

    async def update(
        self, user_id: int, task_id: int, fields: Mapping[str, Any], today: date
    ) -> FieldChange | None:
        """Replace fields of a task; None if the task or its new project is not the user's.

        A recurring task that becomes done makes its next occurrence, which is due after `today`.
        """

    async def take_back(self, user_id: int, task_id: int, change: FieldChange) -> bool:
        """Restore the fields that a change replaced and that nobody changed since; if any were.

        The next occurrence that the change made is deleted.
        """

    async def delete(self, user_id: int, task_id: int) -> DeletedTasks | None:
        """Delete a task with its subtasks; None if there is none."""

    async def restore(self, user_id: int, task_ids: Collection[int]) -> int:
        """Take back a deletion; how many tasks came back."""


class Projects(Protocol):
    """Projects."""

    async def create(self, user_id: int, new: NewProject) -> Project:
        """The new project."""

    async def all(self, user_id: int, *, with_archived: bool = False) -> Sequence[Project]:
        """The most important first."""

    async def find(self, user_id: int, project_id: int) -> Project | None:
        """One of them."""

    async def update(
        self, user_id: int, project_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        """Replace fields of a project; None if there is none."""

    async def take_back(self, user_id: int, project_id: int, change: FieldChange) -> bool:
        """As `Tasks.take_back`."""

    async def delete(self, user_id: int, project_id: int) -> bool:
        """Delete a project, whose tasks stay; whether there was one."""


class Goals(Protocol):
    """Goals."""

    async def create(self, user_id: int, new: NewGoal) -> Goal:
        """The new goal."""

    async def all(self, user_id: int, timeframe: str | None = None) -> Sequence[Goal]:
        """The next to be reached first."""

    async def update(
        self, user_id: int, goal_id: int, fields: Mapping[str, Any]
    ) -> FieldChange | None:
        """Replace fields of a goal; None if there is none."""

    async def take_back(self, user_id: int, goal_id: int, change: FieldChange) -> bool:
        """As `Tasks.take_back`."""

    async def delete(self, user_id: int, goal_id: int) -> bool:
        """Delete a goal; whether there was one."""


class Notes(Protocol):
    """Notes and their folders."""

    async def create(
        self,
        user_id: int,
        title: str,
        content: str,
        folder_id: int | None = None,
        *,
        origin: Origin = "user",
    ) -> Note | None:
        """The new note; None if the folder is not the user's."""

    async def page(
        self, user_id: int, limit: int, offset: int = 0, folder_id: int | None = None
    ) -> tuple[Sequence[Note], int]:
        """The newest first, of all folders or of one; and how many there are."""

    async def find(self, user_id: int, note_id: int) -> Note | None:
        """One of them."""

    async def delete(self, user_id: int, note_id: int) -> bool:
        """Delete a note; whether there was one."""

    async def restore(self, user_id: int, note_id: int) -> bool:
        """Take back a deletion; whether there was one."""

    async def folders(self, user_id: int) -> Sequence[NoteFolder]:
        """By name."""

    async def open_folder(self, user_id: int, name: str) -> NoteFolder:
        """The folder of this name, which is made if there is none."""


class Schedule(Protocol):
    """Blocks of time."""

    async def day(self, user_id: int, day: date) -> Sequence[ScheduleBlock]:
        """The blocks that touch a day, in order."""

    async def create(
        self, user_id: int, new: NewBlock
    ) -> ScheduleBlock | Sequence[ScheduleBlock] | None:
        """The new block, or those that it would overlap; None if the task is not the user's."""

    async def delete(self, user_id: int, block_id: int) -> bool:
        """Delete a block; whether there was one."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """Everything that a user plans and notes."""

    tasks: Tasks
    projects: Projects
    goals: Goals
    notes: Notes
    schedule: Schedule
