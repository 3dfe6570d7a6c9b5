"""The description of the documents in PostgreSQL: from what all may read, and for every reader."""

from collections.abc import AsyncIterator

import pytest

from ingest.spaces import PostgresSpaceRegistry
from rich_agent.domain.rights import Reader
from rich_agent.domain.routing.described_domain import is_due
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.knowledge.domain_store import PostgresDomainStore
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from tests.contract.test_passages import Shelf, vector


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """A database without documents."""
    async with open_pool(database_url, max_size=4) as opened:
        yield opened


async def test_documents_that_few_may_read_are_not_described(pool: Pool) -> None:
    """Every user reads the description, and what a space holds is nobody else's business."""
    shelf, store = Shelf(pool), PostgresDomainStore(pool)
    await PostgresSpaceRegistry(pool).add("Board", ["user:7"])
    for name, space in (("open", ""), ("secret", "Board")):
        source = await shelf.add_source(name, space=space)
        words = f"# {name}\n\n## Part\n\nThe words\nof {name}."
        await shelf.put(source, name, words, [vector(1, 0.5)])
    assert await store.count() == 1
    (beginning,) = await store.sample(9)
    assert beginning.title == "open"
    assert "words of open" in beginning.words


async def test_description_reaches_prompts_and_suggestions(pool: Pool) -> None:
    """One row, which is replaced; changes are counted from its writing on."""
    store, passages = PostgresDomainStore(pool), PostgresPassages(pool)
    await store.note_changes(3)
    assert await store.read() is None
    assert (await passages.names(Reader(7))).about == ""
    await store.keep("Old.", ["Old?"], 1)
    await store.keep("Rules on leave.", ["How many days?", "Who asks?"], 8)
    names = await passages.names(Reader(7))
    assert (names.about, names.examples) == ("Rules on leave.", ("How many days?", "Who asks?"))
    questions = await PostgresSourceCatalogue(pool).typical_questions()
    assert questions == ["How many days?", "Who asks?"]
    assert not is_due(await store.read(), 8)
    await store.note_changes(2)
    assert is_due(await store.read(), 8)
