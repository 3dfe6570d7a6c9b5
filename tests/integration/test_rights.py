"""Rights of documents: each reader finds what is open to them, by every way to the documents."""

from collections.abc import AsyncIterator

import pytest
from pgvector import HalfVector

from bench.rights.check import Tally, check
from bench.rights.serving import served
from bench.rights.stored import Changes, Stored
from bench.rights.team import Team
from bench.rights.ways import Ways
from rich_agent.documents.index.vector_index import build_vector_index
from rich_agent.documents.index.vector_spaces import open_space
from rich_agent.documents.registry.document_rights import KnownReader, PostgresDocumentRights
from rich_agent.documents.registry.spaces import PostgresSpaceRegistry
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.rights import ANYBODY, OPERATOR, PlaceReaders, Reader, ServiceGroup
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Pool, checkout, open_pool
from rich_agent.repositories.knowledge import search_scope, vector_search
from rich_agent.repositories.knowledge.passage_search import read_candidates
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.places import PostgresPlaces
from rich_agent.repositories.knowledge.search_scope import find_scope
from rich_agent.repositories.knowledge.spaces import PostgresSpaces
from rich_agent.repositories.knowledge.vector_search import search_vectors
from rich_agent.repositories.knowledge.word_search import search_words
from tests.contract.test_passages import Shelf, vector

PEOPLE, PAGES, CHANGES = 10, 40, 40
ANNA, STAFF = "external:wiki:anna", "external:wiki:staff"
MINUTES = "# Minutes\n\n## Lantern\n\nThe lantern works are sold to zephyrine."
PAGE = "https://wiki.example/minutes"


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """A database without documents."""
    async with open_pool(database_url, max_size=4) as opened:
        yield opened


@pytest.mark.costs("it asks everything for every reader")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("few", "few_chunks"), [(1_000, 3_000), (1_000, 0), (3, 3_000)])
async def test_nobody_sees_more_or_less_than_they_may(
    pool: Pool, seed: int, few: int, few_chunks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After many changes, by every way, for readers of few chunks, few documents, and many.

    `python -m bench.rights` does the same with 10,000 documents and 500 people.
    """
    monkeypatch.setattr(search_scope, "_FEW_DOCUMENTS", few)
    monkeypatch.setattr(search_scope, "_FEW_FOR_WORDS", few_chunks)
    stored = Stored(Team.make(seed, PEOPLE, PAGES), pool)
    await stored.fill()
    changes, tally = Changes(stored), Tally()
    async with served(pool) as routes:
        ways = Ways(stored, routes)
        for _ in range(CHANGES):
            what = await changes.make()
            person = stored.team.random.choice([None, *range(1, PEOPLE + 1)])
            page = stored.team.random.choice(sorted(stored.team.pages))
            await check(ways, person, tally, kinds=[page % 4], singly=[page])
            assert tally.is_clean, (what, tally)
        for shown in (await ways.all_of(OPERATOR, ())).values():
            off = {n for n, one in stored.team.pages.items() if one.source == "share"}
            assert shown[1] == set(stored.team.pages) - (off if stored.team.is_off else set())
    assert tally.readable > 0


async def minutes(pool: Pool) -> tuple[int, str]:
    """A page of a wiki that its staff may read; the ids of the document and of its chunk."""
    shelf, places = Shelf(pool), PostgresPlaces(pool)
    (chunk,) = await shelf.put(await shelf.add_source("wiki"), "minutes", MINUTES, [vector(1)])
    await places.assign("src_wiki", {PAGE: "board"})
    group = ServiceGroup(STAFF, frozenset({ANNA}))
    await places.store(
        "src_wiki", [PlaceReaders("board", frozenset({STAFF}))], [group], is_whole=True
    )
    async with checkout(pool) as connection:
        row = await (await connection.execute("SELECT id FROM rag_documents")).fetchone()
    assert row
    return int(row["id"]), chunk


async def found(pool: Pool, user: int | None) -> list[str]:
    """The ids of what a user finds."""
    query = PassageQuery("To whom are the lantern works sold?", vector(1), reader=Reader(user))
    return [passage.id for passage in await PostgresPassages(pool).search(query)]


async def test_rights_of_which_a_service_is_silent_end_after_a_day(pool: Pool) -> None:
    """Nobody reads the source then, until it could be asked again; the operator is told why."""
    document, chunk = await minutes(pool)
    registry = PostgresSpaceRegistry(pool)
    await registry.change_accounts(7, [ANNA])
    assert await found(pool, 7) == [chunk]
    async with checkout(pool) as connection:
        await connection.execute(
            "UPDATE rag_sources SET rights_read_at = rights_read_at - interval '25 hours'"
        )
    assert await found(pool, 7) == []
    guard = f"document:{document}"
    assert await PostgresSpaces(pool).open_of(Reader(7), [guard]) == frozenset()
    (right,) = await registry.explain(7)
    assert (right.is_readable, right.is_current) == (False, False)
    (told,) = await PostgresDocumentRights(pool).explain(PAGE)
    assert not told.is_current


async def test_member_of_a_group_reads_under_the_name_that_the_service_has(pool: Pool) -> None:
    """Only who is known to the bot by that name; it ends with the name, or with the membership."""
    document, chunk = await minutes(pool)
    registry, places = PostgresSpaceRegistry(pool), PostgresPlaces(pool)
    assert await found(pool, 7) == []
    assert await registry.change_accounts(7, [ANNA]) == [ANNA]
    assert (await found(pool, 7), await found(pool, 8), await found(pool, None)) == (
        [chunk],
        [],
        [],
    )
    (told,) = await PostgresDocumentRights(pool).explain(PAGE)
    assert (told.place, told.readers) == ("board", (STAFF,))
    assert told.people == (KnownReader(7, ANNA, STAFF),)
    (right,) = await registry.explain(7)
    assert (right.is_readable, right.readable, right.through) == (True, 1, (STAFF,))
    (right,) = await registry.explain(8)
    assert (right.is_readable, right.readable, right.through) == (False, 0, ())
    guard = f"document:{document}"
    spaces = PostgresSpaces(pool)
    assert await spaces.open_of(Reader(7), [guard]) == {guard}
    assert await spaces.open_of(ANYBODY, [guard]) == frozenset()
    await places.store("src_wiki", [], [ServiceGroup(STAFF, frozenset())], is_whole=False)
    assert await found(pool, 7) == []
    assert await spaces.open_of(Reader(7), [guard]) == frozenset()


async def test_right_that_ends_during_a_search_ends_before_anything_is_read(pool: Pool) -> None:
    """The statement that reads what was found looks at the rights again."""
    _, chunk = await minutes(pool)
    await PostgresSpaceRegistry(pool).change_accounts(7, [ANNA])
    query = PassageQuery("To whom are the lantern works sold?", vector(1), reader=Reader(7))
    scope = await find_scope(pool, query)
    assert scope.space
    assert await search_words(pool, scope, 5) == [chunk]
    assert await search_vectors(pool, scope, HalfVector(vector(1)), 5) == [chunk]
    assert [one.passage.id for one in await read_candidates(pool, scope, None, [chunk])] == [chunk]
    closed = [PlaceReaders("board", frozenset())]
    await PostgresPlaces(pool).store("src_wiki", closed, [], is_whole=False)
    assert await read_candidates(pool, scope, None, [chunk]) == []


async def test_telegram_group_that_may_read_a_place_is_asked_about(pool: Pool) -> None:
    """As one that may read a space: the bot knows of it, and of its members for some minutes."""
    _, chunk = await minutes(pool)
    reading = [PlaceReaders("board", frozenset({"telegram_group:-77"}))]
    await PostgresPlaces(pool).store("src_wiki", reading, [], is_whole=True)
    spaces = PostgresSpaces(pool)
    assert await spaces.groups() == [-77]
    await spaces.note_members(7, {-77: True})
    assert await found(pool, 7) == [chunk]
    await spaces.note_members(7, {-77: False})
    assert await found(pool, 7) == []


async def test_source_that_gets_rights_later_is_searched_by_document(pool: Pool) -> None:
    """Vectors from before do not name their document until then."""
    shelf = Shelf(pool)
    (chunk,) = await shelf.put(await shelf.add_source("wiki"), "minutes", MINUTES, [vector(1)])
    async with checkout(pool) as connection:
        await connection.execute("UPDATE rag_embeddings SET document_id = NULL")
    places = PostgresPlaces(pool)
    await places.assign("src_wiki", {PAGE: "board"})
    reading = [PlaceReaders("board", frozenset({"user:7"}))]
    await places.store("src_wiki", reading, [], is_whole=True)
    by_vector = PassageQuery("", vector(1), reader=Reader(7))
    assert [one.id for one in await PostgresPassages(pool).search(by_vector)] == [chunk]


@pytest.mark.parametrize("few", [2, 1])
async def test_scope_lists_the_documents_of_few_places(
    pool: Pool, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The documents of more are not even counted; the reader's audiences are looked up once."""
    monkeypatch.setattr(search_scope, "_FEW_DOCUMENTS", few)
    document, chunk = await minutes(pool)
    readers = frozenset({"user:7"})
    reading = [PlaceReaders(place, readers) for place in ("board", "empty")]
    await PostgresPlaces(pool).store("src_wiki", reading, [], is_whole=True)
    scope = await find_scope(pool, PassageQuery("lantern", reader=Reader(7)))
    assert scope.guarded
    assert scope.guarded.documents == (f"{{{document}}}" if few == 2 else None)
    async with checkout(pool) as connection:
        row = await (await connection.execute("SELECT id FROM rag_audiences")).fetchone()
    assert row
    assert scope.guarded.audiences == f"{{{row['id']}}}"
    assert await search_words(pool, scope, 5) == [chunk]


@pytest.mark.parametrize("few", [1_000, 3])
async def test_index_of_vectors_gives_only_what_is_open(
    pool: Pool, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index is searched further than for others, until there is enough."""
    monkeypatch.setattr(search_scope, "_FEW_DOCUMENTS", few)
    monkeypatch.setattr(vector_search, "_EXACT_BELOW", 0)
    monkeypatch.setattr(vector_search, "_EXACT_BELOW_SHARE", 0.0)
    stored = Stored(Team.make(5, PEOPLE, 300), pool)
    await stored.fill()
    async with checkout(pool) as connection:
        space = await open_space(connection, VectorSpace("fuzz", 8))
    await build_vector_index(pool, space, lambda _words: None, from_vectors=10)
    passages, pages = PostgresPassages(pool), stored.team.pages
    for person in (None, *range(1, PEOPLE + 1)):
        query = PassageQuery("", [1.0, *[0.5] * 7], limit=6, reader=Reader(person))
        titles = {one.passage.title for one in (await passages.find(query)).candidates}
        may = {page.title for page in pages.values() if stored.team.may_read(person, page)}
        assert titles <= may
        assert len(titles) >= min(15, len(may))
