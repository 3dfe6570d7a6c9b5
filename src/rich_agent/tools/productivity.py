"""All tools for what a user plans and notes."""

from collections.abc import Sequence

from rich_agent.ports.caldav import TaskFreshness
from rich_agent.ports.productivity import Productivity
from rich_agent.tools.arguments import Clock
from rich_agent.tools.goals import GoalTools
from rich_agent.tools.notes import NoteTools
from rich_agent.tools.projects import ProjectTools
from rich_agent.tools.schedule import ScheduleTools
from rich_agent.tools.tasks import TaskTools
from rich_agent.tools.tool import Tool


def productivity_tools(stored: Productivity, fresh: TaskFreshness, now: Clock) -> Sequence[Tool]:
    """The tools for tasks, projects, goals, notes and the schedule."""
    return (
        *TaskTools(stored.tasks, stored.projects, fresh, now).tools(),
        *ProjectTools(stored.projects).tools(),
        *GoalTools(stored.goals).tools(),
        *ScheduleTools(stored.schedule, stored.tasks, now).tools(),
        *NoteTools(stored.notes).tools(),
    )
