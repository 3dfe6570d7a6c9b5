"""Workers sync sources by their clocks: one at a time, taken over, and told of once."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from typing_extensions import override

from rich_agent.documents.source import SourceJob
from rich_agent.features.connectors.clocks import HeldClock, SourceClocks, SourceNews, SourceWork
from rich_agent.features.connectors.syncing import SourceSyncLoop
from rich_agent.repositories.database.pools import Databases
from rich_agent.runtime.concurrency import alongside
from tests.integration.git_server import GitServer, GitWork, serve_git
from tests.integration.test_ingest_cli import Command, write
from tests.integration.test_ingest_git import connect, ingest, stored

__all__ = ["ingest"]
DEADLINE_S = 60.0


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


def make_loop(databases: Databases, ingest: Command, told: Told | None = None) -> SourceSyncLoop:
    """The loop of a worker that looks often."""
    clocks = SourceClocks(databases.rag)
    tell = told or Told()
    return SourceSyncLoop(clocks, ingest.environment, tell, look_s=0.1, renew_s=0.2)


@asynccontextmanager
async def working(loop: SourceSyncLoop) -> AsyncIterator[asyncio.Event]:
    """A worker while the block runs."""
    stop = asyncio.Event()
    async with alongside(loop.run(stop)):
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
    async with working(make_loop(databases, ingest)):
        await becomes(lambda: stored(ingest))
        waits = "SELECT 1 FROM rag_clocks WHERE done_at IS NOT NULL AND leased_until IS NULL"
        await becomes(lambda: ingest.rows(waits))
        (clock,) = ingest.rows(
            "SELECT extract(epoch FROM next_at - now())::integer AS wait_s FROM rag_clocks"
        )
        assert 3_500 < clock["wait_s"] <= 3_600
        work.write("b.md", "# B\n\nWords of b.")
        work.push()
        ingest.rows("UPDATE rag_clocks SET next_at = now() RETURNING job")
        await becomes(lambda: len(stored(ingest)) == 2)


class Waiting(SourceClocks):
    """Clocks that count how often they were looked at, and asked for a job or for news."""

    looks = asked = 0

    @override
    async def due(self) -> frozenset[SourceWork]:
        self.looks += 1
        return await super().due()

    @override
    async def claim(self, jobs: Collection[SourceJob]) -> HeldClock | None:
        self.asked += 1
        return await super().claim(jobs)

    @override
    async def take_news(self) -> SourceNews | None:
        self.asked += 1
        return await super().take_news()


@pytest.mark.costs("each sync is a process of its own")
async def test_worker_that_waits_only_looks_what_is_due(
    ingest: Command, databases: Databases, tmp_path: Path
) -> None:
    """It asks for a job once there is one: a statement for each look, whatever the sources."""
    clocks = Waiting(databases.rag)
    loop = SourceSyncLoop(clocks, ingest.environment, Told(), look_s=0.01)
    async with working(loop):
        await becomes(lambda: clocks.looks > 3)
        assert clocks.asked == 0
        ingest.run("add-source", write(tmp_path / "docs" / "a.md", "# A\n\nWords.").parent)
        ingest.run("schedule", "docs", "--every", "6h")
        await becomes(lambda: stored(ingest))
    assert clocks.asked > 0


def handbook_of_a_page(ingest: Command, server: GitServer, *options: str) -> GitWork:
    """A connected repository with one page."""
    work = server.make("handbook")
    work.write("a.md", "# A\n\nWords of a.")
    work.push()
    connect(ingest, work, *options)
    return work


async def test_job_is_done_by_one_worker_and_taken_over(
    ingest: Command, databases: Databases, tmp_path: Path
) -> None:
    """While a lease holds, no other worker takes the job; when it ends, the next one does."""
    ingest.run("add-source", write(tmp_path / "docs" / "a.md", "# A\n\nWords.").parent)
    ingest.run("schedule", "docs", "--every", "6h")
    clocks = SourceClocks(databases.rag)
    assert await clocks.due() == {"content"}
    held = await clocks.claim(["content"])
    assert held is not None
    assert await clocks.due() == frozenset()
    assert await clocks.claim(["content"]) is None
    assert await clocks.renew(held)
    ingest.rows("UPDATE rag_clocks SET leased_until = now() - interval '1 s' RETURNING job")
    again = await clocks.claim(["content"])
    assert again == replace(held, fence=held.fence + 1)
    assert not await clocks.renew(held)
    await clocks.release(held, again=True)
    assert await clocks.claim(["content"]) is None
    await clocks.release(again, again=True)
    assert await clocks.claim(["content"]) is not None


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
    async with working(make_loop(databases, ingest)):
        await becomes(children)
        for child in children():
            os.kill(child, signal.SIGKILL)
        await becomes(lambda: ingest.rows("SELECT 1 FROM rag_clocks WHERE failures = 1"))
        (clock,) = ingest.rows("SELECT problem, next_at > now() AS waits FROM rag_clocks")
        assert "ended with -9" in clock["problem"]
        assert clock["waits"]
        server.delay_s = 0.0
        ingest.rows("UPDATE rag_clocks SET next_at = now() RETURNING job")
        await becomes(lambda: len(stored(ingest)) == 40)
        await becomes(lambda: ingest.rows("SELECT 1 FROM rag_clocks WHERE problem = ''"))


@pytest.mark.costs("each sync is a process of its own")
async def test_stopped_worker_hands_its_job_on(
    ingest: Command, databases: Databases, server: GitServer
) -> None:
    """A worker that ends interrupts its sync, and the next one begins at once."""
    handbook_of_a_page(ingest, server)
    server.delay_s = 5.0
    async with working(make_loop(databases, ingest)) as stop:
        await becomes(children)
        stop.set()
        await becomes(lambda: ingest.rows("SELECT 1 FROM rag_clocks WHERE leased_until IS NULL"))
        assert not children()
    server.delay_s = 0.0
    async with working(make_loop(databases, ingest)):
        await becomes(lambda: stored(ingest))


@pytest.mark.costs("each sync is a process of its own")
async def test_source_that_is_away_is_told_once(
    ingest: Command, databases: Databases, server: GitServer
) -> None:
    """An expired token is told once, and that it works again is told once."""
    handbook_of_a_page(ingest, server)
    server.failure = (401, {})
    told = Told()
    again = "UPDATE rag_clocks SET next_at = now() RETURNING job"
    async with working(make_loop(databases, ingest, told)):
        for failures in (1, 2):
            is_done = f"SELECT 1 FROM rag_clocks WHERE failures = {failures}"
            await becomes(lambda query=is_done: ingest.rows(query))  # type: ignore[misc]
            await becomes(lambda: told.news)
            ingest.rows(again)
        assert [one.source for one in told.news] == ["handbook"]
        assert "asks for a token" in told.news[0].problem
        server.failure = None
        ingest.rows(again)
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
    async with working(make_loop(databases, ingest)):
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
