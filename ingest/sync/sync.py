"""Updates the stored documents from the sources, alone or together with other processes.

Work that was done before a crash is kept, and the next sync continues from there. A failure of a
source or a document is reported and does not stop the others. A lost database stops the sync, and
so does an embedding model that keeps failing.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import monotonic

from ingest.clocks import PostgresClocks
from ingest.sync.connected import ConnectedReader, ReadingLimits, open_connector
from ingest.sync.inspection import DocumentReader, Inspector
from ingest.sync.locks import Lock, LockConnection, PostgresRuns, open_lock_session
from ingest.sync.preparing import Preparer
from ingest.sync.report import SyncProgress, SyncReport
from ingest.sync.rounds import POLL_S, Round, Rounds
from ingest.sync.source_sync import RoundContext, SourceSync
from rich_agent.documents.connectors.connections import Connecting
from rich_agent.documents.connectors.port import ConnectorError
from rich_agent.documents.fetch.outcomes import Listing
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.index.claims import prune_staged_vectors
from rich_agent.documents.index.embedding import Embedder, ModelGivenUpError
from rich_agent.documents.index.language_sample import Embedders, learn_trust
from rich_agent.documents.index.search_index import refresh_search
from rich_agent.documents.index.vector_index import build_vector_index, drop_vector_index
from rich_agent.documents.index.vector_spaces import (
    OpenSpace,
    delete_space,
    find_space,
    is_complete,
    open_space,
    superfluous_spaces,
    switch_to,
)
from rich_agent.documents.index.writing import GroupWriter, VectorTarget
from rich_agent.documents.source import Source
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import DatabaseUnavailableError, RichAgentError
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Pool, checkout


@dataclass(frozen=True, slots=True)
class Upkeep:
    """The parts that upkeep needs; messages for the person are added to `notes`.

    `questions` embeds as questions are embedded, None without a model that answers.
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
    await _lock(upkeep)
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
        for old in await superfluous_spaces(connection, upkeep.began, space):
            await drop_vector_index(connection, old.model, old.dimensions)
            await delete_space(connection, old)


async def _lock(upkeep: Upkeep) -> None:
    while not await upkeep.locks.try_lock(Lock.SEARCH_INDEX, 0):  # noqa: ASYNC110 - in PostgreSQL
        await asyncio.sleep(POLL_S)


@dataclass(frozen=True, slots=True)
class SyncTools:
    """The tools that a sync works with; without a model, chunks get no vectors.

    `model` embeds questions; `most_bytes` is the largest size of a file. `connecting` opens
    connected sources, whose failed documents are tried again after `retry_after_s`.
    """

    pool: Pool
    reader: SourceReader
    model: EmbeddingModel | None
    most_bytes: int
    connecting: Connecting | None = None
    retry_after_s: float = 0.0


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

    async def run(self, sources: Sequence[Source]) -> SyncReport:
        """Sync these sources one after the other, and record the run.

        Raises: DatabaseUnavailableError.
        """
        start = monotonic()
        pool = self._tools.pool
        async with (
            open_lock_session(pool) as locks,
            PostgresRuns(pool).recorded(locks, self.report) as began,
        ):
            try:
                target = await self._open_target()
                await self._sync_all(sources, Rounds(locks, began), target)
                space = target.space if target else None
                await keep_up(self._upkeep(locks, began), space)
            finally:
                self._add_up(monotonic() - start)
        return self.report

    def _upkeep(self, locks: LockConnection, began: datetime) -> Upkeep:
        embedders = None
        if self._embedder and self._questions and not self._embedder.has_given_up:
            embedders = Embedders(self._questions, self._embedder)
        return Upkeep(self._tools.pool, locks, began, self._progress, self.report.notes, embedders)

    async def _open_target(self) -> VectorTarget | None:
        model = self._tools.model
        if model is None or self._embedder is None:
            return None
        async with checkout(self._tools.pool) as connection:
            space = await open_space(connection, VectorSpace(model.name, model.dimensions))
        return VectorTarget(space, self._embedder)

    async def _sync_all(
        self, sources: Sequence[Source], rounds: Rounds, target: VectorTarget | None
    ) -> None:
        try:
            for source in sources:
                self.report.sources.append(source.name)
                await self._sync_source(source, rounds, target)
        except ModelGivenUpError as error:
            self.report.notes.append(str(error))

    async def _sync_source(
        self, source: Source, rounds: Rounds, target: VectorTarget | None
    ) -> None:
        clocks = PostgresClocks(self._tools.pool)
        began = await clocks.begin()
        try:
            async with self._open_reader(source) as reader:
                sync_round = await rounds.enter(source, partial(self._list, reader))
                if sync_round is None:
                    return
                if self._force:
                    await rounds.force(sync_round)
                self._progress.begin(source.name, sync_round.documents)
                context = self._context(reader, source, rounds, target)
                problems = await SourceSync(context, source, sync_round).run()
                await rounds.leave(sync_round)
                trouble = self._trouble(reader, sync_round, problems)
                await clocks.note(source.id, "content", began, trouble)
        except ModelGivenUpError as error:
            await clocks.note(source.id, "content", began, error)
            raise
        except DatabaseUnavailableError:
            raise
        except RichAgentError as error:
            self.report.fail(source.root_url, error.explain())
            await clocks.note(source.id, "content", began, error)

    def _trouble(
        self, reader: DocumentReader, sync_round: Round, problems: Sequence[str]
    ) -> ConnectorError | None:
        if isinstance(reader, ConnectedReader):
            self.report.documents.unchanged += reader.unchanged
            if reader.trouble:
                return reader.trouble
        # What is left is for the operator to decide.
        is_refused = bool(problems) and not sync_round.problem
        return ConnectorError(problems[0], is_refused=is_refused) if problems else None

    @asynccontextmanager
    async def _open_reader(self, source: Source) -> AsyncIterator[DocumentReader]:
        tools = self._tools
        if source.type != "connected" or tools.connecting is None:
            yield tools.reader
            return
        limits = ReadingLimits(tools.most_bytes, tools.retry_after_s)
        async with open_connector(tools.pool, tools.connecting, source.id) as connector:
            yield ConnectedReader(tools.pool, source.id, connector, limits)

    def _note_progress(self, chunks: int, tokens: int) -> None:
        self._progress.advance(chunks=chunks, tokens=tokens)

    async def _list(self, reader: DocumentReader, source: Source) -> Listing:
        listing = await reader.list_documents(source)
        self.report.note_skipped(source.name, listing.skipped)
        return listing

    def _context(
        self, reader: DocumentReader, source: Source, rounds: Rounds, target: VectorTarget | None
    ) -> RoundContext:
        tools = self._tools
        inspector = Inspector(reader, source, tools.most_bytes, self._progress.say)
        return RoundContext(
            pool=tools.pool,
            rounds=rounds,
            preparer=Preparer(tools.pool, source, inspector, target.space if target else None),
            writer=GroupWriter(tools.pool, target),
            report=self.report,
            progress=self._progress,
            connected=reader if isinstance(reader, ConnectedReader) else None,
        )

    def _add_up(self, seconds: float) -> None:
        self.report.seconds = round(seconds, 3)
        if self._embedder is not None and self._questions is not None:
            self.report.embedding_calls = self._embedder.calls + self._questions.calls
            self.report.tokens.embedded = self._embedder.tokens + self._questions.tokens
            self.report.model_is_away = self._embedder.failures > 0
