"""Recordings as questions, and spoken answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from pydantic import BaseModel
    from sqlalchemy import MetaData

    from rich_agent.feature import Core, Parts, Settings

HERE = Path(__file__).parent


def load_settings() -> "type[BaseModel]":
    """Load the section of settings."""
    from rich_agent.features.voice.settings import VoiceSettings

    return VoiceSettings


def load_tables() -> "MetaData":
    """Load the declarations of the tables."""
    from rich_agent.features.voice.tables import metadata

    return metadata


def can_speak(settings: "Settings") -> bool:
    """Whether a model for speech is set."""
    from rich_agent.features.voice.settings import VoiceSettings

    return bool(settings.section(VoiceSettings).speech.model)


@asynccontextmanager
async def open_voice(core: "Core") -> "AsyncIterator[Parts]":
    """Open the models that transcribe and speak."""
    # The clients of models take a second to load.
    opening = await asyncio.to_thread(import_module, "rich_agent.features.voice.opening")
    async with opening.open_parts(core) as parts:
        yield parts


feature = Feature(
    name="voice",
    open=open_voice,
    menu=(MenuEntry("voice", needs_telegram=True, is_available=can_speak),),
    settings=load_settings,
    locales=HERE / "locales",
    migrations=HERE / "migrations",
    tables=load_tables,
)
