"""The operator's pages: today, people, knowledge, quality, work, models, settings, audit."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from sqlalchemy import MetaData

    from rich_agent.feature import Core, Parts

HERE = Path(__file__).parent


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.operator_pages.tables import metadata

    return metadata


@asynccontextmanager
async def open_pages(core: "Core") -> "AsyncIterator[Parts]":
    """Make the pages."""
    from rich_agent.features.operator_pages.opening import make_parts

    yield make_parts(core)


feature = Feature(
    name="operator_pages",
    open=open_pages,
    locales=HERE / "locales",
    migrations=HERE / "migrations",
    tables=load_tables,
)
