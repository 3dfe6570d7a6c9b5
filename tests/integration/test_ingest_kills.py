"""`kill -9` at random moments of syncs: what is stored in the end is what it would have been."""

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rich_agent.documents.index.groups import MOST_TEXTS
from rich_agent.repositories.database.pools import Databases, open_pools
from tests.database import PostgresServer
from tests.forking import ForkedProcess, Launch
from tests.integration.ingest_support import Library, open_library
from tests.integration.test_ingest_cli import Command, command
from tests.sandbox_server import RunningSandbox

DOCUMENTS = 2_000
KILLS = 20
LONGEST_LIFE_S = 0.8
DEADLINE_S = 60.0
STORED = (
    """SELECT url, identity, title, raw_hash, content_hash, raw_text, chunk_count
    FROM rag_documents ORDER BY url""",
    """SELECT id, section, link, chunk_index, content, content_hash, length, terms
    FROM rag_chunks ORDER BY id""",
    "SELECT chunk_id, content_hash, embedding::text FROM rag_embeddings ORDER BY chunk_id",
    "SELECT term, chunks FROM rag_terms ORDER BY term",
    "SELECT chunks FROM rag_corpus",
    "SELECT status FROM rag_vector_spaces",
)


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources, over a model that has not been called."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


def write_notes(folder: Path) -> None:
    """Small documents, some of which share a paragraph."""
    for number in range(DOCUMENTS):
        place = folder / f"{number % 20:02}"
        place.mkdir(parents=True, exist_ok=True)
        text = f"# Note {number}\n\nWords of note {number}, in {number % 7} ways.\n"
        (place / f"{number:04}.md").write_text(text, "utf-8")


def start_sync(environment: Mapping[str, str]) -> ForkedProcess:
    """A sync of everything in this environment."""
    silence = Path(os.devnull)
    return ForkedProcess(Launch(["ingest.cli", "sync"], environment, silence, silence))


def kill_after(process: ForkedProcess, delay_s: float) -> bool:
    """Kill it after some time; False if it has ended by itself."""
    with suppress(TimeoutError):
        process.wait(delay_s)
    process.kill()
    code = process.wait(DEADLINE_S)
    assert code in {0, -signal.SIGKILL}
    return code != 0


async def stored(library: Library) -> list[list[dict[str, Any]]]:
    """All that a sync leaves behind."""
    return [await library.rows(query) for query in STORED]


@pytest.fixture
def ingest(database_url: str, sandbox: RunningSandbox, tmp_path: Path) -> Command:
    """The command over the same database."""
    return command(database_url, sandbox, tmp_path)


@pytest.fixture
async def undisturbed(
    database_server: PostgresServer, database_template: str, sandbox: RunningSandbox
) -> AsyncIterator[Library]:
    """Another library, which no process dies over."""
    with database_server.database(database_template) as url:
        async with (
            open_pools(url, url, max_size=5) as databases,
            open_library(databases.rag, sandbox.url) as library,
        ):
            yield library


@pytest.mark.soak
@pytest.mark.req("DUR-2", "RAG-5")
async def test_killed_syncs_leave_what_one_sync_leaves(
    library: Library, undisturbed: Library, ingest: Command, tmp_path: Path
) -> None:
    """Two at a time, 20 killed: the same rows; at most one group embedded again for each kill."""
    write_notes(tmp_path / "notes")
    await library.add(tmp_path / "notes")
    chance = random.Random(7)  # noqa: S311 - the same moments in each run
    kills = 0
    running = [start_sync(ingest.environment), start_sync(ingest.environment)]
    try:
        for _ in range(KILLS):
            delay_s = chance.uniform(0, LONGEST_LIFE_S)
            kills += await asyncio.to_thread(kill_after, running.pop(0), delay_s)
            running.append(start_sync(ingest.environment))
        for process in running:
            assert await asyncio.to_thread(process.wait, DEADLINE_S) == 0
    finally:
        for process in running:
            process.kill()
    texts = library.embedded_texts()
    assert kills >= KILLS // 2
    assert len(texts) - len(set(texts)) <= kills * MOST_TEXTS
    last = ingest.json("sync")
    assert (last["documents"]["unchanged"], last["embedding_calls"]) == (DOCUMENTS, 0)
    assert ingest.json("status")["rounds"] == []
    assert await library.rows("SELECT FROM rag_embedded_texts") == []
    await undisturbed.add(tmp_path / "notes")
    await undisturbed.sync()
    assert await stored(library) == await stored(undisturbed)
