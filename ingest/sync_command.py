"""`ingest sync`: opens the resources of a sync, and runs the sync."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ingest.app import Ingest, keep_space, open_embedding_model, open_ingest, open_page_reading
from ingest.display import NOTHING_REGISTERED
from ingest.sync.dry_run import DryRun
from ingest.sync.report import SyncProgress, SyncReport
from ingest.sync.rights import RightsSync
from ingest.sync.sync import Sync, SyncTools
from ingest.terminal_progress import open_progress
from rich_agent.composition.connections import make_source_connecting
from rich_agent.documents.fetch.fetching import FetchOptions
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.source import Source
from rich_agent.domain.routing.described_domain import is_due
from rich_agent.errors import RichAgentError, SettingsError
from rich_agent.repositories.knowledge.domain_store import PostgresDomainStore
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err

_RETRY_AFTER_S = 86_400.0
_DESCRIPTION_S = 90.0
"""A model on a slow machine reads the beginnings of the documents first."""


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """The options of a sync.

    `force`: any number of documents may be removed.
    `rights`: only the rights are read.
    `scheduled`: a worker runs the sync for one job, and failed documents are not tried again for a
    day.
    """

    force: bool = False
    rights: bool = False
    scheduled: bool = False


async def sync_sources(
    words: Sequence[str],
    options: SyncOptions | None = None,
    *,
    dry_run: bool = False,
    settings: Settings | None = None,
) -> SyncReport:
    """Sync the named sources, or all sources if `words` is empty; inactive ones are skipped.

    Without `settings`, the settings are read from the environment, which loses its secrets.

    Raises: SettingsError, SourceError if a word names no source, DatabaseUnavailableError.
    """
    async with open_ingest(settings) as ingest:
        sources = await _choose(ingest, words)
        if not sources:
            return SyncReport()
        if dry_run:
            return await _plan(ingest, sources)
        return await _sync(ingest, sources, options or SyncOptions())


async def sync_active_sources(ingest: Ingest) -> SyncReport:
    """Sync all active sources.

    Raises: SettingsError, DatabaseUnavailableError.
    """
    sources = await ingest.sources.all()
    return await _sync(ingest, [source for source in sources if source.status == "active"])


async def _sync(
    ingest: Ingest, sources: Sequence[Source], options: SyncOptions | None = None
) -> SyncReport:
    options = options or SyncOptions()
    fetching = FetchOptions.of(ingest.settings.documents)
    connecting = make_source_connecting(ingest.settings)
    rights = RightsSync(ingest.databases, connecting)
    if options.rights:
        return await rights.run(sources)
    await keep_space(ingest.settings, ingest.pool)
    async with (
        open_embedding_model(ingest.settings) as model,
        open_page_reading(ingest.settings) as pages,
        SourceReader(fetching) as reader,
    ):
        with open_progress() as progress:
            tools = SyncTools(
                databases=ingest.databases,
                reader=reader,
                model=model,
                most_bytes=fetching.max_file_bytes,
                connecting=connecting,
                retry_after_s=_RETRY_AFTER_S if options.scheduled else 0.0,
                pages=pages,
                # A model on this machine takes far longer than all the rest.
                vectors_later=ingest.settings.models.embedding.local is not None,
            )
            sync = Sync(tools, progress, force=options.force)
            if not options.scheduled:
                # Rights come first, so that old rights do not stay valid while documents are read.
                await rights.run(sources, sync.report)
            report = await sync.run(sources)
            await _describe(ingest, report, progress)
            return report


async def _describe(ingest: Ingest, report: SyncReport, progress: SyncProgress) -> None:
    """Have the planner's model say what the documents are about, if many have changed."""
    store = PostgresDomainStore(ingest.pool)
    is_own = bool(ingest.settings.turn.domain.description)
    before = await store.read()
    if is_own or not is_due(before, await store.count(), datetime.now(UTC)):
        return
    try:
        ingest.settings.models.role("planner")
    except SettingsError:
        return  # documents can be found without a model that writes
    # The model's client takes a second to load, and most syncs change little.
    from rich_agent.composition.domain_description import update_description  # noqa: PLC0415 - see above

    progress.say("reading what the documents are about")
    try:
        async with asyncio.timeout(_DESCRIPTION_S):
            described = await update_description(ingest.settings, store)
    except (RichAgentError, TimeoutError) as error:
        reason = error.explain() if isinstance(error, RichAgentError) else "it took too long"
        report.notes.append(
            f"what the documents are about is not known yet: {reason}; a sync asks again in a day "
            "or later, and `rich-agent doctor` at once"
        )
        return
    if described and described != before:
        report.notes.append(f"the documents are about: {described.description}")


async def _plan(ingest: Ingest, sources: Sequence[Source]) -> SyncReport:
    options = FetchOptions.of(ingest.settings.documents)
    async with SourceReader(options) as reader:
        with open_progress() as progress:
            connecting = make_source_connecting(ingest.settings)
            dry_run = DryRun(ingest.pool, reader, ingest.space, progress, connecting)
            return await dry_run.run(sources, options.max_file_bytes)


async def _choose(ingest: Ingest, words: Sequence[str]) -> list[Source]:
    if words:
        sources_by_id = {
            source.id: source for source in [await ingest.sources.find(word) for word in words]
        }
        sources = list(sources_by_id.values())
    else:
        sources = await ingest.sources.all()
        if not sources:
            err(NOTHING_REGISTERED)
    for source in sources:
        if source.status == "inactive":
            hint = f"`ingest activate {source.id}`"
            err(f"{source.name}: inactive, skipped ({hint})")
    return [source for source in sources if source.status == "active"]
