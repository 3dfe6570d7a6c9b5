"""Looks at a server of PostgreSQL, or a pooler before it, before anything is asked of it."""

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
    """The answer of a server: REJECT where it starts, recovers or stops.

    Wrong passwords and names of databases are answered with OK.
    Source: PostgreSQL, libpq, `PQping`.
    """
    address = make_conninfo(url, connect_timeout=_PING_S)
    return Ping(await asyncio.to_thread(PGconn.ping, address.encode()))


async def keeps_sessions(url: str, options: dict[str, Any], *, read_only: bool) -> bool:
    """Whether statements of one connection meet one session; a pooler may spread transactions.

    A pooler makes up the process number that a connection is told at its beginning. In transaction
    mode it lends the process that served us to the next who asks, and us another one then, unless
    others ask in between. So what seems to be kept has to show that a notice arrives.

    Raises: UnfitServerError if the server is too old; StandbyError if it has to be written to.
    """
    async with AsyncExitStack() as stack:
        ours = await stack.enter_async_context(await AsyncConnection.connect(url, **options))
        server = await _row(ours, _LOOK)
        if server["version"] < OLDEST:
            raise UnfitServerError(
                f"PostgreSQL {server['named']} is too old",
                hint="Use PostgreSQL 15 or newer, with pgvector 0.8 or newer.",
            )
        if server["is_standby"] and not read_only:
            raise StandbyError("PostgreSQL is a standby, which refuses every write")
        if server["process"] == ours.info.backend_pid:
            return True
        other = await stack.enter_async_context(await AsyncConnection.connect(url, **options))
        async with other.transaction():
            theirs = await _row(other, _PROCESS)
            ours_again = [await _row(ours, _PROCESS) for _ in range(_LOOKS)]
        is_kept = all(row["process"] == server["process"] for row in ours_again)
        if not is_kept or theirs["process"] == server["process"]:
            return False
        return bool(server["is_standby"]) or await _hears(ours, other)


async def _hears(ours: AsyncConnection[DictRow], other: AsyncConnection[DictRow]) -> bool:
    """Whether a notice of another session reaches ours; a standby knows none."""
    channel = f"rich_agent_{secrets.token_hex(8)}"
    await ours.execute(f"LISTEN {channel}".encode())
    await other.execute(f"NOTIFY {channel}".encode())
    notices = [notice async for notice in ours.notifies(timeout=_NOTICE_S, stop_after=1)]
    return bool(notices)


async def _row(connection: AsyncConnection[DictRow], query: str) -> DictRow:
    row = await (await connection.execute(query.encode())).fetchone()
    assert row is not None  # noqa: S101 - the queries always have a row
    return row
