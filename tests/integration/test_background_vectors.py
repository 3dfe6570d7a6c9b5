"""Vectors that are made in the background: after the sync, by one process, resumed after a kill."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rich_agent.documents.index.filling import PORTION, VectorFilling
from rich_agent.documents.index.vector_index import build_vector_index, drop_vector_index
from rich_agent.domain.retrieval.passage import VectorProgress, VectorSpace
from rich_agent.errors import UpstreamError, UpstreamRefusedError
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Databases, checkout
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from rich_agent.repositories.knowledge.vector_search import hnsw_name
from tests.integration.ingest_support import Library

SPACE = VectorSpace("local/tried/1", 8)
PAGES = 20

_REWRITE = "UPDATE rag_documents SET space_id = NULL WHERE id = %(id)s"
_ADD_CHUNK = """
INSERT INTO rag_chunks (id, document_id, source_id, section, anchor, link, chunk_index, content,
    token_count, content_hash)
SELECT 'chk_new', id, source_id, '', '', '', 1, 'It is new.', 3, 'new' FROM rag_documents
WHERE id = %(id)s
"""
_IS_BLOCKED = """
SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


@dataclass(slots=True)
class TriedModel:
    """Implements `EmbeddingModel`; `before` sees the texts first, and may raise."""

    before: Callable[[Sequence[str]], None] = lambda _: None
    name: str = SPACE.model
    dimensions: int = SPACE.dimensions
    texts: list[str] = field(default_factory=list)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        self.before(texts)
        self.texts += texts
        return [[1.0, *map(float, text.encode()[: self.dimensions - 1])] for text in texts]

    def of_passages(self) -> EmbeddingModel:
        """See `EmbeddingModel.of_passages`."""
        return self

    def in_space(self, _space: VectorSpace) -> EmbeddingModel:
        """See `EmbeddingModel.in_space`."""
        return self


@pytest.fixture
async def synced(databases: Databases, tmp_path: Path) -> Library:
    """A library whose documents were read by a sync that left the vectors for later."""
    library = Library(databases.rag, TriedModel(), "")
    for number in range(PAGES):
        (tmp_path / f"{number:02}.txt").write_text(f"Page {number} is about subject {number}.")
    await library.add(tmp_path)
    report = await library.sync(model=SPACE.model, vectors_later=True)
    assert (report.documents.new, report.embedding_calls) == (PAGES, 0)
    assert [note for note in report.notes if f"{PAGES} of {PAGES} chunks" in note]
    return library


async def test_missing_vectors_are_made_in_portions_and_resumed_by_the_next_process(
    synced: Library,
) -> None:
    """The vectors of a killed process are kept, and no text is embedded twice."""
    killed, model = TriedModel(), TriedModel()
    assert await VectorFilling(synced.pool, killed).fill() == PORTION
    assert await progress(synced) == VectorProgress(PAGES, PORTION, 0)
    successor = VectorFilling(synced.pool, model)
    assert await successor.fill() == 0  # the lease of the killed one has not run out
    await synced.rows(
        "UPDATE rag_vector_spaces SET filled_until = now() - interval '1 s' RETURNING id"
    )
    assert await fill(successor) == PAGES - PORTION
    assert await progress(synced) == VectorProgress(PAGES, PAGES, 0)
    texts = [*killed.texts, *model.texts]
    assert len(texts) == len(set(texts)) == PAGES
    (space,) = await synced.rows("SELECT status, filler FROM rag_vector_spaces")
    assert (space["status"], space["filler"]) == ("active", None)
    assert await synced.rows("SELECT FROM rag_documents WHERE space_id IS NULL") == []


async def test_text_that_a_model_crashes_on_is_left_out_for_good_and_told(synced: Library) -> None:
    """All others have vectors, and it is not tried again."""

    def refuse(texts: Sequence[str]) -> None:
        if any("subject 7." in text for text in texts):
            raise UpstreamRefusedError("local embeddings", "the model crashes on this text")

    filling = VectorFilling(synced.pool, TriedModel(refuse))
    assert await fill(filling) == PAGES
    assert await progress(synced) == VectorProgress(PAGES, PAGES - 1, 1)
    (refused,) = await synced.rows("SELECT reason FROM rag_refused_chunks")
    assert "crashes" in refused["reason"]
    again = TriedModel()
    assert await fill(VectorFilling(synced.pool, again)) == 0
    assert again.texts == []


async def test_model_that_cannot_be_used_refuses_no_text(synced: Library) -> None:
    """A missing package is no fault of the texts, which wait until it is there."""

    def refuse(_: Sequence[str]) -> None:
        raise UpstreamRefusedError("local embeddings", "it is missing", hint="Install it.")

    with pytest.raises(UpstreamError, match="it is missing"):
        await VectorFilling(synced.pool, TriedModel(refuse)).fill()
    assert await progress(synced) == VectorProgress(PAGES, 0, 0)


async def test_loop_of_a_bot_makes_vectors_until_it_is_stopped(synced: Library) -> None:
    """Two bots share the work without doing any twice, and leave no lease behind."""
    stop, models = asyncio.Event(), (TriedModel(), TriedModel())
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        for model in models:
            group.create_task(VectorFilling(synced.pool, model).run(stop))
        while (await progress(synced)).missing:  # noqa: ASYNC110 - it is in the database
            await asyncio.sleep(0.01)
        stop.set()
    embedded = [text for model in models for text in model.texts]
    assert len(set(embedded)) == PAGES
    assert await synced.rows("SELECT FROM rag_vector_spaces WHERE filler IS NOT NULL") == []


async def test_process_whose_model_fails_leaves_the_work_to_others(
    synced: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gives up the lease at once, and does not take it again before others could."""
    monkeypatch.setattr(f"{VectorFilling.__module__}._PAUSE_S", 0.02)
    attempts = 0

    def fail(_: Sequence[str]) -> None:
        nonlocal attempts
        attempts += 1
        raise UpstreamRefusedError("local embeddings", "it is missing", hint="Install it.")

    stop, well = asyncio.Event(), VectorFilling(synced.pool, TriedModel())
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(VectorFilling(synced.pool, TriedModel(fail)).run(stop))
        while not attempts:  # noqa: ASYNC110 - counted by the model
            await asyncio.sleep(0.01)
        group.create_task(well.run(stop))
        while (await progress(synced)).missing:  # noqa: ASYNC110 - it is in the database
            await asyncio.sleep(0.01)
        stop.set()
    assert attempts == 1


@pytest.mark.parametrize("keeps_sessions", [True, False])
async def test_space_that_was_filled_before_is_completed_by_the_next_process(
    synced: Library, monkeypatch: pytest.MonkeyPatch, *, keeps_sessions: bool
) -> None:
    """As after a kill before the switch, or with a model that is set back; it gets its index.

    Behind a pooler in transaction mode, the next sync builds the index.
    """
    monkeypatch.setattr(synced.pool, "keeps_sessions", keeps_sessions)
    defaults = build_vector_index.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "from_vectors", PAGES)
    assert await fill(VectorFilling(synced.pool, TriedModel())) == PAGES
    await synced.rows("UPDATE rag_vector_spaces SET status = 'retired' RETURNING id")
    await synced.rows(
        "INSERT INTO rag_vector_spaces (model, dimensions, status) "
        "VALUES ('of a server', 8, 'active') RETURNING id"
    )
    async with checkout(synced.pool) as connection:
        await drop_vector_index(connection, SPACE.model, SPACE.dimensions)
    assert await fill(VectorFilling(synced.pool, model := TriedModel())) == 0
    assert model.texts == []
    (space,) = await synced.rows("SELECT id, filler FROM rag_vector_spaces WHERE status = 'active'")
    assert space["filler"] is None
    documents = await synced.rows("SELECT FROM rag_documents WHERE space_id = %s", space["id"])
    assert len(documents) == PAGES
    index = hnsw_name(SPACE.model, SPACE.dimensions)
    indexes = await synced.rows("SELECT FROM pg_class WHERE relname = %s", index)
    assert len(indexes) == keeps_sessions


async def test_document_that_was_wrongly_recorded_as_complete_is_filled(synced: Library) -> None:
    """As an earlier version did it when a sync wrote at the same time."""
    assert await fill(VectorFilling(synced.pool, TriedModel())) == PAGES
    await synced.rows(
        "DELETE FROM rag_embeddings WHERE content_hash IN (SELECT content_hash FROM "
        "rag_chunks ORDER BY id LIMIT 1) RETURNING chunk_id"
    )
    filling = VectorFilling(synced.pool, TriedModel())
    assert (await filling.fill(), await filling.fill()) == (0, 1)
    assert (await progress(synced)).missing == 0


async def test_space_that_a_sync_has_retired_is_not_built_again(synced: Library) -> None:
    """A process with the earlier EMBEDDING_MODEL ends its work; only a new one begins it again."""
    filling = VectorFilling(synced.pool, TriedModel())
    assert await filling.fill() == PORTION
    await synced.rows("UPDATE rag_vector_spaces SET status = 'retired' RETURNING id")
    assert await filling.fill() == 0
    assert await synced.rows("SELECT FROM rag_vector_spaces WHERE status <> 'retired'") == []


async def test_chunks_that_a_sync_writes_meanwhile_have_vectors_too(synced: Library) -> None:
    """A document whose chunks change while vectors are stored is not recorded as complete."""
    filling = VectorFilling(synced.pool, TriedModel())
    (first,) = await synced.rows("SELECT min(id) AS id FROM rag_documents")
    async with asyncio.timeout(30), synced.pool.connection() as connection:
        async with connection.transaction():
            await connection.execute(_REWRITE, first)
            await connection.execute(_ADD_CHUNK, first)
            portion = asyncio.create_task(filling.fill())
            while not await synced.rows(_IS_BLOCKED):
                assert not portion.done()
                await asyncio.sleep(0.01)
        assert await portion == PORTION
    (noted,) = await synced.rows("SELECT count(space_id) FROM rag_documents")
    assert noted["count"] == PORTION - 1
    assert await fill(filling) == PAGES + 1 - PORTION
    assert await progress(synced) == VectorProgress(PAGES + 1, PAGES + 1, 0)


async def fill(filling: VectorFilling) -> int:
    """Fill until nothing is missing; the number of chunks."""
    total = 0
    while made := await filling.fill():
        total += made
    return total


async def progress(library: Library) -> VectorProgress:
    """The progress as doctor tells it."""
    return await PostgresSourceCatalogue(library.pool).vector_progress(SPACE)
