"""The archive of turns that left the state, and the running summary into which they are folded."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pgvector import HalfVector
from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.memory.items import SUMMARY_KEY
from rich_agent.domain.retrieval.fusion import impacts
from rich_agent.domain.retrieval.language_trust import LanguageTrust, read_trusts
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.retrieval.search_terms import term_counts
from rich_agent.domain.routing.plan import PastQuestion, PastTurn
from rich_agent.domain.text import clean_text
from rich_agent.ports.turns import Fold, Meaning, TurnRecord
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import Connection, Pool
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.knowledge.word_search import sparse
from rich_agent.repositories.memory_store import lock_memory, prefix_of
from rich_agent.repositories.turns.archive_search import ArchiveSearch, label_of

MOST_AWAITING = 100

# A turn that is part of the summary never waits for it again.
_KEEP = """
INSERT INTO turn_archive AS known (user_id, thread_id, request_id, question, answer, meta_json,
    terms, impacts, awaits_fold, asked_at)
VALUES (%(user_id)s, %(thread_id)s, %(request_id)s, %(question)s, %(answer)s, %(meta)s,
    %(terms)s, %(impacts)s, %(awaits_fold)s, coalesce((
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
SELECT asked_at, question, answer, meta_json -> 'read' AS read, request_id FROM turn_archive
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
_BY_REQUEST = """
SELECT asked_at, question, answer, meta_json -> 'read' AS read, request_id FROM turn_archive
WHERE user_id = %s AND request_id = ANY(%s) ORDER BY asked_at, id
"""
_WITHOUT_VECTOR = """
(SELECT id, question, answer FROM turn_archive
    WHERE user_id = %(user_id)s AND vector_space < %(space)s ORDER BY id DESC LIMIT %(limit)s)
UNION ALL
(SELECT id, question, answer FROM turn_archive
    WHERE user_id = %(user_id)s AND vector_space > %(space)s ORDER BY id DESC LIMIT %(limit)s)
LIMIT %(limit)s
"""
_ADD_VECTOR = """
UPDATE turn_archive SET vector_space = %s, embedding = %s WHERE user_id = %s AND id = %s
"""
_WITH_VECTOR = """
SELECT question, embedding FROM turn_archive
WHERE user_id = %s AND vector_space = %s ORDER BY id DESC LIMIT %s
"""
_LEARNED = "SELECT learned FROM archive_languages WHERE space = %s"
_NOTE_LEARNED = """
INSERT INTO archive_languages (space, learned) VALUES (%s, %s)
ON CONFLICT (space) DO UPDATE SET learned = excluded.learned, learned_at = clock_timestamp()
"""
_LONGEST_EMBEDDED = 1_000


class PostgresArchive(PostgresRepository):
    """Implements `Archive`."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self._search = ArchiveSearch(pool)

    async def keep(self, turns: Sequence[TurnRecord], *, awaits_fold: bool = False) -> None:
        if turns:
            rows = await _rows_of(turns, awaits_fold=awaits_fold)
            async with checkout_held(self._pool) as connection:
                await _keep(connection, rows)

    async def to_fold(self, user_id: int, leaving: Sequence[TurnRecord]) -> list[TurnRecord]:
        awaiting = [TurnRecord(**row) for row in await self._rows(_AWAITING, (user_id,))]
        archived_ids: set[str] = set()
        if leaving:
            values = (leaving[0].thread_id, [turn.request_id for turn in leaving])
            archived_ids = {row["request_id"] for row in await self._rows(_KNOWN, values)}
        return [*awaiting, *(turn for turn in leaving if turn.request_id not in archived_ids)]

    async def fold(self, user_id: int, fold: Fold) -> bool:
        place = (prefix_of(user_id), SUMMARY_KEY)
        rows = await _rows_of(fold.turns)
        async with checkout_held(self._pool) as connection:
            await lock_memory(connection, user_id)
            row = await (await connection.execute(_READ_SUMMARY, place)).fetchone()
            if (row["summary"] if row else "") != fold.before:
                return False
            await _keep(connection, rows)
            words = Jsonb(storable([one.to_state() for one in fold.words])) if fold.words else None
            await connection.execute(_WRITE_SUMMARY, (*place, clean_text(fold.after), words))
        return True

    async def begin_anew(self, user_id: int, turns: Sequence[TurnRecord]) -> None:
        rows = await _rows_of(turns)
        async with checkout_held(self._pool) as connection:
            await lock_memory(connection, user_id)
            await _keep(connection, rows)
            await connection.execute(_NOTHING_AWAITS, (user_id,))
            await connection.execute(EMPTY_SUMMARY, (prefix_of(user_id), SUMMARY_KEY))

    async def awaiting(self, user_id: int, limit: int) -> list[PastTurn]:
        rows = await self._rows(_NEWEST_AWAITING, (user_id, limit))
        return [PastTurn(**row) for row in reversed(rows)]

    async def search(
        self, user_id: int, question: PastQuestion, limit: int, meaning: Meaning | None = None
    ) -> list[PastTurn]:
        return await self._search.search(user_id, question, limit, meaning)

    async def turns(self, user_id: int, requests: Sequence[str]) -> list[PastTurn]:
        rows = await self._rows(_BY_REQUEST, (user_id, list(requests))) if requests else []
        return [PastTurn(**row) for row in rows]

    async def without_vector(
        self, user_id: int, space: VectorSpace, limit: int
    ) -> Mapping[int, str]:
        values = {"user_id": user_id, "space": label_of(space), "limit": limit}
        return {row["id"]: _text_to_embed(row) for row in await self._rows(_WITHOUT_VECTOR, values)}

    async def add_vectors(
        self, user_id: int, space: VectorSpace, vectors: Mapping[int, Sequence[float]]
    ) -> None:
        space_label = label_of(space)
        async with checkout_held(self._pool) as connection, connection.cursor() as cursor:
            await cursor.executemany(
                _ADD_VECTOR,
                [
                    (space_label, HalfVector(list(vector)), user_id, turn_id)
                    for turn_id, vector in vectors.items()
                ],
            )

    async def with_vector(
        self, user_id: int, space: VectorSpace, limit: int
    ) -> Sequence[tuple[str, Sequence[float]]]:
        rows = await self._rows(_WITH_VECTOR, (user_id, label_of(space), limit))
        return [(row["question"], row["embedding"].to_list()) for row in rows]

    async def trusts(self, space: VectorSpace) -> Sequence[LanguageTrust]:
        row = await self._row(_LEARNED, (label_of(space),))
        return read_trusts(row)

    async def note_trusts(self, space: VectorSpace, judgements: Sequence[LanguageTrust]) -> None:
        judgements_json = Jsonb([one.to_json() for one in judgements])
        async with checkout_held(self._pool) as connection:
            await connection.execute(_NOTE_LEARNED, (label_of(space), judgements_json))


async def _rows_of(
    turns: Sequence[TurnRecord], *, awaits_fold: bool = False
) -> list[dict[str, Any]]:
    """The rows of turns; call this before holding a lane or lock, since long texts take seconds."""
    return await asyncio.to_thread(
        lambda: [{**_values(turn), "awaits_fold": awaits_fold} for turn in turns]
    )


async def _keep(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    async with connection.cursor() as cursor:
        await cursor.executemany(_KEEP, rows)


def _values(turn: TurnRecord) -> dict[str, Any]:
    question, answer = clean_text(turn.question), clean_text(turn.answer)
    count_by_term = term_counts(f"{question}\n{answer}")
    return {
        **asdict(turn),
        "question": question,
        "answer": answer,
        "meta": Jsonb(storable(turn.meta)),
        "terms": sorted(count_by_term),
        "impacts": sparse(impacts(count_by_term)),
    }


def _text_to_embed(row: Mapping[str, Any]) -> str:
    """The text of a turn to embed: the beginnings of its question and its answer."""
    return "\n".join(row[part][:_LONGEST_EMBEDDED] for part in ("question", "answer")).strip()
