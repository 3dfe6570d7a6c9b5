"""What is done with single sources: each command opens the database and says what it did."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ingest.app import open_ingest
from ingest.fetch.local import moves
from ingest.sources.kinds import SourceType
from ingest.sources.registry import SourceOverview
from ingest.sources.source import Source, make_source


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """A source as it was asked for; None leaves what a registered one has."""

    target: str
    kind: SourceType | None = None
    name: str | None = None
    internal: bool | None = None
    base_url: str | None = None
    strip_suffix: bool | None = None
    include: Sequence[str] | None = None
    exclude: Sequence[str] | None = None
    depth: int | None = None


async def add_source(wanted: SourceRequest) -> str:
    """Register a source, or change a registered one; what was done.

    Raises: SourceError.
    """
    source = make_source(
        wanted.target,
        kind=wanted.kind,
        name=wanted.name,
        internal=bool(wanted.internal),
        base_url=wanted.base_url or "",
        strip_suffix=bool(wanted.strip_suffix),
        include=wanted.include or (),
        exclude=wanted.exclude or (),
        depth=wanted.depth,
    )
    async with open_ingest() as ingest:
        registered = await ingest.sources.get(source.id)
        if registered is None:
            await ingest.sources.save(source)
            return f"added {_describe(source)}; `ingest sync` reads it"
        changed = _merge(registered, source, wanted)
        if changed == registered:
            return f"already registered: {_describe(registered)}"
        await ingest.sources.save(changed, moves(registered, changed))
        return f"already registered, updated: {_describe(changed)}"


async def list_sources() -> list[SourceOverview]:
    """Every source with its counts."""
    async with open_ingest() as ingest:
        return await ingest.sources.overview()


async def remove_source(word: str) -> str:
    """Forget a source and everything that was read from it; what was done.

    Raises: SourceError if there is no such source.
    """
    async with open_ingest() as ingest:
        source = await ingest.sources.find(word)
        await ingest.sources.remove(source.id)
        return f"removed {_describe(source)} and its documents"


async def set_status(word: str, status: Literal["active", "inactive"]) -> str:
    """Have sync and retrieval use a source, or not; what was done.

    Raises: SourceError if there is no such source.
    """
    async with open_ingest() as ingest:
        source = await ingest.sources.find(word)
        await ingest.sources.set_status(source.id, status)
        return f"{status}: {_describe(source)}"


def _merge(registered: Source, source: Source, wanted: SourceRequest) -> Source:
    """The registered source with what was asked for now."""
    names = ("name", "internal", "base_url", "strip_suffix", "include", "exclude", "depth")
    asked = {name: getattr(source, name) for name in names if getattr(wanted, name) is not None}
    return replace(registered, **asked)


def _describe(source: Source) -> str:
    return f"{source.name} ({source.type}, {source.id})"
