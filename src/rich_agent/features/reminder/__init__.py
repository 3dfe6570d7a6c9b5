"""Reminders at a time or repeated, a daily digest, and /reminders."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from sqlalchemy import MetaData
    from typer import Typer

    from rich_agent.feature import Core, Parts, Shell


_HERE = Path(__file__).parent


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.reminder.tables import metadata

    return metadata


@asynccontextmanager
async def open_reminders(core: "Core") -> AsyncIterator["Parts"]:
    """Make the tools and the command, and what brings reminders."""
    from rich_agent.features.reminder.opening import make_parts

    yield make_parts(core)


def add_commands(program: "Typer", shell: "Shell") -> None:
    """Add `rich-agent reminders`."""
    from rich_agent.feature.terminal import JsonOption

    @program.command()
    def reminders(as_json: JsonOption = False) -> None:  # noqa: FBT002 - an option of typer
        """List reminders that are late, were missed or could not be sent."""
        from rich_agent.features.reminder.report import list_reminders

        list_reminders(shell, as_json=as_json)


feature = Feature(
    name="reminder",
    open=open_reminders,
    menu=(MenuEntry("reminders", in_groups=True),),
    locales=_HERE / "locales",
    migrations=_HERE / "migrations",
    tables=load_tables,
    cli=add_commands,
)
