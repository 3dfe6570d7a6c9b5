"""Reads what is stored about past turns in both databases; writes nothing."""

from collections.abc import Mapping
from typing import Any, LiteralString

from rich_agent.domain.answer.answer import Decision
from rich_agent.domain.message import update_of
from rich_agent.ports.turns import StoredTurn, TurnMessages, TurnName, UpdateRecord
from rich_agent.repositories.database.pools import Databases, checkout
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all
from rich_agent.repositories.database.threads import THREADS_OF_USER
from rich_agent.repositories.turns.records import DECISION_COLUMNS, to_decision

_DECISION = f"""
SELECT {DECISION_COLUMNS}, created_at, rating
FROM retrieval_decisions LEFT JOIN answer_feedback ON decision_id = id
WHERE request_id = %(request_id)s
    AND (%(thread_id)s::text IS NULL OR {THREADS_OF_USER})
ORDER BY id DESC LIMIT 1
"""
_NEWEST: LiteralString = """
(SELECT id, request_id, thread_id FROM retrieval_decisions WHERE {}
    ORDER BY id DESC LIMIT %(limit)s)
"""
# Each part is read in the order of an index, without the older turns of the user.
_LATEST = f"""
SELECT request_id, thread_id FROM (
    {_NEWEST.format("%(thread_id)s::text IS NULL")}
    UNION ALL {_NEWEST.format("thread_id = %(thread_id)s")}
    UNION ALL {_NEWEST.format("starts_with(thread_id, %(thread_id)s || ':')")}
) AS newest ORDER BY id DESC LIMIT %(limit)s
"""
_SAID = """
SELECT asked.id, asked.content AS question, answered.content AS answer,
    coalesce(asked.meta_json -> 'request', '{}') AS request
FROM conversations
JOIN messages AS asked ON asked.conversation_id = conversations.id AND asked.role = 'user'
JOIN messages AS answered ON answered.conversation_id = conversations.id
    AND answered.role = 'assistant' AND answered.request_id = asked.request_id
WHERE thread_id = %(thread_id)s AND asked.request_id = %(request_id)s
"""
# Turns after the same /new are one conversation; a turn that was repeated is not part of it.
_BEFORE = """
SELECT * FROM (
    SELECT asked.id, asked.request_id, asked.content AS question, answered.content AS answer,
        coalesce(asked.meta_json -> 'request', '{}') AS request
    FROM conversations
    JOIN messages AS asked ON asked.conversation_id = conversations.id AND asked.role = 'user'
    JOIN messages AS answered ON answered.conversation_id = conversations.id
        AND answered.role = 'assistant' AND answered.request_id = asked.request_id
    WHERE thread_id = %(thread_id)s AND asked.id < %(id)s
        AND coalesce((asked.meta_json #>> '{request,fresh_from}')::bigint, 0) = %(fresh_from)s
        AND NOT EXISTS (
            SELECT FROM messages AS again
            WHERE again.conversation_id = conversations.id AND again.role = 'user'
                AND again.id <= %(id)s
                AND again.meta_json #>> '{request,replaces}' = asked.request_id
        )
    ORDER BY asked.id DESC LIMIT %(limit)s
) AS newest ORDER BY id
"""
_DELIVERED = """
SELECT received_at, attempts, done_at, dead_at, coalesce(last_error, '') AS last_error
FROM telegram_inbox WHERE update_id = %(update_id)s
"""


class PostgresPastTurns(PostgresRepository):
    """The turns of all users, for the operator. Methods may raise DatabaseUnavailableError."""

    def __init__(self, databases: Databases) -> None:
        super().__init__(databases.app)
        self._rag = databases.rag

    async def find(self, request_id: str, thread_id: str | None = None) -> StoredTurn | None:
        """A turn by its id, the newest if several threads have this id, None if there is none."""
        named = {"request_id": request_id, "thread_id": thread_id}
        async with checkout(self._rag) as connection:
            row = await (await connection.execute(_DECISION, named)).fetchone()
        if row is None:
            return None
        decided_at, rating = row.pop("created_at"), row.pop("rating")
        decision = to_decision(row)
        said = await self._said(decision)
        return StoredTurn(
            decision,
            decided_at,
            _said(said) if said else None,
            await self._delivered(request_id),
            rating,
        )

    async def latest(self, thread_id: str | None = None, limit: int = 5) -> list[TurnName]:
        """The newest turns of one thread or of all, newest first."""
        named = {"thread_id": thread_id, "limit": limit}
        async with checkout(self._rag) as connection:
            return [TurnName(**row) for row in await fetch_all(connection, _LATEST, named)]

    async def before(self, turn: StoredTurn, limit: int) -> list[tuple[str, TurnMessages]]:
        """The earlier turns of the same conversation with their ids, oldest first.

        Turns before the /new that this turn follows belong to another conversation.
        """
        said = await self._said(turn.decision)
        if said is None:
            return []
        named = {
            "thread_id": turn.decision.thread_id,
            "id": said["id"],
            "fresh_from": said["request"].get("fresh_from", 0),
            "limit": limit,
        }
        rows = await self._rows(_BEFORE, named)
        return [(row["request_id"], _said(row)) for row in rows]

    async def _said(self, decision: Decision) -> dict[str, Any] | None:
        named = {"thread_id": decision.thread_id, "request_id": decision.request_id}
        return await self._row(_SAID, named)

    async def _delivered(self, request_id: str) -> UpdateRecord | None:
        row = await self._row(_DELIVERED, {"update_id": update_of(request_id)})
        return UpdateRecord(**row) if row else None


def _said(row: Mapping[str, Any]) -> TurnMessages:
    return TurnMessages(row["question"], row["answer"], row["request"])
