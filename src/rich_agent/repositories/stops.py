"""Answers that their users want no more of, in PostgreSQL."""

from rich_agent.repositories.database.pools import checkout
from rich_agent.repositories.database.repository import PostgresRepository

# An update is in hand from its first attempt, while it waits for a busy model server too, until it
# is done or given up.
_ASK = """
INSERT INTO telegram_stops AS known (update_id, user_id)
SELECT update_id, user_id FROM telegram_inbox
WHERE user_id = %(user_id)s AND NOT urgent AND attempts + holds > 0
    AND done_at IS NULL AND dead_at IS NULL
    AND (%(update_id)s::bigint IS NULL OR update_id = %(update_id)s)
ORDER BY update_id LIMIT 1
ON CONFLICT (update_id) DO UPDATE SET user_id = known.user_id
RETURNING update_id
"""

# A lane without a holder waits for a time: what is to be stopped need not.
_WAKE = """
UPDATE telegram_lanes SET ready_at = clock_timestamp()
WHERE user_id = %(user_id)s AND NOT urgent AND holder IS NULL AND EXISTS (
    SELECT FROM telegram_inbox WHERE update_id = %(update_id)s AND holds > 0
)
"""


class PostgresStops(PostgresRepository):
    """Implements `Stops`."""

    async def ask(self, user_id: int, update_id: int | None = None) -> int | None:
        async with checkout(self._pool) as connection:
            asked = await connection.execute(_ASK, {"user_id": user_id, "update_id": update_id})
            row = await asked.fetchone()
            if row:
                await connection.execute(_WAKE, {"user_id": user_id, **row})
                await connection.execute("NOTIFY telegram_inbox")
        return int(row["update_id"]) if row else None

    async def is_asked(self, update_id: int) -> bool:
        return await self._run("SELECT FROM telegram_stops WHERE update_id = %s", (update_id,)) > 0

    async def prune(self, days: float) -> int:
        return await self._prune("telegram_stops", "asked_at", days)
