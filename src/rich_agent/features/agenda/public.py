"""The agenda for features that need it: changes of tasks, their table, and mirrors of tasks.

To change tasks, take the lock of the user's memory (`lock_memory` of `rich_agent.feature.memory`)
first. At the end, write the tasks' entries in the memory (`project_tasks`). A feature that keeps
tasks in another place, too, extends the agenda with a function that loads its `TaskMirror`.
"""

from typing import TYPE_CHECKING

from rich_agent.features.agenda.mirrors import TaskMirror as TaskMirror
from rich_agent.features.agenda.repositories.remembered import project_tasks as project_tasks
from rich_agent.features.agenda.repositories.tasks import change_task as change_task
from rich_agent.features.agenda.repositories.tasks import row_of_task as row_of_task

if TYPE_CHECKING:
    from sqlalchemy import Table


def load_tasks_table() -> "Table":
    """The table of tasks, for foreign keys. This loads SQLAlchemy."""
    from rich_agent.features.agenda.tables import tasks  # noqa: PLC0415 - see above

    return tasks
