"""The latest question of each user with its edits, in PostgreSQL."""

from dataclasses import asdict

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
        await self._run_with_fence(_BEGIN, {**asdict(question), **lists})

    async def finish(self, question: EditableQuestion) -> None:
        await self._run_with_fence(_FINISH, asdict(question))

    async def latest(self, user_id: int) -> EditableQuestion | None:
        row = await self._row(
            f"SELECT {_COLUMNS} FROM telegram_questions WHERE user_id = %s", (user_id,)
        )
        if row is None:
            return None
        for name in ("message_ids", "updates", "told"):
            row[name] = tuple(row[name])
        return EditableQuestion(**row)

    async def note_late_edit(self, user_id: int, message_id: int) -> None:
        await self._run_in_lane(_NOTE_TOLD, {"user_id": user_id, "message_id": message_id})

    async def waiting(self, user_id: int, after: int) -> tuple[StoredUpdate, ...]:
        rows = await self._rows(_WAITING, (user_id, after, MOST_EDITS_WAITING))
        return tuple(StoredUpdate(row["update_id"], row["raw"], 0) for row in rows)

    async def prune(self, days: float) -> int:
        return await self._run(_PRUNE, (days,))
