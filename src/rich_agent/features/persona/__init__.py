"""The bot's persona: name, tone, rules, greeting, first questions and picture."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from pydantic import BaseModel
    from sqlalchemy import MetaData
    from typer import Typer

    from rich_agent.feature import Core, Parts, Shell

HERE = Path(__file__).parent


def load_settings() -> "type[BaseModel]":
    """The section of the settings."""
    from rich_agent.features.persona.settings import PersonaSettings

    return PersonaSettings


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.persona.tables import metadata

    return metadata


def add_commands(program: "Typer", shell: "Shell") -> None:
    """Add `rich-agent persona`."""
    from rich_agent.features.persona.commands import make_group

    program.add_typer(make_group(shell), name="persona")


@asynccontextmanager
async def open_persona(core: "Core") -> "AsyncIterator[Parts]":
    """Make what gives the personas in effect, and what previews a draft."""
    from rich_agent.features.persona.opening import make_parts

    yield make_parts(core)


feature = Feature(
    name="persona",
    open=open_persona,
    settings=load_settings,
    locales=HERE / "locales",
    migrations=HERE / "migrations",
    tables=load_tables,
    cli=add_commands,
    after=("operator_pages",),
)
