"""Questions with their edits, and guided sessions, in PostgreSQL."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.sessions import GuidedSession, SessionEnd
from rich_agent.ports.inbox import MOST_EDITS_WAITING, EditableQuestion, StoredUpdate
from rich_agent.repositories.database.fences import IS_HELD, LANE
from rich_agent.repositories.database.repository import PostgresRepository

_COLUMNS = "user_id, update_id, message_ids, updates, revision, answered, told"

# A late write, perhaps from before a crash, does not undo a newer one.
_BEGIN = f"""
WITH {LANE}
INSERT INTO telegram_questions AS known (user_id, update_id, message_ids, updates, revision)
SELECT %(user_id)s, %(update_id)s, %(message_ids)s::bigint[], %(updates)s::bytea[], %(revision)s
WHERE {IS_HELD}
ON CONFLICT (user_id) DO UPDATE SET
    update_id = excluded.update_id,
    message_ids = excluded.message_ids,
    updates = excluded.updates,
    revision = excluded.revision,
    answered = CASE WHEN known.update_id = excluded.update_id THEN known.answered END
WHERE (known.update_id, known.revision) <= (excluded.update_id, excluded.revision)
"""

_FINISH = f"""
WITH {LANE}
UPDATE telegram_questions SET answered = %(revision)s
WHERE user_id = %(user_id)s AND update_id = %(update_id)s AND revision = %(revision)s
    AND {IS_HELD}
"""

_NOTE_TOLD = """
UPDATE telegram_questions SET told = told || %(message_id)s::bigint
WHERE user_id = %(user_id)s AND %(message_id)s <> ALL (told)
"""

_WAITING = """
SELECT update_id, raw FROM telegram_inbox
WHERE user_id = %s AND NOT urgent AND done_at IS NULL AND dead_at IS NULL AND update_id > %s
ORDER BY update_id LIMIT %s
"""


# The inbox knows when a question was done; if it has no record, the question is even older.
_PRUNE = """
DELETE FROM telegram_questions AS question WHERE NOT EXISTS (
    SELECT FROM telegram_inbox AS asked
    WHERE asked.update_id = question.update_id AND (asked.done_at IS NULL
        OR asked.done_at >= clock_timestamp() - make_interval(secs => %s * 86400))
)
"""


class PostgresQuestions(PostgresRepository):
    """Implements `Questions`; writes of a lost lane are refused."""

    async def begin(self, question: EditableQuestion) -> None:
        lists = {"message_ids": list(question.message_ids), "updates": list(question.updates)}
        await self._run_guarded(_BEGIN, {**asdict(question), **lists})

    async def finish(self, question: EditableQuestion) -> None:
        await self._run_guarded(_FINISH, asdict(question))

    async def latest(self, user_id: int) -> EditableQuestion | None:
        row = await self._row(
            f"SELECT {_COLUMNS} FROM telegram_questions WHERE user_id = %s", (user_id,)
        )
        if row is None:
            return None
        for name in ("message_ids", "updates", "told"):
            row[name] = tuple(row[name])
        return EditableQuestion(**row)

    async def note_told(self, user_id: int, message_id: int) -> None:
        await self._run_held(_NOTE_TOLD, {"user_id": user_id, "message_id": message_id})

    async def waiting(self, user_id: int, after: int) -> tuple[StoredUpdate, ...]:
        rows = await self._rows(_WAITING, (user_id, after, MOST_EDITS_WAITING))
        return tuple(StoredUpdate(row["update_id"], row["raw"], 0) for row in rows)

    async def prune(self, days: float) -> int:
        return await self._run(_PRUNE, (days,))


_GUIDED_COLUMNS = "id, template, cardinality(requests) AS messages"
_ACTIVE = f"""
SELECT {_GUIDED_COLUMNS} FROM guided_sessions WHERE user_id = %s AND status = 'active'
"""
_BEGIN_SESSION = f"""
INSERT INTO guided_sessions (user_id, template) VALUES (%s, %s)
ON CONFLICT (user_id) WHERE status = 'active' DO NOTHING
RETURNING {_GUIDED_COLUMNS}
"""
_COUNT = f"""
UPDATE guided_sessions SET requests = CASE
    WHEN %(request_id)s = ANY(requests) THEN requests ELSE requests || %(request_id)s END
WHERE user_id = %(user_id)s AND status = 'active'
RETURNING {_GUIDED_COLUMNS}
"""
_KEEP = """
UPDATE guided_sessions SET outputs = outputs || %s WHERE user_id = %s AND status = 'active'
"""
_END = f"""
UPDATE guided_sessions SET status = %s, ended_at = clock_timestamp()
WHERE user_id = %s AND status = 'active'
RETURNING {_GUIDED_COLUMNS}
"""
_REOPEN = """
UPDATE guided_sessions SET status = 'active', ended_at = NULL
WHERE user_id = %(user_id)s AND id = %(id)s AND NOT EXISTS (
    SELECT FROM guided_sessions WHERE user_id = %(user_id)s AND status = 'active'
)
"""


class PostgresSessions(PostgresRepository):
    """Implements `Sessions`; what a lane writes is refused once it is lost."""

    async def active(self, user_id: int) -> GuidedSession | None:
        return _read_session(await self._row(_ACTIVE, (user_id,)))

    async def begin(self, user_id: int, template: str) -> GuidedSession | None:
        return _read_session(await self._row_held(_BEGIN_SESSION, (user_id, template)))

    async def count(self, user_id: int, request_id: str) -> GuidedSession | None:
        values = {"user_id": user_id, "request_id": request_id}
        return _read_session(await self._row_held(_COUNT, values))

    async def keep(self, user_id: int, output: Mapping[str, Any]) -> bool:
        return await self._run_held(_KEEP, (Jsonb([storable(output)]), user_id)) > 0

    async def end(self, user_id: int, how: SessionEnd) -> GuidedSession | None:
        return _read_session(await self._row_held(_END, (how, user_id)))

    async def reopen(self, user_id: int, session_id: int) -> bool:
        values = {"user_id": user_id, "id": session_id}
        return await self._run_held(_REOPEN, values) > 0

    async def prune(self, days: float) -> int:
        """Delete sessions that ended more than `days` ago; how many."""
        return await self._prune("guided_sessions", "ended_at", days)


def _read_session(row: DictRow | None) -> GuidedSession | None:
    return GuidedSession(**row) if row else None
