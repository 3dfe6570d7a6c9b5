"""Reads documents from services, a folder for each kind, and keeps all sources up to date."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature import Core, Parts


@asynccontextmanager
async def open_syncing(core: "Core") -> "AsyncIterator[Parts]":
    """Let workers sync the sources that are due, and let services make sources due by events."""
    from rich_agent.feature import Parts
    from rich_agent.feature.connectors import SourceHooks
    from rich_agent.features.connectors.clocks import SourceClocks
    from rich_agent.features.connectors.events import EventEndpoint
    from rich_agent.features.connectors.news import NewsTeller
    from rich_agent.features.connectors.syncing import SourceWork

    news = NewsTeller(core.tell_admins)
    sources = SourceWork(SourceClocks(core.databases), core.settings.environment, news.tell)
    events = EventEndpoint(SourceHooks(core.databases, core.make_seal))
    yield Parts(work=sources.kinds(), loops=[sources.run], open_routes=events.routes())


feature = Feature(name="connectors", open=open_syncing, locales=Path(__file__).parent / "locales")
