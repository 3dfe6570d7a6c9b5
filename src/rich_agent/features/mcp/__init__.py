"""Tools of servers over the Model Context Protocol. Nothing that a server says is trusted."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from pydantic import BaseModel
    from sqlalchemy import MetaData

    from rich_agent.feature import Core, Parts

HERE = Path(__file__).parent


def load_settings() -> "type[BaseModel]":
    """The section of the settings."""
    from rich_agent.features.mcp.settings import McpSettings

    return McpSettings


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.mcp.tables import metadata

    return metadata


@asynccontextmanager
async def open_mcp(core: "Core") -> "AsyncIterator[Parts]":
    """Open the configured servers. Without any, their libraries are not loaded."""
    from rich_agent.feature import Parts
    from rich_agent.features.mcp.settings import McpSettings

    servers = core.section(McpSettings).content.servers
    if not servers:
        yield Parts()
        return
    # The libraries of the protocol and of schemas take a second to load.
    opening = await asyncio.to_thread(import_module, "rich_agent.features.mcp.opening")
    async with opening.open_parts(core, servers) as parts:
        yield parts


feature = Feature(
    name="mcp",
    open=open_mcp,
    settings=load_settings,
    locales=HERE / "locales",
    migrations=HERE / "migrations",
    tables=load_tables,
)
