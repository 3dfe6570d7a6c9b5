"""Places and groups, as a service's rights are stored."""

from collections.abc import AsyncIterator, Mapping

import pytest

from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.domain.rights import PlaceReaders, ServiceGroup
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.knowledge.places import PostgresPlaces
from tests.contract.test_passages import GUIDE, Shelf

WIKI, OTHER = "src_wiki", "src_other"
ANNA, STAFF = "external:wiki:anna", "external:wiki:staff"


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """A database with two sources, of which one has two documents."""
    async with open_pool(database_url, max_size=4) as opened:
        shelf = Shelf(opened)
        wiki = await shelf.add_source("wiki")
        await shelf.add_source("other")
        for path in ("a", "b"):
            await shelf.put(wiki, path, GUIDE)
        yield opened


def access(place: str, *readers: str) -> PlaceReaders:
    """The readers of a place."""
    return PlaceReaders(place, frozenset(readers))


async def rows(pool: Pool, query: str) -> list[tuple[object, ...]]:
    """The rows of a statement."""
    async with pool.connection() as connection:
        found = await (await connection.execute(query)).fetchall()
    return [tuple(row.values()) for row in found]


async def readers(pool: Pool) -> Mapping[str, list[str]]:
    """The names of the readers, by place."""
    query = """
    SELECT key, ARRAY(
        SELECT name FROM rag_principals WHERE id = ANY(principals) ORDER BY name
    ) FROM rag_places LEFT JOIN rag_audiences AS audience ON audience.id = audience_id ORDER BY key
    """
    return {str(key): list(names) for key, names in await rows(pool, query)}  # type: ignore[call-overload]


async def test_store_keeps_each_set_of_readers_once(pool: Pool) -> None:
    """Two places with the same readers share their audience, in whatever order they are given."""
    places = PostgresPlaces(pool)
    given = [access("x", ANNA, "user:7"), access("y", "user:7", ANNA), access("z")]
    await places.store(WIKI, given, [], is_whole=True)
    assert await readers(pool) == {"x": [ANNA, "user:7"], "y": [ANNA, "user:7"]}
    assert await rows(pool, "SELECT count(*) FROM rag_audiences") == [(1,)]
    assert await rows(pool, "SELECT id FROM rag_sources WHERE has_rights") == [(WIKI,)]


async def test_place_that_a_whole_listing_lacks_is_nobodys(pool: Pool) -> None:
    """A part of a listing leaves others as they are; the place of a document stays, closed."""
    places = PostgresPlaces(pool)
    await places.assign(WIKI, {"https://wiki.example/a": "x", "https://wiki.example/none": "w"})
    await places.store(WIKI, [access("x", ANNA), access("y", "everybody")], [], is_whole=True)
    await places.store(OTHER, [access("x", "everybody")], [], is_whole=True)
    await places.store(WIKI, [access("y", "user:7")], [], is_whole=False)
    query = "SELECT source_id, key, audience_id IS NULL FROM rag_places ORDER BY 1, 2"
    assert await rows(pool, query) == [
        (OTHER, "x", False),
        (WIKI, "x", False),
        (WIKI, "y", False),
    ]
    await places.store(WIKI, [], [], is_whole=True)
    assert await rows(pool, query) == [(OTHER, "x", False), (WIKI, "x", True)]
    assert await rows(pool, "SELECT name FROM rag_principals") == [("everybody",)]
    await PostgresSources(pool).remove(OTHER)
    assert await rows(pool, "SELECT name FROM rag_principals") == []


async def test_members_of_groups_come_and_go(pool: Pool) -> None:
    """A group that a whole listing lacks is empty; one that a service may not name is ignored."""
    places = PostgresPlaces(pool)
    query = (
        "SELECT whole.name, one.name AS member FROM rag_members JOIN rag_principals AS whole ON "
    )
    query += "whole.id = group_id JOIN rag_principals AS one ON one.id = member_id ORDER BY 1, 2"
    given = [
        ServiceGroup(STAFF, frozenset({ANNA, "external:wiki:ben"})),
        ServiceGroup("list:board", frozenset({ANNA})),
    ]
    await places.store(WIKI, [access("x", STAFF)], given, is_whole=True)
    assert await rows(pool, query) == [(STAFF, ANNA), (STAFF, "external:wiki:ben")]
    await places.store(WIKI, [], [ServiceGroup(STAFF, frozenset({ANNA}))], is_whole=False)
    assert await rows(pool, query) == [(STAFF, ANNA)]
    await places.store(WIKI, [access("x", STAFF)], [], is_whole=True)
    assert await rows(pool, query) == []


async def test_odd_names_never_become_the_same(pool: Pool) -> None:
    """Keys that cannot be stored or indexed as they are; a principal that cannot be is left out."""
    places = PostgresPlaces(pool)
    keys = ["a", "a\x00", "a\udc80", "b" * 3_000, "b" * 3_001]
    given = [access(key, f"user:{number}") for number, key in enumerate(keys, start=1)]
    odd = ["user:0", "external:wiki:", "external:wiki:a\x00", "somebody", "x" * 4_000]
    await places.store(WIKI, [*given, access("c", *odd)], [], is_whole=True)
    stored = await readers(pool)
    assert sorted(stored.values()) == [[f"user:{number}"] for number in range(1, 6)]
    assert stored["a"] == ["user:1"]
    for key in keys:
        await places.assign(WIKI, {"https://wiki.example/a": key, "https://wiki.example/b": ""})
    found = await rows(pool, "SELECT count(*) FROM rag_places")
    assert found == [(5,)], "the documents are in places that have rights"
    query = "SELECT url, place_id IS NULL FROM rag_documents ORDER BY url"
    assert [is_none for _, is_none in await rows(pool, query)] == [False, True]


async def test_unchanged_rights_write_nothing(pool: Pool) -> None:
    """No row gets another version, and no id is used up."""
    places = PostgresPlaces(pool)
    query = "SELECT ctid, xmin, id FROM rag_places UNION ALL SELECT ctid, xmin, id FROM "
    query += "rag_audiences UNION ALL SELECT ctid, xmin, id FROM rag_principals"
    for _ in range(3):
        await places.store(
            WIKI, [access("x", STAFF)], [ServiceGroup(STAFF, frozenset({ANNA}))], is_whole=True
        )
        await places.assign(WIKI, {"https://wiki.example/a": "x"})
    before = await rows(pool, query)
    await places.store(
        WIKI, [access("x", STAFF)], [ServiceGroup(STAFF, frozenset({ANNA}))], is_whole=True
    )
    await places.assign(WIKI, {"https://wiki.example/a": "x"})
    assert await rows(pool, query) == before
    await places.store(WIKI, [access("y", "user:7")], [], is_whole=False)
    assert await rows(pool, "SELECT max(id) FROM rag_principals") == [(3,)]
