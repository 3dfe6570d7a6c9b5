"""The bot's persona: name, tone, rules, greeting, first questions and picture."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from pydantic import BaseModel

    from rich_agent.feature import Core, Parts

HERE = Path(__file__).parent


def load_settings() -> "type[BaseModel]":
    """The section of the settings."""
    from rich_agent.features.persona.settings import PersonaSettings

    return PersonaSettings


@asynccontextmanager
async def open_persona(core: "Core") -> "AsyncIterator[Parts]":
    """Make what gives the personas in effect."""
    from rich_agent.features.persona.opening import make_parts

    yield make_parts(core)


feature = Feature(name="persona", open=open_persona, settings=load_settings)
