"""The calendar of a user, which calendar programs subscribe to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from sqlalchemy import MetaData

    from rich_agent.feature import Core, Parts, Settings

HERE = Path(__file__).parent


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.calendars.tables import metadata

    return metadata


def can_publish(settings: "Settings") -> bool:
    """Whether there is a public address, and the library that writes calendars."""
    return bool(settings.web.public_address and find_spec("icalendar"))


@asynccontextmanager
async def open_calendars(core: "Core") -> "AsyncIterator[Parts]":
    """Open the feeds, if they can be served."""
    from rich_agent.features.calendars.opening import make_parts

    yield make_parts(core, can_publish=can_publish(core.settings))


feature = Feature(
    name="calendars",
    open=open_calendars,
    menu=(MenuEntry("calendar", needs_telegram=True, is_available=can_publish),),
    locales=HERE / "locales",
    migrations=HERE / "migrations",
    tables=load_tables,
)
