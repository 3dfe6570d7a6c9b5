"""The agenda for features that need it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Table


def load_tasks_table() -> "Table":
    """The table of tasks, for foreign keys. This loads SQLAlchemy."""
    from rich_agent.features.agenda.tables import tasks  # noqa: PLC0415 - see above

    return tasks
