"""One suite for long-term memory in PostgreSQL and for its twin."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from rich_agent.domain.memory import (
    LongTermMemory,
    MemoryChanges,
    MemoryItem,
    Occasion,
    mark_of,
    merge,
    without,
)
from rich_agent.ports import Memories
from rich_agent.repositories.database import Databases, checkout, open_pool
from rich_agent.repositories.in_memory.conversations import InMemoryMemories
from rich_agent.repositories.memories import PostgresMemories

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
    """Nothing is no error."""
    assert await memories.load(42) == LongTermMemory()


@pytest.mark.req("DUR-2")
async def test_memories_come_back_as_saved(memories: Memories) -> None:
    """Every key in its order; saved twice is saved once."""
    memory = remembered("Solana")
    await memories.save(42, memory)
    await memories.save(42, memory)
    assert await memories.load(42) == memory


async def test_memories_save_replaces_what_was_there(memories: Memories) -> None:
    """What is no longer held is gone."""
    await memories.save(42, remembered("Oslo"))
    await memories.save(42, LongTermMemory())
    assert await memories.load(42) == LongTermMemory()


@pytest.mark.req("MEM-3")
async def test_memories_of_similar_users_stay_apart(memories: Memories) -> None:
    """An id that begins like another one reads nothing of it."""
    for user_id in SIMILAR_USERS:
        await memories.save(user_id, remembered(f"secret of {user_id}"))
    await memories.save(42, LongTermMemory())
    assert await memories.load(4) == remembered("secret of 4")
    assert await memories.load(42) == LongTermMemory()
    assert await memories.load(420) == remembered("secret of 420")


@pytest.mark.req("MEM-3")
async def test_memories_of_many_users_are_saved_at_once(memories: Memories) -> None:
    """Users in one tick do not share a batch, nor a value."""
    users = range(1, 21)
    await asyncio.gather(*(memories.save(user, remembered(str(user))) for user in users))
    found = await asyncio.gather(*(memories.load(user) for user in users))
    assert found == [remembered(str(user)) for user in users]


@pytest.mark.req("MEM-4")
async def test_memories_merged_again_add_nothing(memories: Memories) -> None:
    """A turn that is run again teaches nothing new; a move replaces the old home."""
    oslo, rome = (
        MemoryChanges(facts=("Lives in Oslo",)),
        MemoryChanges(facts=("Lives in Rome",), retract=("Lives in Oslo",)),
    )
    for number, changes in enumerate([oslo, rome, rome]):
        occasion = Occasion(f"r{number}", "2026-01-01T00:00:00+00:00")
        await memories.save(42, merge(await memories.load(42), changes, occasion))
    assert [item.text for item in (await memories.load(42)).facts] == ["Lives in Rome"]
    assert (await memories.load(42)).facts[0].request_id == "r1"


async def test_memories_takes_text_that_postgres_refuses(memories: Memories) -> None:
    """NUL and lone surrogates are dropped, everything else is kept."""
    await memories.save(42, remembered("a\x00b\udc00 'c\" \\u0000 日本 🙂"))
    assert await memories.load(42) == remembered("ab 'c\" \\u0000 日本 🙂")


@pytest.mark.req("MEM-4", "MEM-3")
async def test_memories_are_stored_under_exactly_four_keys(databases: Databases) -> None:
    """The namespace is ("users", "<user_id>"), the values are JSON of known shape."""
    await PostgresMemories(databases.app).save(42, remembered("Solana"))
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
        occasion = Occasion("r1", "2026-01-01")
        return lambda memory: merge(memory, MemoryChanges(facts=(text,)), occasion)

    await asyncio.gather(*(memories.change(42, adding(text)) for text in texts))
    memory = await memories.load(42)
    assert sorted(item.text for item in memory.facts) == texts
    mark = mark_of("facts", memory.facts[0])
    left = await memories.change(42, lambda newest: without(newest, mark))
    assert left == await memories.load(42)
    assert left.facts == memory.facts[1:]
    assert await memories.change(42, lambda newest: without(newest, mark)) == left
