"""What a page shows of a conversation, from the transcript and the runs."""

from collections.abc import Sequence

from rich_agent.domain.message import thread_of
from rich_agent.ports.programs.chat_history import HistoryTurn, OpenTurnRun
from rich_agent.repositories.database.repository import PostgresRepository

_PAGE = """
SELECT asked.id, asked.content AS question, answered.content AS answer,
    asked.created_at AS asked_at,
    coalesce(answered.meta_json -> 'sources', '[]') AS sources,
    jsonb_array_length(coalesce(asked.meta_json -> 'images', '[]')) AS images
FROM conversations
JOIN messages AS asked ON asked.conversation_id = conversations.id AND asked.role = 'user'
JOIN messages AS answered ON answered.conversation_id = conversations.id
    AND answered.role = 'assistant' AND answered.request_id = asked.request_id
WHERE thread_id = %(thread_id)s AND (%(before)s::bigint IS NULL OR asked.id < %(before)s)
ORDER BY asked.id DESC LIMIT %(limit)s
"""
# A run that answers a question belongs to the turn that asked it.
_OPEN_RUNS = """
WITH mine AS (
    SELECT run_id, asked ->> 'text' AS text, update_id,
        coalesce(asked ->> 'answers', '') <> '' AS is_resumed,
        coalesce(nullif(asked ->> 'answers', ''), 'tg:' || update_id) AS turn
    FROM runs WHERE user_id = %(user_id)s AND thread = %(thread)s
), newest AS (
    SELECT turn FROM mine ORDER BY update_id LIMIT 1
)
SELECT run_id, text, is_resumed FROM mine JOIN newest USING (turn)
WHERE NOT EXISTS (
    SELECT FROM messages WHERE user_id = %(user_id)s AND request_id = turn
)
ORDER BY update_id DESC
"""


class PostgresChatHistory(PostgresRepository):
    """Implements `ChatHistory`."""

    async def page(self, user_id: int, before: int | None, limit: int) -> Sequence[HistoryTurn]:
        named = {"thread_id": thread_of(user_id), "before": before, "limit": limit}
        return [HistoryTurn(**row) for row in await self._rows(_PAGE, named)]

    async def open_runs(self, user_id: int, thread: str) -> Sequence[OpenTurnRun]:
        rows = await self._rows(_OPEN_RUNS, {"user_id": user_id, "thread": thread})
        return [OpenTurnRun(**row) for row in rows]
