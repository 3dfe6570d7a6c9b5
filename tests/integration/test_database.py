"""Connection pools: clear errors at the start, and no harm when a database goes away later."""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

import psycopg
import pytest
from pgvector import HalfVector
from psycopg.pq import Ping

from rich_agent.composition.storage import once_database_answers
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.repositories.database.pools import (
    Databases,
    Pool,
    checkout,
    execute,
    one_transaction,
    open_pool,
    open_pools,
)
from rich_agent.repositories.database.servers import ping
from rich_agent.settings.settings import Settings

_DISCONNECT_ALL = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


DEADLINE_S = 10.0


async def test_pool_of_an_unreachable_server_fails_with_its_address() -> None:
    """A refused connection is an error that names host and database, never the password."""
    url = "postgresql://user:s3cret@127.0.0.1:1/shop"
    with pytest.raises(DatabaseUnavailableError, match=r"127\.0\.0\.1:1, database shop") as caught:
        async with open_pool(url, max_size=2):
            pytest.fail("nothing listens there")
    assert "refused" in str(caught.value)
    assert "s3cret" not in str(caught.value)


async def test_pool_of_a_silent_server_fails_in_time() -> None:
    """A server that accepts and never answers is given up after 5 s."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        began = time.monotonic()
        with pytest.raises(DatabaseUnavailableError, match=f"127.0.0.1:{port}"):
            async with open_pool(f"postgresql://127.0.0.1:{port}/shop", max_size=2):
                pytest.fail("nothing answers there")
        assert time.monotonic() - began < 10


_STARTING_SERVER = """
import socketserver, struct
starting = b"SFATAL\\0VFATAL\\0C57P03\\0Mthe database system is starting up\\0\\0"
class Refusal(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.recv(1_024)
        self.request.sendall(b"E" + struct.pack("!i", len(starting) + 4) + starting)
with socketserver.TCPServer(("127.0.0.1", 0), Refusal) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
"""


@contextmanager
def starting_server() -> Iterator[str]:
    """The address of a server that refuses everybody, as PostgreSQL does while it recovers.

    It is a process: libpq's ping lets no other thread run.
    Source: PostgreSQL, "Message Formats", ErrorResponse.
    """
    command = [sys.executable, "-c", _STARTING_SERVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        yield f"postgresql://anybody@127.0.0.1:{port}/shop?sslmode=disable&gssencmode=disable"
        server.kill()


async def test_server_that_starts_or_is_down_says_so(database_url: str) -> None:
    """A server that refuses a name is there: nothing will change by itself."""
    with starting_server() as address:
        with pytest.raises(DatabaseUnavailableError, match="is starting up"):
            async with open_pool(address, max_size=2):
                pytest.fail("it takes nobody")
        assert await ping(address) == Ping.REJECT
    assert await ping("postgresql://127.0.0.1:1/shop") == Ping.NO_RESPONSE
    assert await ping(database_url) == Ping.OK
    assert await ping(database_url.replace("/postgres@", "/nobody@")) == Ping.OK


_AWAY, _SILENT, _THERE = Ping.REJECT, Ping.NO_RESPONSE, Ping.OK
_STARTS = (
    [_AWAY, _SILENT, _THERE, _AWAY, _THERE, _THERE],
    [*[_AWAY] * 9, *[_SILENT] * 5, _AWAY, *[_SILENT] * 6],
)


@pytest.mark.req("REL-1", "DEP-1")
@pytest.mark.parametrize("answers", _STARTS, ids=["refuses in the end", "is silent in the end"])
async def test_process_that_serves_waits_at_its_start_until_the_server_takes_it(
    monkeypatch: pytest.MonkeyPatch, answers: list[Ping]
) -> None:
    """As long as one recovers. One that is there is tried twice, a silent one for seconds."""
    monkeypatch.setattr("rich_agent.composition.storage._PAUSE_S", 0.0)
    left = list(answers)

    async def ping_now(_url: str) -> Ping:
        return left.pop(0)

    async def work() -> None:
        raise DatabaseUnavailableError("refused")

    monkeypatch.setattr("rich_agent.composition.storage.ping", ping_now)
    monkeypatch.setenv("DATABASE_URL", "postgresql://127.0.0.1:1/shop")
    with pytest.raises(DatabaseUnavailableError, match="refused"):
        await once_database_answers(Settings.load(), work)
    assert left == []


@pytest.mark.parametrize("userinfo", ["user:s3c/ret", "user:%zzs3c"])
async def test_pool_does_not_quote_a_password_that_breaks_the_address(userinfo: str) -> None:
    """Pieces of an address that cannot be read are quoted by libpq, but not by us."""
    with pytest.raises(DatabaseUnavailableError) as caught:
        async with open_pool(f"postgresql://{userinfo}@localhost/shop", max_size=2):
            pytest.fail("this is no address")
    assert "s3c" not in caught.value.explain()
    assert "%2F" in caught.value.hint


async def test_pool_of_a_missing_database_names_it(database_url: str) -> None:
    """The server's own words come through."""
    url = database_url.replace("/test_", "/missing_")
    with pytest.raises(DatabaseUnavailableError, match=r"missing_.*does not exist"):
        async with open_pool(url, max_size=2):
            pytest.fail("there is no such database")


async def test_pool_survives_killed_connections(databases: Databases, database_url: str) -> None:
    """After every connection was cut, the next call works, and does not try them one by one."""
    async with AsyncExitStack() as held:
        for _ in range(5):
            connection = await held.enter_async_context(checkout(databases.app))
            await connection.execute("SELECT 1")
    with psycopg.connect(database_url) as admin:
        cut = admin.execute(_DISCONNECT_ALL).fetchone()
    assert cut == (5,)
    async with asyncio.timeout(2), checkout(databases.app) as connection:
        await connection.execute("SELECT 1")


@asynccontextmanager
async def _killed_unnoticed(databases: Databases, database_url: str) -> AsyncIterator[None]:
    """The pool's only connection is killed, and learns it with its next statement only."""
    async with checkout(databases.app) as connection:
        server = connection.info.backend_pid
    os.kill(server, signal.SIGSTOP)
    resuming = asyncio.get_running_loop().call_later(0.2, os.kill, server, signal.SIGCONT)
    try:
        with psycopg.connect(database_url) as admin:
            admin.execute("SELECT pg_terminate_backend(%s)", (server,))
        yield
    finally:
        if not resuming.cancelled() and resuming.when() > asyncio.get_running_loop().time():
            os.kill(server, signal.SIGCONT)


async def test_execute_does_a_statement_again_whose_connection_was_killed(
    databases: Databases, database_url: str
) -> None:
    """A kill that the server has not got to yet costs no caller its statement."""
    async with _killed_unnoticed(databases, database_url):
        found = await execute(databases.app, "SELECT 1 AS one")
    assert await found.fetchone() == {"one": 1}


async def test_one_transaction_begins_again_whose_connection_was_killed(
    databases: Databases, database_url: str
) -> None:
    """A transaction has done nothing before it has begun, so it begins on another connection."""
    async with (
        _killed_unnoticed(databases, database_url),
        one_transaction(databases.app) as connection,
    ):
        found = await connection.execute("SELECT 1 AS one")
    assert await found.fetchone() == {"one": 1}


async def test_checkout_translates_a_connection_lost_in_use(
    databases: Databases, database_url: str
) -> None:
    """A call that is cut off says which database went away, and the next one works."""

    async def call_while_cut_off() -> None:
        async with checkout(databases.app) as connection:
            with psycopg.connect(database_url) as admin:
                admin.execute(_DISCONNECT_ALL)
            await connection.execute("SELECT 1")

    with pytest.raises(DatabaseUnavailableError, match="database test_"):
        await call_while_cut_off()
    async with checkout(databases.app) as connection:
        await connection.execute("SELECT 1")


async def test_checkout_never_loses_a_cancellation(database_url: str) -> None:
    """Tasks that wait for a connection end when they are cancelled, whatever comes with it."""
    async with open_pool(database_url, max_size=2) as pool:
        for _ in range(60):
            tasks = [asyncio.create_task(_ask_for_ever(pool)) for _ in range(8)]
            await asyncio.sleep(random.random() * 0.02)  # noqa: S311 - any moment will do
            for task in tasks:
                task.cancel()
            _, still_running = await asyncio.wait(tasks, timeout=DEADLINE_S)
            assert not still_running


async def _ask_for_ever(pool: Pool) -> None:
    while True:
        async with checkout(pool) as connection:
            await connection.execute("SELECT 1")


async def test_checkout_lets_mistakes_of_the_program_pass(databases: Databases) -> None:
    """A wrong statement is no unavailable database."""
    with pytest.raises(psycopg.errors.UndefinedTable):
        async with checkout(databases.app) as connection:
            await connection.execute("SELECT * FROM missing")


async def test_pool_knows_the_vector_types(databases: Databases) -> None:
    """Vectors come back as vectors, not as text."""
    async with checkout(databases.rag) as connection:
        found = await connection.execute("SELECT '[1,2.5]'::halfvec AS v")
        row = await found.fetchone()
    assert row == {"v": HalfVector([1, 2.5])}


async def test_databases_share_a_pool_when_their_addresses_are_equal(
    database_url: str, empty_database_url: str
) -> None:
    """One database takes one pool, two take two."""
    async with open_pools(database_url, database_url, max_size=2) as one:
        assert one.app is one.rag
    async with open_pools(database_url, empty_database_url, max_size=2) as two:
        assert two.app is not two.rag
