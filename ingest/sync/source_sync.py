"""Reads and stores the documents of one source, then removes documents that are gone from it."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from ingest.sync.connected import ConnectedReader
from ingest.sync.inspection import REMOVED_STATES, DocumentChange
from ingest.sync.preparing import Preparer
from ingest.sync.removal import Reading, remove_gone
from ingest.sync.report import SyncProgress, SyncReport
from ingest.sync.runs import SyncRun
from rich_agent.documents.fetch.outcomes import Listing
from rich_agent.documents.index.documents import PostgresDocuments
from rich_agent.documents.index.embedding import ModelGivenUpError
from rich_agent.documents.index.groups import Collector, Item, ItemGroup
from rich_agent.documents.index.writing import GroupWriter, WrittenItem
from rich_agent.documents.source import Source
from rich_agent.repositories.database.pools import Pool
from rich_agent.runtime.concurrency import task_group

_FILES_PER_BATCH = 256
_PAGES_PER_BATCH = 64
_COLLECT_FOR_S = 5.0
_WRITTEN_AT_ONCE = 2


class Stages(Protocol):
    """The stages of a group of items: two groups are written at once, and settled in order."""

    async def write(self, group: ItemGroup) -> Sequence[WrittenItem]:
        """Embed and store the group."""
        ...

    async def settle(self, results: Sequence[WrittenItem]) -> None:
        """Record the results; called once all earlier groups are settled."""
        ...


class Pipeline:
    """Collects items, and writes them in groups."""

    def __init__(self, tasks: asyncio.TaskGroup, stages: Stages) -> None:
        self._tasks = tasks
        self._stages = stages
        self._collector = Collector()
        self._began = 0.0
        self._room = asyncio.Semaphore(_WRITTEN_AT_ONCE)
        self._last: asyncio.Task[None] | None = None

    async def add(self, item: Item) -> None:
        """Add an item; wait until there is room for it."""
        if not self._collector.has_room_for(item):
            await self.flush()
        if not self._collector.items:
            self._began = asyncio.get_running_loop().time()
        self._collector.add(item)

    async def flush_old(self) -> None:
        """Write the collected items if they are older than 5 s, so that no crash loses them."""
        if asyncio.get_running_loop().time() - self._began > _COLLECT_FOR_S:
            await self.flush()

    async def flush(self) -> None:
        """Write the collected items."""
        if self._collector.items:
            await self._room.acquire()
            next_write = self._write_next(self._collector.take(), self._last)
            self._last = self._tasks.create_task(next_write)

    async def _write_next(self, group: ItemGroup, last: asyncio.Task[None] | None) -> None:
        try:
            results = await self._stages.write(group)
        finally:
            # Also if this group fails: the previous group is embedded and must not be lost.
            if last is not None:
                await last
        await self._stages.settle(results)
        self._room.release()


@asynccontextmanager
async def open_pipeline(stages: Stages) -> AsyncIterator[Pipeline]:
    """Open a pipeline; at the end of the block, all items are written."""
    async with task_group() as tasks:
        pipeline = Pipeline(tasks, stages)
        yield pipeline
        await pipeline.flush()


@dataclass(frozen=True, slots=True)
class SourceContext:
    """The parts that are needed to sync a source.

    `began`: the start of the reading, before the listing, by the database's clock.
    `connected`: the reader of a connected source, None for other sources.
    """

    pool: Pool
    run: SyncRun
    began: datetime
    preparer: Preparer
    writer: GroupWriter
    report: SyncReport
    progress: SyncProgress
    connected: ConnectedReader | None = None


class SourceSync:
    """The sync of one source, whose lock this process holds."""

    def __init__(self, context: SourceContext, source: Source, listing: Listing) -> None:
        self._context = context
        self._source = source
        self._listing = listing
        self._documents = PostgresDocuments(context.pool)
        self._gone: list[int] = []
        self._done = 0
        self._earlier_failures = len(context.report.failures)

    async def run(self, *, force: bool) -> Sequence[str]:
        """Sync the source; return the problems.

        With `force`, any number of documents may be removed.

        Raises: DatabaseUnavailableError, ModelGivenUpError.
        """
        await self._context.run.begin_reading(len(self._listing.urls))
        async with open_pipeline(self) as pipeline:
            for urls in self._batches():
                # A source that was removed meanwhile takes no more documents.
                if not await self._note_progress():
                    return ()
                await self._work_on(urls, pipeline)
        await self._refill_the_rest()
        return await self._remove_gone(force=force)

    def _batches(self) -> Iterator[Sequence[str]]:
        urls = self._listing.urls
        is_local = self._source.type in {"file", "folder"}
        batch_size = _FILES_PER_BATCH if is_local else _PAGES_PER_BATCH
        return (urls[start : start + batch_size] for start in range(0, len(urls), batch_size))

    async def _work_on(self, urls: Sequence[str], pipeline: Pipeline) -> None:
        async for batch in self._context.preparer.look_through(urls):
            await self._account_for(batch.findings)
            for item in batch.items:
                await pipeline.add(item)
        await pipeline.flush_old()

    async def _account_for(self, findings: Sequence[DocumentChange]) -> None:
        """Count and record the results of all documents that did not change."""
        reasons: dict[int, str | None] = {}
        fingerprints = {}
        finding_count = 0
        for finding in findings:
            previous = finding.known
            if finding.state == "changed":
                continue
            finding_count += 1
            count_finding(self._context.report, finding)
            if previous is None:
                continue
            if finding.state in REMOVED_STATES:
                self._gone.append(previous.id)
            elif finding.draft:
                fingerprints[previous.id] = finding.draft.fingerprint
            elif (previous.last_error or "") != finding.reason:
                reasons[previous.id] = finding.reason or None
        await self._documents.refresh(fingerprints)
        await self._documents.note_errors(reasons)
        if self._context.connected:
            await self._context.connected.account_for(findings)
        self._advance(finding_count)

    async def write(self, group: ItemGroup) -> Sequence[WrittenItem]:
        """See `Stages.write`."""
        self._context.progress.expect(len({key for item in group.items for key in item.new_texts}))
        return await self._context.writer.write(group)

    async def settle(self, results: Sequence[WrittenItem]) -> None:
        """See `Stages.settle`. Raises: ModelGivenUpError."""
        await self._count(results)
        if self._context.connected:
            urls = [
                result.item.url for result in results if result.item.version and not result.reason
            ]
            await self._context.connected.settle(urls)
        if self._context.writer.has_given_up and any(result.reason for result in results):
            raise ModelGivenUpError
        await self._note_progress()

    async def _note_progress(self) -> bool:
        """Record the progress; return False if the source was removed."""
        failures = self._context.report.failures[self._earlier_failures :]
        return await self._context.run.advance(self._source, self._done, failures)

    async def _count(self, results: Sequence[WrittenItem]) -> None:
        reasons: dict[int, str | None] = {}
        for result in results:
            if result.reason:
                self._context.report.fail(result.item.url, result.reason)
                if result.item.known:
                    reasons[result.item.known.id] = result.reason
            count_item(self._context.report, result, has_vectors=self._context.writer.makes_vectors)
        await self._documents.note_errors(reasons)
        self._advance(sum(result.item.version is not None for result in results))

    def _advance(self, documents: int) -> None:
        self._done += documents
        self._context.progress.advance(documents=documents)

    async def _remove_gone(self, *, force: bool) -> Sequence[str]:
        began = self._context.began
        reading = Reading(self._source, self._listing, began, self._gone, is_forced=force)
        removal = await remove_gone(self._context.run.locks, reading)
        report = self._context.report
        report.documents.removed += removal.documents
        report.chunks.removed += removal.chunks
        for problem in removal.problems:
            report.fail(self._source.root_url, problem)
        return removal.problems

    async def _refill_the_rest(self) -> None:
        """Make vectors for unlisted documents too: they are searched until they are removed."""
        failed_urls = {failure.url for failure in self._context.report.failures}
        async with open_pipeline(self) as pipeline:
            async for items in self._context.preparer.refill_all(failed_urls):
                for item in items:
                    self._context.report.chunks.kept += item.known.chunks if item.known else 0
                    await pipeline.add(item)


def count_finding(report: SyncReport, finding: DocumentChange) -> None:
    """Count a document that needs no storing and no removal."""
    if finding.state in {"changed", "gone"}:
        return
    if finding.state == "left_out":
        report.leave_out(finding.url, finding.reason)
        return
    report.chunks.kept += finding.known.chunks if finding.known else 0
    if finding.state == "failed":
        report.fail(finding.url, finding.reason)
    else:
        report.documents.unchanged += 1


def count_item(report: SyncReport, result: WrittenItem, *, has_vectors: bool) -> None:
    """Count a written item; a failed item keeps its stored version.

    With vectors, chunks that had vectors before count as kept. Without vectors, chunks that were
    stored before count as kept.
    """
    stored_document, version = result.item.known, result.item.version
    previous_chunks = stored_document.chunks if stored_document else 0
    if version is None:
        report.chunks.embedded += result.embedded
        report.chunks.kept -= result.embedded
    elif result.reason:
        report.chunks.kept += previous_chunks
    else:
        report.documents.new += stored_document is None
        report.documents.changed += stored_document is not None
        report.note_unread(version.page.url, version.inventory)
        report.chunks.embedded += result.embedded
        report.chunks.removed += result.removed
        kept_and_embedded = len(version.chunks) if has_vectors else previous_chunks - result.removed
        report.chunks.kept += kept_and_embedded - result.embedded
