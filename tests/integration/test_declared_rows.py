"""A package's tables: their rows are exported, forgotten in three ways, and aged."""

from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb
from sqlalchemy import BigInteger, Column, DateTime, Identity, MetaData, Table, Text, func

from rich_agent.domain.access import UserTags
from rich_agent.domain.memory.merging import Traces
from rich_agent.domain.message import client_thread_of
from rich_agent.errors import SchemaError
from rich_agent.ports.memories import Erased
from rich_agent.ports.user_data import UserData
from rich_agent.repositories.conversations import PostgresConversations
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.database.user_tables import AgedRows
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.tables import people
from rich_agent.repositories.tables.recording import record_declarations
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.catalogue import execute, read
from tests.integration.test_declared_tables import engine_of

ADA, BOB = 42, 43
PACKAGE = MetaData()
Table(
    "bookmarks",
    PACKAGE,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("thread_id", Text),
    Column("url", Text),
    Column("at", DateTime(timezone=True), server_default=func.now()),
    info=UserData(user="user_id", thread="thread_id", text=("url",), age="at", kept="conversation",
        exported=("url", "at AS kept_at")).info,
)  # fmt: skip
Table(
    "visits",
    PACKAGE,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("request_id", Text),
    Column("said", Text),
    Column("state", Text, server_default="open"),
    Column("at", DateTime(timezone=True), server_default=func.now()),
    info=UserData(user="user_id", request="request_id", text=("said",), age="at", kept=7,
        ended={"state": ("over",)}).info,
)  # fmt: skip
CACHES = MetaData()
Table(
    "previews",
    CACHES,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("thread_id", Text),
    info=UserData(user="user_id", thread="thread_id", is_cache=True).info,
)
Table(
    "thumbnails",
    CACHES,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("thread_id", Text),
    info=UserData(thread="thread_id", is_cache=True).info,
)
LOGINS = MetaData()
Table(
    "logins",
    LOGINS,
    Column("user_id", BigInteger, primary_key=True),
    info=UserData(user="user_id", goes_with_all=True).info,
)
SEVERAL = client_thread_of(ADA, "own:walk")
ROWS = (
    (
        "INSERT INTO bookmarks (user_id, thread_id, url) VALUES (42, 'tg:42', 'https://oslo.example'),"
        f" (42, '{SEVERAL}', 'https://bergen.example'), (43, 'tg:43', 'https://oslo.example')"
    ),
    (
        "INSERT INTO visits (user_id, request_id, said, state) VALUES "
        "(42, 'r1', 'Oslo in May', 'open'), (42, 'r2', 'Bergen in June', 'over'), "
        "(43, 'r1', 'Oslo in May', 'over')"
    ),
    "INSERT INTO users (telegram_user_id) VALUES (42)",
    f"INSERT INTO conversations (user_id, thread_id) VALUES (42, '{SEVERAL}')",
    (
        "INSERT INTO messages (user_id, conversation_id, request_id, role, content)"
        " SELECT 42, id, 'r2', 'user', 'a walk in Bergen' FROM conversations"
    ),
)


@pytest.fixture
def url(database_url: str) -> str:
    """A database in which the package has migrated once, with rows of two users."""
    with engine_of(database_url).begin() as connection:
        PACKAGE.create_all(connection)
        record_declarations(connection, "bookmarks", [PACKAGE])
    execute(database_url, *ROWS)
    return database_url


def left(url: str) -> set[tuple[Any, ...]]:
    """The user and the words of each row."""
    return read(url, "SELECT user_id, url FROM bookmarks UNION SELECT user_id, said FROM visits")


OSLO, BERGEN = (ADA, "https://oslo.example"), (ADA, "https://bergen.example")
MAY, JUNE = (ADA, "Oslo in May"), (ADA, "Bergen in June")
OF_BOB = {(BOB, "https://oslo.example"), (BOB, "Oslo in May")}


@pytest.mark.req("MEM-3")
async def test_rows_of_a_package_are_exported_and_forgotten(url: str, databases: Databases) -> None:
    """With everything else of the user, and nothing of anybody else's."""
    data = PostgresUserData(databases, UserTags())
    exported = await data.export(ADA)
    assert [row["url"] for row in exported["bookmarks"]] == [OSLO[1], BERGEN[1]]
    assert set(exported["bookmarks"][0]) == {"url", "kept_at"}
    await data.forget(ADA)
    assert left(url) == OF_BOB


async def test_nothing_is_called_forgotten_without_a_record(url: str, databases: Databases) -> None:
    """A database whose record is lost says so, to whoever forgets or exports."""
    execute(url, "DELETE FROM user_tables")
    data = PostgresUserData(databases, UserTags())
    for attempt in (data.forget, data.export):
        with pytest.raises(SchemaError, match="user_tables"):
            await attempt(ADA)
    assert left(url) == {OSLO, BERGEN, MAY, JUNE} | OF_BOB


async def test_rows_of_a_package_go_with_their_conversation(url: str, databases: Databases) -> None:
    """By their thread, or by the turns that were in it."""
    assert await PostgresConversations(databases).forget(ADA, "own:walk")
    assert left(url) == {OSLO, MAY} | OF_BOB


async def test_caches_go_with_any_conversation(url: str, databases: Databases) -> None:
    """All rows of the user, also those of other conversations, and nobody else's."""
    with engine_of(url).begin() as connection:
        CACHES.create_all(connection)
        record_declarations(connection, "previews", [CACHES])
    execute(
        url,
        f"INSERT INTO previews (user_id, thread_id) VALUES (42, 'tg:42'), (42, '{SEVERAL}'), "
        "(43, 'tg:43')",
        f"INSERT INTO thumbnails (thread_id) VALUES ('tg:42'), ('{SEVERAL}'), ('tg:43')",
    )
    assert await PostgresConversations(databases).forget(ADA, "own:walk")
    caches = "SELECT thread_id FROM previews UNION ALL SELECT thread_id FROM thumbnails"
    assert read(url, caches) == {("tg:43",)}


async def test_rows_of_a_package_go_with_what_they_tell_of(url: str, databases: Databases) -> None:
    """A thing that was chosen, a turn that goes, and words of no turn that stays."""
    erasure = PostgresErasure(databases)
    (chosen,) = [one for one in await erasure.things(ADA) if "oslo" in one.text]
    assert chosen.title == OSLO[1]
    traces = Traces.of(["Oslo", "Bergen"])
    await erasure.erase(Erased(ADA, "tg:42", traces=traces, things=frozenset([chosen.key])))
    assert left(url) == {BERGEN, JUNE} | OF_BOB, "the turn of June stays"
    await erasure.erase(Erased(ADA, "tg:42", requests=frozenset(["r2"])))
    assert left(url) == {BERGEN} | OF_BOB
    await erasure.erase(Erased(ADA, "tg:42", everything=True))
    assert left(url) == OF_BOB


async def test_login_of_a_package_goes_with_everything_alone(
    url: str, databases: Databases
) -> None:
    """A user who has one thing forgotten is logged in still; of all, nothing comes back."""
    with engine_of(url).begin() as connection:
        LOGINS.create_all(connection)
        record_declarations(connection, "logins", [LOGINS])
    execute(url, "INSERT INTO logins VALUES (42), (43)")
    erasure = PostgresErasure(databases)
    logins = "SELECT user_id FROM logins"
    await erasure.erase(Erased(ADA, "tg:42", requests=frozenset(["r2"])))
    assert read(url, logins) == {(ADA,), (BOB,)}
    await erasure.erase(Erased(ADA, "tg:42", everything=True))
    assert read(url, logins) == {(BOB,)}


async def test_rows_of_a_package_age(url: str, databases: Databases) -> None:
    """By the term of conversations or a number of days, and none before it has ended."""
    assert await AgedRows(databases, 30).prune(1) == 0
    execute(url, *(f"UPDATE {one} SET at = at - interval '8 days'" for one in PACKAGE.tables))
    assert await AgedRows(databases, None).prune(1) == 2
    assert left(url) == {OSLO, BERGEN, MAY} | OF_BOB - {(BOB, MAY[1])}
    assert await AgedRows(databases, 5).prune(1) == 3
    assert left(url) == {MAY}


def test_record_keeps_a_table_until_the_database_has_it_no_more(url: str) -> None:
    """A package that declares a table no more, or another's table, changes nothing of it."""
    names = "SELECT name, feature FROM user_tables WHERE feature IN ('bookmarks', 'thief')"
    before = read(url, names)
    assert before == {("bookmarks", "bookmarks"), ("visits", "bookmarks")}
    with engine_of(url).begin() as connection:
        record_declarations(connection, "bookmarks", [])
        record_declarations(connection, "thief", [PACKAGE])
    assert read(url, names) == before
    execute(url, "DROP TABLE visits")
    with engine_of(url).begin() as connection:
        record_declarations(connection, "bookmarks", [])
    assert read(url, names) == {("bookmarks", "bookmarks")}


def test_record_refuses_a_table_of_users_without_a_declaration(url: str) -> None:
    """Its rows would be in no export, and stay after each way to forget."""
    silent = MetaData()
    Table(
        "links", silent, Column("id", BigInteger, primary_key=True), Column("user_id", BigInteger)
    )
    with (
        pytest.raises(ValueError, match="links: a column names a user"),
        engine_of(url).begin() as connection,
    ):
        record_declarations(connection, "links", [silent])


def test_table_of_the_core_may_become_that_of_a_feature(url: str) -> None:
    """Once the core declares it no more; until then it stays the core's."""
    execute(url, "UPDATE user_tables SET feature = 'core' WHERE name = 'visits'")
    with engine_of(url).begin() as connection:
        record_declarations(connection, "places", [PACKAGE])
        record_declarations(connection, "places", [people.metadata])
    owners = read(url, "SELECT name, feature FROM user_tables WHERE name IN ('visits', 'users')")
    assert owners == {("visits", "places"), ("users", "core")}


async def test_table_that_is_gone_stops_nothing(url: str, databases: Databases) -> None:
    """Its declaration may still be recorded when somebody forgets everything."""
    execute(url, "DROP TABLE bookmarks")
    data = PostgresUserData(databases, UserTags())
    assert "bookmarks" not in await data.export(ADA)
    await data.forget(ADA)
    assert await AgedRows(databases, 1).prune(1) == 0


async def test_declaration_of_a_later_version_is_read(url: str, databases: Databases) -> None:
    """A program goes on while a newer one has migrated."""
    later = Jsonb({"colour": "blue"})
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE user_tables SET declaration = declaration || %s", (later,))
    await PostgresUserData(databases, UserTags()).forget(ADA)
    assert left(url) == OF_BOB


async def test_approval_is_kept_until_it_is_settled(
    database_url: str, databases: Databases
) -> None:
    """However long ago it was decided, its user has yet to be told."""
    execute(
        database_url,
        "INSERT INTO approvals (user_id, thread_id, request_id, revision, locale, intent, question,"
        " answer, citations, message_id, state, decided_at, settled_at) SELECT 42, 'tg:42', key, 0,"
        " 'en', 'i', 'q', 'a', '[]', 1, 'approved', now() - interval '2 days', at FROM (VALUES"
        " ('open', NULL), ('settled', now() - interval '2 days')) AS made (key, at)",
    )
    aged = AgedRows(databases, None)
    assert await aged.prune(3) == 0
    assert await aged.prune(1) == 1
    assert read(database_url, "SELECT request_id FROM approvals") == {("open",)}


async def test_forgotten_user_leaves_no_thread_and_stays_on_lists(
    database_url: str, databases: Databases
) -> None:
    """Threads of topics and programs go, those of who has a longer number stay; so do lists."""
    threads = ("tg:42", "tg:42:7", "tg:42:web:walk", "tg:421", "tg:421:7")
    execute(
        database_url,
        *(
            f"INSERT INTO vision_senders (sha256, thread_id) VALUES ('s', '{one}')"
            for one in threads
        ),
        *(f"INSERT INTO clarifications VALUES ('{one}', 'r1', 0)" for one in threads),
        "INSERT INTO rag_memberships VALUES (42, 'list:legal', NULL)",
        "INSERT INTO rag_memberships VALUES (42, 'telegram_group:1', now())",
    )
    await PostgresUserData(databases, UserTags()).forget(ADA)
    for table in ("vision_senders", "clarifications"):
        others = read(database_url, f"SELECT thread_id FROM {table}")
        assert others == {("tg:421",), ("tg:421:7",)}
    assert read(database_url, "SELECT principal FROM rag_memberships") == {("list:legal",)}
