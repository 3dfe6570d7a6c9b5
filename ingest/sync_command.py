"""`ingest sync`: opens what a sync needs, runs it, and shows the result."""

from collections.abc import Sequence

from ingest.app import Ingest, open_embedding_model, open_ingest
from ingest.display import NOTHING_REGISTERED
from ingest.sync.dry_run import DryRun
from ingest.sync.report import SyncReport
from ingest.sync.sync import Sync, SyncTools
from ingest.terminal_progress import open_progress
from rich_agent.documents.fetch.fetching import FetchOptions
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.source import Source
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err


async def sync_sources(
    words: Sequence[str], *, dry_run: bool = False, force: bool = False
) -> SyncReport:
    """Sync the named sources, or all if `words` is empty; inactive ones are skipped.

    Raises: SettingsError, SourceError if a word names no source, DatabaseUnavailableError.
    """
    async with open_ingest() as ingest:
        sources = await _choose(ingest, words)
        if not sources:
            return SyncReport()
        if dry_run:
            return await _plan(ingest, sources)
        return await _sync(ingest, sources, force=force)


async def sync_registered(ingest: Ingest) -> SyncReport:
    """Sync all active sources.

    Raises: SettingsError, DatabaseUnavailableError.
    """
    sources = await ingest.sources.all()
    return await _sync(ingest, [source for source in sources if source.status == "active"])


async def _sync(ingest: Ingest, sources: Sequence[Source], *, force: bool = False) -> SyncReport:
    options = _fetch_options(ingest.settings)
    async with open_embedding_model(ingest.settings) as model, SourceReader(options) as reader:
        with open_progress() as progress:
            tools = SyncTools(ingest.pool, reader, model, options.max_file_bytes)
            return await Sync(tools, progress, force=force).run(sources)


async def _plan(ingest: Ingest, sources: Sequence[Source]) -> SyncReport:
    options = _fetch_options(ingest.settings)
    async with SourceReader(options) as reader:
        with open_progress() as progress:
            dry_run = DryRun(ingest.pool, reader, ingest.space, progress)
            return await dry_run.run(sources, options.max_file_bytes)


async def _choose(ingest: Ingest, words: Sequence[str]) -> list[Source]:
    if words:
        named = {source.id: source for source in [await ingest.sources.find(w) for w in words]}
        sources = list(named.values())
    else:
        sources = await ingest.sources.all()
        if not sources:
            err(NOTHING_REGISTERED)
    for source in sources:
        if source.status == "inactive":
            hint = f"`ingest activate {source.id}`"
            err(f"{source.name}: inactive, skipped ({hint})")
    return [source for source in sources if source.status == "active"]


def _fetch_options(settings: Settings) -> FetchOptions:
    return FetchOptions(
        max_file_bytes=settings.documents.max_file_mb * 1_000_000,
        respect_robots=settings.documents.respect_robots,
        intranet=settings.documents.intranet,
    )
