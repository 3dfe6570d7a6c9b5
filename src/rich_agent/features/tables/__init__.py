"""Computes over the tables of a user's files: counts, sums and comparisons over all rows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Attachment, Core, Parts
    from rich_agent.feature.living import LivingBlock


@asynccontextmanager
async def open_tables(_core: "Core") -> AsyncIterator["Parts"]:
    """Offer the tool."""
    from rich_agent.feature import Parts
    from rich_agent.features.tables.tool import TABLE_TOOL

    yield Parts(tools=[TABLE_TOOL])


def block_of_rows(attachment: "Attachment", locale: str) -> "LivingBlock":
    """The block of an attachment of the kind `computed`; see `computed_block`."""
    from rich_agent.features.tables.computed import computed_block

    return computed_block(attachment, locale)


feature = Feature(
    name="tables",
    open=open_tables,
    locales=Path(__file__).parent / "locales",
    blocks={"computed": block_of_rows},
)
