"""Workers sync sources as due work: one at a time, taken over, and told of once."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from rich_agent.features.connectors.clocks import SourceClocks, SourceNews
from rich_agent.features.connectors.syncing import _LONGEST_END_S, LEASE_S, SourceWork
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.due_work import PostgresDueWork
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.runtime.concurrency import alongside
from rich_agent.runtime.due_work import DueWorkLoop
from tests.integration.git_server import GitServer, GitWork, serve_git
from tests.integration.test_ingest_cli import Command, write
from tests.integration.test_ingest_git import connect, ingest, stored

__all__ = ["ingest"]
DEADLINE_S = 60.0
AGAIN = "UPDATE due_work SET due_at = now() RETURNING id"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitServer]:
    """A server without repositories."""
    folder = tmp_path / "git"
    folder.mkdir()
    with serve_git(folder) as server:
        yield server


class Told:
    """The news that the operator was told."""

    def __init__(self) -> None:
        self.news: list[SourceNews] = []

    async def __call__(self, news: SourceNews) -> None:
        """Keep them."""
        self.news.append(news)


@asynccontextmanager
async def working(
    databases: Databases, ingest: Command, told: Told | None = None, lease_s: float = LEASE_S
) -> AsyncIterator[asyncio.Event]:
    """A worker that looks often, while the block runs."""
    work = SourceWork(SourceClocks(databases), ingest.environment, told or Told())
    stop = asyncio.Event()
    async with PostgresInbox(databases.app) as inbox:
        queue = PostgresDueWork(databases.app, inbox)
        kinds = {name: replace(kind, lease_s=lease_s) for name, kind in work.kinds().items()}
        loop = DueWorkLoop(queue, kinds, inbox.attempts, look_s=0.1)
        async with alongside(loop.run(stop)), alongside(work.run(stop)):
            yield stop


async def becomes(seen: Callable[[], object]) -> None:
    """Wait until it is true."""
    async with asyncio.timeout(DEADLINE_S):
        while not await asyncio.to_thread(seen):  # noqa: ASYNC110 - in another process
            await asyncio.sleep(0.1)


@pytest.mark.costs("each sync is a process of its own")
async def test_due_source_is_synced_and_comes_due_again(
    ingest: Command, databases: Databases, server: GitServer
) -> None:
    """A worker reads what was connected, at once and then by its interval."""
    work = handbook_of_a_page(ingest, server, "--every", "1h")
    async with working(databases, ingest):
        await becomes(lambda: stored(ingest))
        await becomes(lambda: ingest.rows("SELECT 1 FROM due_work WHERE lease_until IS NULL"))
        (row,) = ingest.rows(
            "SELECT extract(epoch FROM due_at - now())::integer AS wait_s, tries FROM due_work"
        )
        assert 3_500 < row["wait_s"] <= 3_600
        assert row["tries"] == 0
        work.write("b.md", "# B\n\nWords of b.")
        work.push()
        ingest.rows(AGAIN)
        await becomes(lambda: len(stored(ingest)) == 2)


def handbook_of_a_page(ingest: Command, server: GitServer, *options: str) -> GitWork:
    """A connected repository with one page."""
    work = server.make("handbook")
    work.write("a.md", "# A\n\nWords of a.")
    work.push()
    connect(ingest, work, *options)
    return work


async def test_source_without_work_gets_it_back(
    ingest: Command, databases: Databases, tmp_path: Path
) -> None:
    """After an update or a lost row; when it is due follows from its interval and the last time."""
    for name in ("one", "two", "three"):
        ingest.run("add-source", write(tmp_path / name / "a.md", "# A\n\nWords.").parent)
    for name in ("one", "two"):
        ingest.run("schedule", name, "--every", "6h")
    ingest.run("schedule", "three", "--watch")
    due = "SELECT kind, extract(epoch FROM due_at - now())::integer AS in_s FROM due_work"
    before = ingest.rows(f"{due} ORDER BY kind, in_s")
    done = "UPDATE rag_clocks SET done_at = now() WHERE source_id IN (SELECT id FROM rag_sources"
    ingest.rows(f"{done} WHERE name IN ('two', 'three')) RETURNING job")
    ingest.rows("DELETE FROM due_work RETURNING id")
    clocks = SourceClocks(databases)
    await clocks.reconcile()
    after = ingest.rows(f"{due} ORDER BY kind, in_s")
    kinds = ["connectors_content"] * 2 + ["connectors_watch"]
    assert [row["kind"] for row in before] == ["connectors_content", *kinds]
    assert [row["kind"] for row in after] == kinds
    assert [round(row["in_s"] / 3_600) for row in after] == [0, 6, 0]
    await clocks.reconcile()
    assert len(ingest.rows(due)) == 3


@pytest.mark.parametrize("end", ["remove-source", "deactivate"])
async def test_watch_ends_with_its_source(
    ingest: Command, databases: Databases, tmp_path: Path, end: str
) -> None:
    """The worker that watches a folder loses the row when the source is removed or deactivated."""
    ingest.run("add-source", write(tmp_path / "docs" / "a.md", "# A\n\nWords.").parent)
    ingest.run("schedule", "docs", "--watch")
    ingest.rows("DELETE FROM due_work WHERE kind <> 'connectors_watch' RETURNING id")
    running = "SELECT 1 FROM due_work WHERE kind = 'connectors_watch' AND lease_until IS NOT NULL"
    async with working(databases, ingest, lease_s=3.0):
        await becomes(lambda: ingest.rows(running))
        with capture_logs() as logs:
            ingest.run(end, "docs")
            await becomes(lambda: any(log["event"] == "due_work.lost" for log in logs))
    assert not ingest.rows("SELECT 1 FROM due_work WHERE kind = 'connectors_watch'")


async def test_work_without_a_clock_is_removed(
    ingest: Command, databases: Databases, tmp_path: Path
) -> None:
    """Rows of each kind, also those that are held, and no row of a source that is still there."""
    for name in ("here", "gone"):
        ingest.run("add-source", write(tmp_path / name / "a.md", "# A\n\nWords.").parent)
        ingest.run("schedule", name, "--watch")
    (gone,) = ingest.rows("DELETE FROM rag_sources WHERE name = 'gone' RETURNING id")
    rights = "INSERT INTO due_work (kind, key) VALUES ('connectors_rights', '{}') RETURNING id"
    ingest.rows(rights.format(gone["id"]))
    ingest.rows("UPDATE due_work SET lease_until = now() + interval '1 h' RETURNING id")
    rows = "SELECT id, kind FROM due_work {} ORDER BY id"
    kept = ingest.rows(rows.format(f"WHERE key <> '{gone['id']}'"))
    assert len(ingest.rows(rows.format(""))) == 5
    await SourceClocks(databases).reconcile()
    assert ingest.rows(rows.format("")) == kept


@pytest.mark.costs("each sync is a process of its own")
async def test_inactive_source_is_read_once_it_is_active(
    ingest: Command, databases: Databases, tmp_path: Path
) -> None:
    """Its work is removed, and is there again with its activation."""
    ingest.run("add-source", write(tmp_path / "docs" / "a.md", "# A\n\nWords.").parent)
    ingest.run("schedule", "docs", "--every", "6h")
    ingest.run("deactivate", "docs")
    async with working(databases, ingest):
        await becomes(lambda: not ingest.rows("SELECT 1 FROM due_work"))
        assert not stored(ingest)
        ingest.run("activate", "docs")
        await becomes(lambda: stored(ingest))


@pytest.mark.costs("each sync is a process of its own")
async def test_killed_sync_is_noted_and_tried_again(
    ingest: Command, databases: Databases, server: GitServer
) -> None:
    """A process that is killed leaves a word, and what it stored; the next one goes on."""
    work = server.make("handbook")
    for number in range(40):
        work.write(f"{number}.md", f"# Page {number}\n\nWords of page {number}.")
    work.push()
    connect(ingest, work)
    server.delay_s = 2.0
    async with working(databases, ingest):
        await becomes(children)
        for child in children():
            os.kill(child, signal.SIGKILL)
        await becomes(lambda: ingest.rows("SELECT 1 FROM due_work WHERE last_error <> ''"))
        (row,) = ingest.rows(
            "SELECT problem, last_error, tries, due_at > now() AS waits "
            "FROM rag_clocks JOIN due_work ON key = source_id"
        )
        assert "ended with -9" in row["problem"]
        assert (row["last_error"], row["tries"], row["waits"]) == (row["problem"], 1, True)
        server.delay_s = 0.0
        ingest.rows(AGAIN)
        await becomes(lambda: len(stored(ingest)) == 40)
        await becomes(lambda: ingest.rows("SELECT 1 FROM rag_clocks WHERE problem = ''"))


@pytest.mark.costs("each sync is a process of its own")
async def test_stopped_worker_hands_its_job_on(
    ingest: Command, databases: Databases, server: GitServer
) -> None:
    """A worker that ends interrupts its sync, and the next one begins at once."""
    handbook_of_a_page(ingest, server)
    server.delay_s = 5.0
    async with working(databases, ingest) as stop:
        await becomes(children)
        stop.set()
        await becomes(lambda: ingest.rows("SELECT 1 FROM due_work WHERE lease_until IS NULL"))
        assert not children()
    server.delay_s = 0.0
    async with working(databases, ingest):
        await becomes(lambda: stored(ingest))


async def test_sync_has_the_time_that_its_end_may_take(databases: Databases) -> None:
    """A worker that stops does not kill it while it writes what was paid for."""
    kinds = SourceWork(SourceClocks(databases), {}, Told()).kinds()
    assert {kind.grace_s for kind in kinds.values()} == {_LONGEST_END_S}


@pytest.mark.costs("each sync is a process of its own")
async def test_source_that_is_away_is_told_once(
    ingest: Command, databases: Databases, server: GitServer
) -> None:
    """An expired token is told once, and that it works again is told once."""
    handbook_of_a_page(ingest, server)
    server.failure = (401, {})
    told = Told()
    async with working(databases, ingest, told):
        for failures in (1, 2):
            is_done = f"SELECT 1 FROM due_work WHERE tries = {failures} AND lease_until IS NULL"
            await becomes(lambda query=is_done: ingest.rows(query))  # type: ignore[misc]
            await becomes(lambda: told.news)
            ingest.rows(AGAIN)
        assert [one.source for one in told.news] == ["handbook"]
        assert "asks for a token" in told.news[0].problem
        server.failure = None
        ingest.rows(AGAIN)
        await becomes(lambda: len(told.news) == 2)
        assert told.news[1] == SourceNews("handbook", "")


@pytest.mark.costs("each sync is a process of its own")
async def test_watched_folder_is_synced_at_a_change(
    ingest: Command, databases: Databases, tmp_path: Path
) -> None:
    """A file is found within seconds after it was written, and gone after it was deleted."""
    file = write(tmp_path / "docs" / "a.md", "# A\n\nWords of a.")
    ingest.run("add-source", file.parent)
    assert "watch: of its folder" in ingest.run("schedule", "docs", "--watch").stdout
    async with working(databases, ingest):
        await becomes(lambda: len(stored(ingest)) == 1)
        write(tmp_path / "docs" / "b.md", "# B\n\nWords of b.")
        await becomes(lambda: len(stored(ingest)) == 2)
        file.unlink()
        await becomes(lambda: len(stored(ingest)) == 1)


def children() -> list[int]:
    """The processes of `ingest` that this one has started."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()
    return [
        int(child)
        for child in children
        if b"--scheduled" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
