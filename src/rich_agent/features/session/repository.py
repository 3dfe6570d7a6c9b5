"""Guided sessions in PostgreSQL, one row for each. A user has at most one open session."""

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from rich_agent.feature.database import (
    IS_HELD,
    LANE,
    NOT_REPLACED,
    PostgresRepository,
    current_fence,
    storable,
    telling_pages,
)
from rich_agent.features.session.records import SessionMessage, SessionRecord
from rich_agent.features.session.sessions import GuidedSession, SessionEnd

_COLUMNS = "id, template, cardinality(requests) AS messages"
_INSERT = """
INSERT INTO guided_sessions (user_id, template) VALUES (%s, %s)
ON CONFLICT (user_id) WHERE status = 'active' DO NOTHING
"""
_COUNT = f"""
WITH {LANE}
UPDATE guided_sessions SET requests = CASE
    WHEN %(request_id)s = ANY(requests) THEN requests ELSE requests || %(request_id)s END
WHERE user_id = %(user_id)s AND status = 'active' AND {IS_HELD}
RETURNING {_COLUMNS}
"""
_KEEP = """
UPDATE guided_sessions SET outputs = outputs || %s WHERE user_id = %s AND status = 'active'
"""
_UPDATE = """
UPDATE guided_sessions SET status = %s, ended_at = clock_timestamp()
WHERE user_id = %s AND status = 'active'
"""
_BEGIN, _END = (telling_pages(one, _COLUMNS) for one in (_INSERT, _UPDATE))
_REOPEN = telling_pages("""
UPDATE guided_sessions SET status = 'active', ended_at = NULL
WHERE user_id = %(user_id)s AND id = %(id)s AND NOT EXISTS (
    SELECT FROM guided_sessions WHERE user_id = %(user_id)s AND status = 'active'
)
""")
_FIND = f"""
SELECT {_COLUMNS}, status, outputs, requests FROM guided_sessions
WHERE user_id = %(user_id)s AND CASE WHEN %(id)s::bigint IS NULL
    THEN status = 'active' ELSE id = %(id)s END
"""
_MESSAGES = f"""
SELECT said.request_id, said.role, said.content, said.created_at AS said_at,
    coalesce(question.answered_by, '') AS answered_by
FROM conversations AS conversation
JOIN messages AS said ON said.conversation_id = conversation.id
LEFT JOIN clarifications AS question ON question.thread_id = conversation.thread_id
    AND question.request_id = said.request_id
WHERE conversation.user_id = %s AND said.request_id = ANY(%s) AND {NOT_REPLACED}
ORDER BY said.id
"""


class PostgresSessions(PostgresRepository):
    """Implements `Sessions` and `SessionRecords`. After its lane is lost, nothing is written."""

    async def active(self, user_id: int) -> GuidedSession | None:
        query = f"SELECT {_COLUMNS} FROM guided_sessions WHERE user_id = %s AND status = 'active'"
        return _read(await self._row(query, (user_id,)))

    async def begin(self, user_id: int, template: str) -> GuidedSession | None:
        return _read(await self._row_in_lane(_BEGIN, (user_id, template)))

    async def count(self, user_id: int, request_id: str) -> GuidedSession | None:
        parameters = {"user_id": user_id, "request_id": request_id, "fence": current_fence()}
        return _read(await self._row(_COUNT, parameters))

    async def keep(self, user_id: int, output: Mapping[str, Any]) -> bool:
        return await self._run_in_lane(_KEEP, (Jsonb([storable(output)]), user_id)) > 0

    async def end(self, user_id: int, how: SessionEnd) -> GuidedSession | None:
        return _read(await self._row_in_lane(_END, (how, user_id)))

    async def reopen(self, user_id: int, session_id: int) -> bool:
        parameters = {"user_id": user_id, "id": session_id}
        return await self._run_in_lane(_REOPEN, parameters) > 0

    async def find(self, user_id: int, session_id: int | None) -> SessionRecord | None:
        row = await self._row(_FIND, {"user_id": user_id, "id": session_id})
        if row is None:
            return None
        record_fields = {name: row.pop(name) for name in ("status", "outputs", "requests")}
        return SessionRecord(GuidedSession(**row), **record_fields)

    async def messages(self, user_id: int, record: SessionRecord) -> Sequence[SessionMessage]:
        rows = await self._rows(_MESSAGES, (user_id, record.requests))
        return [SessionMessage(**row) for row in rows]


def _read(row: DictRow | None) -> GuidedSession | None:
    return GuidedSession(**row) if row else None
