"""The archive of turns that left the state, and the running summary into which they are folded."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, LiteralString

from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.memory.items import SUMMARY_KEY
from rich_agent.domain.retrieval.search_terms import question_terms, term_counts
from rich_agent.domain.routing.plan import PastQuestion, PastTurn
from rich_agent.domain.text import clean_text
from rich_agent.ports.turns import Fold, TurnRecord
from rich_agent.repositories.agenda.remembered import lock_memory, prefix_of
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import Connection, checkout
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all

MOST_AWAITING = 100

# A turn that is part of the summary never waits for it again.
_KEEP = """
INSERT INTO turn_archive AS known (user_id, thread_id, request_id, question, answer, meta_json,
    terms, awaits_fold, asked_at)
VALUES (%(user_id)s, %(thread_id)s, %(request_id)s, %(question)s, %(answer)s, %(meta)s,
    %(terms)s, %(awaits_fold)s, coalesce((
        SELECT min(message.created_at)
        FROM messages AS message
        JOIN conversations AS conversation ON conversation.id = message.conversation_id
        WHERE conversation.thread_id = %(thread_id)s AND message.request_id = %(request_id)s
    ), clock_timestamp()))
ON CONFLICT (thread_id, request_id) DO UPDATE SET awaits_fold = false
WHERE known.awaits_fold AND NOT excluded.awaits_fold
"""
_AWAITING = f"""
SELECT user_id, thread_id, request_id, question, answer, meta_json AS meta
FROM turn_archive WHERE user_id = %s AND awaits_fold ORDER BY id LIMIT {MOST_AWAITING}
"""
_NEWEST_AWAITING = """
SELECT asked_at, question, answer, meta_json -> 'read' AS read FROM turn_archive
WHERE user_id = %s AND awaits_fold ORDER BY id DESC LIMIT %s
"""
_KNOWN = "SELECT request_id FROM turn_archive WHERE thread_id = %s AND request_id = ANY(%s)"
_NOTHING_AWAITS = "UPDATE turn_archive SET awaits_fold = false WHERE user_id = %s AND awaits_fold"
_READ_SUMMARY = "SELECT value ->> 'summary' AS summary FROM store WHERE prefix = %s AND key = %s"
_WRITE_SUMMARY = """
INSERT INTO store (prefix, key, value)
VALUES (%s, %s, jsonb_strip_nulls(jsonb_build_object(
    'summary', %s::text, 'updated_at', clock_timestamp(), 'words', %s::jsonb)))
ON CONFLICT (prefix, key) DO UPDATE
SET value = excluded.value, updated_at = CURRENT_TIMESTAMP
"""
EMPTY_SUMMARY = """
UPDATE store SET value = jsonb_build_object('summary', '', 'updated_at', NULL),
    updated_at = CURRENT_TIMESTAMP
WHERE prefix = %s AND key = %s
"""

_THEIRS = """
user_id = %(user_id)s
    AND (%(since)s::date IS NULL
        OR asked_at >= (%(since)s::date)::timestamp AT TIME ZONE %(time_zone)s::text)
    AND (%(until)s::date IS NULL
        OR asked_at < (%(until)s::date + 1)::timestamp AT TIME ZONE %(time_zone)s::text)
    AND (%(terms)s::int[] = '{}' OR terms && %(terms)s::int[])
"""
# The fewer turns contain a term, the more it counts.
_NEAREST = f"""
WITH theirs AS (
    SELECT id, asked_at, question, answer, meta_json -> 'read' AS read, terms
    FROM turn_archive WHERE {_THEIRS}
), hit AS (
    SELECT id, term FROM theirs, unnest(terms) AS term WHERE term = ANY(%(terms)s::int[])
), weight AS (
    SELECT term, ln(1 + (SELECT count(*) FROM theirs)::float / count(*)) AS weight
    FROM hit GROUP BY term
), best AS (
    SELECT id FROM hit JOIN weight USING (term)
    GROUP BY id ORDER BY sum(weight) DESC, id DESC LIMIT %(limit)s
)
SELECT asked_at, question, answer, read FROM theirs JOIN best USING (id) ORDER BY asked_at, id
"""
# Every n-th turn of the time span, including the first.
_SPREAD = f"""
SELECT asked_at, question, answer, read
FROM (
    SELECT id, asked_at, question, answer, meta_json -> 'read' AS read,
        row_number() OVER (ORDER BY asked_at, id) - 1 AS place, count(*) OVER () AS total
    FROM turn_archive WHERE {_THEIRS}
) AS turn
WHERE place = 0 OR place * %(limit)s / total > (place - 1) * %(limit)s / total
ORDER BY asked_at, id
"""
_OLDEST = f"""
SELECT asked_at, question, answer, meta_json -> 'read' AS read FROM turn_archive
WHERE {_THEIRS} ORDER BY asked_at, id LIMIT %(limit)s
"""
_NEWEST = f"""
SELECT asked_at, question, answer, read FROM (
    SELECT id, asked_at, question, answer, meta_json -> 'read' AS read FROM turn_archive
    WHERE {_THEIRS} ORDER BY asked_at DESC, id DESC LIMIT %(limit)s
) AS turn ORDER BY asked_at, id
"""


class PostgresArchive(PostgresRepository):
    """Implements `Archive`."""

    async def keep(self, turns: Sequence[TurnRecord], *, awaits_fold: bool = False) -> None:
        if turns:
            async with checkout_held(self._pool) as connection:
                await _keep(connection, turns, awaits_fold=awaits_fold)

    async def to_fold(self, user_id: int, leaving: Sequence[TurnRecord]) -> list[TurnRecord]:
        async with checkout(self._pool) as connection:
            awaiting = [
                TurnRecord(**row) for row in await fetch_all(connection, _AWAITING, (user_id,))
            ]
            known: set[str] = set()
            if leaving:
                wanted = (leaving[0].thread_id, [turn.request_id for turn in leaving])
                known = {row["request_id"] for row in await fetch_all(connection, _KNOWN, wanted)}
        return [*awaiting, *(turn for turn in leaving if turn.request_id not in known)]

    async def fold(self, user_id: int, fold: Fold) -> bool:
        place = (prefix_of(user_id), SUMMARY_KEY)
        async with checkout_held(self._pool) as connection:
            await lock_memory(connection, user_id)
            row = await (await connection.execute(_READ_SUMMARY, place)).fetchone()
            if (row["summary"] if row else "") != fold.before:
                return False
            await _keep(connection, fold.turns, awaits_fold=False)
            words = Jsonb(storable([one.to_state() for one in fold.words])) if fold.words else None
            await connection.execute(_WRITE_SUMMARY, (*place, clean_text(fold.after), words))
        return True

    async def begin_anew(self, user_id: int, turns: Sequence[TurnRecord]) -> None:
        async with checkout_held(self._pool) as connection:
            await lock_memory(connection, user_id)
            await _keep(connection, turns, awaits_fold=False)
            await connection.execute(_NOTHING_AWAITS, (user_id,))
            await connection.execute(EMPTY_SUMMARY, (prefix_of(user_id), SUMMARY_KEY))

    async def awaiting(self, user_id: int, limit: int) -> list[PastTurn]:
        found = await self._rows(_NEWEST_AWAITING, (user_id, limit))
        return [PastTurn(**row) for row in reversed(found)]

    async def search(self, user_id: int, wanted: PastQuestion, limit: int) -> list[PastTurn]:
        # Of the languages that the turns were in nothing is stored.
        terms = question_terms(wanted.query)
        values = {**asdict(wanted), "user_id": user_id, "terms": terms, "limit": limit}
        nearest: LiteralString = _NEAREST if terms else _SPREAD
        query = {"nearest": nearest, "oldest": _OLDEST, "newest": _NEWEST}[wanted.order]
        found = await self._rows(query, values)
        return [PastTurn(**row) for row in found]

    async def prune(self, days: float) -> int:
        """Delete turns older than `days`, here and in the transcript; returns how many rows."""
        archived = await self._prune("turn_archive", "asked_at", days)
        return archived + await self._prune("messages", "created_at", days)


async def _keep(connection: Connection, turns: Sequence[TurnRecord], *, awaits_fold: bool) -> None:
    async with connection.cursor() as cursor:
        await cursor.executemany(
            _KEEP, [{**_values(turn), "awaits_fold": awaits_fold} for turn in turns]
        )


def _values(turn: TurnRecord) -> dict[str, Any]:
    question, answer = clean_text(turn.question), clean_text(turn.answer)
    return {
        **asdict(turn),
        "question": question,
        "answer": answer,
        "meta": Jsonb(storable(turn.meta)),
        "terms": sorted(term_counts(f"{question}\n{answer}")),
    }
