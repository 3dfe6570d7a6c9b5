"""Pages without text of registered documents, read by the sandbox's vision model over real HTTP."""

from collections.abc import AsyncIterator
from pathlib import Path

import openai
import pytest

from ingest.sync.report import UnreadParts
from ingest.sync.scans import PageReading
from rich_agent.documents.extract.pdf.ocr import OcrUnavailableError, find_ocr
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.upstreams.models.vision import OpenAIVisionModel
from tests import make
from tests.documents import document
from tests.integration.ingest_support import Library, open_library
from tests.sandbox_server import RunningSandbox
from tests.unit.documents.documents import Pdf, Words

DRAWING = "".join(f"{n * 10} 100 m {n * 10} 300 l S " for n in range(9))
"""The operators of a page of a PDF without text."""
FERRY = "The ferry to Storholm costs 14 euros"
OLDER = "UPDATE rag_documents SET pipeline_version = 7 RETURNING id"


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources, over a model that has not been called."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


@pytest.fixture
async def vision(sandbox: RunningSandbox) -> AsyncIterator[OpenAIVisionModel]:
    """The vision model of the sandbox."""
    async with openai.DefaultAsyncHttpxClient() as http:
        yield OpenAIVisionModel(make.access(f"{sandbox.url}/v1", http, "sandbox-vision"))


def scan(folder: Path, pages: int, name: str = "scan.pdf") -> Path:
    """A file of so many pages without text."""
    file = folder / name
    file.write_bytes(Pdf([DRAWING] * pages).data())
    return file


async def contents(library: Library) -> list[tuple[str, str]]:
    """The fragment of each chunk's link, and its content."""
    rows = await library.rows("SELECT link, content FROM rag_chunks ORDER BY chunk_index")
    return [(row["link"].partition("#")[2], row["content"]) for row in rows]


@pytest.mark.costs("whole syncs are run")
async def test_page_between_pages_of_text_is_read_and_cited(
    library: Library, vision: OpenAIVisionModel, tmp_path: Path
) -> None:
    """Its text stands where the page stands, with its number; it is read once for these bytes."""
    file = tmp_path / "manual.pdf"
    pages: list[list[Words] | str] = [
        [Words("How to drain.", 700)],
        DRAWING,
        [Words("How to fill.", 700)],
    ]
    file.write_bytes(Pdf(pages).data())
    await library.add(file)
    library.transcribe(f"## Fees\n\n{FERRY}.")
    report = await library.sync(pages=PageReading(vision, 5))
    assert (report.documents.new, report.unread, report.pages.read) == (1, {}, 1)
    assert (report.vision_calls, report.tokens.vision > 0) == (1, True)
    assert await contents(library) == [
        ("page=1", "How to drain."),
        ("page=2", f"{FERRY}."),
        ("page=3", "How to fill."),
    ]
    passages = await PostgresPassages(library.pool).search(PassageQuery(FERRY))
    assert (passages[0].section, passages[0].unread) == ("Fees", {})
    library.forget_calls()
    again = await library.sync(pages=PageReading(vision, 5))
    assert again.documents.unchanged == 1
    assert len(await library.rows(OLDER)) == 1
    await library.sync(pages=PageReading(vision, 5))
    await library.sync()
    assert library.calls() == []
    assert ("page=2", f"{FERRY}.") in await contents(library)


@pytest.mark.costs("whole syncs are run")
async def test_budget_of_pages_is_used_sync_by_sync(
    library: Library, vision: OpenAIVisionModel, tmp_path: Path
) -> None:
    """Each sync goes on with the next pages, says how many wait, and pays for none twice."""
    file = scan(tmp_path, 3)
    await library.add(file)
    waiting: list[int] = []
    for number in range(4):
        library.transcribe(f"{FERRY} on page {number + 1}.")
        report = await library.sync(pages=PageReading(vision, 1))
        waiting.append(report.pages.waiting)
        if number == 0:
            assert report.unread == {"page": UnreadParts(2, 1, [file.as_uri()])}
            assert any("2 pages without text wait" in note for note in report.notes)
    assert waiting == [2, 1, 0, 0]
    assert library.pages_shown() == 3
    assert await contents(library) == [
        (f"page={number}", f"{FERRY} on page {number}.") for number in (1, 2, 3)
    ]


@pytest.mark.costs("whole syncs are run")
async def test_page_that_the_model_could_not_read_is_tried_again(
    library: Library, vision: OpenAIVisionModel, tmp_path: Path
) -> None:
    """A failure is told, keeps the page unread and stops nothing; empty pages count as read."""
    await library.add(scan(tmp_path, 2))
    library.fail("500", 20, "chat.completions")
    report = await library.sync(pages=PageReading(vision, 5))
    assert (report.documents.new, report.pages.unread) == (1, 2)
    assert list(report.unread) == ["page"]
    assert any(note.startswith("pages without text: ") for note in report.notes)
    library.forget_calls()
    library.transcribe("", "")
    report = await library.sync(pages=PageReading(vision, 5))
    assert (report.documents.changed, report.pages.read, report.unread) == (1, 2, {})
    assert await library.rows("SELECT inventory, chunk_count FROM rag_documents") == [
        {"inventory": {"page": [2, 2]}, "chunk_count": 0}
    ]
    assert (await library.sync(pages=PageReading(vision, 5))).documents.unchanged == 1


@pytest.mark.costs("whole syncs are run")
async def test_another_model_reads_pages_again(
    library: Library, vision: OpenAIVisionModel, tmp_path: Path
) -> None:
    """Within its budget; without a model, the old text stays, and says how to read the rest."""
    file = scan(tmp_path, 2)
    await library.add(file)
    library.transcribe("First.")
    await library.sync(pages=PageReading(vision, 1))
    report = await library.sync()
    assert report.documents.unchanged == 1
    assert len(await library.rows(OLDER)) == 1
    report = await library.sync()
    assert any("INGEST_SCANNED_PAGES" in note for note in report.notes)
    assert await contents(library) == [("page=1", "First.")]
    vision.name = "another"
    library.transcribe("Second.", "Second.")
    report = await library.sync(pages=PageReading(vision, 5))
    assert (report.pages.read, report.unread) == (2, {})
    assert await contents(library) == [("page=1", "Second."), ("page=2", "Second.")]


@pytest.mark.costs("whole syncs are run")
async def test_copy_of_a_scan_is_not_read_again(
    library: Library, vision: OpenAIVisionModel, tmp_path: Path
) -> None:
    """The bytes count, not the address; what is gone is forgotten a day later."""
    first = scan(tmp_path, 1, "first.pdf")
    await library.add(tmp_path)
    library.transcribe(f"{FERRY}.")
    await library.sync(pages=PageReading(vision, 5))
    scan(tmp_path, 1, "second.pdf")
    first.unlink()
    report = await library.sync(pages=PageReading(vision, 5), force=True)
    assert (report.documents.new, report.documents.removed, report.pages.read) == (1, 1, 0)
    assert await contents(library) == [("page=1", f"{FERRY}.")]
    await library.rows(
        "UPDATE rag_scanned_pages SET noted_at = now() - interval '2 days' RETURNING 1"
    )
    await library.sync()
    rows = await library.rows("SELECT url FROM rag_scanned_pages")
    assert [row["url"].rpartition("/")[2] for row in rows] == ["second.pdf"]


@pytest.mark.costs("Tesseract reads two pages, and whole syncs are run")
async def test_ocr_reads_what_the_model_does_not(
    library: Library, vision: OpenAIVisionModel, tmp_path: Path
) -> None:
    """On this machine, without a budget; within a later budget, the model reads the pages too."""
    try:
        ocr = find_ocr("eng")
    except OcrUnavailableError as error:
        pytest.skip(str(error))
    (tmp_path / "ferry.pdf").write_bytes(document("scan.pdf"))
    await library.add(tmp_path)
    report = await library.sync(pages=PageReading(ocr=ocr))
    assert (report.pages.read, report.vision_calls, report.unread) == (2, 0, {})
    ((page, text), *_) = await contents(library)
    assert page == "page=1"
    assert "The crossing costs 14 euros for adults" in text
    assert (await library.sync(pages=PageReading(ocr=ocr))).documents.unchanged == 1
    library.transcribe("Read by the model.")
    report = await library.sync(pages=PageReading(vision, 1, ocr))
    assert (report.pages.read, report.pages.waiting, report.vision_calls) == (1, 0, 1)
    (first, *others) = await contents(library)
    assert first == ("page=1", "Read by the model.")
    assert {anchor for anchor, _ in others} == {"page=2"}


@pytest.mark.costs("Tesseract reads a page, and whole syncs are run")
async def test_page_on_which_ocr_finds_no_word_stays_unread(
    library: Library, tmp_path: Path
) -> None:
    """It shows a drawing; that nobody could read it is told, and it is not tried again."""
    try:
        ocr = find_ocr("eng")
    except OcrUnavailableError as error:
        pytest.skip(str(error))
    drawing = "".join(f"{n * 10} 100 m {n * 10} 300 l S " for n in range(9))
    (tmp_path / "plan.pdf").write_bytes(Pdf([[Words("The plan.", 700)], drawing]).data())
    await library.add(tmp_path)
    report = await library.sync(pages=PageReading(ocr=ocr))
    assert (report.pages.read, report.pages.unread) == (0, 1)
    assert report.unread["page"].parts == 1
    assert (await library.sync(pages=PageReading(ocr=ocr))).documents.unchanged == 1
