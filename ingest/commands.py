"""Commands for single sources. Each opens the database and returns a result to show."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from ingest.app import open_ingest
from ingest.registry import SourceOverview
from rich_agent.composition.connections import make_source_connecting
from rich_agent.documents.clocks import reconcile_work
from rich_agent.documents.fetch.local import moves
from rich_agent.documents.source import Source, SourceType, make_source


async def add_source(
    target: str, kind: SourceType | None, options: Mapping[str, Any], every: str | None = None
) -> str:
    """Register a source, or change a registered one; return a message.

    `options` are arguments of `make_source`. An option that is missing keeps its value in a
    registered source.

    Raises: SourceError.
    """
    source = make_source(target, kind=kind, **options)
    message = await _register(source, options)
    if every is None:
        return message
    from ingest.connecting import schedule  # noqa: PLC0415 - it loads what reads services

    return f"{message}\n{await schedule(source.id, every)}"


async def _register(source: Source, options: Mapping[str, Any]) -> str:
    async with open_ingest() as ingest:
        known_source = await ingest.sources.get(source.id)
        if known_source is None:
            await ingest.sources.save(source)
            return f"added {_describe(source)}; `ingest sync` reads it"
        updated_source = replace(known_source, **{name: getattr(source, name) for name in options})
        if updated_source == known_source:
            return f"already registered: {_describe(known_source)}"
        await ingest.sources.save(updated_source, moves(known_source, updated_source))
        return f"already registered, updated: {_describe(updated_source)}"


async def list_sources() -> list[SourceOverview]:
    """All sources with their counts."""
    async with open_ingest() as ingest:
        return await ingest.sources.overview()


async def remove_source(word: str) -> str:
    """Remove a source and everything read from it; return a message.

    Raises: SourceError if there is no such source.
    """
    async with open_ingest() as ingest:
        source = await ingest.sources.find(word)
        await ingest.sources.remove(source.id)
        await reconcile_work(ingest.databases)
        make_source_connecting(ingest.settings).forget(source.id)
        return f"removed {_describe(source)} and its documents"


async def set_status(word: str, status: Literal["active", "inactive"]) -> str:
    """Include a source in sync and retrieval, or exclude it; return a message.

    Raises: SourceError if there is no such source.
    """
    async with open_ingest() as ingest:
        source = await ingest.sources.find(word)
        await ingest.sources.set_status(source.id, status)
        await reconcile_work(ingest.databases)
        return f"{status}: {_describe(source)}"


def _describe(source: Source) -> str:
    return f"{source.name} ({source.type}, {source.id})"
