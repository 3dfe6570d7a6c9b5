"""Names for the ids in calls of these tools, such as the title of a task."""

from rich_agent.feature.tools import Naming
from rich_agent.features.agenda.ports import Goals, Notes, Projects, Tasks


def naming_of_tasks(tasks: Tasks) -> Naming:
    """The function that gives the title of a task."""

    async def name(user_id: int, task_id: int) -> str:
        task = await tasks.find(user_id, task_id)
        return task.title if task else ""

    return name


def naming_of_projects(projects: Projects) -> Naming:
    """The function that gives the name of a project."""

    async def name(user_id: int, project_id: int) -> str:
        project = await projects.find(user_id, project_id)
        return project.name if project else ""

    return name


def naming_of_goals(goals: Goals) -> Naming:
    """The function that gives the title of a goal."""

    async def name(user_id: int, goal_id: int) -> str:
        return next((one.title for one in await goals.all(user_id) if one.id == goal_id), "")

    return name


def naming_of_folders(notes: Notes) -> Naming:
    """The function that gives the name of a folder of notes."""

    async def name(user_id: int, folder_id: int) -> str:
        return next((one.name for one in await notes.folders(user_id) if one.id == folder_id), "")

    return name
