"""`ingest sync`: opens what a sync needs, runs it, and shows how it went."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import typer

from ingest.app import Ingest, open_embedding_model, open_ingest
from ingest.display import NOTHING_REGISTERED, TerminalProgress, open_progress
from ingest.documents import PostgresDocuments
from ingest.embedding import Embedder
from ingest.reading import Reader
from ingest.report import SyncReport
from ingest.runs import PostgresRuns
from ingest.sources import Source
from ingest.sync import Sync, SyncTools
from ingest.vectors import PostgresVectors


async def sync_sources(words: Sequence[str], *, dry_run: bool) -> SyncReport:
    """Sync the sources that `words` name, all without any; inactive ones are passed over.

    Raises: SettingsError, SourceError if a word names no source, DatabaseUnavailableError.
    """
    async with open_ingest() as ingest:
        sources = await _choose(ingest, words)
        if not sources:
            return SyncReport()
        async with _open_tools(ingest, dry_run=dry_run) as tools:
            with open_progress() as progress:
                sync = Sync(tools, progress, dry_run=dry_run)
                if dry_run:
                    return await sync.run(sources)
                return await _run(sync, sources, ingest, progress)


async def _run(
    sync: Sync, sources: Sequence[Source], ingest: Ingest, progress: TerminalProgress
) -> SyncReport:
    async with PostgresRuns(ingest.pool).recorded(sync.report, progress.wait):
        return await sync.run(sources)


async def _choose(ingest: Ingest, words: Sequence[str]) -> list[Source]:
    if words:
        named = {source.id: source for source in [await ingest.sources.find(w) for w in words]}
        sources = list(named.values())
    else:
        sources = await ingest.sources.all()
        if not sources:
            typer.echo(NOTHING_REGISTERED, err=True)
    for source in sources:
        if source.status == "inactive":
            hint = f"`ingest activate {source.id}`"
            typer.echo(f"{source.name}: inactive, passed over ({hint})", err=True)
    return [source for source in sources if source.status == "active"]


@asynccontextmanager
async def _open_tools(ingest: Ingest, *, dry_run: bool) -> AsyncIterator[SyncTools]:
    async with Reader() as reader:
        tools = SyncTools(
            ingest.sources, PostgresDocuments(ingest.pool, ingest.space), reader, embedder=None
        )
        if ingest.space is None:
            yield tools
            return
        vectors = PostgresVectors(ingest.pool, ingest.space)
        if dry_run:
            yield replace(tools, embedder=Embedder(vectors, None))
            return
        async with open_embedding_model(ingest.settings) as model:
            yield replace(tools, embedder=Embedder(vectors, model))
