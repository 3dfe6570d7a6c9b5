"""Commands for single sources. Each opens the database and returns what it did or found."""

from collections.abc import Mapping
from typing import Any, Literal

from ingest.app import open_ingest, registration_of
from rich_agent.documents.registry.source_change import SourceChange
from rich_agent.documents.registry.sources import SourceOverview
from rich_agent.documents.source import SourceType, make_source
from rich_agent.settings.settings import Settings


async def add_sources(
    targets: Mapping[str, SourceType | None],
    options: Mapping[str, Any],
    every: str | None,
    settings: Settings,
) -> list[SourceChange]:
    """Register sources, or change registered ones.

    `targets` gives the kind of each, None for one that is to be detected. `options` are arguments
    of `make_source`. All are checked before the first is registered.

    Raises: SourceError.
    """
    sources = [make_source(target, kind=kind, **options) for target, kind in targets.items()]
    async with open_ingest(settings) as ingest:
        return await registration_of(ingest).add(sources, options, every)


async def list_sources() -> list[SourceOverview]:
    """All sources with their counts."""
    async with open_ingest() as ingest:
        return await ingest.sources.overview()


async def remove_source(word: str) -> SourceChange:
    """Remove a source and everything read from it.

    Raises: SourceError if there is no such source.
    """
    async with open_ingest() as ingest:
        return await registration_of(ingest).remove(await ingest.sources.find(word))


async def set_status(word: str, status: Literal["active", "inactive"]) -> SourceChange:
    """Include a source in sync and retrieval, or exclude it.

    Raises: SourceError if there is no such source.
    """
    async with open_ingest() as ingest:
        return await registration_of(ingest).set_status(await ingest.sources.find(word), status)
