"""Private sources: a user's file is searched for that user, and for nobody else."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.user_files.private_index import PrivateIndex
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.rights import ANYBODY, Reader
from rich_agent.domain.user_files import FileUnit, NewUserFile, UserFile
from rich_agent.errors import UpstreamUnavailableError
from rich_agent.graph.files.gathering import is_from_file
from rich_agent.graph.nodes.retrieve import retrieve
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.services import Limits, NodeContext
from rich_agent.graph.state import TurnState
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from rich_agent.repositories.knowledge.user_files import PostgresUserFiles
from tests import make
from tests.integration.catalogue import read
from tests.scripted import ScriptedEmbeddings

USERS = range(100, 120)


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """A database without documents."""
    async with open_pool(database_url, max_size=4) as opened:
        yield opened


async def send(pool: Pool, user_id: int, words: str, model: ScriptedEmbeddings | None) -> UserFile:
    """A file of this user, stored and indexed."""
    unit = FileUnit("page", 3, "", words, 9)
    stored = await PostgresUserFiles(pool).store(
        NewUserFile(
            *(user_id, f"tg:{user_id}", "diary.pdf", "application/pdf", 9, f"{user_id}", "ref"),
            (unit,),
        )
    )
    await PrivateIndex(pool, model).index(stored, [("page 3", words)])
    (file,) = await PostgresUserFiles(pool).find(user_id, [stored.id])
    assert file.is_indexed
    return file


async def test_private_sources_are_searched_for_their_owner_alone(pool: Pool) -> None:
    """Twenty users with a secret each: every search, list and excerpt finds at most one's own."""
    files = {u: await send(pool, u, f"My secret word is zebra{u}.", None) for u in USERS}
    passages, catalogue = PostgresPassages(pool), PostgresSourceCatalogue(pool)
    for user in USERS:
        question = " ".join(f"zebra{other}" for other in USERS)
        own = await passages.search(
            PassageQuery(question, limit=50, reader=Reader(user), files=True)
        )
        assert [passage.content for passage in own] == [f"My secret word is zebra{user}."]
        assert [(p.kind, p.title, p.section, p.link) for p in own] == [
            ("file", "diary.pdf", "page 3", "")
        ]
        others = tuple(file.source_id for one, file in files.items() if one != user)
        query = PassageQuery(question, limit=50, reader=Reader(user), files=True, source_ids=others)
        assert await passages.search(query) == []
        assert await catalogue.excerpt(own[0].id, 1, ANYBODY) is None
        assert await catalogue.outline(own[0].id, 9, ANYBODY) == []
    assert await passages.search(PassageQuery("zebra100 zebra101", limit=50)) == []
    assert not await passages.hold_word("zebra100", ANYBODY)
    assert (await passages.names(ANYBODY)).sources == ()
    assert (await catalogue.titles("zebra100", 5, ANYBODY)).matching == ()
    assert (await catalogue.page(0, 5, ANYBODY)).source_count == 0
    assert await PostgresSources(pool).all() == []
    assert await PostgresSources(pool).overview() == []


async def test_private_sources_go_with_their_file(pool: Pool, database_url: str) -> None:
    """Nothing of text, chunks and vectors is left of a file that is forgotten."""
    file = await send(pool, 100, "My secret word is zebra.", ScriptedEmbeddings())
    assert read(database_url, "SELECT chunk_id FROM rag_embeddings") != set()
    assert await PostgresUserFiles(pool).forget(100, [file.id]) == 1
    for table in ("rag_sources", "rag_documents", "rag_chunks", "user_file_units"):
        assert read(database_url, f"SELECT 1 FROM {table}") == set()
    for table in ("rag_embeddings", "rag_embedded_texts"):
        assert read(database_url, f"SELECT model FROM {table}") == set()


async def test_file_is_searched_by_words_where_no_vectors_can_be_made(pool: Pool) -> None:
    """A model of embeddings that is away costs the vectors and nothing else."""
    model = ScriptedEmbeddings(failure=UpstreamUnavailableError("embeddings", "away"))
    await send(pool, 100, "My secret word is zebra.", model)
    found = await PostgresPassages(pool).search(
        PassageQuery("zebra", reader=Reader(100), files=True)
    )
    assert [passage.title for passage in found] == ["diary.pdf"]


async def ask_of_long_file(pool: Pool, model: ScriptedEmbeddings | None) -> tuple[int, TurnState]:
    """A file that is too long for the prompt, and its turn after a question in other words."""
    files = PostgresUserFiles(pool)
    unit = FileUnit("page", 3, "", "The lamp was lit at dusk. " * 50, 400)
    stored = await files.store(
        NewUserFile(100, "tg:100", "log.pdf", "application/pdf", 9, "hash", "ref", (unit,))
    )
    services = replace(
        make.Fakes(embeddings=model, limits=Limits(max_context_tokens=500)).services(),
        user_files=files,
        file_index=PrivateIndex(pool, model),
        passages=PostgresPassages(pool),
    )
    routing = {"intent": "general_question", "plan": "rag", "reason": "r", "file_ids": [stored.id]}
    state = make.state(
        routing=routing, rag={"query": "evening"}, user={"telegram_user_id": 100, "locale": "en"}
    )
    runtime: Any = make.FakeRuntime(NodeContext(services))
    state = {**state, **await retrieve(state, runtime)}
    return stored.id, {**state, **await synthesize(state, runtime)}


async def test_first_long_file_is_searched_by_meaning(pool: Pool) -> None:
    """Its index brings the first vectors to the database; the question is embedded after that."""
    file_id, state = await ask_of_long_file(pool, ScriptedEmbeddings())
    found = [Passage.from_state(one) for one in state["rag"]["retrieved_chunks"]]
    assert found
    assert is_from_file(found[0], file_id)


async def test_file_in_which_nothing_was_found_is_named(pool: Pool) -> None:
    """Nothing of registered documents: the question was not about them."""
    _, state = await ask_of_long_file(pool, None)
    assert state["rag"]["retrieved_chunks"] == []
    assert state["answer"]["text"].startswith("Nothing found in your files.\n\n_log.pdf is long")
