"""Test questions that are stored in PostgreSQL. Every method may raise DatabaseUnavailableError."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, LiteralString

from psycopg.types.json import Jsonb

from rich_agent.feature import PostgresRepository, checkout, fetch_one
from rich_agent.feature.database import clean_text
from rich_agent.feature.turns import AskedQuestion
from rich_agent.features.evaluation.files import WrittenQuestion
from rich_agent.features.evaluation.runs import MAX_ID, TELL

_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('evaluation_questions'))"
_IS_KEPT = "SELECT EXISTS (SELECT FROM evaluation_questions WHERE ask = %s AND id <> %s) AS kept"
_ADD = """
INSERT INTO evaluation_questions (ask, facts, sources, refuse, thread_id, request_id, asked_at)
VALUES (%(ask)s, %(facts)s, %(sources)s, %(refuse)s, %(thread_id)s, %(request_id)s, %(asked_at)s)
"""
# Words that the operator has written are no longer the user's.
_CHANGE = """
UPDATE evaluation_questions SET ask = %(ask)s, facts = %(facts)s, sources = %(sources)s,
    refuse = %(refuse)s,
    thread_id = CASE WHEN ask = %(ask)s THEN thread_id END,
    request_id = CASE WHEN ask = %(ask)s THEN request_id END,
    asked_at = CASE WHEN ask = %(ask)s THEN asked_at END
WHERE id = %(id)s
"""
_REMOVE = "DELETE FROM evaluation_questions WHERE id = %s"
_COLUMNS = "id, ask, facts, sources, refuse, thread_id IS NOT NULL AS is_users"
_FIND = f"SELECT {_COLUMNS} FROM evaluation_questions WHERE id = %s"
_NEWEST = f"""
SELECT {_COLUMNS} FROM evaluation_questions WHERE id < %s ORDER BY id DESC LIMIT %s
"""
_ALL = f"SELECT {_COLUMNS} FROM evaluation_questions ORDER BY id"
MOST_ASK: Final = 2_000
"""Most characters of a question."""


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A stored question; `is_users` while it stands in a user's words."""

    id: int
    written: WrittenQuestion
    is_users: bool

    @property
    def is_complete(self) -> bool:
        """Whether it says what is expected."""
        return not self.written.problem()


class StoredQuestions(PostgresRepository):
    """Test questions of the operator, some of them in a user's words."""

    async def keep(self, asked: AskedQuestion) -> None:
        """See `KeepQuestion`."""
        values = {
            **_values(WrittenQuestion(ask=clean_text(asked.ask)[:MOST_ASK])),
            "thread_id": asked.thread_id,
            "request_id": asked.request_id,
            "asked_at": asked.asked_at,
        }
        await self._write(_ADD, values)

    async def add(self, written: WrittenQuestion) -> bool:
        """Store a question; False if it is stored already."""
        return await self._write(
            _ADD, {**_values(written), "thread_id": None, "request_id": None, "asked_at": None}
        )

    async def change(self, question_id: int, written: WrittenQuestion) -> bool:
        """Write a question anew; False if another one asks the same."""
        return await self._write(_CHANGE, {**_values(written), "id": question_id})

    async def _write(self, query: LiteralString, values: Mapping[str, Any]) -> bool:
        async with checkout(self._pool) as connection:
            await connection.execute(_ONE_AT_A_TIME)
            others = (values["ask"], values.get("id", 0))
            if (await fetch_one(connection, _IS_KEPT, others))["kept"]:
                return False
            await connection.execute(query, values)
            await connection.execute(TELL)
        return True

    async def find(self, question_id: int) -> StoredQuestion | None:
        """A question, None if there is none with this id."""
        row = await self._row(_FIND, (question_id,))
        return _question(row) if row else None

    async def remove(self, question_id: int) -> None:
        """Delete a question."""
        async with checkout(self._pool) as connection:
            await connection.execute(_REMOVE, (question_id,))
            await connection.execute(TELL)

    async def newest(self, limit: int, before: int = MAX_ID) -> Sequence[StoredQuestion]:
        """The newest questions before one of them, newest first."""
        return [_question(row) for row in await self._rows(_NEWEST, (before, limit))]

    async def all_of_them(self) -> Sequence[StoredQuestion]:
        """All questions, oldest first."""
        return [_question(row) for row in await self._rows(_ALL)]


def _values(written: WrittenQuestion) -> dict[str, Any]:
    return {
        "ask": written.ask,
        "facts": Jsonb(written.facts),
        "sources": Jsonb(written.sources),
        "refuse": written.refuse,
    }


def _question(row: Mapping[str, Any]) -> StoredQuestion:
    names = ("ask", "facts", "sources", "refuse")
    written = WrittenQuestion(**{name: row[name] for name in names})
    return StoredQuestion(row["id"], written, row["is_users"])
