"""Several syncs at once: they share the work, embed nothing twice, and take over from the dead."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typing_extensions import override

from ingest.sync.locks import Lock, LockConnection, open_lock_session
from ingest.sync.report import SyncReport
from ingest.sync.rounds import Batch, Round, Rounds
from rich_agent.documents.fetch.outcomes import Listing
from rich_agent.documents.source import Source
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Databases, open_pool
from tests.integration.ingest_support import Library, Renamed, document, open_library
from tests.sandbox_server import RunningSandbox

DEADLINE_S = 30.0


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
    """So many small documents."""
    folder.mkdir(exist_ok=True)
    for number in range(count):
        text = f"# Note {number}\n\nWords of note number {number}.\n"
        (folder / f"{number:05}.md").write_text(text, "utf-8")


def merged(reports: Sequence[SyncReport]) -> tuple[int, int, int]:
    """New documents, embedded chunks and failures of all reports."""
    return (
        sum(report.documents.new for report in reports),
        sum(report.chunks.embedded for report in reports),
        sum(report.documents.failed for report in reports),
    )


@pytest.mark.costs("two syncs read many documents")
@pytest.mark.req("RAG-5", "COST-2")
async def test_two_syncs_share_the_work(
    library: Library, database_url: str, tmp_path: Path
) -> None:
    """Both do some of it, each text is embedded once, and their reports add up."""
    write_notes(tmp_path / "notes", 1400)
    await library.add(tmp_path / "notes")
    async with another(library, database_url) as other:
        gates = [Gate(library.model), Gate(library.model)]
        tasks = [
            asyncio.create_task(replace(one, model=gate).sync())
            for one, gate in zip((library, other), gates, strict=True)
        ]
        async with asyncio.timeout(DEADLINE_S):
            for gate in gates:
                await gate.reached.wait()
            for gate in gates:
                gate.opened.set()
            reports = await asyncio.gather(*tasks)
    assert merged(reports) == (1400, 1400, 0)
    assert all(report.documents.new for report in reports)
    texts = library.embedded_texts()
    assert len(texts) == len(set(texts)) == 1400
    assert await library.rows("SELECT FROM rag_sync_rounds") == []
    runs = await library.rows("SELECT status FROM rag_sync_runs")
    assert [run["status"] for run in runs] == ["done", "done"]


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
async def test_sync_takes_over_what_another_had_in_hand(
    library: Library, database_url: str, tmp_path: Path
) -> None:
    """The batch of one that ends in the middle is free at once; nothing is lost or doubled."""
    write_notes(tmp_path / "notes", 700)
    await library.add(tmp_path / "notes")
    gate = Gate(library.model)
    async with another(library, database_url) as other, asyncio.timeout(DEADLINE_S):
        dying = asyncio.create_task(replace(library, model=gate).sync())
        await gate.reached.wait()
        heir = asyncio.create_task(other.sync())
        await until(lambda: library.rows("SELECT FROM rag_sync_runs OFFSET 1"))
        dying.cancel()
        await asyncio.gather(dying, return_exceptions=True)
        report = await heir
    assert (report.documents.new, report.failures) == (700, [])
    assert len(await library.chunk_ids()) == 700
    assert await library.rows("SELECT FROM rag_sync_rounds") == []


@pytest.mark.req("RAG-5")
async def test_dry_run_takes_no_part(library: Library, database_url: str, tmp_path: Path) -> None:
    """While another sync is in the middle it tells the whole, and leaves the round alone."""
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


# Rounds by themselves


LOCKS = """
SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND datname = current_database()
"""


def listed(*urls: str) -> Callable[[Source], Awaitable[Listing]]:
    """Lists these addresses."""

    async def list_documents(_source: Source) -> Listing:
        return Listing(urls, is_complete=True)

    return list_documents


async def never(_source: Source) -> Listing:
    """A listing that must not be asked for."""
    raise AssertionError("the source was listed")


URLS = tuple(f"https://a.example/{number:03}" for number in range(100))
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


async def enter(
    locks: LockConnection, source: Source, list_documents: Callable[[Source], Awaitable[Listing]]
) -> tuple[Rounds, Round]:
    """Take part in the round of a source."""
    rounds = Rounds(locks, LONG_AGO)
    entered = await rounds.enter(source, list_documents)
    assert entered is not None
    return rounds, entered


async def claim_all(rounds: Rounds, entered: Round) -> list[Batch]:
    """Every batch that is free."""
    batches: list[Batch] = []
    while batch := await rounds.claim(entered):
        batches.append(batch)
    return batches


async def test_round_is_listed_once_and_shared_in_batches(library: Library) -> None:
    """A late process takes the batches that are left; only one may end the round."""
    source = await library.add("https://a.example/urls.txt", kind="url-list")
    async with (
        open_lock_session(library.pool) as locks,
        open_lock_session(library.pool) as other_locks,
    ):
        rounds, entered = await enter(locks, source, listed(*URLS))
        first = await rounds.claim(entered)
        assert first is not None
        others, joined = await enter(other_locks, source, never)
        assert joined == entered
        (second,) = await claim_all(others, joined)
        assert first.urls + second.urls == URLS
        assert await claim_all(rounds, entered) == []
        await others.complete(second.id, [])
        assert await others.state(joined) == "open"
        await rounds.complete(first.id, [])
        assert [await rounds.try_end(entered), await others.try_end(joined)] == [True, False]


async def test_round_goes_to_the_living(library: Library) -> None:
    """The batches of a participant that is gone are free, and so is the end of the round."""
    source = await library.add("https://a.example/urls.txt", kind="url-list")
    async with open_lock_session(library.pool) as locks:
        async with open_lock_session(library.pool) as dying:
            lost, entered = await enter(dying, source, listed(*URLS))
            rounds, joined = await enter(locks, source, never)
            held = await claim_all(lost, entered)
            assert await claim_all(rounds, joined) == []
        batches = await claim_all(rounds, joined)
        assert batches == held
        for batch in batches:
            await rounds.complete(batch.id, [])
        assert await rounds.try_end(joined)


async def test_round_without_participants_is_begun_anew(library: Library) -> None:
    """The remains of a crash say nothing about the source as it is now."""
    source = await library.add("https://a.example/urls.txt", kind="url-list")
    async with open_lock_session(library.pool) as locks:
        await enter(locks, source, listed(*URLS))
    async with open_lock_session(library.pool) as locks:
        rounds, entered = await enter(locks, source, listed(*URLS[:3]))
        (batch,) = await claim_all(rounds, entered)
        assert batch.urls == URLS[:3]


async def test_round_that_ended_meanwhile_is_not_repeated(library: Library) -> None:
    """A sync that began before the end of the round leaves the source be; a later one does not."""
    source = await library.add("https://a.example/urls.txt", kind="url-list")
    (row,) = await library.rows("SELECT clock_timestamp() AS began")
    await library.rows("UPDATE rag_sources SET last_synced_at = clock_timestamp() RETURNING id")
    async with open_lock_session(library.pool) as locks:
        assert await Rounds(locks, row["began"]).enter(source, never) is None
        (row,) = await library.rows("SELECT clock_timestamp() AS began")
        assert await Rounds(locks, row["began"]).enter(source, listed(*URLS)) is not None


async def test_round_waits_while_another_lists(library: Library) -> None:
    """A slow listing is made once."""
    source = await library.add("https://a.example/urls.txt", kind="url-list")
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(_source: Source) -> Listing:
        asked.set()
        await go_on.wait()
        return Listing(URLS, is_complete=True)

    async with (
        open_lock_session(library.pool) as locks,
        open_lock_session(library.pool) as other_locks,
        asyncio.timeout(DEADLINE_S),
    ):
        first = asyncio.create_task(enter(locks, source, slowly))
        await asked.wait()
        second = asyncio.create_task(enter(other_locks, source, never))
        await asyncio.sleep(0)
        go_on.set()
        assert (await first)[1] == (await second)[1]


async def test_seat_gives_all_locks_back(library: Library) -> None:
    """Also those of a block that breaks."""

    async def break_down() -> None:
        async with open_lock_session(library.pool) as locks:
            assert await locks.try_lock(Lock.BATCH, 7)
            assert await locks.try_lock(Lock.ROUND, 7, is_shared=True)
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        await break_down()
    assert await library.rows(LOCKS) == []
