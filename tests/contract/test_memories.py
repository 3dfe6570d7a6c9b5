"""One suite for long-term memory in PostgreSQL and for its twin."""

import asyncio
from collections.abc import AsyncIterator, Callable

import psycopg
import pytest
from psycopg.types.json import Jsonb

from rich_agent.domain.memory.items import (
    LongTermMemory,
    MemoryItem,
    mark_of,
    namespace_of,
    without,
)
from rich_agent.domain.memory.merging import Learned, Provenance, merge
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.ports.memories import Memories, MemoryQuery
from rich_agent.repositories.database.pools import Databases, checkout, open_pool
from rich_agent.repositories.memories import PostgresMemories
from tests import make
from tests.twins.memories import InMemoryMemories

SIMILAR_USERS = (4, 42, 420)


@pytest.fixture(params=["postgres", "in_memory"])
async def memories(request: pytest.FixtureRequest) -> AsyncIterator[Memories]:
    """Nothing is remembered yet."""
    if request.param == "in_memory":
        yield InMemoryMemories()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=2) as pool:
        yield PostgresMemories(pool)


def remembered(text: str) -> LongTermMemory:
    """A memory with something under every key."""
    item = MemoryItem(text, "r1", "2026-01-01T00:00:00+00:00")
    return LongTermMemory(
        facts=(item, item),
        preferences=(item,),
        tasks=(item,),
        conversation_summary=f"They spoke of {text}.",
        summary_updated_at="2026-01-02T00:00:00+00:00",
    )


async def test_memories_of_a_new_user_are_empty(memories: Memories) -> None:
    """Loading the memory of an unknown user is not an error."""
    assert await memories.load(42) == LongTermMemory()


@pytest.mark.req("DUR-2")
async def test_memories_come_back_as_saved(memories: Memories) -> None:
    """Every key in its order; saved twice is saved once."""
    memory = remembered("Solana")
    await make.store_memory(memories, 42, memory)
    await make.store_memory(memories, 42, memory)
    assert await memories.load(42) == memory


async def test_memories_save_replaces_what_was_there(memories: Memories) -> None:
    """Items that are no longer held are gone."""
    await make.store_memory(memories, 42, remembered("Oslo"))
    await make.store_memory(memories, 42, LongTermMemory())
    assert await memories.load(42) == LongTermMemory()


@pytest.mark.req("MEM-3")
async def test_memories_of_similar_users_stay_apart(memories: Memories) -> None:
    """An id that begins like another one reads nothing of it."""
    for user_id in SIMILAR_USERS:
        await make.store_memory(memories, user_id, remembered(f"secret of {user_id}"))
    await make.store_memory(memories, 42, LongTermMemory())
    assert await memories.load(4) == remembered("secret of 4")
    assert await memories.load(42) == LongTermMemory()
    assert await memories.load(420) == remembered("secret of 420")


@pytest.mark.req("MEM-3")
async def test_memories_of_many_users_are_saved_at_once(memories: Memories) -> None:
    """Users in one tick do not share a batch, nor a value."""
    users = range(1, 21)
    await asyncio.gather(
        *(make.store_memory(memories, user, remembered(str(user))) for user in users)
    )
    found = await asyncio.gather(*(memories.load(user) for user in users))
    assert found == [remembered(str(user)) for user in users]


@pytest.mark.req("MEM-4")
async def test_memories_merged_again_add_nothing(memories: Memories) -> None:
    """A turn that is run again teaches nothing new; a move replaces the old home."""
    oslo, rome = (Learned("facts", f"Lives in {place}", "residence") for place in ("Oslo", "Rome"))
    for number, learned in enumerate([oslo, rome, rome]):
        occasion = Provenance(f"r{number}", "2026-01-01T00:00:00+00:00")
        await make.store_memory(memories, 42, merge(await memories.load(42), [learned], occasion))
    assert [item.text for item in (await memories.load(42)).facts] == ["Lives in Rome"]
    assert (await memories.load(42)).facts[0].request_id == "r1"


async def test_memories_takes_text_that_postgres_refuses(memories: Memories) -> None:
    """NUL and lone surrogates are dropped, everything else is kept."""
    await make.store_memory(memories, 42, remembered("a\x00b\udc00 'c\" \\u0000 日本 🙂"))
    assert await memories.load(42) == remembered("ab 'c\" \\u0000 日本 🙂")


@pytest.mark.req("MEM-4", "MEM-3")
async def test_memories_are_stored_under_exactly_four_keys(databases: Databases) -> None:
    """The namespace is ("users", "<user_id>"), the values are JSON of known shape."""
    await make.store_memory(PostgresMemories(databases.app), 42, remembered("Solana"))
    async with checkout(databases.app) as connection:
        found = await connection.execute("SELECT prefix, key, value FROM store")
        rows = await found.fetchall()
    assert {row["prefix"] for row in rows} == {"users.42"}
    stored = {row["key"]: row["value"] for row in rows}
    assert sorted(stored) == ["conversation_summary", "facts", "preferences", "tasks"]
    assert stored["conversation_summary"] == {
        "summary": "They spoke of Solana.",
        "updated_at": "2026-01-02T00:00:00+00:00",
    }
    assert [item["text"] for item in stored["facts"]["items"]] == ["Solana", "Solana"]


@pytest.mark.req("MEM-4")
async def test_memories_changed_at_once_lose_nothing(memories: Memories) -> None:
    """Each change is made to what the one before it left; two marks of one text are one."""
    texts = [f"Fact {number}." for number in range(6)]

    def adding(text: str) -> Callable[[LongTermMemory], LongTermMemory]:
        occasion = Provenance("r1", "2026-01-01")
        return lambda memory: merge(memory, [Learned("facts", text)], occasion)

    await asyncio.gather(*(memories.change(42, adding(text)) for text in texts))
    memory = await memories.load(42)
    assert sorted(item.text for item in memory.facts) == texts
    mark = mark_of("facts", memory.facts[0])
    left = await memories.change(42, lambda newest: without(newest, mark))
    assert left == await memories.load(42)
    assert left.facts == memory.facts[1:]
    assert await memories.change(42, lambda newest: without(newest, mark)) == left


SPACE = VectorSpace("a-model", 2)
OTHER_SPACE = VectorSpace("another-model", 3)
TEXTS = ("Has a dog", "Grows tomatoes", "Plays chess")


def knowing(*texts: str) -> LongTermMemory:
    """A memory of facts, each newer than the one before."""
    return LongTermMemory(
        facts=tuple(MemoryItem(text, "r1", f"2026-01-0{n}") for n, text in enumerate(texts, 1))
    )


def marks(*texts: str) -> list[str]:
    """The marks of facts."""
    return [mark_of(kind, item) for kind, item in knowing(*texts)]


async def found(memories: Memories, user_id: int, query: MemoryQuery, **page: int) -> list[str]:
    """The texts that a search finds."""
    results = await memories.search(namespace_of(user_id), query, **page)
    return [one.item.text for one in results]


@pytest.mark.req("MEM-5")
async def test_memories_are_got_by_namespace_and_key(memories: Memories) -> None:
    """One JSON value for each key; None for what is not there."""
    await make.store_memory(memories, 42, knowing("Has a dog"))
    stored = await memories.get(("users", "42"), "facts")
    assert stored is not None
    assert stored["items"][0]["text"] == "Has a dog"
    assert await memories.get(("users", "4"), "facts") is None


@pytest.mark.req("MEM-5")
async def test_memories_are_ranked_by_meaning(memories: Memories) -> None:
    """Nearest vector first, by pages; an item without a vector comes last."""
    await make.store_memory(memories, 42, knowing(*TEXTS))
    dog, tomatoes, _ = marks(*TEXTS)
    await memories.add_vectors(42, SPACE, {dog: [0.0, 2.0], tomatoes: [1.0, 0.1]})
    query = MemoryQuery("vegetables", [1.0, 0.0], SPACE)
    assert await found(memories, 42, query) == ["Grows tomatoes", "Has a dog", "Plays chess"]
    assert await found(memories, 42, query, limit=1, offset=1) == ["Has a dog"]
    assert await found(memories, 42, query, offset=3) == []


@pytest.mark.req("MEM-5")
async def test_memories_are_ranked_by_words_and_age_without_a_vector(memories: Memories) -> None:
    """Shared words first, then the newest."""
    await make.store_memory(memories, 42, knowing(*TEXTS))
    assert await found(memories, 42, MemoryQuery("my dogs")) == [
        "Has a dog", "Plays chess", "Grows tomatoes",
    ]  # fmt: skip
    assert (await found(memories, 42, MemoryQuery()))[0] == "Plays chess"


@pytest.mark.req("MEM-3", "MEM-5")
async def test_memories_are_searched_within_one_user(memories: Memories) -> None:
    """Vectors of a user with a similar number do not count, and no prefix spans users."""
    for user_id in SIMILAR_USERS:
        await make.store_memory(memories, user_id, knowing(f"Secret of {user_id}"))
        (mark,) = marks(f"Secret of {user_id}")
        await memories.add_vectors(user_id, SPACE, {mark: [1.0, 0.0]})
    query = MemoryQuery("secret", [1.0, 0.0], SPACE)
    for user_id in SIMILAR_USERS:
        assert await found(memories, user_id, query) == [f"Secret of {user_id}"]
    for prefix in [(), ("users",), ("users", "42", "x"), ("users", "4%")]:
        with pytest.raises(ValueError, match=r"4%|namespace"):
            await memories.search(prefix, query)


@pytest.mark.req("MEM-5")
async def test_memories_know_what_has_no_vector_yet(memories: Memories) -> None:
    """New items have none; with another model none has, and the vectors of the old one go."""
    await make.store_memory(memories, 42, knowing(*TEXTS))
    dog, tomatoes, chess = marks(*TEXTS)
    await memories.add_vectors(42, SPACE, {dog: [1.0, 0.0]})
    missing = await memories.without_vector(42, SPACE)
    assert [one.item.text for one in missing] == ["Grows tomatoes", "Plays chess"]
    assert len(await memories.without_vector(42, OTHER_SPACE)) == 3
    three = {mark: [0.0, 1.0, 0.0] for mark in (dog, tomatoes, chess)}
    await memories.add_vectors(42, OTHER_SPACE, three)
    assert await memories.without_vector(42, OTHER_SPACE) == []
    assert len(await memories.without_vector(42, SPACE)) == 3


async def test_memories_lose_the_vectors_of_what_is_gone(memories: Memories) -> None:
    """A forgotten item leaves no vector, and none is added for it afterwards."""
    await make.store_memory(memories, 42, knowing("Has a dog"))
    (dog,) = marks("Has a dog")
    await memories.add_vectors(42, SPACE, {dog: [1.0, 0.0]})
    await memories.change(42, lambda newest: without(newest, dog))
    await memories.add_vectors(42, SPACE, {dog: [1.0, 0.0]})
    await make.store_memory(memories, 42, knowing("Has a dog"))
    assert len(await memories.without_vector(42, SPACE)) == 1


async def test_memories_of_an_older_version_still_load(databases: Databases) -> None:
    """Items without a topic, and fields of a version to come."""
    item = {"text": "Lives in Oslo", "request_id": "r1", "updated_at": "2026-01-01", "mood": "?"}
    async with checkout(databases.app) as connection:
        await connection.execute(
            "INSERT INTO store (prefix, key, value) VALUES ('users.42', 'facts', %s)",
            (Jsonb({"items": [item]}),),
        )
    memory = await PostgresMemories(databases.app).load(42)
    assert memory.facts == (MemoryItem("Lives in Oslo", "r1", "2026-01-01"),)


async def test_memories_without_a_change_wait_for_nobody(database_url: str) -> None:
    """A turn that teaches nothing changes nothing, so it needs no lock."""
    async with open_pool(database_url, max_size=2) as pool:
        memories = PostgresMemories(pool)
        await make.store_memory(memories, 42, remembered("Solana"))
        before = await memories.load(42)
        with psycopg.connect(database_url) as other:
            key = f"memory:{'.'.join(namespace_of(42))}"
            other.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (key,))
            async with asyncio.timeout(10):
                assert await memories.change(42, lambda memory: memory) == before
