"""A dry run: reports what a sync would do and cost. Writes nothing, and takes no locks."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from ingest.sync.connected import UnstoredReader, open_connector, read_rights
from ingest.sync.inspection import REMOVED_STATES, DocumentReader, Inspector
from ingest.sync.preparing import Preparer
from ingest.sync.removal import listing_problem, refusal
from ingest.sync.report import Planned, SyncProgress, SyncReport
from ingest.sync.source_sync import count_finding, count_item
from rich_agent.documents.connectors.connections import Connecting
from rich_agent.documents.fetch.outcomes import Listing
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.index.groups import Item
from rich_agent.documents.index.vector_spaces import OpenSpace, find_space
from rich_agent.documents.index.writing import WrittenItem
from rich_agent.documents.registry.uploads import UploadReader
from rich_agent.documents.source import Source
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.text import counted, estimate_tokens
from rich_agent.errors import DatabaseUnavailableError, RichAgentError
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.database.repository import fetch_all
from rich_agent.repositories.knowledge.places import PostgresPlaces

_STORED = "SELECT url, chunk_count FROM rag_documents WHERE source_id = %s"
_CHUNK_IDS = "SELECT id FROM rag_chunks WHERE document_id = ANY(%s)"


class DryRun:
    """One dry run. Without a space, no vectors are counted."""

    def __init__(
        self,
        pool: Pool,
        reader: SourceReader,
        space: VectorSpace | None,
        progress: SyncProgress,
        connecting: Connecting | None = None,
    ) -> None:
        self.planned = Planned()
        self.report = SyncReport(planned=self.planned)
        self._pool = pool
        self._reader = reader
        self._space = space
        self._progress = progress
        self._connecting = connecting
        self._embedded: set[str] = set()

    async def run(self, sources: Sequence[Source], most_bytes: int) -> SyncReport:
        """Report the changes that a sync of these sources would make, and estimate its tokens.

        Raises: DatabaseUnavailableError.
        """
        start = monotonic()
        space = await self._find_space()
        for source in sources:
            try:
                async with self._open_reader(source, most_bytes) as reader:
                    listing = await reader.list_documents(source)
                    inspector = Inspector(reader, source, most_bytes, self._progress.say)
                    preparer = Preparer(self._pool, source, inspector, space)
                    await self._plan(source, listing, preparer)
                    if isinstance(reader, UnstoredReader) and listing.is_complete:
                        await self._compare_rights(source, reader)
            except DatabaseUnavailableError:
                raise
            except RichAgentError as error:
                self.report.fail(source.root_url, error.explain())
        self.report.seconds = round(monotonic() - start, 3)
        return self.report

    async def _find_space(self) -> OpenSpace | None:
        if self._space is None:
            return None
        async with checkout(self._pool) as connection:
            return await find_space(connection, self._space)

    @asynccontextmanager
    async def _open_reader(self, source: Source, most_bytes: int) -> AsyncIterator[DocumentReader]:
        if source.type == "upload":
            yield UploadReader(self._pool)
            return
        if source.type != "connected" or self._connecting is None:
            yield self._reader
            return
        async with open_connector(self._pool, self._connecting, source.id) as connector:
            yield UnstoredReader(connector, most_bytes)

    async def _plan(self, source: Source, listing: Listing, preparer: Preparer) -> None:
        self.report.sources.append(source.name)
        self.report.note_skipped(source, listing.skipped)
        self._progress.begin(source.name, len(listing.urls))
        missing_urls: set[str] = set()
        async for batch in preparer.look_through(listing.urls):
            missing_urls |= {
                finding.url for finding in batch.findings if finding.state in REMOVED_STATES
            }
            for finding in batch.findings:
                count_finding(self.report, finding)
            for item in batch.items:
                await self._count(item)
            self._progress.advance(documents=len(batch.findings))
        await self._compare_listing(source, listing, missing_urls)

    async def _count(self, item: Item) -> None:
        new_texts = {
            content_hash: text
            for content_hash, text in item.new_texts.items()
            if content_hash not in self._embedded
        }
        self._embedded |= new_texts.keys()
        self.report.tokens.embedded += sum(map(estimate_tokens, new_texts.values()))
        removals: set[str] = set()
        if item.version is not None:
            (self.planned.changed if item.known else self.planned.new).append(item.url)
            stored_chunk_ids = await self._chunk_ids(item.known.id) if item.known else set()
            removals = stored_chunk_ids - {chunk.id for chunk in item.chunks}
        result = WrittenItem(item, embedded=len(new_texts), removed=len(removals))
        count_item(self.report, result, has_vectors=self._space is not None)

    async def _compare_listing(
        self, source: Source, listing: Listing, missing_urls: set[str]
    ) -> None:
        rows = await self._rows(_STORED, source.id)
        problem = listing_problem(
            is_complete=listing.is_complete,
            problem=listing.problem,
            listing_count=len(listing.urls),
            stored_count=len(rows),
        )
        is_whole = listing.is_complete and not problem
        present_urls = set(listing.urls) if is_whole else {row["url"] for row in rows}
        missing_rows = [
            row for row in rows if row["url"] in missing_urls or row["url"] not in present_urls
        ]
        too_many = refusal(len(missing_rows), len(rows), source)
        for reason in filter(None, (problem, too_many)):
            self.report.fail(source.root_url, reason)
        if not too_many:
            self.report.documents.removed += len(missing_rows)
            self.planned.removed += sorted(row["url"] for row in missing_rows)
            self.report.chunks.removed += sum(row["chunk_count"] for row in missing_rows)

    async def _compare_rights(self, source: Source, reader: UnstoredReader) -> None:
        place_accesses, groups = await read_rights(reader.connector)
        place_store = PostgresPlaces(self._pool)
        changes = await place_store.compare(source.id, place_accesses, groups, reader.places)
        self.planned.opened += changes.opened
        self.planned.closed += changes.closed
        if not changes.is_nothing:
            opened_count, closed_count = len(changes.opened), len(changes.closed)
            self.report.notes.append(
                f"{source.name}: {counted(changes.places, 'place')} would have other readers; "
                f"{counted(opened_count, 'document')} would be open to more people, "
                f"{counted(closed_count, 'document')} to fewer"
            )
        elif place_accesses:
            self.report.notes.append(f"{source.name}: nobody would read more or less than now")

    async def _chunk_ids(self, document_id: int) -> set[str]:
        return {row["id"] for row in await self._rows(_CHUNK_IDS, [document_id])}

    async def _rows(self, query: str, parameter: object) -> list[dict[str, Any]]:
        async with checkout(self._pool) as connection:
            return await fetch_all(connection, query, (parameter,))
