"""Open questions of the bot to users, in PostgreSQL: one row for each thread."""

from dataclasses import asdict

from rich_agent.ports.turns import QUESTION_OPEN_S, AskedBack
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.database.repository import PostgresRepository

_OPEN = """
INSERT INTO clarifications AS known (thread_id, request_id, revision, round)
VALUES (%(thread_id)s, %(request_id)s, %(revision)s, %(round)s)
ON CONFLICT (thread_id) DO UPDATE
SET request_id = excluded.request_id, revision = excluded.revision, round = excluded.round,
    asked_at = clock_timestamp(), answered_by = NULL, cancelled_at = NULL
WHERE (known.request_id, known.revision, known.round)
    <> (excluded.request_id, excluded.revision, excluded.round)
"""

_IS_OPEN = """
answered_by IS NULL AND cancelled_at IS NULL
    AND asked_at > clock_timestamp() - make_interval(secs => %(open_s)s)
"""

_TAKE = f"""
UPDATE clarifications SET answered_by = %(by)s
WHERE thread_id = %(thread_id)s AND request_id = %(request_id)s AND revision = %(revision)s
    AND round = %(round)s AND (answered_by = %(by)s OR {_IS_OPEN})
"""

_CANCEL = f"""
UPDATE clarifications SET cancelled_at = clock_timestamp()
WHERE thread_id = %(thread_id)s AND {_IS_OPEN}
RETURNING request_id
"""


class PostgresClarifications(PostgresRepository):
    """Implements `Clarifications`; a question stays open for `open_s` seconds."""

    def __init__(self, pool: Pool, open_s: float = QUESTION_OPEN_S) -> None:
        super().__init__(pool)
        self._open_s = open_s

    async def open(self, question: AskedBack) -> None:
        await self._run_in_lane(_OPEN, asdict(question))

    async def take(self, question: AskedBack, by: str) -> bool:
        values = {**asdict(question), "by": by, "open_s": self._open_s}
        return await self._run_in_lane(_TAKE, values) > 0

    async def cancel(self, thread_id: str) -> str | None:
        values = {"thread_id": thread_id, "open_s": self._open_s}
        row = await self._row_in_lane(_CANCEL, values)
        return str(row["request_id"]) if row else None
