"""Commands for single sources. Each opens the database and returns what it did or found."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from ingest.app import open_ingest
from ingest.clocks import parse_every
from ingest.registry import PostgresSources, SourceOverview
from ingest.source_change import SourceChange
from rich_agent.composition.connections import make_source_connecting
from rich_agent.documents.clocks import reconcile_work
from rich_agent.documents.fetch.local import moves
from rich_agent.documents.source import Source, SourceType, make_source
from rich_agent.settings.settings import Settings


async def add_sources(
    targets: Mapping[str, SourceType | None],
    options: Mapping[str, Any],
    every: str | None,
    settings: Settings,
) -> list[SourceChange]:
    """Register sources, or change registered ones.

    `targets` gives the kind of each, None for one that is to be detected. `options` are arguments
    of `make_source`. An option that is missing keeps its value in a registered source. All are
    checked before the first is registered.

    Raises: SourceError.
    """
    sources = [make_source(target, kind=kind, **options) for target, kind in targets.items()]
    if every is not None:
        parse_every(every)
    async with open_ingest(settings) as ingest:
        changes = [await _register(ingest.sources, source, options) for source in sources]
        if every is None:
            return changes
        from ingest.connecting import set_interval  # noqa: PLC0415 - it loads what reads services

        return [
            replace(change, clocks=await set_interval(change.source, every, ingest))
            for change in changes
        ]


async def _register(
    registry: PostgresSources, source: Source, options: Mapping[str, Any]
) -> SourceChange:
    known_source = await registry.get(source.id)
    if known_source is None:
        await registry.save(source)
        return SourceChange("added", source)
    updated_source = replace(known_source, **{name: getattr(source, name) for name in options})
    if updated_source == known_source:
        return SourceChange("unchanged", known_source)
    await registry.save(updated_source, moves(known_source, updated_source))
    return SourceChange("updated", updated_source)


async def list_sources() -> list[SourceOverview]:
    """All sources with their counts."""
    async with open_ingest() as ingest:
        return await ingest.sources.overview()


async def remove_source(word: str) -> SourceChange:
    """Remove a source and everything read from it.

    Raises: SourceError if there is no such source.
    """
    async with open_ingest() as ingest:
        source = await ingest.sources.find(word)
        await ingest.sources.remove(source.id)
        await reconcile_work(ingest.databases)
        make_source_connecting(ingest.settings).forget(source.id)
        return SourceChange("removed", source)


async def set_status(word: str, status: Literal["active", "inactive"]) -> SourceChange:
    """Include a source in sync and retrieval, or exclude it.

    Raises: SourceError if there is no such source.
    """
    async with open_ingest() as ingest:
        source = await ingest.sources.find(word)
        await ingest.sources.set_status(source.id, status)
        await reconcile_work(ingest.databases)
        return SourceChange(status, replace(source, status=status))
