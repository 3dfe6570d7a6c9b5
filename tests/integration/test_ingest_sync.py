"""Sync over real PostgreSQL, real files, real HTTP, and the sandbox's embeddings."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ingest.display import show_report
from ingest.sync.report import Failure, SyncReport, UnreadParts
from ingest.sync.runs import PostgresRuns
from rich_agent.documents.extract.extracted import PIPELINE_VERSION
from rich_agent.documents.index.locks import open_lock_session
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.knowledge.passages import PostgresPassages
from tests.integration.ingest_support import (
    Library,
    Site,
    document,
    open_library,
    paragraph,
)
from tests.sandbox_server import RunningSandbox
from tests.unit.documents.documents import Pdf, Words

DEADLINE_S = 10.0
PUMP = "The pump of the mill drains the cellar"
DRAWING = "".join(f"{n * 10} 100 m {n * 10} 300 l S " for n in range(9))
"""The operators of a page of a PDF without text."""


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources, over a model that has not been called."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


@pytest.mark.req("RAG-1")
async def test_sync_reads_a_page_a_list_a_file_and_a_folder(
    library: Library, site: Site, tmp_path: Path
) -> None:
    """Each kind gives its documents, and a row in rag_sources."""
    page = site.publish("/page", "# Page\n\nWords of the page.")
    listed = [site.publish(f"/{n}", f"# Listed {n}\n\nWords of page {n}.") for n in range(2)]
    urls = tmp_path / "urls.txt"
    urls.write_text("\n".join(["# two pages", *listed]), "utf-8")
    single = tmp_path / "single.md"
    single.write_text("# Single\n\nWords of the file.", "utf-8")
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "note.md").write_text("# Note\n\nWords of the note.", "utf-8")
    for target in (page, urls, single, folder):
        await library.add(target)
    report = await library.sync()
    assert report.failures == []
    assert report.documents.new == 5
    rows = await library.rows(
        "SELECT type, status, updated_at, last_synced_at, count(document.id) AS documents "
        "FROM rag_sources AS source LEFT JOIN rag_documents AS document "
        "ON document.source_id = source.id GROUP BY source.id ORDER BY type"
    )
    assert [(row["type"], row["status"], row["documents"]) for row in rows] == [
        ("file", "active", 1),
        ("folder", "active", 1),
        ("page", "active", 1),
        ("url-list", "active", 2),
    ]
    assert all(row["updated_at"] and row["last_synced_at"] for row in rows)


@pytest.mark.req("RAG-5")
@pytest.mark.req("COST-2")
@pytest.mark.req("DUR-2")
async def test_second_sync_does_nothing(library: Library, tmp_path: Path) -> None:
    """Nothing changed: no embedding call, the same rows, all of it counted as kept."""
    (tmp_path / "a.md").write_text(document("Alpha", 12), "utf-8")
    (tmp_path / "b.md").write_text(document("Beta", 12), "utf-8")
    await library.add(tmp_path)
    first = await library.sync()
    before = await library.rows("SELECT * FROM rag_embeddings ORDER BY chunk_id")
    library.forget_calls()
    second = await library.sync()
    assert first.documents.new == 2
    assert first.chunks.embedded == len(before) > 4
    assert library.calls() == []
    assert second.embedding_calls == second.chunks.embedded == 0
    assert second.documents.unchanged == 2
    assert second.chunks.kept == first.chunks.embedded
    assert await library.rows("SELECT * FROM rag_embeddings ORDER BY chunk_id") == before


@pytest.mark.costs("whole syncs are run")
@pytest.mark.req("RAG-3")
@pytest.mark.req("RAG-5")
@pytest.mark.parametrize("place", ["top", "middle", "edit"])
async def test_small_change_embeds_two_chunks_at_most(
    library: Library, tmp_path: Path, place: str
) -> None:
    """A paragraph inserted or edited in 100 chunks costs 2; the other ids stay as they were."""
    text = document("Gamma", 160)
    file = tmp_path / "gamma.md"
    file.write_text(text, "utf-8")
    await library.add(file)
    first = await library.sync()
    assert first.chunks.embedded >= 90
    before = await library.chunk_ids()
    inserted = paragraph("an insertion")
    changed = {
        "top": text.replace("## Part 0\n\n", f"## Part 0\n\n{inserted}\n\n"),
        "middle": text.replace("## Part 20\n\n", f"## Part 20\n\n{inserted}\n\n"),
        "edit": text.replace("Sentence 3 about gamma-77 ", "Sentence three about gamma-77 "),
    }[place]
    assert changed != text
    file.write_text(changed, "utf-8")
    library.forget_calls()
    second = await library.sync()
    assert second.documents.changed == 1
    assert 1 <= len(library.embedded_texts()) <= 2
    assert second.chunks.embedded == len(library.embedded_texts())
    assert len(before - await library.chunk_ids()) <= 2


@pytest.mark.req("RAG-3")
async def test_chunks_have_a_place(library: Library, tmp_path: Path) -> None:
    """Each chunk knows its address, title and heading path; the model reads the path too."""
    (tmp_path / "guide.md").write_text(
        "# Guide\n\nBefore.\n\n## Setup\n\n### Keys\n\nHow keys are made.\n", "utf-8"
    )
    await library.add(tmp_path, base_url="https://docs.example", strip_suffix=True)
    await library.sync()
    chunks = await library.rows(
        "SELECT chunk.id, section, link, content, title, url, token_count FROM rag_chunks AS chunk "
        "JOIN rag_documents AS document ON document.id = document_id ORDER BY chunk_index"
    )
    assert all(value for chunk in chunks for value in chunk.values())
    keys = chunks[-1]
    assert keys["section"] == "Guide > Setup > Keys"
    assert keys["link"] == "https://docs.example/guide#keys"
    assert keys["content"] == "How keys are made."
    assert keys["title"] == "Guide"
    assert "Guide > Setup > Keys\nHow keys are made." in library.embedded_texts()


@pytest.mark.req("RAG-5")
async def test_same_text_is_embedded_once(library: Library, tmp_path: Path) -> None:
    """A copy of a document costs nothing, in the same sync and in a later one."""
    text = document("Copied", 8)
    (tmp_path / "one.md").write_text(text, "utf-8")
    (tmp_path / "two.md").write_text(text, "utf-8")
    await library.add(tmp_path)
    report = await library.sync()
    texts = library.embedded_texts()
    assert len(texts) == len(set(texts)) == report.chunks.embedded == report.chunks.kept
    (tmp_path / "one.md").rename(tmp_path / "moved.md")
    moved = await library.sync()
    assert (moved.documents.new, moved.documents.removed) == (1, 1)
    assert moved.embedding_calls == 0
    assert len(await library.rows("SELECT FROM rag_embeddings")) == 2 * len(texts)


async def test_same_url_in_two_sources_keeps_ids_apart(library: Library, site: Site) -> None:
    """A page registered twice is stored twice; one source can go without the other."""
    url = site.publish("/page", "# Page\n\nWords.")
    urls = site.publish("/urls", url)
    first = await library.add(url)
    await library.add(urls, kind="url-list")
    report = await library.sync()
    assert report.documents.new == 2
    assert report.chunks.embedded == 1
    assert len(await library.chunk_ids()) == 2
    await PostgresSources(library.pool).remove(first.id)
    assert (await library.sync()).documents.unchanged == 1


@pytest.mark.req("RAG-5")
async def test_another_model_embeds_again(library: Library, tmp_path: Path) -> None:
    """Unchanged documents get the vectors of the model that is configured now."""
    (tmp_path / "a.md").write_text(document("Alpha", 8), "utf-8")
    await library.add(tmp_path)
    first = await library.sync()
    second = await library.sync(model="other-model")
    assert second.documents.unchanged == 1
    assert second.chunks.embedded == first.chunks.embedded
    assert second.chunks.kept == 0
    assert (await library.sync(model="other-model")).embedding_calls == 0


async def test_sync_without_a_model_stores_words_only(library: Library, tmp_path: Path) -> None:
    """EMBEDDING_MODEL=none: chunks without vectors, which a model gives them later."""
    (tmp_path / "a.md").write_text(document("Alpha", 8), "utf-8")
    await library.add(tmp_path)
    without = await library.sync(model=None)
    assert without.documents.new == 1
    assert without.chunks.embedded == 0
    assert library.calls() == []
    later = await library.sync()
    assert later.chunks.embedded == len(await library.chunk_ids())


@pytest.mark.req("RAG-5")
async def test_removed_pages_are_forgotten(library: Library, site: Site, tmp_path: Path) -> None:
    """A file that is gone, an address that left the list, and a page that is 404 now."""
    urls = [site.publish(f"/{n}", f"# Page {n}\n\nWords of page {n}.") for n in range(3)]
    listing = site.publish("/urls", "\n".join(urls))
    (tmp_path / "a.md").write_text("# A\n\nWords of a.", "utf-8")
    (tmp_path / "b.md").write_text("# B\n\nWords of b.", "utf-8")
    await library.add(listing, kind="url-list")
    await library.add(tmp_path)
    await library.sync()
    (tmp_path / "b.md").unlink()
    site.publish("/urls", "\n".join(urls[:2]))
    site.publish("/1", "gone", status=404)
    report = await library.sync()
    assert (report.documents.removed, report.chunks.removed) == (3, 3)
    assert report.failures == []
    left = await library.rows("SELECT url FROM rag_documents ORDER BY url")
    assert [row["url"] for row in left] == [(tmp_path / "a.md").as_uri(), urls[0]]
    assert len(await library.rows("SELECT FROM rag_embeddings")) == 2


async def test_failures_remove_nothing(library: Library, site: Site, tmp_path: Path) -> None:
    """A 500, a list that fails and a folder that is empty are reported; what is stored stays."""
    urls = [site.publish(f"/{n}", f"# Page {n}\n\nWords of page {n}.") for n in range(2)]
    listing = site.publish("/urls", "\n".join(urls))
    await library.add(listing, kind="url-list")
    (tmp_path / "a.md").write_text("# A\n\nWords of a.", "utf-8")
    folder = await library.add(tmp_path)
    await library.sync()
    before = await library.chunk_ids()
    (tmp_path / "a.md").unlink()
    site.publish("/0", "busy", status=500)
    first = await library.sync()
    site.publish("/urls", "busy", status=503)
    second = await library.sync()
    assert {failure.url for failure in first.failures} == {urls[0], folder.root_url}
    assert {failure.url for failure in second.failures} == {listing, folder.root_url}
    assert all(failure.reason for failure in (*first.failures, *second.failures))
    assert first.documents.removed == second.documents.removed == 0
    assert await library.chunk_ids() == before


async def test_failure_is_noted_until_it_passes(library: Library, site: Site) -> None:
    """A document that failed says why, and no more once it could be read."""
    url = site.publish("/page", "# Page\n\nWords.")
    await library.add(url)
    await library.sync()
    site.publish("/page", "busy", status=500)
    await library.sync()
    noted = await library.rows("SELECT last_error FROM rag_documents")
    site.publish("/page", "# Page\n\nWords.")
    await library.sync()
    assert "500" in noted[0]["last_error"]
    assert await library.rows("SELECT last_error FROM rag_documents") == [{"last_error": None}]


async def test_other_bytes_with_the_same_content_embed_nothing(
    library: Library, tmp_path: Path
) -> None:
    """Line ends are not content: the document is unchanged, and its new bytes are known."""
    file = tmp_path / "a.md"
    file.write_bytes(b"# A\n\nWords of a.\n")
    await library.add(file)
    await library.sync()
    before = await library.rows("SELECT raw_hash FROM rag_documents")
    file.write_bytes(b"# A\r\n\r\nWords of a.\r\n")
    report = await library.sync()
    assert (report.documents.unchanged, report.embedding_calls) == (1, 0)
    assert await library.rows("SELECT raw_hash FROM rag_documents") != before


async def test_document_knows_its_canonical_address(library: Library, tmp_path: Path) -> None:
    """The address that a page names as its own is stored, also when nothing else changed."""
    file = tmp_path / "a.html"
    page = '<link rel="canonical" href="{}"><h1>A</h1><p>Words of the page.</p>'
    await library.add(tmp_path, base_url="https://a.example")
    for address in ("https://a.example/a", "https://a.example/a/"):
        file.write_text(page.format(address), "utf-8")
        await library.sync()
        (row,) = await library.rows("SELECT canonical_url FROM rag_documents")
        assert row["canonical_url"] == address


async def test_embedding_is_tried_again(library: Library, tmp_path: Path) -> None:
    """A failure that passes costs a call and nothing else."""
    (tmp_path / "a.md").write_text("# A\n\nWords of a.", "utf-8")
    await library.add(tmp_path)
    library.fail("500", times=2)
    report = await library.sync()
    assert report.failures == []
    assert report.embedding_calls == len(library.calls()) == 3


async def test_embedding_failure_keeps_the_old_version(library: Library, tmp_path: Path) -> None:
    """A change that cannot be embedded fails; its document stays, and the next sync goes on."""
    changing, other = tmp_path / "changing.md", tmp_path / "other.md"
    changing.write_text("# Changing\n\nOld words.", "utf-8")
    other.write_text("# Other\n\nOther words.", "utf-8")
    await library.add(tmp_path)
    await library.sync()
    before = await library.rows("SELECT content, terms FROM rag_chunks ORDER BY id")
    changing.write_text("# Changing\n\nNew words.", "utf-8")
    library.fail("500", times=3)
    failed = await library.sync()
    assert [failure.url for failure in failed.failures] == [changing.as_uri()]
    assert failed.documents.unchanged == 1
    assert await library.rows("SELECT content, terms FROM rag_chunks ORDER BY id") == before
    again = await library.sync()
    assert (again.documents.changed, again.documents.failed) == (1, 0)
    contents = {row["content"] for row in await library.rows("SELECT content FROM rag_chunks")}
    assert contents == {"New words.", "Other words."}


@pytest.mark.costs("whole syncs are run")
async def test_model_with_a_wrong_key_stops_the_sync(
    library: Library, site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One cause is told once, with a count; what is left is not even read."""
    for number in range(12):
        (tmp_path / f"{number}.md").write_text(document(f"Doc{number}", 60), "utf-8")
    folder = await library.add(tmp_path)
    page = await library.add(site.publish("/page", "# Page\n\nText."))
    library.fail("401", times=1000)
    report = await library.sync(only=[folder, page])
    library.forget_calls()
    assert report.is_failure
    failed = len(report.failures)
    assert 1 < failed <= 12
    assert report.embedding_calls <= 4
    assert site.requests == 0
    show_report(report, dry_run=False)
    told = capsys.readouterr().err
    assert told.count("OPENAI_API_KEY") == 1
    assert f"failed: {failed} documents: embeddings: the account is not accepted" in told
    assert "note: stopped" in told
    again = await library.sync(only=[folder, page])
    assert (again.documents.new, again.failures) == (13, [])


async def test_dry_run_writes_nothing(library: Library, tmp_path: Path) -> None:
    """It counts what would be done, and calls no model."""
    file = tmp_path / "a.md"
    file.write_text(document("Alpha", 8), "utf-8")
    await library.add(file)
    planned = await library.sync(dry_run=True)
    assert await library.rows("SELECT FROM rag_documents") == []
    assert library.calls() == []
    done = await library.sync()
    assert (planned.documents, planned.chunks) == (done.documents, done.chunks)


async def test_sync_goes_on_after_a_crash(library: Library, tmp_path: Path) -> None:
    """Documents stored before the end stay, and are not embedded again."""
    for number in range(40):
        text = f"# Document {number}\n\nWords of document number {number}."
        (tmp_path / f"{number:02}.md").write_text(text, "utf-8")
    await library.add(tmp_path)

    async def until_something_is_stored() -> None:
        while not await library.rows("SELECT FROM rag_documents"):  # noqa: ASYNC110 - in PostgreSQL
            await asyncio.sleep(0.005)

    task = asyncio.ensure_future(library.sync())
    async with asyncio.timeout(DEADLINE_S):
        await until_something_is_stored()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    stored = len(await library.rows("SELECT FROM rag_documents"))
    library.forget_calls()
    report = await library.sync()
    assert report.documents.unchanged == stored
    assert report.documents.new == len(library.embedded_texts()) == 40 - stored
    whole = "SELECT FROM rag_chunks JOIN rag_embeddings ON chunk_id = rag_chunks.id"
    assert len(await library.rows(whole)) == 40


async def test_runs_are_recorded(library: Library) -> None:
    """Each with its summary; one that ended without a word is marked as failed."""
    await library.rows("INSERT INTO rag_sync_runs DEFAULT VALUES RETURNING id")
    runs = PostgresRuns(library.pool)
    report = SyncReport()
    report.fail("https://a.example", "why\0not")
    async with (
        open_lock_session(library.pool) as seat,
        runs.recorded(seat, report),
        open_lock_session(library.pool) as other,
        runs.recorded(other, SyncReport()),
    ):
        rows = await runs.latest(5)
    assert [row["status"] for row in rows] == ["running", "running", "failed"]
    rows = await runs.latest(2)
    assert [row["status"] for row in rows] == ["done", "done"]
    assert rows[1]["summary"]["failures"] == [{"url": "https://a.example", "reason": "whynot"}]
    await library.rows(
        "UPDATE rag_sync_runs SET finished_at = finished_at - interval '91 days' RETURNING id"
    )
    async with open_lock_session(library.pool) as seat, runs.recorded(seat, SyncReport()):
        pass
    assert len(await runs.latest(5)) == 1


async def test_run_that_breaks_is_recorded(library: Library) -> None:
    """An error is passed on and stored in the run's row."""
    runs = PostgresRuns(library.pool)
    with pytest.raises(RuntimeError, match="broken"):
        async with open_lock_session(library.pool) as seat, runs.recorded(seat, SyncReport()):
            raise RuntimeError("broken")
    (last,) = await runs.latest(1)
    assert (last["status"], last["error"]) == ("failed", "broken")


def test_report_is_a_failure_only_without_any_success() -> None:
    """One document that could be read makes the sync a success, with failures listed."""
    report = SyncReport()
    outcomes = [report.is_failure]
    report.fail("https://a.example", "why")
    outcomes.append(report.is_failure)
    report.documents.unchanged += 1
    outcomes.append(report.is_failure)
    assert outcomes == [False, True, False]
    assert report.failures == [Failure("https://a.example", "why")]


async def test_documents_of_an_older_version_are_read_again_and_embedded_no_more(
    library: Library, tmp_path: Path
) -> None:
    """Their texts have vectors; what they hold besides is stored, also where no text changed."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "manual.pdf").write_bytes(Pdf([[Words(f"{PUMP}.", 700)], DRAWING]).data())
    (folder / "note.md").write_text(f"# Note\n\n{paragraph('a')}\n\n{paragraph('b')}", "utf-8")
    await library.add(folder)
    first = await library.sync()
    chunks = await library.rows("SELECT id, content FROM rag_chunks ORDER BY id")
    older = "UPDATE rag_documents SET pipeline_version = 7, inventory = '{}' RETURNING id"
    assert len(await library.rows(older)) == 2
    again = await library.sync()
    assert (first.documents.new, again.documents.changed) == (2, 2)
    assert (again.embedding_calls, again.chunks.embedded) == (0, 0)
    assert again.chunks.kept == first.chunks.embedded == len(chunks)
    assert await library.rows("SELECT id, content FROM rag_chunks ORDER BY id") == chunks
    stored = "SELECT pipeline_version, inventory FROM rag_documents ORDER BY url"
    assert await library.rows(stored) == [
        {"pipeline_version": PIPELINE_VERSION, "inventory": {"page": [1, 0]}},
        {"pipeline_version": PIPELINE_VERSION, "inventory": {}},
    ]
    passages = await PostgresPassages(library.pool).search(PassageQuery(PUMP))
    assert [passage.unread for passage in passages[:1]] == [{"page": 1}]


async def test_document_that_holds_more_is_stored_without_embedding(
    library: Library, tmp_path: Path
) -> None:
    """A drawing that was added is told, although no word changed."""
    file = tmp_path / "manual.pdf"
    pages: list[list[Words] | str] = [[Words(f"{PUMP}.", 700)]]
    file.write_bytes(Pdf(pages).data())
    await library.add(file)
    assert (await library.sync()).unread == {}
    file.write_bytes(Pdf([*pages, DRAWING]).data())
    report = await library.sync()
    assert (report.documents.changed, report.embedding_calls) == (1, 0)
    assert report.unread == {"page": UnreadParts(1, 1, [file.as_uri()])}
    (stored,) = await library.rows("SELECT inventory FROM rag_documents")
    assert stored["inventory"] == {"page": [1, 0]}


async def test_scan_is_stored_with_what_was_not_read(library: Library, tmp_path: Path) -> None:
    """It has no chunks and is not read again; its pages are told, and its text is found later."""
    file = tmp_path / "scan.pdf"
    file.write_bytes(Pdf([DRAWING, DRAWING]).data())
    await library.add(file)
    first, second = await library.sync(), await library.sync()
    assert (first.documents.new, first.documents.failed) == (1, 0)
    assert first.unread == {"page": UnreadParts(2, 1, [file.as_uri()])}
    assert second.documents.unchanged == 1
    assert await library.rows("SELECT title, chunk_count, inventory FROM rag_documents") == [
        {"title": "scan", "chunk_count": 0, "inventory": {"page": [2, 0]}}
    ]
    file.write_bytes(Pdf([[Words(f"{PUMP}.", 700)], DRAWING]).data())
    assert (await library.sync()).documents.changed == 1
    passages = await PostgresPassages(library.pool).search(PassageQuery(PUMP))
    assert [passage.unread for passage in passages[:1]] == [{"page": 1}]
