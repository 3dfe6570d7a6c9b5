"""The latest question of each user, as it reads now and as it was answered, in PostgreSQL."""

from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.questions import MOST_EDITS_WAITING, Question
from rich_agent.repositories.postgres import PostgresRepository

_COLUMNS = "user_id, update_id, message_ids, updates, revision, answered, told"

# A late one, from before a crash perhaps, takes nothing back.
_BEGIN = """
INSERT INTO telegram_questions AS known (user_id, update_id, message_ids, updates, revision)
VALUES (%(user_id)s, %(update_id)s, %(message_ids)s, %(updates)s, %(revision)s)
ON CONFLICT (user_id) DO UPDATE SET
    update_id = excluded.update_id,
    message_ids = excluded.message_ids,
    updates = excluded.updates,
    revision = excluded.revision,
    answered = CASE WHEN known.update_id = excluded.update_id THEN known.answered END
WHERE (known.update_id, known.revision) <= (excluded.update_id, excluded.revision)
"""

_FINISH = """
UPDATE telegram_questions SET answered = %(revision)s
WHERE user_id = %(user_id)s AND update_id = %(update_id)s AND revision = %(revision)s
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


# The inbox knows when a question was done; what it has forgotten is older still.
_PRUNE = """
DELETE FROM telegram_questions AS question WHERE NOT EXISTS (
    SELECT FROM telegram_inbox AS asked
    WHERE asked.update_id = question.update_id AND (asked.done_at IS NULL
        OR asked.done_at >= clock_timestamp() - make_interval(secs => %s * 86400))
)
"""


class PostgresQuestions(PostgresRepository):
    """Implements `Questions`; what a lane writes is refused once it is lost."""

    async def begin(self, question: Question) -> None:
        """Keep a question, or its new form, as the user's latest."""
        await self._run_held(
            _BEGIN,
            {
                "user_id": question.user_id,
                "update_id": question.update_id,
                "message_ids": list(question.message_ids),
                "updates": list(question.updates),
                "revision": question.revision,
            },
        )

    async def finish(self, question: Question) -> None:
        """Note that the question was answered in this form."""
        await self._run_held(
            _FINISH,
            {
                "user_id": question.user_id,
                "update_id": question.update_id,
                "revision": question.revision,
            },
        )

    async def latest(self, user_id: int) -> Question | None:
        """The user's latest question, None if they never asked one."""
        row = await self._row(
            f"SELECT {_COLUMNS} FROM telegram_questions WHERE user_id = %s", (user_id,)
        )
        if row is None:
            return None
        return Question(
            user_id=row["user_id"],
            update_id=row["update_id"],
            message_ids=tuple(row["message_ids"]),
            updates=tuple(row["updates"]),
            revision=row["revision"],
            answered=row["answered"],
            told=tuple(row["told"]),
        )

    async def note_told(self, user_id: int, message_id: int) -> None:
        """Note that the user was told that an edit of this message comes too late."""
        await self._run_held(_NOTE_TOLD, {"user_id": user_id, "message_id": message_id})

    async def waiting(self, user_id: int, after: int) -> tuple[StoredUpdate, ...]:
        """What the user sent after an update and waits to be handled, in order."""
        rows = await self._rows(_WAITING, (user_id, after, MOST_EDITS_WAITING))
        return tuple(StoredUpdate(row["update_id"], row["raw"], 0) for row in rows)

    async def prune(self, days: float) -> int:
        """Forget questions that were done more than `days` ago; how many."""
        return await self._run(_PRUNE, (days,))
