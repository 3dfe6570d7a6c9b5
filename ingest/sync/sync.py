"""Updates the stored documents from the sources.

Only one sync at a time owns a source. Work done before a crash is kept, and the next sync continues
from there. A failure of a source or a document is reported and does not stop the others. A lost
database stops the sync, and so does an embedding model that keeps failing.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic

from ingest.sync.connected import ConnectedReader, ReadingLimits, open_connector
from ingest.sync.inspection import DocumentReader, Inspector
from ingest.sync.preparing import Preparer
from ingest.sync.report import ReportPart, SyncProgress, SyncReport
from ingest.sync.runs import PostgresRuns, SyncRun
from ingest.sync.scans import PageReading, ScanReader
from ingest.sync.source_sync import SourceContext, SourceSync
from rich_agent.documents.connectors.connections import Connecting
from rich_agent.documents.connectors.port import ConnectorError
from rich_agent.documents.fetch.outcomes import Listing
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.index.claims import prune_staged_vectors
from rich_agent.documents.index.embedding import Embedder, ModelGivenUpError
from rich_agent.documents.index.language_sample import Embedders, learn_trust
from rich_agent.documents.index.locks import Lock, LockConnection, open_lock_session, wait_for_lock
from rich_agent.documents.index.scanned_pages import prune_scanned_pages
from rich_agent.documents.index.search_index import refresh_search
from rich_agent.documents.index.vector_index import build_vector_index, drop_vector_index
from rich_agent.documents.index.vector_spaces import (
    OpenSpace,
    activate_first,
    delete_space,
    find_space,
    is_complete,
    open_space,
    superfluous_spaces,
    switch_to,
)
from rich_agent.documents.index.writing import GroupWriter, VectorTarget
from rich_agent.documents.registry.outcomes import measure_content, note_outcome
from rich_agent.documents.registry.source_clocks import PostgresClocks
from rich_agent.documents.registry.uploads import UploadReader
from rich_agent.documents.source import Source
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.text import counted
from rich_agent.errors import DatabaseUnavailableError, RichAgentError
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Databases, Pool, checkout
from rich_agent.repositories.knowledge.vector_search import read_progress


@dataclass(frozen=True, slots=True)
class Upkeep:
    """The parts that the upkeep after a sync needs.

    `began`: the start of the sync, by the database's clock.
    `notes`: the list that receives messages for the person who runs the sync.
    `embedders`: the embedders of questions and passages; None if no embedding model answers.
    """

    pool: Pool
    locks: LockConnection
    began: datetime
    progress: SyncProgress
    notes: list[str]
    embedders: Embedders | None


async def keep_up(upkeep: Upkeep, space: OpenSpace | None) -> None:
    """Refresh the search data, build the vector index, and switch to `space` if it is complete.

    Raises: DatabaseUnavailableError.
    """
    await wait_for_lock(upkeep.locks, Lock.SEARCH_INDEX, 0)
    try:
        await refresh_search(upkeep.pool)
        if space is not None:
            await _complete(upkeep, space)
        await _prune(upkeep, space)
    finally:
        await upkeep.locks.unlock(Lock.SEARCH_INDEX, 0)


async def _complete(upkeep: Upkeep, space: OpenSpace) -> None:
    async with checkout(upkeep.pool) as connection:
        # The first space becomes active while it is being filled.
        space = await find_space(connection, VectorSpace(space.model, space.dimensions))
        if not space.is_active and not await is_complete(connection, space):
            upkeep.notes.append(
                f"not all chunks have vectors of {space.model} yet; "
                "until then questions use those of the previous model"
            )
            return
    notes = [await build_vector_index(upkeep.pool, space, upkeep.progress.say)]
    if upkeep.embedders is not None:
        notes.append(await learn_trust(upkeep.pool, space, upkeep.embedders))
    upkeep.notes.extend(filter(None, notes))
    if not space.is_active:
        async with checkout(upkeep.pool) as connection:
            await switch_to(connection, space)


async def _prune(upkeep: Upkeep, space: OpenSpace | None) -> None:
    async with checkout(upkeep.pool) as connection:
        await prune_staged_vectors(connection)
        await prune_scanned_pages(connection)
        for old_space in await superfluous_spaces(connection, upkeep.began, space):
            await drop_vector_index(connection, old_space.model, old_space.dimensions)
            await delete_space(connection, old_space)


@dataclass(frozen=True, slots=True)
class SyncTools:
    """The tools of a sync.

    `model`: the embedding model; without it, chunks get no vectors.
    `vectors_later`: whether another process makes the vectors, after the sync.
    `most_bytes`: the largest size of a file.
    `connecting`: opens connected sources.
    `retry_after_s`: the time after which failed documents of connected sources are tried again.
    `pages`: the means to read pages without text.
    """

    databases: Databases
    reader: SourceReader
    model: EmbeddingModel | None
    most_bytes: int
    connecting: Connecting | None = None
    retry_after_s: float = 0.0
    pages: PageReading = field(default_factory=PageReading)
    vectors_later: bool = False

    @property
    def pool(self) -> Pool:
        """The database of documents."""
        return self.databases.rag


class Sync:
    """One sync; with `force`, it may remove any number of documents."""

    def __init__(self, tools: SyncTools, progress: SyncProgress, *, force: bool = False) -> None:
        self.report = SyncReport()
        self._tools = tools
        self._progress = progress
        self._force = force
        model = tools.model
        self._embedder = Embedder(model.of_passages(), self._note_progress) if model else None
        self._questions = Embedder(model) if model else None
        self._scans = ScanReader(tools.pool, tools.pages, self.report.pages)

    async def run(self, sources: Sequence[Source]) -> SyncReport:
        """Sync these sources one after the other, and record the run.

        Raises: DatabaseUnavailableError.
        """
        start = monotonic()
        pool = self._tools.pool
        async with (
            open_lock_session(pool) as locks,
            PostgresRuns(pool).recorded(locks, self.report) as run,
        ):
            try:
                space = await self._open_space()
                target = self._target(space)
                await self._sync_all(sources, run, target)
                await keep_up(self._upkeep(run), space)
                if space and target is None:
                    self.report.notes += await _await_vectors(pool, space)
            finally:
                self._add_up(monotonic() - start)
        return self.report

    def _upkeep(self, run: SyncRun) -> Upkeep:
        embedders = None
        is_called = not self._tools.vectors_later
        if is_called and self._embedder and self._questions and not self._embedder.has_given_up:
            embedders = Embedders(self._questions, self._embedder)
        notes = self.report.notes
        return Upkeep(self._tools.pool, run.locks, run.began, self._progress, notes, embedders)

    async def _open_space(self) -> OpenSpace | None:
        model = self._tools.model
        if model is None:
            return None
        async with checkout(self._tools.pool) as connection:
            space = await open_space(connection, VectorSpace(model.name, model.dimensions))
            if self._tools.vectors_later:
                await activate_first(connection, space)
        return space

    def _target(self, space: OpenSpace | None) -> VectorTarget | None:
        """The target of the vectors that this sync makes."""
        if space is None or self._embedder is None or self._tools.vectors_later:
            return None
        return VectorTarget(space, self._embedder)

    async def _sync_all(
        self, sources: Sequence[Source], run: SyncRun, target: VectorTarget | None
    ) -> None:
        """Sync these sources; sources that another sync owns come last."""
        waiting_sources: list[Source] = []
        try:
            for source in sources:
                if await run.locks.try_lock(Lock.SOURCE, source.id):
                    await self._sync_owned(source, run, target)
                else:
                    waiting_sources.append(source)
            for source in waiting_sources:
                self._progress.say(f"{source.name}: waiting for another sync")
                await wait_for_lock(run.locks, Lock.SOURCE, source.id)
                await self._sync_owned(source, run, target)
        except ModelGivenUpError as error:
            self.report.notes.append(str(error))

    async def _sync_owned(self, source: Source, run: SyncRun, target: VectorTarget | None) -> None:
        """Sync a source whose lock is held, and release the lock.

        If another sync has read the source meanwhile, it is not read again, unless forced.
        """
        self.report.sources.append(source.name)
        if not self._force and await _is_fresh(self._tools.pool, source, run.began):
            self.report.notes.append(f"{source.name}: another sync has read it meanwhile")
        else:
            await self._sync_and_note(source, run, target)
        await run.locks.unlock(Lock.SOURCE, source.id)

    async def _sync_and_note(
        self, source: Source, run: SyncRun, target: VectorTarget | None
    ) -> None:
        """Sync a source, and record the result with the source and in its clock."""
        clocks = PostgresClocks(self._tools.databases)
        began = await clocks.begin()
        part = ReportPart(self.report)
        await run.begin_listing(source)
        try:
            trouble: RichAgentError | None = await self._sync_source(source, run, target)
        except ModelGivenUpError as error:
            await self._note(source, run, part, error)
            await clocks.note(source.id, "content", began, error)
            raise
        except DatabaseUnavailableError:
            raise
        except RichAgentError as error:
            self.report.fail(source.root_url, error.explain())
            trouble = error
        await self._note(source, run, part, trouble)
        await clocks.note(source.id, "content", began, trouble)
        await run.end_source()

    async def _note(
        self, source: Source, run: SyncRun, part: ReportPart, trouble: RichAgentError | None
    ) -> None:
        """Record the outcome of a source, with its documents as they are stored now."""
        connection = run.locks.connection
        outcome = part.outcome(
            await run.now(),
            trouble.explain() if trouble else "",
            await measure_content(connection, source.id),
            tuple(self._scans.notes()),
        )
        await note_outcome(connection, source.id, outcome)

    async def _sync_source(
        self, source: Source, run: SyncRun, target: VectorTarget | None
    ) -> ConnectorError | None:
        """Read and store a source; return its problem, None if there is none."""
        async with self._open_reader(source) as reader:
            context = await self._context(reader, source, run, target)
            listing = await reader.list_documents(source)
            self.report.note_skipped(source, listing.skipped)
            self._progress.begin(source.name, len(listing.urls))
            # Each uploaded file that is gone was removed by a person.
            force = self._force or source.type == "upload"
            problems = await SourceSync(context, source, listing).run(force=force)
            return self._trouble(reader, listing, problems)

    def _trouble(
        self, reader: DocumentReader, listing: Listing, problems: Sequence[str]
    ) -> ConnectorError | None:
        if isinstance(reader, ConnectedReader):
            self.report.documents.unchanged += reader.unchanged
            if reader.trouble:
                return reader.trouble
        # Only the operator can decide about the other problems.
        is_refused = bool(problems) and not listing.problem
        return ConnectorError(problems[0], is_refused=is_refused) if problems else None

    @asynccontextmanager
    async def _open_reader(self, source: Source) -> AsyncIterator[DocumentReader]:
        tools = self._tools
        if source.type == "upload":
            yield UploadReader(tools.pool)
            return
        if source.type != "connected" or tools.connecting is None:
            yield tools.reader
            return
        limits = ReadingLimits(tools.most_bytes, tools.retry_after_s)
        due_urls = await self._scans.due(source.id)
        async with open_connector(tools.pool, tools.connecting, source.id) as connector:
            yield ConnectedReader(tools.pool, source.id, connector, limits, due_urls)

    def _note_progress(self, chunks: int, tokens: int) -> None:
        self._progress.advance(chunks=chunks, tokens=tokens)

    async def _context(
        self, reader: DocumentReader, source: Source, run: SyncRun, target: VectorTarget | None
    ) -> SourceContext:
        """The context of a reading that begins now."""
        tools = self._tools
        inspector = Inspector(reader, source, tools.most_bytes, self._progress.say, self._scans)
        return SourceContext(
            pool=tools.pool,
            run=run,
            began=await run.now(),
            preparer=Preparer(tools.pool, source, inspector, target.space if target else None),
            writer=GroupWriter(tools.pool, target),
            report=self.report,
            progress=self._progress,
            connected=reader if isinstance(reader, ConnectedReader) else None,
        )

    def _add_up(self, seconds: float) -> None:
        self.report.seconds = round(seconds, 3)
        self.report.notes.extend(self._scans.notes())
        for use in self._scans.meter.used_in():
            self.report.vision_calls += use["calls"]
            self.report.tokens.vision += use["input_tokens"] + use["output_tokens"]
        if self._embedder is not None and self._questions is not None:
            self.report.embedding_calls = self._embedder.calls + self._questions.calls
            self.report.tokens.embedded = self._embedder.tokens + self._questions.tokens
            self.report.model_is_away = self._embedder.failures > 0


async def _await_vectors(pool: Pool, space: OpenSpace) -> list[str]:
    """A note on the chunks that have no vectors yet, if there are any."""
    progress = await read_progress(pool, VectorSpace(space.model, space.dimensions))
    if not progress.missing:
        return []
    note = (
        f"{progress.missing:,} of {counted(progress.chunks, 'chunk')} are found by their words "
        "until they have vectors, which the running bot makes; `ingest embed` makes them now"
    )
    return [note]


async def _is_fresh(pool: Pool, source: Source, since: datetime) -> bool:
    """Whether a sync that began to read the source after `since` has read all of it.

    A sync that began earlier may have missed a change since then.
    """
    query = "SELECT last_synced_at >= %s AS is_fresh FROM rag_sources WHERE id = %s"
    async with checkout(pool) as connection:
        row = await (await connection.execute(query, (since, source.id))).fetchone()
    return row is None or bool(row["is_fresh"])
