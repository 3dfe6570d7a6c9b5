"""Keeps a user's task list and the tasks of the agenda in step."""

from rich_agent.feature.database import Pool
from rich_agent.features.agenda.public import TaskMirror
from rich_agent.features.calendars.task_lists.changes import hasten_sync
from rich_agent.features.calendars.task_lists.freshness import ListFreshness
from rich_agent.features.calendars.task_lists.repository import PostgresTaskListConnections


async def refresh(pool: Pool, user_id: int) -> None:
    """Bring the user's tasks up to date with their list."""
    await ListFreshness(PostgresTaskListConnections(pool)).freshen(user_id)


MIRROR = TaskMirror(hasten_sync, refresh)
