"""Widgets when something is forgotten: an approval stays while its question is open."""

import pytest

from rich_agent.domain.living_blocks import BlockAction, BlockRow, LivingBlock
from rich_agent.domain.memory.merging import Traces
from rich_agent.ports.memories import Erased
from rich_agent.ports.widgets import WidgetPlace
from rich_agent.repositories.conversations import PostgresConversations
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.widgets import PostgresWidgets
from tests.integration.catalogue import execute, read

ADA, BOB = 42, 43
OPEN, ANSWERED, EXPIRED, TASKS, OF_BOB = 1, 2, 3, 4, 5
"""Messages."""


def approval(number: int) -> LivingBlock:
    """The block of an approval that a turn waits for."""
    row = BlockRow("a walk in Oslo", label="Title")
    return LivingBlock("approval", "Do it?", "en", (row,), (BlockAction("✓", f"c1:{number}:0:ab"),))


@pytest.fixture
async def url(database_url: str, databases: Databases) -> str:
    """A database with widgets of two users, and a conversation apart from the chat."""
    widgets = PostgresWidgets(databases.app)
    for number in (OPEN, ANSWERED, EXPIRED):
        await widgets.note(WidgetPlace(ADA), number, approval(number))
    tasks = LivingBlock("tasks", "Tasks", "en", (), (BlockAction("›", "p1:1"),))
    await widgets.note(WidgetPlace(ADA), TASKS, tasks)
    await widgets.note(WidgetPlace(BOB), OF_BOB, tasks)
    execute(
        database_url,
        "INSERT INTO clarifications (thread_id, request_id, revision, answered_by, asked_at) VALUES"
        " ('tg:42', 'tg:1', 0, NULL, now()), ('tg:42:7', 'tg:2', 0, 'tg:9', now()),"
        " ('tg:42:8', 'tg:3', 0, NULL, now() - interval '2 days')",
        "INSERT INTO users (telegram_user_id) VALUES (42)",
        "INSERT INTO conversations (user_id, thread_id) VALUES (42, 'tg:42:web:walk')",
    )
    return database_url


def left(url: str) -> set[int]:
    """The messages whose blocks are known."""
    return {row[0] for row in read(url, "SELECT message_id FROM telegram_widgets")}


async def test_open_approval_outlives_another_conversation(url: str, databases: Databases) -> None:
    """Whatever else was shown in widgets goes."""
    assert await PostgresConversations(databases).forget(ADA, "own:walk")
    assert left(url) == {OPEN, OF_BOB}


async def test_open_approval_outlives_what_it_does_not_tell_of(
    url: str, databases: Databases
) -> None:
    """It goes with its words, with its turn, and with everything."""
    erasure = PostgresErasure(databases)
    await erasure.erase(Erased(ADA, "tg:42", traces=Traces.of(["Bergen"])))
    assert left(url) == {OPEN, OF_BOB}
    await erasure.erase(Erased(ADA, "tg:42", traces=Traces.of(["Oslo"])))
    assert left(url) == {OF_BOB}


@pytest.mark.parametrize("everything", [True, False])
async def test_open_approval_goes_with_its_turn(
    url: str, databases: Databases, *, everything: bool
) -> None:
    """Also when everything is forgotten."""
    requests = frozenset() if everything else frozenset(["tg:1"])
    erased = Erased(ADA, "tg:42", requests=requests, everything=everything)
    await PostgresErasure(databases).erase(erased)
    assert left(url) == {OF_BOB}
