"""Addresses that lead through PgBouncer, and servers that only read."""

import asyncio
from pathlib import Path

import pytest
from psycopg import AsyncConnection

from bench.faults.postgres import running_postgres
from rich_agent.errors import DatabaseUnavailableError, UnfitServerError
from rich_agent.repositories.database.pools import checkout, execute, open_pool, open_pools
from rich_agent.repositories.database.repository import fetch_one
from rich_agent.runtime.fencing import work_under
from tests.pooler import pooled


async def test_direct_address_and_sessions_of_a_pooler_keep_sessions(
    database_url: str, tmp_path: Path
) -> None:
    """A statement that is prepared, and a lock, are there for the next one."""
    async with open_pool(database_url, max_size=1) as pool:
        assert pool.keeps_sessions
    with pooled(database_url, "session", tmp_path) as address:
        async with open_pool(address, max_size=1) as pool:
            assert pool.keeps_sessions


async def test_pooled_transactions_are_refused_without_a_direct_address(
    database_url: str, tmp_path: Path
) -> None:
    """Nobody would hear of new messages, and leases would be lost; the error says what to set."""
    with pooled(database_url, "transaction", tmp_path) as address:
        with pytest.raises(UnfitServerError, match="pooler in transaction mode") as caught:
            async with open_pools(address, address, max_size=2):
                pass
        assert "DATABASE_DIRECT_URL" in caught.value.hint
        async with open_pools(address, address, max_size=2, direct_url=database_url) as opened:
            assert (opened.app.keeps_sessions, opened.sessions.keeps_sessions) == (False, True)


@pytest.mark.req("REL-1")
async def test_pooled_transactions_are_seen_where_the_same_session_comes_back(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One client is served by one of two sessions again and again, as in a crowd by chance."""
    monkeypatch.setattr("rich_agent.repositories.database.servers._NOTICE_S", 0.3)
    with pooled(database_url, "transaction", tmp_path, in_turn=True) as address:
        async with (
            await AsyncConnection.connect(address) as one,
            await AsyncConnection.connect(address) as other,
        ):
            for holder in (one, other):  # a session for each
                await holder.execute(b"SELECT 1")
        with pytest.raises(UnfitServerError, match="pooler in transaction mode"):
            async with open_pools(address, address, max_size=2):
                pass


async def test_many_clients_of_pooled_transactions_repeat_their_statements(
    database_url: str, tmp_path: Path
) -> None:
    """None of them prepares what another server process does not know."""
    with pooled(database_url, "transaction", tmp_path) as address:
        async with (
            open_pools(address, address, max_size=4, direct_url=database_url) as one,
            open_pools(address, address, max_size=4, direct_url=database_url) as other,
        ):

            async def ask(number: int) -> int:
                query = "SELECT %s + %s::int AS sum" if number % 2 else "SELECT %s - %s::int AS sum"
                async with checkout((one, other)[number % 2].app) as connection:
                    return int((await fetch_one(connection, query, (number, 1)))["sum"])

            for _ in range(20):
                found = await asyncio.gather(*map(ask, range(8)))
                assert found == [n + 1 if n % 2 else n - 1 for n in range(8)]


async def test_crowd_waits_for_connections(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wait longer than a lost database takes to be noticed ends well all the same."""
    monkeypatch.setattr("rich_agent.repositories.database.pools._CHECKOUT_TIMEOUT_S", 0.2)
    async with open_pool(database_url, max_size=2) as pool:

        async def hold() -> None:
            async with checkout(pool) as connection:
                await connection.execute("SELECT pg_sleep(0.3)")

        await asyncio.gather(*(hold() for _ in range(8)))


@pytest.mark.costs("it starts a pooler and takes the database away")
async def test_turn_waits_for_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on where it stands, when others were told long ago that nothing can be had."""
    monkeypatch.setattr("rich_agent.repositories.database.pools._CHECKOUT_TIMEOUT_S", 0.3)
    monkeypatch.setattr("rich_agent.repositories.database.pools._PATIENT_WAITS", 200)
    with running_postgres() as server:
        async with open_pool(server.url, max_size=2) as pool, asyncio.TaskGroup() as group:
            server.crash()

            async def ask_in_a_turn() -> int:
                work_under(1)
                return int((await (await execute(pool, "SELECT 7 AS n")).fetchall())[0]["n"])

            turn = group.create_task(ask_in_a_turn())
            with pytest.raises(DatabaseUnavailableError):
                await execute(pool, "SELECT 7")
            assert not turn.done()
            await asyncio.to_thread(server.start)
            assert await turn == 7
