"""Questions that were not answered well, and their subjects, in PostgreSQL."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final, LiteralString

from pgvector import HalfVector

from rich_agent.feature import NewWork, PostgresRepository, add_due, fetch_all, fetch_one
from rich_agent.feature.database import (
    NEWS_CHANNEL,
    OPERATORS,
    Connection,
    clean_text,
    one_transaction,
)
from rich_agent.feature.knowledge import Usual
from rich_agent.features.operator_pages.quality.grouping import (
    Similarities,
    Terms,
    name_of,
    subject_by_words,
)
from rich_agent.features.operator_pages.quality.records import (
    ASK_WORK,
    GROUP_WORK,
    Again,
    QuestionSubject,
    QuestionVector,
    State,
    WeakAnswer,
    WeakQuestion,
)

MAX_ID: Final = 2**63 - 1
_TELL = f"SELECT pg_notify('{NEWS_CHANNEL}', '{OPERATORS}')"
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('quality_subjects'))"
_MOST_COMPARED, _MOST_COMPARED_BY_WORDS = 20_000, 5_000
_MOST_NAMING = 20
"""Newest questions of a subject among which its name is chosen."""
_MOST_ASKED = 5
"""Newest questions of a subject that are asked again."""
# An edited question is another one: its subject is found again.
_FORGET_EDITED = """
DELETE FROM quality_questions
WHERE thread_id = %(thread_id)s AND request_id = %(request_id)s AND query <> %(query)s
"""
_NOTE = """
INSERT INTO quality_questions AS known
    (thread_id, request_id, query, is_unanswered, is_rated_down, vector_space, embedding)
VALUES (%(thread_id)s, %(request_id)s, %(query)s, %(unanswered)s, %(rated_down)s, %(space)s,
    %(vector)s)
ON CONFLICT (thread_id, request_id) DO UPDATE SET
    is_unanswered = known.is_unanswered OR excluded.is_unanswered,
    is_rated_down = known.is_rated_down OR excluded.is_rated_down
RETURNING id
"""
_NOTE_ANSWERED = """
WITH gone AS (
    DELETE FROM quality_questions
    WHERE thread_id = %(thread_id)s AND request_id = %(request_id)s AND NOT is_rated_down
    RETURNING id
), kept AS (
    UPDATE quality_questions SET is_unanswered = false
    WHERE thread_id = %(thread_id)s AND request_id = %(request_id)s AND is_rated_down
        AND is_unanswered
    RETURNING id
)
SELECT id FROM gone UNION ALL SELECT id FROM kept
"""
_OF_USER = "(thread_id = %(thread_id)s OR starts_with(thread_id, %(thread_id)s || ':'))"
_WITHDRAW = f"""
WITH gone AS (
    DELETE FROM quality_questions
    WHERE {_OF_USER} AND request_id = %(request_id)s AND NOT is_unanswered
    RETURNING id
), kept AS (
    UPDATE quality_questions SET is_rated_down = false
    WHERE {_OF_USER} AND request_id = %(request_id)s AND is_unanswered AND is_rated_down
    RETURNING id
)
SELECT id FROM gone UNION ALL SELECT id FROM kept
"""
# The likeness of a subject: the mean of its nearest question's similarity and of the average.
_BY_VECTORS = """
WITH recent AS MATERIALIZED (
    SELECT newest.subject_id, 1 - (newest.embedding <=> own.embedding) AS similarity
    FROM quality_questions AS own, LATERAL (
        SELECT subject_id, embedding FROM quality_questions
        WHERE vector_space = own.vector_space AND subject_id IS NOT NULL AND id <> own.id
        ORDER BY id DESC LIMIT %(limit)s
    ) AS newest
    WHERE own.id = %(id)s
), nearest AS (
    SELECT subject_id, (max(similarity) + avg(similarity)) / 2 AS likeness
    FROM recent GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1
)
SELECT count(*)::int AS count, coalesce(avg(similarity), 0)::float8 AS mean,
    coalesce(var_pop(similarity), 0)::float8 AS variance,
    coalesce((SELECT subject_id FROM nearest), 0) AS subject_id,
    coalesce((SELECT likeness FROM nearest), 0)::float8 AS nearest
FROM recent
"""
_BY_WORDS = """
SELECT subject_id, terms FROM quality_questions
WHERE subject_id IS NOT NULL AND id <> %(id)s ORDER BY id DESC LIMIT %(limit)s
"""
# Whoever forgets a question takes its words out of the name: they wait, or are waited for.
_LOCK_SUBJECT = "SELECT id FROM quality_subjects WHERE id = %s FOR UPDATE"
_NEW_SUBJECT = "INSERT INTO quality_subjects (asked_at) VALUES (%s) RETURNING id"
_JOIN = """
UPDATE quality_questions SET subject_id = %(subject_id)s, terms = %(terms)s WHERE id = %(id)s
"""
_LOOK = """
SELECT query, asked_at, subject_id, vector_space FROM quality_questions WHERE id = %s FOR UPDATE
"""
_ADD_VECTOR = """
UPDATE quality_questions SET vector_space = %(space)s, embedding = %(vector)s WHERE id = %(id)s
"""
_NAMING = """
SELECT query, terms FROM quality_questions WHERE subject_id = %s ORDER BY id DESC LIMIT %s
"""
# A subject that was done is open again: the same was asked after it, and not answered either.
_GROW = """
UPDATE quality_subjects SET question_count = question_count + 1,
    asked_at = greatest(asked_at, %(asked_at)s), name = %(name)s,
    reopened_at = CASE WHEN state = 'done' THEN clock_timestamp() ELSE reopened_at END,
    state = 'open'
WHERE id = %(subject_id)s
"""
# After a question was forgotten, the newest one names the subject until another joins.
_SUBJECT_COLUMNS = """
id, coalesce(nullif(name, ''), (
    SELECT query FROM quality_questions WHERE subject_id = subject.id ORDER BY id DESC LIMIT 1
), '') AS name, state, assignee_id, note, question_count, asked_at, reopened_at
"""
_SUBJECTS = f"""
SELECT {_SUBJECT_COLUMNS} FROM quality_subjects AS subject
WHERE state = %(state)s AND (asked_at, id) < (%(before)s, %(before_id)s)
ORDER BY asked_at DESC, id DESC LIMIT %(limit)s
"""
_SUBJECTS_OF = f"""
SELECT {_SUBJECT_COLUMNS} FROM quality_subjects AS subject
WHERE assignee_id = %(assignee)s AND state = %(state)s
    AND (asked_at, id) < (%(before)s, %(before_id)s)
ORDER BY asked_at DESC, id DESC LIMIT %(limit)s
"""
_SUBJECT = f"SELECT {_SUBJECT_COLUMNS} FROM quality_subjects AS subject WHERE id = %s"
_QUESTION_COLUMNS = """
id, subject_id, vector_space, thread_id, request_id, query, is_unanswered, is_rated_down, asked_at,
again, again_at, again_answer, again_sources
"""
_QUESTIONS = f"""
SELECT {_QUESTION_COLUMNS} FROM quality_questions
WHERE subject_id = %(subject_id)s AND id < %(before)s
ORDER BY id DESC LIMIT %(limit)s
"""
_QUESTION = f"SELECT {_QUESTION_COLUMNS} FROM quality_questions WHERE id = %s"
_ASSIGN = """
UPDATE quality_subjects SET assignee_id = %(assignee)s, note = %(note)s WHERE id = %(id)s
"""
_SETTLE = """
UPDATE quality_subjects SET state = %(state)s,
    done_at = CASE WHEN %(state)s = 'done' THEN clock_timestamp() END
WHERE id = %(id)s
"""
_ASK_AGAIN = """
UPDATE quality_questions SET again = 'asked', again_at = clock_timestamp() WHERE id IN (
    SELECT id FROM quality_questions WHERE subject_id = %s ORDER BY id DESC LIMIT %s
) RETURNING id
"""
_NOTE_AGAIN = """
UPDATE quality_questions SET again = %(again)s, again_at = clock_timestamp(),
    again_answer = %(answer)s, again_sources = %(sources)s
WHERE id = %(id)s
"""


class WeakQuestions(PostgresRepository):
    """The questions and their subjects. Every method may raise DatabaseUnavailableError."""

    async def note(
        self, answer: WeakAnswer, *, is_unanswered: bool = False, is_rated_down: bool = False
    ) -> None:
        """Note a question, and have its subject found; what was noted of it before stays."""
        values = {
            "thread_id": answer.thread_id,
            "request_id": answer.request_id,
            "query": clean_text(answer.query),
            "unanswered": is_unanswered,
            "rated_down": is_rated_down,
            **_vector(answer.meaning),
        }
        async with one_transaction(self._pool) as connection:
            await connection.execute(_FORGET_EDITED, values)
            row = await fetch_one(connection, _NOTE, values)
            await add_due(connection, NewWork(GROUP_WORK, str(row["id"])))
            await connection.execute(_TELL)

    async def note_answered(self, thread_id: str, request_id: str) -> None:
        """Note that a question was answered after it was edited."""
        await self._tell_if_any(_NOTE_ANSWERED, thread_id, request_id)

    async def withdraw_rating(self, thread_id: str, request_id: str) -> None:
        """Note that a 👎 was taken back; `thread_id` is the main thread of the user."""
        await self._tell_if_any(_WITHDRAW, thread_id, request_id)

    async def _tell_if_any(self, statement: LiteralString, thread_id: str, request_id: str) -> None:
        values = {"thread_id": thread_id, "request_id": request_id}
        async with one_transaction(self._pool) as connection:
            if await fetch_all(connection, statement, values):
                await connection.execute(_TELL)

    async def add_meaning(self, question_id: int, meaning: QuestionVector) -> None:
        """Store the vector of a question."""
        await self._run(_ADD_VECTOR, {"id": question_id, **_vector(meaning)})

    async def group(
        self, question_id: int, usual: Usual, terms_of: Callable[[str], Terms]
    ) -> int | None:
        """Find the subject of a question, or make one; return it, None if the question is gone.

        Questions are grouped one at a time, so that two of a kind do not make two subjects.
        `usual` is the usual similarity in the space of the question's vector, if it has one.
        """
        async with one_transaction(self._pool) as connection:
            await connection.execute(_ONE_AT_A_TIME)
            rows = await fetch_all(connection, _LOOK, (question_id,))
            if not rows or rows[0]["subject_id"] is not None:
                return rows[0]["subject_id"] if rows else None
            terms, asked_at = terms_of(rows[0]["query"]), rows[0]["asked_at"]
            if rows[0]["vector_space"]:
                subject_id = await _by_meaning(connection, question_id, usual)
            else:
                subject_id = await _by_words(connection, question_id, terms)
            if subject_id is None or not await fetch_all(connection, _LOCK_SUBJECT, (subject_id,)):
                subject_id = (await fetch_one(connection, _NEW_SUBJECT, (asked_at,)))["id"]
            place = {"id": question_id, "subject_id": subject_id, "terms": sorted(terms)}
            await connection.execute(_JOIN, place)
            naming = await fetch_all(connection, _NAMING, (subject_id, _MOST_NAMING))
            name = name_of({row["query"]: frozenset(row["terms"]) for row in naming})
            growth = {"subject_id": subject_id, "asked_at": asked_at, "name": name}
            await connection.execute(_GROW, growth)
            await connection.execute(_TELL)
        return int(subject_id)

    async def subjects(
        self,
        state: State,
        limit: int,
        *,
        assignee_id: int | None = None,
        before: tuple[datetime, int] | None = None,
    ) -> Sequence[QuestionSubject]:
        """Subjects by their newest question; `before` is that of the last one shown."""
        before_at, before_id = before or ("infinity", 0)
        values = {
            "state": state,
            "assignee": assignee_id,
            "before": before_at,
            "before_id": before_id,
            "limit": limit,
        }
        statement = _SUBJECTS if assignee_id is None else _SUBJECTS_OF
        return [QuestionSubject(**row) for row in await self._rows(statement, values)]

    async def subject(self, subject_id: int) -> QuestionSubject | None:
        """The subject with this number, None if there is none."""
        row = await self._row(_SUBJECT, (subject_id,))
        return QuestionSubject(**row) if row else None

    async def questions(
        self, subject_id: int, limit: int, before: int = MAX_ID
    ) -> Sequence[WeakQuestion]:
        """Questions of a subject, newest first; `before` is the last one shown."""
        values = {"subject_id": subject_id, "before": before, "limit": limit}
        return [WeakQuestion(**row) for row in await self._rows(_QUESTIONS, values)]

    async def question(self, question_id: int) -> WeakQuestion | None:
        """The question with this number, None if there is none."""
        row = await self._row(_QUESTION, (question_id,))
        return WeakQuestion(**row) if row else None

    async def assign(self, subject_id: int, assignee_id: int | None, note: str) -> bool:
        """Give the work on a subject to somebody, with a note; False if it does not exist."""
        values = {"id": subject_id, "assignee": assignee_id, "note": clean_text(note)}
        return await self._change(_ASSIGN, values)

    async def settle(self, subject_id: int, state: State) -> bool:
        """Close the work on a subject, or open it again; False if there is no such subject."""
        return await self._change(_SETTLE, {"id": subject_id, "state": state})

    async def ask_again(self, subject_id: int) -> int:
        """Have the newest questions of a subject asked again; return their number."""
        async with one_transaction(self._pool) as connection:
            rows = await fetch_all(connection, _ASK_AGAIN, (subject_id, _MOST_ASKED))
            for row in rows:
                await add_due(connection, NewWork(ASK_WORK, str(row["id"])))
            await connection.execute(_TELL)
        return len(rows)

    async def note_again(
        self, question_id: int, again: Again, answer: str = "", sources: Sequence[str] = ()
    ) -> None:
        """Store what came of asking a question again."""
        values = {
            "id": question_id,
            "again": again,
            "answer": clean_text(answer),
            "sources": [clean_text(source) for source in sources],
        }
        await self._change(_NOTE_AGAIN, values)

    async def _change(self, statement: str, values: Mapping[str, object]) -> bool:
        async with one_transaction(self._pool) as connection:
            is_there = (await connection.execute(statement, values)).rowcount > 0
            await connection.execute(_TELL)
        return is_there


def _vector(meaning: QuestionVector | None) -> dict[str, object]:
    if meaning is None:
        return {"space": "", "vector": None}
    return {"space": meaning.space, "vector": HalfVector(list(meaning.vector))}


async def _by_meaning(connection: Connection, question_id: int, usual: Usual) -> int | None:
    values = {"id": question_id, "limit": _MOST_COMPARED}
    similarities = Similarities(**await fetch_one(connection, _BY_VECTORS, values))
    return similarities.subject(usual.mean, usual.deviation)


async def _by_words(connection: Connection, question_id: int, terms: Terms) -> int | None:
    words = {"id": question_id, "limit": _MOST_COMPARED_BY_WORDS}
    rows = await fetch_all(connection, _BY_WORDS, words)
    earlier = [(row["subject_id"], frozenset[int](row["terms"])) for row in rows]
    return await asyncio.to_thread(subject_by_words, terms, earlier)
