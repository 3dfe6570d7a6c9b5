"""The description of the documents in PostgreSQL: from what all may read, and for every reader."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.registry.spaces import PostgresSpaceRegistry
from rich_agent.domain.rights import Reader
from rich_agent.domain.routing.described_domain import is_due
from rich_agent.domain.routing.plan import Domain
from rich_agent.ports.knowledge import WrittenFrom
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


async def describe(store: PostgresDomainStore, domain: Domain) -> None:
    """Store a description as a sync does."""
    tried_at = await store.begin()
    assert tried_at is not None
    await store.keep(domain, WrittenFrom(await store.sample(9), await store.count()), tried_at)


async def test_description_reaches_prompts_and_suggestions(pool: Pool) -> None:
    """One row, which is replaced; only what came or changed of open documents counts since."""
    shelf, store, passages = Shelf(pool), PostgresDomainStore(pool), PostgresPassages(pool)
    source = await shelf.add_source("open")
    await shelf.put(source, "leave", "# Leave\n\nThe words.", [vector(1, 0.5)])
    assert await store.read() is None
    assert (await passages.names(Reader(7))).about == ""
    await describe(store, Domain("documents", "Old.", ("Old?",)))
    await describe(store, Domain("documents", "Rules on leave.", ("How many days?", "Who asks?")))
    names = await passages.names(Reader(7))
    assert (names.about, names.examples) == ("Rules on leave.", ("How many days?", "Who asks?"))
    questions = await PostgresSourceCatalogue(pool).typical_questions(Reader(7))
    assert questions == ["How many days?", "Who asks?"]
    about_bot = await shelf.add_source("about", internal=True)
    await shelf.put(about_bot, "help", "# Help\n\nThe bot.", [vector(1, 0.5)])
    described = await store.read()
    assert described is not None
    assert (described.documents, described.changed) == (1, 0)
    await shelf.put(source, "travel", "# Travel\n\nOther words.", [vector(1, 0.5)])
    described = await store.read()
    assert described is not None
    assert described.changed == 1


async def test_nobody_is_told_of_documents_that_are_closed_now(pool: Pool) -> None:
    """Whoever may not read one that the description was written from does not get it."""
    shelf, store, passages = Shelf(pool), PostgresDomainStore(pool), PostgresPassages(pool)
    catalogue, registry = PostgresSourceCatalogue(pool), PostgresSources(pool)
    await PostgresSpaceRegistry(pool).add("Board", ["user:7"])
    sources = [await shelf.add_source(name) for name in ("merger", "leave")]
    for source in sources:
        await shelf.put(source, source.name, f"# {source.name}\n\nThe words.", [vector(1, 0.5)])
    await describe(store, Domain("documents", "The merger.", ("Who buys?",)))
    tried_at = await store.begin()
    assert tried_at is not None

    query = "UPDATE rag_sources SET space_id = (SELECT id FROM rag_spaces) WHERE id = %s"
    async with pool.connection() as connection:
        await connection.execute(query, (sources[0].id,))
    assert [(await passages.names(Reader(user))).about for user in (7, 8)] == ["The merger.", ""]
    assert await catalogue.typical_questions(Reader(8)) == []
    described = await store.read()
    assert described is not None
    assert is_due(described, 1, described.described_at)

    await registry.remove(sources[0].id)
    # A process that read the documents before cannot bring them back.
    await store.keep(Domain("documents", "The merger."), WrittenFrom((), 2), tried_at)
    assert await store.read() is None
    await describe(store, Domain("documents", "Leave."))
    await registry.set_status(sources[1].id, "inactive")
    assert (await passages.names(Reader(7))).about == ""


async def test_tries_wait_for_each_other_and_longer_after_each_failure(pool: Pool) -> None:
    """Of two processes one tries; a day later the next, and two days after that."""
    store = PostgresDomainStore(pool)

    async def pass_hours(hours: int) -> None:
        query = "UPDATE rag_domain SET tried_at = tried_at - make_interval(hours => %s)"
        async with pool.connection() as connection:
            await connection.execute(query, (hours,))

    tries = await asyncio.gather(store.begin(), store.begin())
    assert sum(one is not None for one in tries) == 1
    assert await store.begin(at_once=True) is None
    await pass_hours(1)
    assert await store.begin() is None
    await pass_hours(24)
    assert await store.begin() is not None
    await pass_hours(25)
    assert await store.begin() is None
    last = await store.begin(at_once=True)
    assert last is not None
    await store.keep(Domain("documents", "Pets."), WrittenFrom((), 1), last)
    assert await store.begin() is not None
