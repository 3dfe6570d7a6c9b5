"""Brings what is stored up to date with the sources: reads, embeds, then swaps, by document.

What was done before a crash stays done, and the next sync goes on from there. A failure of a
source or a document is reported and stops nothing else; a lost database stops the sync.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

import psycopg
import structlog

from ingest.chunks import Page, make_chunks
from ingest.documents import KnownDocument, PostgresDocuments, Version
from ingest.embedding import Embedded, Embedder
from ingest.inspection import Draft, Finding, Inspector
from ingest.reading import Listing, Reader
from ingest.registry import PostgresSources
from ingest.report import SyncReport
from ingest.sources import Source
from rich_agent.concurrency import run_all
from rich_agent.errors import DatabaseUnavailableError, RichAgentError

_DOCUMENTS_AT_ONCE = 32
_CHUNKS_AT_ONCE = 512
_log = structlog.get_logger(__name__)


class Progress(Protocol):
    """Is told how a sync goes on."""

    def begin(self, source: Source, documents: int) -> None:
        """A source is looked through now; it lists so many documents."""
        ...

    def advance(self, documents: int) -> None:
        """So many more documents of the source are done."""
        ...


@dataclass(frozen=True, slots=True)
class SyncTools:
    """What a sync works with; `embedder` None leaves chunks without vectors."""

    sources: PostgresSources
    documents: PostgresDocuments
    reader: Reader
    embedder: Embedder | None


@dataclass(slots=True)
class _Work:
    """A source, what is stored of it, and which of that is to be removed at the end.

    At the end, because a page that moved brings its vectors along as long as they are there.
    """

    source: Source
    known: dict[str, KnownDocument]
    gone: list[KnownDocument] = field(default_factory=list)


class Sync:
    """One sync; a dry run counts what would be done, and writes nothing."""

    def __init__(self, tools: SyncTools, progress: Progress, *, dry_run: bool = False) -> None:
        self.report = SyncReport()
        self._tools = tools
        self._progress = progress
        self._dry_run = dry_run

    async def run(self, sources: Sequence[Source]) -> SyncReport:
        """Sync these sources, one after the other.

        Raises: DatabaseUnavailableError.
        """
        started = datetime.now(UTC)
        for source in sources:
            try:
                await self._sync_source(source)
            except DatabaseUnavailableError:
                raise
            except RichAgentError as error:
                self.report.fail(source.root_url, error.explain())
        if self._tools.embedder is not None:
            self.report.embedding_calls = self._tools.embedder.calls
        self.report.seconds = round((datetime.now(UTC) - started).total_seconds(), 3)
        return self.report

    async def _sync_source(self, source: Source) -> None:
        listing = await self._tools.reader.list_documents(source)
        work = _Work(source, await self._tools.documents.known(source.id))
        self._progress.begin(source, len(listing.urls))
        for at in range(0, len(listing.urls), _DOCUMENTS_AT_ONCE):
            urls = listing.urls[at : at + _DOCUMENTS_AT_ONCE]
            await self._sync_documents(work, urls)
            self._progress.advance(len(urls))
        self._compare_listing(work, listing)
        for document in work.gone:
            await self._remove(document)
        if self._tools.embedder is not None:
            await self._fill_in_vectors(source, self._tools.embedder)
        if not self._dry_run:
            await self._tools.sources.mark_synced(source.id)

    async def _sync_documents(self, work: _Work, urls: Sequence[str]) -> None:
        inspector = Inspector(self._tools.reader, work.source)
        findings = await run_all(inspector.inspect(url, work.known.get(url)) for url in urls)
        for finding in findings:
            match finding:
                case Finding(state="failed"):
                    await self._fail(finding, finding.reason)
                case Finding(state="gone", known=KnownDocument() as document):
                    work.gone.append(document)
                case Finding(state="unchanged" | "refreshed", known=KnownDocument() as document):
                    await self._keep(document, finding.draft)
                case _:
                    pass
        await self._store(work.source, [found for found in findings if found.state == "changed"])

    async def _keep(self, document: KnownDocument, draft: Draft | None) -> None:
        self.report.documents.unchanged += 1
        self.report.chunks.kept += document.chunks
        if self._dry_run:
            return
        if draft is not None:
            await self._tools.documents.refresh(document.id, draft.fingerprint)
        elif document.last_error is not None:
            await self._tools.documents.note_error(document.id, None)

    async def _store(self, source: Source, changed: Sequence[Finding]) -> None:
        versions = await self._versions(source, changed)
        embedded = Embedded()
        if self._tools.embedder is not None:
            chunks = [chunk for version in versions for chunk in version.chunks]
            embedded = await self._tools.embedder.embed(chunks)
        for finding, version in zip(changed, versions, strict=True):
            hashes = {chunk.content_hash for chunk in version.chunks}
            reasons = [embedded.failed[key] for key in hashes & embedded.failed.keys()]
            if reasons:
                await self._fail(finding, reasons[0])
            else:
                await self._swap(finding, version, embedded)

    async def _versions(self, source: Source, changed: Sequence[Finding]) -> list[Version]:
        fresh = [finding.url for finding in changed if finding.known is None]
        identities = await self._tools.documents.identities(source.id, fresh) if fresh else {}
        identities |= {finding.url: finding.known.identity for finding in changed if finding.known}
        return [
            _version(
                source,
                Page(identities[finding.url], finding.url, finding.draft.title),
                finding.draft,
            )
            for finding in changed
            if finding.draft
        ]

    async def _swap(self, finding: Finding, version: Version, embedded: Embedded) -> None:
        """Put the new version in the place of the old one, and count what that changed."""
        known = finding.known
        before = await self._tools.documents.chunk_ids(known.id) if known else set()
        if not self._dry_run:
            try:
                await self._tools.documents.save(version, embedded.vectors)
            except psycopg.Error as error:
                # What one document holds may be refused; it must not keep the others out.
                _log.exception("document_not_stored", url=finding.url)
                await self._fail(finding, f"cannot be stored: {error}")
                return
        after = {chunk.id for chunk in version.chunks}
        made = {chunk.content_hash for chunk in version.chunks} & embedded.made
        embedded.made -= made  # a text that several documents hold was embedded once
        reused = len(after & before) if self._tools.embedder is None else len(after) - len(made)
        self.report.documents.new += known is None
        self.report.documents.changed += known is not None
        self.report.chunks.embedded += len(made)
        self.report.chunks.kept += reused
        self.report.chunks.removed += len(before - after)

    async def _fail(self, finding: Finding, reason: str) -> None:
        """Report a document that could not be brought up to date; what is stored of it stays."""
        self.report.fail(finding.url, reason)
        if finding.known is not None:
            self.report.chunks.kept += finding.known.chunks
            if not self._dry_run:
                await self._tools.documents.note_error(finding.known.id, reason)

    def _compare_listing(self, work: _Work, listing: Listing) -> None:
        """Take what a complete listing misses for gone."""
        if not listing.is_complete:
            self.report.fail(work.source.root_url, listing.problem)
            return
        if not listing.urls and work.known:
            reason = f"lists nothing any more; its {len(work.known)} documents are kept"
            self.report.fail(work.source.root_url, reason)
            return
        listed = set(listing.urls)
        work.gone += [document for url, document in work.known.items() if url not in listed]

    async def _remove(self, document: KnownDocument) -> None:
        self.report.documents.removed += 1
        self.report.chunks.removed += document.chunks
        if not self._dry_run:
            await self._tools.documents.remove(document.id)

    async def _fill_in_vectors(self, source: Source, embedder: Embedder) -> None:
        """Give vectors to stored chunks without one, after a change of the model for example."""
        last = ""
        known_failures = {failure.url for failure in self.report.failures}
        while bare := await embedder.vectors.missing(source.id, after=last, limit=_CHUNKS_AT_ONCE):
            last = bare[-1].id
            embedded = await embedder.embed(bare)
            if not self._dry_run:
                await embedder.vectors.add(bare, embedded.vectors)
            self.report.chunks.embedded += len(embedded.made)
            self.report.chunks.kept -= len(embedded.made)
            failed = {
                chunk.url: embedded.failed[chunk.content_hash]
                for chunk in bare
                if chunk.content_hash in embedded.failed
            }
            for url in failed.keys() - known_failures:
                self.report.fail(url, failed[url])
            known_failures |= failed.keys()


def _version(source: Source, page: Page, draft: Draft) -> Version:
    return Version(
        source_id=source.id,
        page=page,
        text=draft.text,
        fingerprint=draft.fingerprint,
        fetched_at=datetime.now(UTC),
        chunks=make_chunks(page, draft.pieces),
    )
