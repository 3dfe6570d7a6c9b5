"""Checks a PostgreSQL server, and a pooler in front of it, before the program uses it."""

import asyncio
import secrets
from contextlib import AsyncExitStack
from typing import Any

from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping
from psycopg.rows import DictRow

from rich_agent.errors import StandbyError, UnfitServerError

OLDEST = 150_000
_LOOK = """
SELECT pg_backend_pid() AS process, pg_is_in_recovery() AS is_standby,
    current_setting('server_version_num')::integer AS version,
    current_setting('server_version') AS named
"""
_PROCESS = "SELECT pg_backend_pid() AS process"
_LOOKS = 3
_NOTICE_S = 3.0
_PING_S = 5


async def ping(url: str) -> Ping:
    """Ping a server; the answer is REJECT while it starts, recovers or stops.

    The answer is OK even if the password or the database's name is wrong.

    Source: PostgreSQL, libpq, `PQping`.
    """
    address = make_conninfo(url, connect_timeout=_PING_S)
    return Ping(await asyncio.to_thread(PGconn.ping, address.encode()))


async def keeps_sessions(url: str, options: dict[str, Any], *, read_only: bool) -> bool:
    """Whether all statements of a connection run in one session, as without a pooler.

    A pooler makes up the process number that a connection gets at its start. In transaction mode,
    it may give each transaction of a connection another server process. A second connection tests
    that, but a busy pooler may pass the test by chance. So a notification has to arrive, too.

    Raises: UnfitServerError if the server is too old; StandbyError if it refuses writes, unless
    `read_only`.
    """
    async with AsyncExitStack() as stack:
        connection = await stack.enter_async_context(await AsyncConnection.connect(url, **options))
        server = await _row(connection, _LOOK)
        if server["version"] < OLDEST:
            raise UnfitServerError(
                f"PostgreSQL {server['named']} is too old",
                hint="Use PostgreSQL 15 or newer, with pgvector 0.8 or newer.",
            )
        if server["is_standby"] and not read_only:
            raise StandbyError("PostgreSQL is a standby, which refuses every write")
        if server["process"] == connection.info.backend_pid:
            return True
        second_connection = await stack.enter_async_context(
            await AsyncConnection.connect(url, **options)
        )
        async with second_connection.transaction():
            second_row = await _row(second_connection, _PROCESS)
            later_rows = [await _row(connection, _PROCESS) for _ in range(_LOOKS)]
        is_kept = all(row["process"] == server["process"] for row in later_rows)
        if not is_kept or second_row["process"] == server["process"]:
            return False
        return bool(server["is_standby"]) or await _hears(connection, second_connection)


async def _hears(
    connection: AsyncConnection[DictRow], second_connection: AsyncConnection[DictRow]
) -> bool:
    """Whether a notification of another session arrives; a standby cannot send any."""
    channel = f"rich_agent_{secrets.token_hex(8)}"
    await connection.execute(f"LISTEN {channel}".encode())
    await second_connection.execute(f"NOTIFY {channel}".encode())
    notices = [notice async for notice in connection.notifies(timeout=_NOTICE_S, stop_after=1)]
    return bool(notices)


async def _row(connection: AsyncConnection[DictRow], query: str) -> DictRow:
    row = await (await connection.execute(query.encode())).fetchone()
    assert row is not None  # noqa: S101 - the queries always have a row
    return row
