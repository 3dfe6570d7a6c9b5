"""Threads whose users have been silent for long, in PostgreSQL."""

from rich_agent.domain.message import thread_of
from rich_agent.ports.turns import IdleThread
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.database.threads import THREADS_OF_USER

_SILENT = """
WITH term AS (SELECT clock_timestamp() - make_interval(secs => %s * 86400) AS ends_at)
SELECT conversation.user_id, conversation.thread_id, coalesce(person.fresh_from, 0) AS fresh_from
FROM term, conversations AS conversation
LEFT JOIN users AS person ON person.telegram_user_id = conversation.user_id
WHERE conversation.started_at < ends_at
    AND (person.last_seen_at IS NULL OR person.last_seen_at < ends_at)
    AND EXISTS (SELECT FROM checkpoints WHERE thread_id = conversation.thread_id)
    AND NOT EXISTS (
        SELECT FROM messages
        WHERE conversation_id = conversation.id AND created_at >= ends_at
    )
LIMIT 100
"""
_OTHERS = f"""
SELECT DISTINCT thread_id, coalesce(fresh_from, 0) AS fresh_from
FROM checkpoints LEFT JOIN users ON telegram_user_id = %(user_id)s
WHERE {THREADS_OF_USER} AND thread_id <> %(but)s
"""
_TAKE = """
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
VALUES (%s, false, clock_timestamp() + make_interval(secs => 60))
ON CONFLICT DO NOTHING
RETURNING fence
"""
_GIVE_BACK = "UPDATE telegram_lanes SET ready_at = clock_timestamp() WHERE fence = %s"
# As long as another conversation has a state, it may still have to heed it.
_HEED_NEW = f"""
UPDATE users SET fresh_from = 0
WHERE telegram_user_id = %(user_id)s AND fresh_from = %(fresh_from)s AND NOT EXISTS (
    SELECT FROM checkpoints WHERE {THREADS_OF_USER} AND thread_id <> %(but)s
)
"""


class PostgresIdleThreads(PostgresRepository):
    """Implements `IdleThreads`."""

    async def silent_for(self, days: float) -> list[IdleThread]:
        rows = await self._rows(_SILENT, (days,))
        return [IdleThread(**row) for row in rows]

    async def others(self, user_id: int, thread_id: str) -> list[IdleThread]:
        values = {"user_id": user_id, "thread_id": thread_of(user_id), "but": thread_id}
        rows = await self._rows(_OTHERS, values)
        return [IdleThread(user_id, **row) for row in rows]

    async def take(self, thread: IdleThread) -> int | None:
        row = await self._row(_TAKE, (thread.user_id,))
        return int(row["fence"]) if row else None

    async def give_back(self, fence: int) -> None:
        async with one_transaction(self._pool) as connection:
            # The next worker to claim the lane finds later updates, or frees it.
            await connection.execute(_GIVE_BACK, (fence,))
            await connection.execute("NOTIFY telegram_inbox")

    async def heed_new(self, thread: IdleThread) -> None:
        thread_ids = {"thread_id": thread_of(thread.user_id), "but": thread.thread_id}
        values = {"user_id": thread.user_id, "fresh_from": thread.fresh_from}
        await self._run_in_lane(_HEED_NEW, {**thread_ids, **values})
