"""Several syncs at once: a source has one owner, whose work goes to the next when it dies."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from typing_extensions import override

from ingest.sync.report import Failure, SyncReport
from ingest.sync.runs import PostgresRuns
from ingest.sync.sync import Sync, SyncTools
from rich_agent.documents.clocks import SOURCE_WORK
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.index.locks import Lock, open_lock_session
from rich_agent.documents.registry.progress import SyncProgressReader
from rich_agent.documents.registry.source_clocks import PostgresClocks
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.source import Source
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.due_work import DueRow, DueWork, NextRun
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Databases, one_transaction, open_pool
from rich_agent.repositories.due_work import PostgresDueWork, prompt_due
from rich_agent.repositories.inbox.inbox import PostgresInbox
from tests.integration.ingest_support import (
    FETCHING,
    Library,
    Renamed,
    Silent,
    document,
    open_library,
)
from tests.sandbox_server import RunningSandbox

DEADLINE_S = 30.0
WAITING = "waiting for another sync"
LOCKS = """
SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND datname = current_database()
"""


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources, over a model that has not been called."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


@asynccontextmanager
async def another(library: Library, url: str) -> AsyncIterator[Library]:
    """The same library, as another process sees it."""
    async with open_pool(url, 5) as pool:
        yield replace(library, pool=pool)


class Gate(Renamed):
    """A model that answers when its gate is opened."""

    def __init__(self, model: EmbeddingModel) -> None:
        super().__init__(model, model.name)
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()

    @override
    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        self.reached.set()
        await self.opened.wait()
        return await super().embed(texts)


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    """Wait for something that happens in the database."""
    async with asyncio.timeout(DEADLINE_S):
        while not await condition():  # noqa: ASYNC110 - the event is in the database
            await asyncio.sleep(0.01)


def write_notes(folder: Path, count: int) -> None:
    """So many small documents, which are of no other folder."""
    folder.mkdir(exist_ok=True)
    for number in range(count):
        text = f"# Note {number}\n\nWords of note number {number} of {folder.name}.\n"
        (folder / f"{number:05}.md").write_text(text, "utf-8")


@dataclass(slots=True)
class Talk(Silent):
    """Progress that remembers its messages."""

    messages: list[str] = field(default_factory=list)

    @override
    def say(self, words: str) -> None:
        """See `SyncProgress.say`."""
        self.messages.append(words)


async def talking_sync(library: Library, source: Source, talk: Talk) -> SyncReport:
    """A sync of one source whose messages are kept."""
    async with SourceReader(FETCHING) as reader:
        tools = SyncTools(library.databases, reader, library.model, FETCHING.max_bytes)
        return await Sync(tools, talk).run([source])


async def waiting_behind(library: Library, talk: Talk) -> None:
    """Return once a sync waits for the owner of a source."""

    async def has_waiter() -> bool:
        return bool(talk.messages)

    await until(has_waiter)
    assert talk.messages == [f"{(await PostgresSources(library.pool).all())[0].name}: {WAITING}"]


@pytest.mark.req("RAG-5", "COST-2")
async def test_syncs_that_wait_for_a_source_read_it_once_more(
    library: Library, database_url: str, tmp_path: Path
) -> None:
    """They say that they wait; one reads it again, the other leaves it be, and nothing is paid."""
    write_notes(tmp_path / "notes", 30)
    source = await library.add(tmp_path / "notes")
    gate, talks = Gate(library.model), (Talk(), Talk())
    async with another(library, database_url) as other, asyncio.timeout(DEADLINE_S):
        owner = asyncio.create_task(replace(library, model=gate).sync())
        await gate.reached.wait()
        waiting = [asyncio.create_task(talking_sync(other, source, talk)) for talk in talks]
        for talk in talks:
            await waiting_behind(library, talk)
        gate.opened.set()
        reports = [await owner, *[await one for one in waiting]]
    assert [report.documents.new for report in reports] == [30, 0, 0]
    assert [report.failures for report in reports] == [[], [], []]
    assert sorted(report.documents.unchanged for report in reports) == [0, 0, 30]
    notes = [note for report in reports for note in report.notes]
    assert notes == [f"{source.name}: another sync has read it meanwhile"]
    texts = library.embedded_texts()
    assert len(texts) == len(set(texts)) == 30
    runs = await library.rows("SELECT status, source FROM rag_sync_runs")
    assert runs == [{"status": "done", "source": None}] * 3


@pytest.mark.req("RAG-5")
async def test_change_during_a_sync_is_read_by_the_one_that_waits_for_it(
    library: Library, database_url: str, tmp_path: Path
) -> None:
    """A file that comes after the listing is stored when the work that it made due is done."""
    write_notes(tmp_path / "notes", 3)
    source = await library.add(tmp_path / "notes")
    content, gate, talk = SOURCE_WORK["content"], Gate(library.model), Talk()
    await PostgresClocks(library.databases).set(source.id, "content", "", is_due=False)
    async with (
        another(library, database_url) as other,
        PostgresInbox(library.pool) as inbox,
        asyncio.timeout(DEADLINE_S),
    ):
        queue = PostgresDueWork(library.pool, inbox)
        by_hand = asyncio.create_task(replace(library, model=gate).sync())
        await gate.reached.wait()
        (tmp_path / "notes" / "late.md").write_text("# Late\n\nWords that came late.\n", "utf-8")
        async with one_transaction(library.pool) as connection:
            await prompt_due(connection, content, source.id)
        row = await queue.claim({content: DueWork(do_nothing)})
        assert row is not None
        of_worker = asyncio.create_task(talking_sync(other, source, talk))
        await waiting_behind(library, talk)
        gate.opened.set()
        await asyncio.gather(by_hand, of_worker)
        await queue.finish(row, None)
    assert await library.rows("SELECT FROM due_work") == []
    assert len(await library.rows("SELECT FROM rag_documents WHERE url LIKE '%%late.md'")) == 1


async def do_nothing(_row: DueRow) -> NextRun | None:
    """Work that the test does itself."""
    return None


@pytest.mark.req("RAG-5")
async def test_two_syncs_begin_with_different_sources(
    library: Library, database_url: str, tmp_path: Path
) -> None:
    """Sources of other syncs come last, so two machines read two sources at once."""
    for name in ("one", "two"):
        write_notes(tmp_path / name, 3)
    first, second = [await library.add(tmp_path / name) for name in ("one", "two")]
    gate = Gate(library.model)
    stored = "SELECT FROM rag_documents WHERE source_id = %s"
    async with another(library, database_url) as other, asyncio.timeout(DEADLINE_S):
        owner = asyncio.create_task(replace(library, model=gate).sync(only=[first]))
        await gate.reached.wait()
        both = asyncio.create_task(other.sync(only=[first, second]))
        await until(lambda: library.rows(stored, second.id))
        assert not await library.rows(stored, first.id)
        gate.opened.set()
        reports = [await owner, await both]
    assert [report.documents.new for report in reports] == [3, 3]
    assert reports[1].sources == [second.name, first.name]


async def test_forced_sync_reads_again_what_it_waited_for(
    library: Library, database_url: str, tmp_path: Path
) -> None:
    """The owner keeps what is gone in numbers; the one that was told to removes it."""
    write_notes(tmp_path / "notes", 12)
    await library.add(tmp_path / "notes")
    await library.sync()
    for file in sorted((tmp_path / "notes").iterdir())[:10]:
        file.unlink()
    (tmp_path / "notes" / "new.md").write_text("# New\n\nWords of the new note.\n", "utf-8")
    gate = Gate(library.model)
    async with another(library, database_url) as other, asyncio.timeout(DEADLINE_S):
        owner = asyncio.create_task(replace(library, model=gate).sync())
        await gate.reached.wait()
        forced = asyncio.create_task(other.sync(force=True))
        await until(lambda: library.rows("SELECT FROM rag_sync_runs OFFSET 2"))
        gate.opened.set()
        reports = [await owner, await forced]
    assert [report.documents.removed for report in reports] == [0, 10]


@pytest.mark.req("DUR-2", "COST-2")
async def test_two_syncs_embed_the_same_text_once(
    library: Library, database_url: str, tmp_path: Path
) -> None:
    """The second sync waits for the vector, and is not charged for it."""
    text = document("Shared", 6)
    for name in ("one", "two"):
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    first = await library.add(tmp_path / "one.md")
    second = await library.add(tmp_path / "two.md")
    gate = Gate(library.model)
    waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE %s"
    async with another(library, database_url) as other, asyncio.timeout(DEADLINE_S):
        ahead = asyncio.create_task(replace(library, model=gate).sync(only=[first]))
        await gate.reached.wait()
        behind = asyncio.create_task(other.sync(only=[second]))
        await until(lambda: library.rows(waiting, "%INSERT INTO rag_embedded_texts%"))
        gate.opened.set()
        reports = [await ahead, await behind]
    chunks = len(await library.chunk_ids()) // 2
    assert [report.chunks.embedded for report in reports] == [chunks, 0]
    assert [report.chunks.kept for report in reports] == [0, chunks]
    assert len(library.embedded_texts()) == chunks
    assert len(await library.rows("SELECT FROM rag_embeddings")) == 2 * chunks
    assert await library.rows("SELECT FROM rag_embedded_texts") == []


@pytest.mark.costs("two syncs read many documents")
@pytest.mark.req("RAG-5", "DUR-2")
async def test_waiting_sync_takes_over_from_the_dead(
    library: Library, database_url: str, tmp_path: Path
) -> None:
    """A source whose owner ends in the middle is free at once; nothing is lost or doubled."""
    write_notes(tmp_path / "notes", 700)
    source = await library.add(tmp_path / "notes")
    gate, talk = Gate(library.model), Talk()
    async with another(library, database_url) as other, asyncio.timeout(DEADLINE_S):
        dying = asyncio.create_task(replace(library, model=gate).sync())
        await gate.reached.wait()
        heir = asyncio.create_task(talking_sync(other, source, talk))
        await waiting_behind(library, talk)
        dying.cancel()
        await asyncio.gather(dying, return_exceptions=True)
        report = await heir
    assert (report.documents.new, report.failures) == (700, [])
    assert len(await library.chunk_ids()) == 700
    assert await library.rows(LOCKS) == []


async def test_sync_that_loses_its_lock_ends_and_removes_nothing(
    library: Library, database_url: str, tmp_path: Path
) -> None:
    """Without the lock another sync may own the source, which it then does."""
    write_notes(tmp_path / "notes", 3)
    source = await library.add(tmp_path / "notes")
    await library.sync()
    (tmp_path / "notes" / "00000.md").unlink()
    (tmp_path / "notes" / "new.md").write_text("# New\n\nWords of the new note.\n", "utf-8")
    gate = Gate(library.model)
    async with another(library, database_url) as other, asyncio.timeout(DEADLINE_S):
        owner = asyncio.create_task(replace(library, model=gate).sync())
        await gate.reached.wait()
        end = (
            "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) "
            "WHERE classid = %s AND datname = current_database()"
        )
        assert await other.rows(end, Lock.SOURCE)
        gate.opened.set()
        with pytest.raises(DatabaseUnavailableError):
            await owner
        assert len(await other.rows("SELECT FROM rag_documents")) == 4
        report = await other.sync(only=[source])
    assert (report.documents.removed, report.documents.unchanged) == (1, 3)


@pytest.mark.costs("a sync reads many documents")
async def test_source_that_is_removed_takes_no_more_documents(
    library: Library, tmp_path: Path
) -> None:
    """The sync that had it in hand stops at the next batch."""
    write_notes(tmp_path / "notes", 600)
    source = await library.add(tmp_path / "notes")
    gate = Gate(library.model)
    async with asyncio.timeout(DEADLINE_S):
        owner = asyncio.create_task(replace(library, model=gate).sync())
        await gate.reached.wait()
        await PostgresSources(library.pool).remove(source.id)
        gate.opened.set()
        report = await owner
    assert report.documents.new == 0
    assert report.documents.failed < 600
    assert await library.rows("SELECT FROM rag_documents") == []


async def test_status_tells_what_is_read_now_and_what_a_crash_left(
    library: Library, tmp_path: Path
) -> None:
    """The documents that are done, of how many; without its lock, the run is dead."""
    write_notes(tmp_path / "notes", 3)
    source = await library.add(tmp_path / "notes")
    runs, report = PostgresRuns(library.pool), SyncReport()
    progress = SyncProgressReader(library.pool)
    async with open_lock_session(library.pool) as locks, runs.recorded(locks, report) as run:
        await run.begin_listing(source)
        (reading,) = await progress.readings()
        assert (reading.documents, reading.done, reading.failed) == (None, 0, 0)
        await run.begin_reading(3)
        failure = Failure("https://notes.example/2", "not found\x00")
        assert await run.advance(source, 2, [failure])
        (reading,) = await progress.readings()
        assert reading.started_at > run.began
        assert (reading.source, reading.source_id) == (source.name, source.id)
        assert (reading.documents, reading.done, reading.failed) == (3, 2, 1)
        assert reading.last_failure == "https://notes.example/2: not found"
        assert str(os.getpid()) in reading.runner
        assert reading.is_running
        await locks.unlock(Lock.RUN, run.id)
        assert [one.is_running for one in await progress.readings()] == [False]
        await run.end_source()
        assert await progress.readings() == []


@pytest.mark.req("RAG-5")
async def test_dry_run_takes_no_part(library: Library, database_url: str, tmp_path: Path) -> None:
    """While another sync is in the middle it tells the whole, and waits for nobody."""
    write_notes(tmp_path / "notes", 30)
    await library.add(tmp_path / "notes")
    gate = Gate(library.model)
    async with another(library, database_url) as other, asyncio.timeout(DEADLINE_S):
        running = asyncio.create_task(replace(library, model=gate).sync())
        await gate.reached.wait()
        planned = await other.sync(dry_run=True)
        gate.opened.set()
        done = await running
    assert (planned.documents, planned.chunks) == (done.documents, done.chunks)
    # The sentences that try the model come on top.
    assert 0 < planned.tokens.embedded <= done.tokens.embedded
    assert len(await library.rows("SELECT FROM rag_sync_runs")) == 1


async def test_seat_gives_all_locks_back(library: Library) -> None:
    """Also those of a block that breaks."""

    async def break_down() -> None:
        async with open_lock_session(library.pool) as locks:
            assert await locks.try_lock(Lock.RUN, 7)
            assert await locks.try_lock(Lock.SOURCE, "handbook")
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        await break_down()
    assert await library.rows(LOCKS) == []
