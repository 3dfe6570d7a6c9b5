"""Spaces: each reader finds what is open to them, by every way to read the documents."""

from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random

import pytest

from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.registry.spaces import PostgresSpaceRegistry
from rich_agent.domain.rights import OPERATOR, Reader, ServiceGroup, group_of
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Pool, checkout, open_pool
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.places import PostgresPlaces
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from rich_agent.repositories.knowledge.spaces import PostgresSpaces
from tests.contract.test_passages import Shelf, vector

USERS = (*range(1, 7), None)
SPACES = ("Red", "Blue", "Green", "Grey")
LISTS, GROUPS = ("list:a", "list:b"), ("telegram_group:-100", "telegram_group:-200")
STAFF = "external:s0:staff"
EVERY = ("everybody", *(f"user:{user}" for user in range(1, 4)), *LISTS, *GROUPS, STAFF)
EVENTS = 60


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """A database without documents."""
    async with open_pool(database_url, max_size=4) as opened:
        yield opened


class Oracle:
    """Rights worked out by hand, next to a database that goes through the same changes."""

    def __init__(self, pool: Pool, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - the same changes each time
        self.registry, self.spaces = PostgresSpaceRegistry(pool), PostgresSpaces(pool)
        self.sources, self.pool = PostgresSources(pool), pool
        self.readers: dict[str, set[str]] = {space: set() for space in SPACES}
        self.space_of: dict[str, str] = {}
        self.members: dict[str, set[int]] = {one: set() for one in (*LISTS, *GROUPS, STAFF)}
        self.chunks: dict[str, str] = {}

    async def stock(self) -> None:
        """A document in each of eight sources, two without a space; the first knows people."""
        shelf = Shelf(self.pool)
        for user in range(1, 7):
            await self.registry.change_accounts(user, [f"external:s0:{user}"])
        for space in SPACES:
            await self.registry.add(space)
        for number in range(8):
            name, space = f"s{number}", ("", *SPACES)[number % 5]
            source = await shelf.add_source(name, space=space)
            words = f"# {name}\n\n## Part\n\nThe word of it is zebra{name} and otter."
            (self.chunks[name],) = await shelf.put(source, name, words, [vector(1, number / 9)])
            self.space_of[name] = space

    async def change(self) -> None:
        """A grant, a revocation, a move, or somebody who comes or goes."""
        what = self.random.choice(("grant", "revoke", "move", "join", "leave"))
        space, who = self.random.choice(SPACES), self.random.choice(EVERY)
        one, user = self.random.choice([*self.members]), self.random.randint(1, 6)
        if what == "grant":
            self.readers[space].add(who)
            await self.registry.add(space, [who])
        elif what == "revoke":
            self.readers[space].discard(who)
            await self.registry.add(space, (), [who])
        elif what == "move":
            name = self.random.choice([*self.space_of])
            self.space_of[name] = self.random.choice(("", *SPACES))
            stored = await self.sources.get(f"src_{name}")
            assert stored
            await self.sources.save(replace(stored, space=self.space_of[name]))
        else:
            comes = what == "join"
            (self.members[one].add if comes else self.members[one].discard)(user)
            group = group_of(one)
            if one == STAFF:
                people = frozenset(f"external:s0:{user}" for user in self.members[one])
                told = [ServiceGroup(STAFF, people)]
                await PostgresPlaces(self.pool).store("src_s0", [], told, is_whole=True)
            elif group is not None:
                await self.spaces.note_members(user, {group: comes})
            else:
                changed = ([user], []) if comes else ([], [user])
                await self.registry.change_members(one.partition(":")[2], *changed)

    def may_read(self, user: int | None) -> set[str]:
        """The names of the sources."""
        own = {"everybody", *([f"user:{user}"] if user else [])}
        own |= {one for one, members in self.members.items() if user in members}
        return {
            name for name, space in self.space_of.items() if not space or own & self.readers[space]
        }


async def seen(pool: Pool, reader: Reader, oracle: Oracle) -> list[set[str]]:
    """The names of the sources that each way to the documents shows to a reader."""
    passages, catalogue = PostgresPassages(pool), PostgresSourceCatalogue(pool)
    names = [*oracle.chunks]
    by_words = PassageQuery("otter", limit=50, reader=reader)
    by_vector = PassageQuery("", vector(1, 0.5), limit=50, reader=reader)
    titles = await catalogue.titles("otter", 50, reader)
    page = await catalogue.page(0, 50, reader)
    assert page.source_count == page.documents == page.passages == len(page.sources)
    return [
        {found.title for found in await passages.search(by_words)},
        {found.title for found in await passages.search(by_vector)},
        {one for one in names if await passages.hold_word(f"zebra{one}", reader)},
        set((await passages.names(reader)).sources),
        set(await catalogue.subjects(50, reader)),
        {*titles.matching, *titles.others},
        {source.name for source in page.sources},
        {one for one in names if await catalogue.excerpt(oracle.chunks[one], 1, reader)},
        {one for one in names if await catalogue.outline(oracle.chunks[one], 9, reader)},
    ]


@pytest.mark.costs("it asks everything for every reader")
@pytest.mark.parametrize("seed", range(3))
async def test_nobody_sees_more_or_less_than_they_may(pool: Pool, seed: int) -> None:
    """After each of many changes, by every way, against rights that were worked out by hand."""
    oracle = Oracle(pool, seed)
    await oracle.stock()
    for _ in range(EVENTS):
        await oracle.change()
        user = oracle.random.choice(USERS)
        allowed = oracle.may_read(user)
        for shown in await seen(pool, Reader(user), oracle):
            assert shown == allowed, user
        told = await oracle.registry.explain(user)
        assert {right.source for right in told if right.is_readable} == allowed
    for shown in await seen(pool, OPERATOR, oracle):
        assert shown == set(oracle.space_of)


async def test_group_of_a_service_reads_a_space(pool: Pool) -> None:
    """Its members under their names there, for a day after the service told who they are."""
    registry, spaces, places = (
        PostgresSpaceRegistry(pool),
        PostgresSpaces(pool),
        PostgresPlaces(pool),
    )
    shelf = Shelf(pool)
    await shelf.add_source("s0")
    said = await registry.add("Red", [STAFF])
    assert f"no service has told of {STAFF} yet" in said.in_words()
    await shelf.put(await shelf.add_source("s1", space="Red"), "s1", "# s1\n\nWords.", [vector(1)])
    anna = "external:s0:anna"

    async def readers() -> list[int]:
        return [user for user in (7, 8) if await spaces.readable(Reader(user))]

    await registry.change_accounts(7, [anna])
    assert await readers() == []
    told = [ServiceGroup(STAFF, frozenset({anna}))]
    await places.store("src_s0", [], told, is_whole=True)
    assert await readers() == [7]
    assert (await registry.add("Red", [STAFF])).unknown == ()
    rights = {one.source: one.by for one in await registry.explain(7)}
    assert rights["s1"] == (STAFF,)
    (guard,) = await spaces.open_of(
        Reader(7), [f"space:{(await spaces.readable(Reader(7)))[0].id}"]
    )
    assert guard.startswith("space:")
    later = "UPDATE rag_sources SET rights_read_at = rights_read_at - interval '25 hours'"
    async with checkout(pool) as connection:
        await connection.execute(later)
    assert await readers() == []
    await places.store("src_s0", [], told, is_whole=True)
    assert await readers() == [7]
    await places.store("src_s0", [], [ServiceGroup(STAFF, frozenset())], is_whole=True)
    assert await readers() == []
    await places.store("src_s0", [], told, is_whole=True)
    await registry.change_accounts(7, (), [anna])
    assert await readers() == []
    await registry.add("Red", [anna])
    await registry.change_accounts(7, [anna])
    assert await readers() == [7]
