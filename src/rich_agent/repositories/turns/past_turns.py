"""Records turns, and reads what is stored about past ones in both databases."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, LiteralString

from psycopg.types.json import Jsonb

from rich_agent.domain.answer.citation import Citation, Decision
from rich_agent.domain.json_values import storable
from rich_agent.domain.message import update_of
from rich_agent.domain.text import clean_text
from rich_agent.errors import LaneLostError
from rich_agent.ports.turns import StoredTurn, TurnMessages, TurnName, TurnRecord, UpdateRecord
from rich_agent.repositories.database.fences import IS_HELD, LANE, checkout_held
from rich_agent.repositories.database.pools import Databases, checkout
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all, fetch_one
from rich_agent.repositories.database.threads import THREADS_OF_USER
from rich_agent.repositories.inbox.wakeups import NEWS_CHANNEL
from rich_agent.runtime.concurrency import in_thread_if_long
from rich_agent.runtime.fencing import current_fence

# The no-op update of the conversation makes PostgreSQL return an existing row. The user's row is
# inserted first, because users of the terminal may not have one.
_RECORD_TURN = f"""
WITH {LANE}, person AS (
    INSERT INTO users AS known (telegram_user_id, spoken_locale)
    SELECT %(user_id)s, %(spoken)s WHERE {IS_HELD}
    ON CONFLICT (telegram_user_id) DO UPDATE SET spoken_locale = excluded.spoken_locale
    WHERE known.spoken_locale IS DISTINCT FROM excluded.spoken_locale
        AND excluded.spoken_locale IS NOT NULL
), conversation AS (
    INSERT INTO conversations AS known (user_id, thread_id)
    SELECT %(user_id)s, %(thread_id)s WHERE {IS_HELD}
    ON CONFLICT (thread_id) DO UPDATE SET thread_id = known.thread_id
    RETURNING id
), stored AS (
    INSERT INTO messages AS known
        (conversation_id, user_id, request_id, role, content, meta_json, revision, said_terms)
    SELECT conversation.id, %(user_id)s, %(request_id)s, said.role, said.content, said.meta,
        %(revision)s, said.terms
    FROM conversation, (
        VALUES (1, 'user', %(question)s, %(asked)s::jsonb, %(terms)s::integer[]),
            (2, 'assistant', %(answer)s, %(meta)s, NULL)
    ) AS said (place, role, content, meta, terms)
    ORDER BY said.place
    ON CONFLICT (conversation_id, request_id, role) DO UPDATE
    SET content = excluded.content, meta_json = excluded.meta_json, revision = excluded.revision,
        said_terms = excluded.said_terms
    WHERE known.revision < excluded.revision
    RETURNING known.id
)
SELECT pg_notify('{NEWS_CHANNEL}', %(user_id)s::text) FROM stored LIMIT 1
"""


class PostgresTranscript(PostgresRepository):
    """Implements `Transcript`."""

    async def record(self, turn: TurnRecord) -> None:
        length = len(turn.question) + len(turn.answer)
        values = await in_thread_if_long(length, partial(_values, turn))
        await self._run_with_fence(_RECORD_TURN, values)


def _values(turn: TurnRecord) -> dict[str, object]:
    from rich_agent.domain.retrieval.search_terms import (  # noqa: PLC0415 - takes long to load
        term_counts,
        terms_of_user,
    )

    question, answer = clean_text(turn.question), clean_text(turn.answer)
    return {
        **asdict(turn),
        "question": question,
        "answer": answer,
        "terms": terms_of_user(turn.user_id, term_counts(f"{question}\n{answer}")),
        "meta": Jsonb(storable(turn.meta)),
        "asked": Jsonb(storable({**turn.meta, "request": turn.request})),
    }


_KEY, _KEPT = Decision.__slots__[:2], Decision.__slots__[2:]
DECISION_COLUMNS = ", ".join((*_KEY, *_KEPT))
_RECORD = f"""
INSERT INTO retrieval_decisions ({DECISION_COLUMNS})
SELECT {", ".join(f"%({name})s" for name in (*_KEY, *_KEPT))} WHERE {{}}
ON CONFLICT ({", ".join(_KEY)}) DO UPDATE
SET {", ".join(f"{name} = excluded.{name}" for name in _KEPT)}
RETURNING id
"""
_RECORD_ALONE = f"WITH {LANE} {_RECORD.format(IS_HELD)}"
LATEST = f"""
SELECT {DECISION_COLUMNS} FROM retrieval_decisions
WHERE thread_id = %s ORDER BY id DESC LIMIT 1
"""
FIND = f"""
SELECT {DECISION_COLUMNS} FROM retrieval_decisions
WHERE {THREADS_OF_USER} AND request_id = %(request_id)s
ORDER BY id DESC LIMIT 1
"""

CITATIONS = """
SELECT coalesce(meta_json -> 'sources', '[]') AS citations FROM messages
WHERE user_id = %s AND request_id = %s AND role = 'assistant'
ORDER BY id DESC LIMIT 1
"""


class PostgresDecisions(PostgresRepository):
    """Implements `Decisions`; `lanes` is the pool of the lanes' database."""

    async def record(self, decision: Decision) -> str:
        values = {
            **{name: getattr(decision, name) for name in Decision.__slots__},
            "reason": clean_text(decision.reason),
            "query": clean_text(decision.query),
            "latency_ms": Jsonb(decision.latency_ms),
            "nodes": Jsonb(storable(decision.nodes)),
            "retrieved": Jsonb(storable(decision.retrieved)),
            "queries": [clean_text(query) for query in decision.queries],
        }
        if self._lanes in {None, self._pool}:
            fence = current_fence()
            row = await self._row(_RECORD_ALONE, {**values, "fence": fence})
            if row is None:
                raise LaneLostError(f"lane of fence {fence}")
            return str(row["id"])
        async with checkout_held(self._pool, self._lanes) as connection:
            return str((await fetch_one(connection, _RECORD.format("true"), values))["id"])

    async def latest(self, thread_id: str) -> Decision | None:
        return await self._read(LATEST, (thread_id,))

    async def find(self, thread_id: str, request_id: str) -> Decision | None:
        return await self._read(FIND, {"thread_id": thread_id, "request_id": request_id})

    async def citations(self, user_id: int, request_id: str) -> Sequence[Citation]:
        row = await self._row(CITATIONS, (user_id, request_id))
        return tuple(map(Citation.from_state, row["citations"])) if row else ()

    async def _read(
        self, query: LiteralString, values: Mapping[str, str] | tuple[str]
    ) -> Decision | None:
        row = await self._row(query, values)
        return to_decision(row) if row else None


def to_decision(row: Mapping[str, Any]) -> Decision:
    """The decision in a row of `DECISION_COLUMNS`."""
    return Decision(**{**row, "queries": tuple(row["queries"])})


_DECISION = f"""
SELECT {DECISION_COLUMNS}, created_at, rating
FROM retrieval_decisions LEFT JOIN answer_feedback ON decision_id = id
WHERE request_id = %(request_id)s
    AND (%(thread_id)s::text IS NULL OR {THREADS_OF_USER})
ORDER BY id DESC LIMIT 1
"""
_RATED_DOWN = f"""
SELECT {DECISION_COLUMNS}, created_at, rating
FROM answer_feedback JOIN retrieval_decisions ON decision_id = id
WHERE rating = 'down' AND rated_at > clock_timestamp() - make_interval(days => %(days)s)
ORDER BY id DESC LIMIT %(limit)s
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
        """The turn of a request, by default in any thread; the newest of several, None for none."""
        values = {"request_id": request_id, "thread_id": thread_id}
        async with checkout(self._rag) as connection:
            row = await (await connection.execute(_DECISION, values)).fetchone()
        if row is None:
            return None
        return replace(await self._stored_turn(row), delivered=await self._update_of(request_id))

    async def latest(self, thread_id: str | None = None, limit: int = 5) -> list[TurnName]:
        """The newest turns of one thread or of all, newest first."""
        values = {"thread_id": thread_id, "limit": limit}
        async with checkout(self._rag) as connection:
            return [TurnName(**row) for row in await fetch_all(connection, _LATEST, values)]

    async def rated_down(self, days: int, limit: int) -> list[StoredTurn]:
        """The turns whose answers were rated 👎 in the last `days`, newest first.

        If the messages of a turn were deleted, its `said` is None.
        """
        async with checkout(self._rag) as connection:
            rows = await fetch_all(connection, _RATED_DOWN, {"days": days, "limit": limit})
        return [await self._stored_turn(row) for row in rows]

    async def _stored_turn(self, row: dict[str, Any]) -> StoredTurn:
        time, rating = row.pop("created_at"), row.pop("rating")
        decision = to_decision(row)
        row_of_messages = await self._messages_row(decision)
        return StoredTurn(
            decision,
            time,
            _messages_in(row_of_messages) if row_of_messages else None,
            rating=rating,
        )

    async def before(self, turn: StoredTurn, limit: int) -> list[tuple[str, TurnMessages]]:
        """The earlier turns of the same conversation with their request ids, oldest first.

        The last /new before the turn began the conversation; older turns are left out.
        """
        row_of_messages = await self._messages_row(turn.decision)
        if row_of_messages is None:
            return []
        values = {
            "thread_id": turn.decision.thread_id,
            "id": row_of_messages["id"],
            "fresh_from": row_of_messages["request"].get("fresh_from", 0),
            "limit": limit,
        }
        rows = await self._rows(_BEFORE, values)
        return [(row["request_id"], _messages_in(row)) for row in rows]

    async def _messages_row(self, decision: Decision) -> dict[str, Any] | None:
        values = {"thread_id": decision.thread_id, "request_id": decision.request_id}
        return await self._row(_SAID, values)

    async def _update_of(self, request_id: str) -> UpdateRecord | None:
        row = await self._row(_DELIVERED, {"update_id": update_of(request_id)})
        return UpdateRecord(**row) if row else None


def _messages_in(row: Mapping[str, Any]) -> TurnMessages:
    return TurnMessages(row["question"], row["answer"], row["request"])
