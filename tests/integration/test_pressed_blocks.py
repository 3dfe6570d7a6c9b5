"""Blocks of runs: as the last press left them, whatever the client calls the conversation."""

from collections.abc import AsyncIterator

import pytest
from psycopg.types.json import Jsonb

from rich_agent.domain.living_blocks import BlockRow, LivingBlock
from rich_agent.repositories.conversations import PostgresConversations
from rich_agent.repositories.database.pools import Databases, checkout
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.news import PostgresNews
from rich_agent.repositories.runs import PostgresTurnRuns

ADA, BOB = 42, 43
OPEN = LivingBlock("tasks", "Tasks", "en", (BlockRow("Bread", "1", mark="open"),))
DONE = LivingBlock("tasks", "Tasks", "en", (BlockRow("Bread", "1", mark="done"),))


@pytest.fixture
async def inbox(databases: Databases) -> AsyncIterator[PostgresInbox]:
    """The inbox that wakes up those who follow runs."""
    async with PostgresInbox(databases.app) as opened:
        yield opened


async def ended(
    databases: Databases,
    run_id: str,
    thread: str,
    block: LivingBlock,
    *,
    user: int = ADA,
    of: str = "",
) -> None:
    """Store a run that ended with a block."""
    asked = {"text": "" if of else "/tasks", "press": "d:1" if of else "", "of_run": of}
    answer = {
        "kind": "answer",
        "message": 0,
        "text": "",
        "citations": [],
        "living": block.to_json(),
    }
    async with checkout(databases.app) as connection:
        await connection.execute(
            "WITH run AS (INSERT INTO runs (user_id, run_id, thread, asked, state)"
            " VALUES (%s, %s, %s, %s, 'ended') RETURNING update_id)"
            " INSERT INTO run_events (update_id, seq, event) SELECT update_id, 1, %s FROM run",
            (user, run_id, thread, Jsonb(asked), Jsonb(answer)),
        )


async def test_press_under_another_name_of_the_conversation_counts(
    databases: Databases, inbox: PostgresInbox
) -> None:
    """For the next press, and for a page that loads it again; of others, nothing is read."""
    await ended(databases, "r1", "xyz", OPEN)
    await ended(databases, "r1", "chat", OPEN, user=BOB)
    await ended(databases, "p1", "chat", DONE, of="r1")
    runs, news = PostgresTurnRuns(databases.app, inbox), PostgresNews(databases.app, inbox)
    assert await runs.living_block(ADA, "r1") == DONE
    assert await runs.living_block(BOB, "r1") == OPEN
    for thread in ("chat", "xyz"):
        *_, shown = await news.apart(ADA, thread, None, None)
        assert shown.living == DONE.to_json()


async def test_presses_go_with_the_conversation_of_their_block(
    databases: Databases, inbox: PostgresInbox
) -> None:
    """Whatever the conversation was called in them; those of other blocks stay."""
    await ended(databases, "r1", "own:walk", OPEN)
    await ended(databases, "p1", "chat", DONE, of="r1")
    await ended(databases, "r2", "chat", OPEN)
    await ended(databases, "p2", "own:walk", DONE, of="r2")
    assert await PostgresConversations(databases).forget(ADA, "own:walk")
    runs = PostgresTurnRuns(databases.app, inbox)
    assert await runs.find(ADA, "p1") is None
    assert await runs.living_block(ADA, "r2") == DONE
