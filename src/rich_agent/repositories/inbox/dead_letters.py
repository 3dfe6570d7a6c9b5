"""Dead letters in PostgreSQL, for the operator to list, replay or drop."""

from collections.abc import Sequence
from datetime import datetime

from psycopg.rows import DictRow

from rich_agent.ports.dead_letters import DeadLetter
from rich_agent.repositories.database.pools import Connection, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all

_COLUMNS = """
update_id, user_id, raw, attempts, received_at, dead_at, coalesce(last_error, '') AS last_error
"""

_PAGE = f"""
SELECT {_COLUMNS} FROM telegram_inbox
WHERE dead_at IS NOT NULL AND dead_at <= %(before)s
    AND (dead_at, update_id) < (%(before)s, %(before_id)s)
ORDER BY dead_at DESC, update_id DESC LIMIT %(limit)s
"""

# Updates that were handed out together are answered together or not at all.
_CHOSEN = """
SELECT whole.update_id, whole.user_id, whole.urgent FROM telegram_inbox AS whole
WHERE whole.dead_at IS NOT NULL AND (
    whole.update_id = ANY(%(ids)s) OR whole.bundle_id IN (
        SELECT named.bundle_id FROM telegram_inbox AS named
        WHERE named.update_id = ANY(%(ids)s) AND named.dead_at IS NOT NULL
    )
)
ORDER BY whole.update_id
"""

# The no-op update locks the row, so that a lane with work in it is not freed.
_OPEN_LANES = """
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
SELECT user_id, urgent, clock_timestamp()
FROM unnest(%(users)s::bigint[], %(urgent)s::boolean[]) AS lane (user_id, urgent)
GROUP BY user_id, urgent ORDER BY urgent, user_id
ON CONFLICT (user_id, urgent) DO UPDATE SET user_id = excluded.user_id
"""

_REVIVE = """
UPDATE telegram_inbox SET dead_at = NULL, attempts = 0, last_error = NULL, holds = 0,
    held_since = NULL, held_until = NULL
WHERE update_id = ANY(%s) AND dead_at IS NOT NULL
"""


# The apology that they show is not the last word any more.
_UNFINISH = "UPDATE telegram_outbox SET text = '' WHERE update_id = ANY(%s) AND text <> ''"


class PostgresDeadLetters(PostgresRepository):
    """Implements `DeadLetters`; updates that were handed out together stay together."""

    async def all(self) -> tuple[DeadLetter, ...]:
        """All dead letters, sorted by update_id."""
        rows = await self._rows(
            f"SELECT {_COLUMNS} FROM telegram_inbox WHERE dead_at IS NOT NULL ORDER BY update_id"
        )
        return tuple(DeadLetter(**row) for row in rows)

    async def page(self, before: tuple[datetime, int] | None, limit: int) -> tuple[DeadLetter, ...]:
        """Dead letters, the last given up first; `before` is time and id of the last one shown."""
        before_at, before_id = before or ("infinity", 0)
        values = {"before": before_at, "before_id": before_id, "limit": limit}
        return tuple(DeadLetter(**row) for row in await self._rows(_PAGE, values))

    async def find(self, update_id: int) -> DeadLetter | None:
        """The dead letter with this id, None if there is none."""
        row = await self._row(
            f"SELECT {_COLUMNS} FROM telegram_inbox WHERE update_id = %s AND dead_at IS NOT NULL",
            (update_id,),
        )
        return DeadLetter(**row) if row else None

    async def replay(self, update_ids: Sequence[int]) -> tuple[int, ...]:
        """Put dead letters back into their lanes in order, with 0 attempts; return their ids."""
        async with one_transaction(self._pool) as connection:
            rows = await _lock_letters(connection, update_ids)
            lanes = {
                "users": [row["user_id"] for row in rows],
                "urgent": [row["urgent"] for row in rows],
            }
            await connection.execute(_OPEN_LANES, lanes)
            ids = [row["update_id"] for row in rows]
            await connection.execute(_REVIVE, (ids,))
            await connection.execute(_UNFINISH, (ids,))
            await connection.execute("NOTIFY telegram_inbox")
        return tuple(ids)

    async def drop(self, update_ids: Sequence[int]) -> tuple[int, ...]:
        """Delete dead letters; return their ids."""
        async with one_transaction(self._pool) as connection:
            locked_ids = [row["update_id"] for row in await _lock_letters(connection, update_ids)]
            await connection.execute(
                "DELETE FROM telegram_inbox WHERE update_id = ANY(%s) AND dead_at IS NOT NULL",
                (locked_ids,),
            )
        return tuple(locked_ids)

    async def prune(self, days: float) -> int:
        """Delete the updates that were given up more than `days` ago; return their number."""
        return await self._prune("telegram_inbox", "dead_at", days)


async def _lock_letters(connection: Connection, update_ids: Sequence[int]) -> list[DictRow]:
    return await fetch_all(connection, _CHOSEN, {"ids": list(update_ids)})
