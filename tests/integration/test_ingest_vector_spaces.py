"""Another embedding model: built beside the one that queries use, and switched when complete."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typing_extensions import override

from ingest.app import keep_space
from rich_agent.documents.index.vector_index import build_vector_index
from rich_agent.documents.index.vector_spaces import find_space
from rich_agent.domain.retrieval.local_models import LocalModel
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import SettingsError, UpstreamUnavailableError
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.pools import Databases, open_pools
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.vector_search import hnsw_name
from rich_agent.settings.settings import Settings
from tests.integration.ingest_support import MODEL, Library, Renamed, document, open_library
from tests.integration.test_serving_role import two_roles
from tests.sandbox_server import RunningSandbox

OTHER = "other-model"


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources, over a model that has not been called."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


class Breaking(Renamed):
    """A model that is away after so many calls."""

    def __init__(self, model: EmbeddingModel, calls: int) -> None:
        super().__init__(model, model.name)
        self._left = calls

    @override
    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        if not self._left:
            raise UpstreamUnavailableError("embeddings", "cannot be reached")
        self._left -= 1
        return await super().embed(texts)


async def spaces(library: Library) -> dict[str, str]:
    """The state of each space, by its model."""
    rows = await library.rows("SELECT model, status FROM rag_vector_spaces")
    return {row["model"]: row["status"] for row in rows}


async def vectors(library: Library) -> dict[str, int]:
    """The number of vectors of each model."""
    rows = await library.rows("SELECT model, count(*) FROM rag_embeddings GROUP BY model")
    return {row["model"]: row["count"] for row in rows}


def write_documents(folder: Path, count: int) -> None:
    """So many documents of about five chunks."""
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.md").write_text(document(f"Topic{number}", 8), "utf-8")


async def write(library: Library, folder: Path, count: int = 10) -> int:
    """Register so many documents; how many chunks they have."""
    write_documents(folder, count)
    await library.add(folder)
    return (await library.sync()).chunks.embedded


@pytest.mark.req("RAG-5")
async def test_model_is_switched_when_complete(library: Library, tmp_path: Path) -> None:
    """The old vectors stay until the sync after that, for queries that began before."""
    chunks = await write(library, tmp_path / "docs")
    assert await spaces(library) == {MODEL: "active"}
    second = await library.sync(model=OTHER)
    assert (second.chunks.embedded, second.chunks.kept) == (chunks, 0)
    assert await spaces(library) == {MODEL: "retired", OTHER: "active"}
    assert await vectors(library) == {MODEL: chunks, OTHER: chunks}
    third = await library.sync(model=OTHER)
    assert third.embedding_calls == 0
    assert await spaces(library) == {OTHER: "active"}
    assert await vectors(library) == {OTHER: chunks}


@pytest.mark.costs("documents are embedded again by another model")
@pytest.mark.req("RAG-5", "DUR-2")
async def test_model_switch_is_interrupted_and_resumed(library: Library, tmp_path: Path) -> None:
    """Queries use the old model until all is there, and nothing is embedded twice."""
    chunks = await write(library, tmp_path / "docs", 120)
    passages = PostgresPassages(library.pool)
    library.forget_calls()
    broken = await replace(library, model=Breaking(library.model, 8)).sync(model=OTHER)
    done = broken.chunks.embedded
    assert 0 < done < chunks
    assert any("yet" in note for note in broken.notes)
    assert await spaces(library) == {MODEL: "active", OTHER: "building"}
    space = await passages.space()
    assert space is not None
    assert space.model == MODEL
    (vector,) = await library.model.embed(["Topic3"])
    assert await passages.search(PassageQuery("Topic3", vector))
    library.forget_calls()
    resumed = await library.sync(model=OTHER)
    assert resumed.failures == []
    judged = 60  # without a sentence each, by which the model is judged
    assert resumed.chunks.embedded == len(library.embedded_texts()) - judged == chunks - done
    assert await spaces(library) == {MODEL: "retired", OTHER: "active"}


@pytest.mark.costs("documents are embedded again by another model")
async def test_model_set_back_before_the_switch_costs_nothing(
    library: Library, tmp_path: Path
) -> None:
    """The old space is still complete; the other one goes when it is a week old."""
    chunks = await write(library, tmp_path / "docs", 120)
    await replace(library, model=Breaking(library.model, 4)).sync(model=OTHER)
    back = await library.sync()
    assert (back.embedding_calls, back.chunks.kept) == (0, chunks)
    assert await spaces(library) == {MODEL: "active", OTHER: "building"}
    await library.rows(
        "UPDATE rag_vector_spaces SET created_at = now() - interval '8 days' "
        "WHERE status = 'building' RETURNING id"
    )
    await library.sync()
    assert await spaces(library) == {MODEL: "active"}
    assert await vectors(library) == {MODEL: chunks}


async def test_model_set_back_after_the_switch_takes_what_is_left(
    library: Library, tmp_path: Path
) -> None:
    """The retired vectors that were not deleted yet are found again."""
    chunks = await write(library, tmp_path / "docs")
    await library.sync(model=OTHER)
    await library.rows(
        "DELETE FROM rag_embeddings WHERE chunk_id = (SELECT min(chunk_id) FROM rag_embeddings) "
        "AND model = %s RETURNING chunk_id",
        MODEL,
    )
    back = await library.sync()
    assert back.chunks.embedded == 1
    assert await spaces(library) == {MODEL: "active", OTHER: "retired"}
    assert (await vectors(library))[MODEL] == chunks


async def test_model_switch_reaches_what_a_failing_source_holds(
    library: Library, tmp_path: Path
) -> None:
    """Documents that cannot be listed or read any more are searched all the same."""
    chunks = await write(library, tmp_path / "docs", 3)
    for file in (tmp_path / "docs").iterdir():
        file.unlink()
    report = await library.sync(model=OTHER)
    assert report.documents.failed == 1
    assert (report.chunks.embedded, report.chunks.kept) == (chunks, 0)
    assert await spaces(library) == {MODEL: "retired", OTHER: "active"}


async def test_model_none_switches_nothing(library: Library, tmp_path: Path) -> None:
    """The vectors stay, and new chunks get theirs when there is a model again."""
    await write(library, tmp_path / "docs", 2)
    (tmp_path / "docs" / "new.md").write_text(document("New", 8), "utf-8")
    without = await library.sync(model=None)
    assert (without.documents.new, without.embedding_calls) == (1, 0)
    assert await spaces(library) == {MODEL: "active"}
    again = await library.sync()
    assert again.chunks.embedded > 0
    assert (await vectors(library))[MODEL] == len(await library.chunk_ids())


# The index of many vectors


INDEXES = """
SELECT relname AS name, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE starts_with(relname, 'rag_embeddings_hnsw_')
"""


async def build(library: Library, from_vectors: int = 10) -> str:
    """Build the index of the model's space, if it has so many vectors."""
    space = VectorSpace(MODEL, library.model.dimensions)
    async with library.pool.connection() as connection:
        opened = await find_space(connection, space)
    return await build_vector_index(
        library.pool, opened, lambda _words: None, from_vectors=from_vectors
    )


async def test_vector_index_is_built_for_many_vectors(library: Library, tmp_path: Path) -> None:
    """Under the name that queries look for, not for few; it goes with its space."""
    chunks = await write(library, tmp_path / "docs")
    assert await build(library, chunks + 1) == ""
    assert await library.rows(INDEXES) == []
    for _ in range(2):
        assert await build(library, chunks) == ""
        name = hnsw_name(MODEL, library.model.dimensions)
        assert await library.rows(INDEXES) == [{"name": name, "indisvalid": True}]
    await library.sync(model=OTHER)
    await library.sync(model=OTHER)
    assert await library.rows(INDEXES) == []


NO_SHARED_MEMORY = """
CREATE FUNCTION refuse_workers() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF current_setting('max_parallel_maintenance_workers') <> '0' THEN
        RAISE 'could not resize shared memory segment' USING ERRCODE = 'disk_full';
    END IF;
END $$;
CREATE EVENT TRIGGER refuse_workers ON ddl_command_start WHEN TAG IN ('CREATE INDEX')
EXECUTE FUNCTION refuse_workers()
"""


async def test_vector_index_is_built_without_shared_memory(
    library: Library, tmp_path: Path
) -> None:
    """By one process, as a container may not have enough of it for several."""
    await write(library, tmp_path / "docs")
    async with library.pool.connection() as connection:
        await connection.execute(NO_SHARED_MEMORY)
    assert await build(library) == ""
    assert [row["indisvalid"] for row in await library.rows(INDEXES)] == [True]


async def test_vector_index_that_was_not_finished_is_built_again(
    library: Library, tmp_path: Path
) -> None:
    """An index that an interrupted build left is invalid, and nobody uses it."""
    await write(library, tmp_path / "docs")
    await build(library)
    await library.rows(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass RETURNING 1",
        hnsw_name(MODEL, library.model.dimensions),
    )
    assert [row["indisvalid"] for row in await library.rows(INDEXES)] == [False]
    await build(library)
    assert [row["indisvalid"] for row in await library.rows(INDEXES)] == [True]


async def test_sync_needs_no_right_to_create(
    empty_database_url: str, sandbox: RunningSandbox, tmp_path: Path
) -> None:
    """A serving role syncs and switches; that it may not build the index is a note."""
    with two_roles(empty_database_url) as (owner_url, app_url):
        migrate(owner_url, owner_url)
        async with (
            open_pools(app_url, app_url, max_size=4) as databases,
            open_library(databases.rag, sandbox.url) as library,
        ):
            await write(library, tmp_path / "docs")
            report = await library.sync(model=OTHER)
            assert report.failures == []
            assert await spaces(library) == {MODEL: "retired", OTHER: "active"}
            assert "owner" in await build(library)


async def test_installed_model_is_not_used_beside_vectors_of_a_server(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command without the server's key says so, unless the model of this machine is named."""
    monkeypatch.setattr(LocalModel, "is_installed", True)
    await keep_space(Settings.load(), library.pool)
    write_documents(tmp_path / "files", 1)
    await library.add(str(tmp_path / "files"))
    await library.sync()
    assert "active" in (await spaces(library)).values()
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        await keep_space(Settings.load(), library.pool)
    await keep_space(Settings.load(EMBEDDING_MODEL="local"), library.pool)
