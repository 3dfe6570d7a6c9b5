"""Looks at a server of PostgreSQL, or a pooler before it, before anything is asked of it."""

from contextlib import AsyncExitStack
from typing import Any

from psycopg import AsyncConnection
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


async def keeps_sessions(url: str, options: dict[str, Any], *, read_only: bool) -> bool:
    """Whether statements of one connection meet one session; a pooler may spread transactions.

    A pooler makes up the process number that a connection is told at its beginning. In transaction
    mode it lends the process that served us to the next who asks, and us another one then.

    Raises: UnfitServerError if the server is too old; StandbyError if it has to be written to.
    """
    async with AsyncExitStack() as opened:
        ours = await opened.enter_async_context(await AsyncConnection.connect(url, **options))
        found = await _row(ours, _LOOK)
        if found["version"] < OLDEST:
            raise UnfitServerError(
                f"PostgreSQL {found['named']} is too old",
                hint="Use PostgreSQL 15 or newer, with pgvector 0.8 or newer.",
            )
        if found["is_standby"] and not read_only:
            raise StandbyError("PostgreSQL is a standby, which refuses every write")
        if found["process"] == ours.info.backend_pid:
            return True
        other = await opened.enter_async_context(await AsyncConnection.connect(url, **options))
        await opened.enter_async_context(other.transaction())
        theirs = await _row(other, _PROCESS)
        ours_again = [await _row(ours, _PROCESS) for _ in range(_LOOKS)]
        is_kept = all(row["process"] == found["process"] for row in ours_again)
        return is_kept and theirs["process"] != found["process"]


async def _row(connection: AsyncConnection[DictRow], query: str) -> DictRow:
    row = await (await connection.execute(query.encode())).fetchone()
    assert row is not None  # noqa: S101 - the queries always have a row
    return row
