"""Isolation: no document stops the sync, eats its memory, or keeps it for long."""

import asyncio
import subprocess
import sys

import pytest

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.extract.isolation import extract_in_process
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import MediaType
from tests.integration.processes.busy_readers import all_readers_busy
from tests.unit.documents.documents import xlsx

XLSX: MediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PAGE = b"<article><h1>Head</h1><p>Words.</p></article>"


def document(data: bytes, media_type: MediaType = "text/html") -> RawDocument:
    """A document as it came."""
    return RawDocument("https://example.com/a", data, media_type)


@pytest.mark.parametrize(
    "raw", [document(PAGE), document(b"# Head\n\nWords.", "text/markdown")], ids=["page", "text"]
)
async def test_extract_isolated_gives_what_extract_gives(raw: RawDocument) -> None:
    """In a worker and in a thread alike."""
    assert await extract_in_process(raw) == extract(raw)


async def test_extract_isolated_says_what_is_wrong_with_a_document() -> None:
    """The reason is the one that the reader gave."""
    with pytest.raises(ExtractionError, match="no text found"):
        await extract_in_process(document(b"<p hidden>x"))


async def test_extract_isolated_ends_what_takes_too_long() -> None:
    """And reads the next document as if nothing had been."""
    slow = document(b"[" * 400_000, "text/markdown")
    with pytest.raises(ExtractionError, match=r"takes longer than 0\.5 s"):
        await extract_in_process(slow, deadline_s=0.5)
    assert (await extract_in_process(document(PAGE))).title == "Head"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
async def test_extract_isolated_ends_what_takes_too_much_memory() -> None:
    """A sheet of two cells that spans 17 thousand million."""
    wide = document(xlsx({"a": {"A1": "x", "XFD1048576": "y"}}), XLSX)
    with pytest.raises(ExtractionError, match="too much memory"):
        await extract_in_process(wide)
    assert (await extract_in_process(document(PAGE))).title == "Head"


async def test_extract_isolated_says_that_a_document_is_nested_too_deeply() -> None:
    """Instead of a worker that dies without a word."""
    deep = "".join(f"{' ' * depth}* item\n\n" for depth in range(0, 1_200, 2))
    with pytest.raises(ExtractionError, match="nested too deeply"):
        await extract_in_process(document(deep.encode(), "text/x-rst"))


async def test_extract_isolated_does_not_count_the_wait_for_a_worker() -> None:
    """A document that waits behind others has its full time when its turn comes."""
    async with all_readers_busy():
        waiting = asyncio.create_task(extract_in_process(document(PAGE), deadline_s=5.0))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(waiting), 5.3)
    assert (await waiting).title == "Head"


async def test_extract_isolated_can_be_cancelled() -> None:
    """A sync that is stopped waits for no document."""
    slow = document(b"[" * 400_000, "text/markdown")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await extract_in_process(slow)


@pytest.mark.costs("it reads many documents in processes")
async def test_extract_isolated_reads_many_documents_at_once() -> None:
    """More than there are workers."""
    pages = [document(f"<h1>{n}</h1><p>Words.".encode()) for n in range(40)]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(extract_in_process(page)) for page in pages]
    assert [task.result().title for task in tasks] == [str(n) for n in range(40)]


def test_reader_loads_what_one_document_needs() -> None:
    """A reader serves one owner: each file or picture waits for what its process loads."""
    ours = "documents.user_files.reading, rich_agent.documents.extract.extraction"
    code = f"import sys, rich_agent.{ours}, rich_agent.runtime.imaging; "
    heavy = {"psycopg", "structlog", "pypdfium2", "docutils", "duckdb", "babel"}
    code += f"print(*{heavy} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")
