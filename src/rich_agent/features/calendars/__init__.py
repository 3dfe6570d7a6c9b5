"""The calendar of a user, for calendar programs, and their task list on a CalDAV server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from pydantic import BaseModel
    from sqlalchemy import MetaData

    from rich_agent.feature import Core, Parts, Settings
    from rich_agent.features.agenda.public import TaskMirror

HERE = Path(__file__).parent


def load_settings() -> "type[BaseModel]":
    """The section of the settings."""
    from rich_agent.features.calendars.settings import CalendarSettings

    return CalendarSettings


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.calendars.tables import metadata

    return metadata


def can_publish(settings: "Settings") -> bool:
    """Whether there is a public address, and the library that writes calendars."""
    return bool(settings.web.public_address and find_spec("icalendar"))


def can_connect(settings: "Settings") -> bool:
    """Whether there is a key that encrypts passwords, and the libraries."""
    libraries = find_spec("icalendar"), find_spec("cryptography")
    return bool(settings.storage.credentials_keys and all(libraries))


def load_task_mirror() -> "TaskMirror":
    """The task lists, which mirror the tasks of the agenda."""
    from rich_agent.features.calendars.task_lists.mirror import MIRROR

    return MIRROR


@asynccontextmanager
async def open_calendars(core: "Core") -> "AsyncIterator[Parts]":
    """Open the feeds, if they can be served, and the task lists."""
    from rich_agent.features.calendars.opening import make_parts

    yield make_parts(core, can_publish=can_publish(core.settings))


feature = Feature(
    name="calendars",
    open=open_calendars,
    menu=(
        MenuEntry("calendar", needs_telegram=True, is_available=can_publish),
        MenuEntry("connect", needs_telegram=True, is_available=can_connect, holds_secret=True),
        MenuEntry("disconnect", is_available=can_connect),
    ),
    settings=load_settings,
    locales=HERE / "locales",
    migrations=HERE / "migrations",
    tables=load_tables,
    needs=("agenda",),
    extensions={"agenda": load_task_mirror},
)
