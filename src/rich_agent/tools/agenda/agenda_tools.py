"""All tools for what a user plans and notes."""

from collections.abc import Mapping, Sequence

from rich_agent.ports.agenda import Agenda
from rich_agent.ports.task_lists import TaskFreshness
from rich_agent.tools.agenda.goals import GoalTools
from rich_agent.tools.agenda.notes import NoteTools
from rich_agent.tools.agenda.projects import ProjectTools
from rich_agent.tools.agenda.schedule import ScheduleTools
from rich_agent.tools.agenda.tasks import TaskTools
from rich_agent.tools.arguments import Clock
from rich_agent.tools.tool import Tool
from rich_agent.tools.toolbox import Naming


def agenda_tools(stored: Agenda, fresh: TaskFreshness, now: Clock) -> Sequence[Tool]:
    """The tools for tasks, projects, goals, notes and the schedule."""
    return (
        *TaskTools(stored.tasks, stored.projects, fresh, now).tools(),
        *ProjectTools(stored.projects).tools(),
        *GoalTools(stored.goals).tools(),
        *ScheduleTools(stored.schedule, stored.tasks, now).tools(),
        *NoteTools(stored.notes).tools(),
    )


def names_of_ids(stored: Agenda) -> Mapping[str, Naming]:
    """Functions that name what ids of these tools stand for, by the arguments that hold them."""

    async def task(user_id: int, task_id: int) -> str:
        found = await stored.tasks.find(user_id, task_id)
        return found.title if found else ""

    async def project(user_id: int, project_id: int) -> str:
        found = await stored.projects.find(user_id, project_id)
        return found.name if found else ""

    async def goal(user_id: int, goal_id: int) -> str:
        found = await stored.goals.all(user_id)
        return next((one.title for one in found if one.id == goal_id), "")

    async def folder(user_id: int, folder_id: int) -> str:
        found = await stored.notes.folders(user_id)
        return next((one.name for one in found if one.id == folder_id), "")

    return {
        "task_id": task,
        "parent_id": task,
        "project_id": project,
        "goal_id": goal,
        "folder_id": folder,
    }
