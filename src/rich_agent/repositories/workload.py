"""What the bot has to do, read from inbox and lanes."""

from rich_agent.ports.operations import UserWorkload
from rich_agent.repositories.database.repository import PostgresRepository

# A lane that is ready is held by nobody; only a held one has updates in hand.
_OF_USER = """
SELECT lane.is_held AND bool_or(attempts > 0) AS is_answering,
    count(*) FILTER (WHERE attempts = 0 OR NOT lane.is_held) AS waiting
FROM telegram_inbox AS update
JOIN (
    SELECT user_id, urgent, ready_at > clock_timestamp() AS is_held FROM telegram_lanes
) AS lane USING (user_id, urgent)
WHERE user_id = %s AND update_id <> %s AND NOT urgent AND done_at IS NULL AND dead_at IS NULL
GROUP BY lane.is_held
"""


class PostgresWorkload(PostgresRepository):
    """Implements `Workload`."""

    async def of_user(self, user_id: int, *, besides: int) -> UserWorkload:
        row = await self._row(_OF_USER, (user_id, besides))
        if row is None:
            return UserWorkload(is_answering=False, waiting=0)
        return UserWorkload(row["is_answering"], row["waiting"])
