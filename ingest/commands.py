"""Commands for single sources. Each opens the database and returns a result to show."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from ingest.app import open_ingest
from ingest.registry import PostgresSources, SourceOverview
from rich_agent.composition.connections import make_source_connecting
from rich_agent.documents.clocks import reconcile_work
from rich_agent.documents.fetch.local import moves
from rich_agent.documents.source import Source, SourceType, make_source


async def add_sources(
    targets: Mapping[str, SourceType | None], options: Mapping[str, Any], every: str | None = None
) -> list[str]:
    """Register sources, or change registered ones; return a message for each.

    `targets` gives the kind of each, None for one that is to be detected. `options` are arguments
    of `make_source`. An option that is missing keeps its value in a registered source. All are
    checked before the first is registered.

    Raises: SourceError.
    """
    sources = [make_source(target, kind=kind, **options) for target, kind in targets.items()]
    if every is not None:
        from ingest.clocks import parse_every  # noqa: PLC0415 - see below

        parse_every(every)
    async with open_ingest() as ingest:
        messages = [await _register(ingest.sources, source, options) for source in sources]
        if every is None:
            return messages
        from ingest.connecting import set_interval  # noqa: PLC0415 - it loads what reads services

        intervals = [await set_interval(source, every, ingest) for source in sources]
    return [f"{message}\n{interval}" for message, interval in zip(messages, intervals, strict=True)]


async def _register(registry: PostgresSources, source: Source, options: Mapping[str, Any]) -> str:
    known_source = await registry.get(source.id)
    if known_source is None:
        await registry.save(source)
        return f"added {_describe(source)}; `ingest sync` reads it"
    updated_source = replace(known_source, **{name: getattr(source, name) for name in options})
    if updated_source == known_source:
        return f"already registered: {_describe(known_source)}"
    await registry.save(updated_source, moves(known_source, updated_source))
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
