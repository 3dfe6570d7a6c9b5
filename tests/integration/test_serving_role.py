"""Serving with a role that may not make tables, as docs/how-to/run-on-a-server.md says."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from rich_agent.domain.answer.citation import Decision
from rich_agent.domain.memory.items import LongTermMemory
from rich_agent.domain.message import User
from rich_agent.domain.rights import ANYBODY
from rich_agent.domain.vision import ImageSummary
from rich_agent.errors import SchemaError
from rich_agent.graph.build import build_graph
from rich_agent.ports.images import SeenImage
from rich_agent.ports.inbox import ReceivedUpdate
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.ports.outbox import Place
from rich_agent.ports.turns import TurnRecord
from rich_agent.repositories.accounts import PostgresUsers
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.pools import Databases, Pool, open_pools
from rich_agent.repositories.database.schema import check_schema
from rich_agent.repositories.database.user_tables import AgedRows
from rich_agent.repositories.images import PostgresImageSummaries
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.sending_rate import PostgresSendingRate
from rich_agent.repositories.turns.archive import PostgresArchive
from rich_agent.repositories.turns.checkpoints import make_checkpointer
from rich_agent.repositories.turns.past_turns import PostgresDecisions, PostgresTranscript
from rich_agent.turns.runner import Finished, GraphTurns
from tests import make

GUIDE = Path(__file__).parents[2] / "docs/how-to/run-on-a-server.md"


@contextmanager
def two_roles(url: str) -> Iterator[tuple[str, str]]:
    """URLs of an owner and of a serving role, made as the documentation says."""
    suffix = uuid4().hex[:8]
    owner, app = f"owner_{suffix}", f"app_{suffix}"
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in _documented_statements():
            named = statement.replace("rich_agent_owner", owner).replace("rich_agent_app", app)
            connection.execute(named)
    try:
        yield _as_role(url, owner), _as_role(url, app)
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            for role in (owner, app):
                name = sql.Identifier(role)
                connection.execute(sql.SQL("DROP OWNED BY {} CASCADE").format(name))
                connection.execute(sql.SQL("DROP ROLE {}").format(name))


def _documented_statements() -> list[str]:
    text = GUIDE.read_text()
    found = re.search(r"```sql\n(CREATE ROLE.*?)```", text, re.DOTALL)
    assert found
    script = re.sub(r"^(CREATE DATABASE|\\connect).*\n", "", found[1], flags=re.MULTILINE)
    return [statement for part in script.split(";\n") if (statement := part.strip())]


def _as_role(url: str, role: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=f"{role}:...@{parts.netloc.rpartition('@')[2]}").geturl()


@pytest.mark.req("MEM-2")
async def test_serving_role_needs_no_right_to_create(empty_database_url: str) -> None:
    """The owner migrates, the other role checks, checkpoints and uses every repository."""
    with two_roles(empty_database_url) as (owner_url, app_url):
        with pytest.raises(SchemaError, match="may not change"):
            migrate(app_url, app_url)
        assert migrate(owner_url, owner_url) != []
        async with open_pools(app_url, app_url, max_size=4) as databases:
            async with databases.app.connection() as connection:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    await connection.execute("CREATE TABLE forbidden ()")
            await check_schema(databases)
            await use_graph(databases.app)
            await use_conversations(databases)
            await use_telegram(databases)


async def use_graph(pool: Pool) -> None:
    """A turn with its checkpoints."""
    saver = make_checkpointer(pool)
    turns = GraphTurns(build_graph(saver), make.Fakes().services(), saver)
    events = [event async for event in turns.run(make.request())]
    assert isinstance(events[-1], Finished)


async def use_conversations(databases: Databases) -> None:
    """Every repository that nodes use, reading and writing."""
    turn = TurnRecord(42, "tg:42", "r1", "Why?", "So.", {})
    await PostgresTranscript(databases.app).record(turn)
    archive = PostgresArchive(databases.app)
    await archive.keep([turn], awaits_fold=True)
    await archive.begin_anew(42, [])
    await make.store_memory(
        PostgresMemories(databases.app), 42, LongTermMemory(conversation_summary="s")
    )
    assert (await PostgresMemories(databases.app).load(42)).conversation_summary == "s"
    images = PostgresImageSummaries(databases.rag)
    async with images.exclusive("a"):
        await images.store(SeenImage("f", "a", "image/png", 1), "m", ImageSummary("Red."))
    assert await images.find("a", "m") == ImageSummary("Red.")
    decision = Decision("tg:42", "r1", "general_question", "rag", "r")
    await PostgresDecisions(databases.rag).record(decision)
    assert await PostgresDecisions(databases.rag).latest("tg:42") == decision
    passages = PostgresPassages(databases.rag)
    assert await passages.search(PassageQuery("q", (0.1, 0.2))) == []
    assert await passages.search(PassageQuery("q")) == []
    assert (await passages.names(ANYBODY)).sources == ()


async def use_telegram(databases: Databases) -> None:
    """Users, inbox and outbox, from the arrival of an update to its end."""
    users = PostgresUsers(databases.app)
    await users.remember(User(42, "Ann"))
    await users.mark_blocked(42)
    async with PostgresInbox(databases.app) as inbox:
        assert await inbox.store([ReceivedUpdate(1, 42, b"{}")]) == 1
        await inbox.wait(1.0)
        lane = await inbox.claim()
        assert lane is not None
        await inbox.extend(lane)
        await inbox.finish(lane)
        assert await inbox.prune(days=-1) == 1
    outbox = PostgresOutbox(databases.app)
    await outbox.begin(1, 0, Place(42))
    await outbox.note_sent(1, 0, 77)
    await outbox.note_final(1, 0, "the answer")
    assert await AgedRows(databases, None).prune(days=-1) > 0
    assert await PostgresSendingRate(databases.app).try_take()


async def test_check_schema_says_that_a_role_may_not_read(empty_database_url: str) -> None:
    """A role without privileges gets a clear message, not a traceback."""
    with two_roles(empty_database_url) as (_, app_url):
        migrate(empty_database_url, empty_database_url)
        with pytest.raises(SchemaError, match="may not read"):
            await _check(app_url)


async def _check(url: str) -> None:
    async with open_pools(url, url, max_size=1) as databases:
        await check_schema(databases)
