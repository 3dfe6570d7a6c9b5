"""The agenda of a user: tasks, projects, goals, notes, and the blocks of their days."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from sqlalchemy import MetaData

    from rich_agent.feature import Core, Parts
    from rich_agent.feature.memory import MemoryRows

_HERE = Path(__file__).parent


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.agenda.tables import metadata

    return metadata


@asynccontextmanager
async def open_agenda(core: "Core") -> AsyncIterator["Parts"]:
    """Open the agenda."""
    from rich_agent.features.agenda.opening import make_parts

    yield make_parts(core)


def load_task_rows() -> "MemoryRows":
    """The open tasks, which are items of the memory."""
    from rich_agent.features.agenda.repositories.remembered import TaskRows

    return TaskRows()


feature = Feature(
    name="agenda",
    open=open_agenda,
    menu=tuple(MenuEntry(name, in_groups=True) for name in ("tasks", "today", "notes")),
    locales=_HERE / "locales",
    migrations=_HERE / "migrations",
    tables=load_tables,
    memory_rows={"tasks": load_task_rows},
)
