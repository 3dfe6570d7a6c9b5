"""Computes over the tables of a user's files: counts, sums and comparisons over all rows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Core, Parts


@asynccontextmanager
async def open_tables(_core: "Core") -> AsyncIterator["Parts"]:
    """Offer the tool."""
    from rich_agent.feature import Parts
    from rich_agent.features.tables.tool import TABLE_TOOL

    yield Parts(tools=[TABLE_TOOL])


feature = Feature(name="tables", open=open_tables, locales=Path(__file__).parent / "locales")
