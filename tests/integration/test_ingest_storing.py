"""Storing documents: what is read back, what is refused, what is kept for later."""

import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from pgvector import SparseVector
from typing_extensions import override

from rich_agent.documents.chunk.chunking import ChunkText
from rich_agent.documents.chunk.chunks import DocumentRef, make_chunks, text_to_embed
from rich_agent.documents.index.documents import Fingerprint, PostgresDocuments, Version
from rich_agent.documents.index.groups import MOST_TEXTS, Item, ItemGroup
from rich_agent.documents.index.writing import GroupWriter
from rich_agent.documents.source import Source
from rich_agent.domain.retrieval.search_terms import ANALYSIS_VERSION, TERM_SPACE, term_counts
from rich_agent.errors import UpstreamRefusedError, UpstreamUnavailableError
from rich_agent.repositories.database.pools import Databases
from rich_agent_sandbox.model.embedding import embed
from tests import make
from tests.integration.ingest_support import (
    Library,
    Renamed,
    Site,
    document,
    open_library,
)
from tests.sandbox_server import RunningSandbox

POISON = "unspeakable"
CHUNKS = """
SELECT chunk.id, title, section, content, analysis, length, terms, impacts, token_count, embedding
FROM rag_chunks AS chunk JOIN rag_documents AS document ON document.id = document_id
LEFT JOIN rag_embeddings ON chunk_id = chunk.id ORDER BY chunk.id
"""


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources, over a model that has not been called."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


class Picky(Renamed):
    """A model that refuses one text; `is_away` keeps it from answering at all."""

    is_away = False

    @override
    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        if self.is_away:
            raise UpstreamUnavailableError("embeddings", "cannot be reached")
        if any(POISON in text for text in texts):
            raise UpstreamRefusedError("embeddings", f"refused with 400: {POISON}")
        return await super().embed(texts)


def picky(library: Library) -> Library:
    """The library over a model that refuses one text."""
    return replace(library, model=Picky(library.model, library.model.name))


# What is read back


@pytest.mark.req("RAG-3", "RAG-5")
async def test_chunks_are_read_back_as_they_were_made(library: Library, tmp_path: Path) -> None:
    """Terms, their weights and the vector of length 1, also of text without any term."""
    (tmp_path / "a.md").write_text(document("Alpha", 8), "utf-8")
    (tmp_path / "b.md").write_text("# 手引き\n\n資金調達率は一時間ごとに支払われます。\n", "utf-8")
    (tmp_path / "c.txt").write_text("of the and\n", "utf-8")
    await library.add(tmp_path)
    await library.sync()
    (corpus,) = await library.rows("SELECT * FROM rag_corpus")
    rows = await library.rows(CHUNKS)
    assert len(rows) > 5
    for row in rows:
        text = text_to_embed(row["title"], row["section"], row["content"])
        counts = term_counts(text)
        expected = make.impacts(counts, corpus["average_length"])
        assert row["terms"] == sorted(counts)
        assert row["length"] == sum(counts.values())
        assert row["analysis"] == ANALYSIS_VERSION
        assert row["impacts"].indices() == row["terms"]
        assert row["impacts"].dimensions() == SparseVector({}, TERM_SPACE).dimensions()
        assert row["impacts"].values() == pytest.approx([expected[term] for term in row["terms"]])
        vector = row["embedding"].to_numpy()
        assert np.allclose(vector, embed(text), atol=1e-3)
        assert np.linalg.norm(vector.astype(np.float32)) == pytest.approx(1, abs=1e-3)


async def test_vectors_have_length_one(library: Library, tmp_path: Path) -> None:
    """Whatever length the model gives them; a vector of zeros stays one."""

    class Long(Renamed):
        @override
        async def embed(self, texts: Sequence[str]) -> list[list[float]]:
            return [[0.0] * 4 if "zero" in text else [3.0, 4.0, 0.0, 1e5] for text in texts]

    (tmp_path / "a.txt").write_text("zero", "utf-8")
    (tmp_path / "b.txt").write_text("one", "utf-8")
    await library.add(tmp_path)
    await replace(library, model=Long(library.model, "long")).sync()
    rows = await library.rows("SELECT embedding FROM rag_embeddings")
    lengths = sorted(float(np.linalg.norm(row["embedding"].to_numpy())) for row in rows)
    assert lengths == pytest.approx([0, 1], abs=1e-3)


# What is refused


async def test_document_that_the_database_refuses_is_reported(library: Library, site: Site) -> None:
    """An address that is too long for an index; the others of its group are stored."""
    chance = random.Random(3)  # noqa: S311 - any address that cannot be compressed
    long = f"/{chance.randbytes(3000).hex()}"
    urls = [site.publish(path, f"# Page\n\nWords of {path[:9]}.") for path in ("/a", long, "/b")]
    await library.add(site.publish("/urls", "\n".join(urls)), kind="url-list")
    report = await library.sync()
    assert (report.documents.new, report.documents.failed) == (2, 1)
    assert report.failures[0].url == urls[1]
    assert "cannot be stored" in report.failures[0].reason
    stored = await library.rows("SELECT url FROM rag_documents ORDER BY url")
    assert [row["url"] for row in stored] == [urls[0], urls[2]]


async def test_address_that_two_sources_store_at_once_is_stored_twice(library: Library) -> None:
    """The second source gets an identity, and chunk ids, of its own."""
    writer = GroupWriter(library.pool, None)
    for name in ("one", "two"):
        await library.rows(
            "INSERT INTO rag_sources (id, type, root_url, name) "
            "VALUES (%s, 'page', %s, '') RETURNING id",
            *(name, name),
        )
        page = DocumentRef("https://a.example/", "https://a.example/", "Page")
        version = Version(
            source_id=name,
            page=page,
            text="Words.",
            fingerprint=Fingerprint("raw", "content", 1, None, None),
            fetched_at=datetime.now(UTC),
            chunks=make_chunks(page, [ChunkText("Page", "page", "Words.")]),
        )
        item = Item(name, page.url, None, version, version.chunks, {})
        (written,) = await writer.write(ItemGroup([item]))
        assert written.reason == ""
    rows = await library.rows("SELECT identity FROM rag_documents ORDER BY id")
    assert [row["identity"] for row in rows] == ["https://a.example/", "two https://a.example/"]
    assert len(await library.chunk_ids()) == 2


@pytest.mark.req("DUR-2")
async def test_document_that_a_dead_process_stored_keeps_its_chunks(
    library: Library, tmp_path: Path
) -> None:
    """Another sync has looked before that was stored: for it, the document is still new."""
    (tmp_path / "a.md").write_text("# Note\n\nWords.", "utf-8")
    source = await library.add(tmp_path / "a.md")
    await library.sync()
    identities = await PostgresDocuments(library.pool).identities(source.id, [source.root_url])
    assert identities == {source.root_url: source.root_url}


@pytest.mark.req("DUR-2", "COST-2")
async def test_text_that_the_model_refuses_fails_alone(library: Library, tmp_path: Path) -> None:
    """Only its document is left out; what was made for it is not made again."""
    for number in range(20):
        (tmp_path / f"{number:02}.md").write_text(document(f"Topic{number}", 8), "utf-8")
    bad = tmp_path / "07.md"
    bad.write_text(document("Topic7", 8) + f"\n## Last\n\nThis is {POISON}.\n", "utf-8")
    await library.add(tmp_path)
    strict = picky(library)
    report = await strict.sync()
    assert (report.documents.new, report.documents.failed) == (19, 1)
    assert report.failures[0].url == bad.as_uri()
    assert POISON in report.failures[0].reason
    assert not report.is_failure
    texts = library.embedded_texts()
    assert len(texts) == len(set(texts))
    library.forget_calls()
    again = await strict.sync()
    assert (again.documents.failed, again.embedding_calls) == (1, 1)
    bad.write_text(document("Topic7", 8), "utf-8")
    last = await strict.sync()
    assert (last.documents.new, last.documents.failed, last.embedding_calls) == (1, 0, 0)
    assert await library.rows("SELECT FROM rag_embedded_texts") == []


async def test_model_that_refuses_everything_is_left_alone(
    library: Library, tmp_path: Path
) -> None:
    """It is not asked for each text by itself without end."""
    for number in range(30):
        (tmp_path / f"{number}.md").write_text(document(f"{POISON}{number}", 8), "utf-8")
    await library.add(tmp_path)
    report = await picky(library).sync()
    assert report.documents.failed == 30
    assert report.embedding_calls < 80


@pytest.mark.req("RAG-5")
async def test_model_that_is_away_fails_the_sync(library: Library, tmp_path: Path) -> None:
    """Nothing new could be embedded: exit 1 although other documents are unchanged."""
    (tmp_path / "a.md").write_text("# A\n\nWords of a.", "utf-8")
    await library.add(tmp_path)
    assert not (await library.sync()).is_failure
    (tmp_path / "b.md").write_text("# B\n\nWords of b.", "utf-8")
    library.fail("503", times=3)
    report = await library.sync()
    assert (report.documents.unchanged, report.documents.failed) == (1, 1)
    assert report.is_failure
    assert not (await library.sync()).is_failure


@pytest.mark.req("RAG-5", "DUR-2")
async def test_rate_limit_is_waited_out(library: Library, tmp_path: Path) -> None:
    """A 429 in the middle costs calls, and no document."""
    for number in range(60):
        (tmp_path / f"{number}.md").write_text(document(f"Topic{number}", 8), "utf-8")
    await library.add(tmp_path)
    library.fail("429", times=2)
    report = await library.sync()
    assert (report.documents.new, report.failures) == (60, [])
    assert report.embedding_calls == len(library.calls())
    assert report.chunks.embedded == len(await library.chunk_ids())


# What is kept for later


@pytest.mark.costs("it embeds a document of 900 parts")
@pytest.mark.req("DUR-2", "COST-2")
async def test_large_document_keeps_what_was_embedded(library: Library, tmp_path: Path) -> None:
    """Of a document with more texts than a group, a crash loses one group at most."""
    file = tmp_path / "large.md"
    file.write_text(document("Large", 900), "utf-8")
    await library.add(file)

    class Breaking(Renamed):
        calls = 0

        @override
        async def embed(self, texts: Sequence[str]) -> list[list[float]]:
            Breaking.calls += 1
            if Breaking.calls > 4:
                raise UpstreamUnavailableError("embeddings", "cannot be reached")
            return await super().embed(texts)

    broken = await replace(library, model=Breaking(library.model, library.model.name)).sync()
    assert broken.documents.failed == 1
    assert await library.rows("SELECT FROM rag_documents") == []
    staged = await library.rows("SELECT FROM rag_embedded_texts WHERE embedding IS NOT NULL")
    assert len(staged) == MOST_TEXTS
    library.forget_calls()
    report = await library.sync()
    chunks = len(await library.chunk_ids())
    assert chunks > 2 * MOST_TEXTS
    assert report.documents.new == 1
    judged = 60  # without a sentence each, by which the model is judged
    assert len(library.embedded_texts()) == chunks - MOST_TEXTS + judged
    assert await library.rows("SELECT FROM rag_embedded_texts") == []
    assert len(await library.rows("SELECT FROM rag_embeddings")) == chunks


async def test_staged_vectors_are_forgotten_after_a_week(library: Library, tmp_path: Path) -> None:
    """A document that was never stored does not fill the disk."""
    (tmp_path / "a.md").write_text("# A\n\nWords of a.", "utf-8")
    await library.add(tmp_path)
    for age in ("6 days", "8 days"):
        await library.rows(
            "INSERT INTO rag_embedded_texts (model, dimensions, content_hash, created_at) "
            "VALUES ('any', 3, %s, now() - %s::interval) RETURNING 1",
            *(age, age),
        )
    await library.sync()
    left = await library.rows("SELECT content_hash FROM rag_embedded_texts")
    assert [row["content_hash"] for row in left] == ["6 days"]


# What is removed


async def removal(
    library: Library, source: Source, *, dry_run: bool = False, force: bool = False
) -> tuple[int, int]:
    """The number of documents that a sync removes, and of its failures that are about that."""
    report = await library.sync(dry_run=dry_run, force=force)
    refused = [one for one in report.failures if "--force" in one.reason]
    assert all(one.url == source.root_url for one in refused)
    return report.documents.removed, len(refused)


@pytest.mark.req("RAG-5")
@pytest.mark.parametrize(
    ("stored", "gone", "removed"), [(20, 5, 5), (20, 6, 0), (8, 4, 4), (19, 5, 0)]
)
async def test_sync_does_not_remove_too_much(
    library: Library, tmp_path: Path, stored: int, gone: int, removed: int
) -> None:
    """Five documents and more than a quarter of the source need --force; a dry run says so."""
    files = [tmp_path / f"{number:02}.md" for number in range(stored)]
    for file in files:
        file.write_text(f"# {file.name}\n\nWords of {file.name}.", "utf-8")
    source = await library.add(tmp_path)
    await library.sync()
    for file in files[:gone]:
        file.unlink()
    expected = (removed, int(not removed))
    assert await removal(library, source, dry_run=True) == expected
    assert await removal(library, source) == expected
    left = stored - removed
    assert len(await library.rows("SELECT FROM rag_documents")) == left
    assert await removal(library, source, force=True) == (gone - removed, 0)
    assert len(await library.rows("SELECT FROM rag_documents")) == stored - gone


@pytest.mark.req("RAG-5")
async def test_pages_that_are_gone_count_too(library: Library, site: Site) -> None:
    """A site whose pages all answer 404 loses none of them."""
    urls = [site.publish(f"/{n}", f"# Page {n}\n\nWords of page {n}.") for n in range(8)]
    source = await library.add(site.publish("/urls", "\n".join(urls)), kind="url-list")
    await library.sync()
    for path in [path for path in site.pages if path != "/urls"]:
        del site.pages[path]
    assert await removal(library, source) == (0, 1)
    assert len(await library.rows("SELECT FROM rag_documents")) == 8
    assert await removal(library, source, force=True) == (8, 0)
