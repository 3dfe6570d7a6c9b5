"""Checks whether a database can store rows, by a transaction that is rolled back."""

import time

import psycopg

from rich_agent.errors import DatabaseUnavailableError, SchemaError
from rich_agent.repositories.database.pools import Pool, checkout

_TRUSTED_FOR_S = 5.0
# Longer than the pause after which a turn that found no room is tried again.
_FULL_FOR_S = 15.0
# As much as a message, of what cannot be compressed, under an id that nothing else has.
_STORE = """
INSERT INTO telegram_inbox (update_id, user_id, urgent, raw)
SELECT -9000000000000000000 + floor(random() * 1000000000)::bigint, 0, true,
    decode(string_agg(md5(random()::text), ''), 'hex')
FROM generate_series(1, 600)
"""


async def check_writes(pool: Pool) -> None:
    """Check that the database can store rows; a success in the last 5 s counts.

    On a full disk, some writes succeed as long as rows fit into old pages. So a failed write of
    this process counts for 15 s.

    Raises: DatabaseUnavailableError if nothing can be stored; SchemaError if the role may not.
    """
    now = time.monotonic()
    if now - pool.full_at < _FULL_FOR_S:
        raise DatabaseUnavailableError(
            "PostgreSQL has no room on its disk, or cannot use it",
            hint="Make room, or repair the disk; messages wait, and are answered then.",
        )
    if now - pool.stored_at < _TRUSTED_FOR_S:
        return
    async with checkout(pool) as connection, connection.transaction(force_rollback=True):
        try:
            await connection.execute(_STORE)
        except psycopg.errors.InsufficientPrivilege as error:
            raise SchemaError(
                "this role may not write to the tables",
                hint="Grant it SELECT, INSERT, UPDATE and DELETE on them, and USAGE on their "
                "sequences.",
            ) from error
    pool.stored_at = now
