"""The outcome that a sync leaves with its source, and files that were uploaded."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from rich_agent.documents.registry.outcomes import SourceOutcome, UnreadKind
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.registry.uploads import NewFile, PostgresUploadedFiles, check_files
from rich_agent.documents.source import Source, SourceError, make_source, uploaded_source
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.knowledge.passages import PostgresPassages
from tests.integration.ingest_support import Library, Site, document, open_library
from tests.sandbox_server import RunningSandbox
from tests.unit.documents.documents import Pdf, Words

HOSTILE = "../<b>\u202e&' evil #?%.md"
DRAWING = "".join(f"{n * 10} 100 m {n * 10} 300 l S " for n in range(9))
"""The operators of a page of a PDF without text."""


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


async def outcome_of(library: Library, source: Source) -> SourceOutcome:
    """The outcome that is stored with a source."""
    (row,) = await library.rows("SELECT last_sync FROM rag_sources WHERE id = %s", source.id)
    outcome = SourceOutcome.from_json(row["last_sync"])
    assert outcome is not None
    return outcome


async def upload(library: Library, name: str, files: Sequence[NewFile]) -> Source:
    """Register a source of uploads with these files."""
    source = uploaded_source(name)
    await PostgresSources(library.pool).save(source)
    await PostgresUploadedFiles(library.pool).keep(source, check_files(files, 1_000_000))
    return source


async def test_sync_leaves_its_outcome_with_each_source(
    library: Library, site: Site, tmp_path: Path
) -> None:
    """Failures are grouped by reason and belong to their own source, as what was not read does."""
    (tmp_path / "scan.pdf").write_bytes(Pdf([DRAWING, DRAWING]).data())
    (tmp_path / "note.md").write_text(document("Note", 3), "utf-8")
    scans = await library.add(tmp_path)
    urls = [site.publish(f"/{n}", "gone", status=410 if n else 200) for n in range(4)]
    listing = site.publish("/urls.txt", "\n".join(urls))
    pages = await library.add(listing, kind="url-list")
    await library.sync(model=None)
    outcome = await outcome_of(library, pages)
    assert outcome.changes == {"new": 1, "changed": 0, "unchanged": 0, "removed": 0, "failed": 3}
    (cause,) = outcome.failures
    assert (cause.documents, len(cause.examples)) == (3, 3)
    assert outcome.content.documents == 1
    outcome = await outcome_of(library, scans)
    assert (outcome.changes["new"], outcome.failures, outcome.problem) == (2, (), "")
    assert (outcome.content.empty, outcome.content.empty_example[-8:]) == (1, "scan.pdf")
    (unread,) = outcome.content.unread
    assert unread == UnreadKind(
        kind="page", parts=2, documents=1, example=outcome.content.empty_example
    )
    assert any("INGEST_SCANNED_PAGES" in note for note in outcome.notes)


async def test_source_that_cannot_be_listed_leaves_the_reason(library: Library, site: Site) -> None:
    """The problem of the whole source is with it, too, and the stored documents stay counted."""
    site.publish("/page", document("Page", 2))
    listing = site.publish("/urls.txt", f"{site.url}/page")
    source = await library.add(listing, kind="url-list")
    await library.sync(model=None)
    site.publish("/urls.txt", "away", status=500)
    await library.sync(model=None)
    outcome = await outcome_of(library, source)
    assert "500" in outcome.problem
    assert (outcome.content.documents, outcome.content.empty) == (1, 0)


async def test_uploads_are_read_found_changed_and_removed(library: Library) -> None:
    """Bytes come from the database alone; equal bytes are read once, under any name."""
    files = PostgresUploadedFiles(library.pool)
    source = await upload(
        library, "Handbook", [NewFile(HOSTILE, b"# Mill\n\nThe mill grinds barley."), pdf("pump")]
    )
    report = await library.sync(model=None)
    assert (report.documents.new, report.failures) == (2, [])
    (passage,) = await PostgresPassages(library.pool).search(PassageQuery("barley", None, 1))
    assert passage.title == "Mill"
    assert await files.keep(source, [pdf("pump")]) == 0
    report = await library.sync(model=None)
    assert (report.documents.unchanged, report.documents.new) == (2, 0)
    assert await files.keep(source, [pdf("wheel")]) == 1
    assert (await library.sync(model=None)).documents.changed == 1
    name = (await files.files(source.id, "", 1))[0].name
    assert await files.remove(source, name)
    assert not await files.remove(source, name)
    assert await PostgresPassages(library.pool).search(PassageQuery("barley", None, 1)) == []
    report = await library.sync(model=None, dry_run=True)
    assert (report.documents.unchanged, report.documents.removed) == (1, 0)


def pdf(word: str) -> NewFile:
    """A small PDF with a word."""
    return NewFile("paper.pdf", Pdf([[Words(f"The {word} of the mill", 700)]]).data())


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        (NewFile("a.exe", b"x"), "cannot be read"),
        (NewFile("folder/", b"x"), "short name"),
        (NewFile(f"{'a' * 300}.md", b"x"), "short name"),
        (NewFile("a.md", b""), "empty"),
        (NewFile("a.md", b"x" * 3_000_001), "larger than 3 MB"),
    ],
)
def test_upload_that_cannot_be_read_says_why(file: NewFile, problem: str) -> None:
    """Before anything is stored, with what to do."""
    with pytest.raises(SourceError, match=problem) as refusal:
        check_files([file], 3_000_000)
    assert refusal.value.hint


def test_upload_is_no_kind_of_an_address() -> None:
    """`ingest add-source --kind upload` says what to do instead."""
    with pytest.raises(SourceError, match="uploaded on a page"):
        make_source("https://a.example", kind="upload")
