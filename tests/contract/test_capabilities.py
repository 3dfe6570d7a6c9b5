"""Capabilities learned of models are shared by processes, and forgotten after a while."""

from collections.abc import AsyncIterator
from dataclasses import replace

import psycopg
import pytest

from rich_agent.domain.model_role import Capabilities, ModelRole
from rich_agent.repositories.capabilities import PostgresCapabilities
from rich_agent.repositories.database.pools import open_pool
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities

KNOWN = Capabilities(
    "tool_call",
    frozenset({"temperature", "stream_options"}),
    demanded={"enable_thinking": False, "stream": True},
    most_tokens=4_096,
    marks_ends=False,
    thinks=True,
)


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[PostgresCapabilities]:
    """Nothing is known."""
    async with open_pool(database_url, max_size=2) as pool:
        yield PostgresCapabilities(pool)


async def test_capabilities_are_kept_by_server_and_model(store: PostgresCapabilities) -> None:
    """The newest count; another server's model of the same name is another one."""
    await store.save("a:1/v1", "m", Capabilities("words"))
    await store.save("a:1/v1", "m", KNOWN)
    await store.save("b:1/v1", "m", Capabilities())
    assert await store.load("a:1/v1", "m") == KNOWN
    assert await store.load("a:1/v1", "n") is None
    assert list(await store.load_all()) == [("a:1/v1", "m"), ("b:1/v1", "m")]
    await store.forget_all()
    assert await store.load_all() == {}


async def test_capabilities_are_forgotten_after_a_week(
    store: PostgresCapabilities, database_url: str
) -> None:
    """Servers are upgraded."""
    await store.save("a:1/v1", "m", KNOWN)
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE model_capabilities SET learned_at = now() - interval '7.1 days'")
    assert await store.load("a:1/v1", "m") is None
    await store.save("a:1/v1", "m", KNOWN)
    assert await store.load("a:1/v1", "m") == KNOWN


async def test_capabilities_that_one_process_learned_are_known_to_the_next(
    store: PostgresCapabilities,
) -> None:
    """It asks in the right way at once."""
    role = ModelRole("m", "https://user:secret@a/v1", "k")
    assert role.server == "a/v1"
    first = LearnedCapabilities(role.server, role.model, store)
    await first.known()
    await first.give("tool_call")
    await first.learn(lambda known: replace(KNOWN, step=known.step), role)
    assert await LearnedCapabilities(role.server, role.model, store).known() == KNOWN


async def test_capabilities_are_not_written_by_one_who_only_reads(
    store: PostgresCapabilities, database_url: str
) -> None:
    """A turn that is run again changes nothing, and does not fail."""
    await store.save("a:1/v1", "m", KNOWN)
    async with open_pool(database_url, max_size=2, read_only=True) as pool:
        reader = LearnedCapabilities("a:1/v1", "m", PostgresCapabilities(pool))
        assert await reader.known() == KNOWN
        await reader.give("words")
        assert await reader.known() == replace(KNOWN, step="words")
    assert await store.load("a:1/v1", "m") == KNOWN
