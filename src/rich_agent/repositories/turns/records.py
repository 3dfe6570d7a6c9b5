"""The transcript and the decision of every turn, in PostgreSQL."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, LiteralString

from psycopg.types.json import Jsonb

from rich_agent.domain.answer.answer import Decision
from rich_agent.domain.json_values import storable
from rich_agent.domain.text import clean_text
from rich_agent.ports.turns import TurnRecord
from rich_agent.repositories.database.fences import IS_HELD, LANE, checkout_held
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one
from rich_agent.repositories.database.threads import THREADS_OF_USER

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
)
INSERT INTO messages AS known
    (conversation_id, user_id, request_id, role, content, meta_json, revision)
SELECT conversation.id, %(user_id)s, %(request_id)s, said.role, said.content, said.meta,
    %(revision)s
FROM conversation, (
    VALUES (1, 'user', %(question)s, %(asked)s::jsonb), (2, 'assistant', %(answer)s, %(meta)s)
) AS said (place, role, content, meta)
ORDER BY said.place
ON CONFLICT (conversation_id, request_id, role) DO UPDATE
SET content = excluded.content, meta_json = excluded.meta_json, revision = excluded.revision
WHERE known.revision < excluded.revision
"""


class PostgresTranscript(PostgresRepository):
    """Implements `Transcript`."""

    async def record(self, turn: TurnRecord) -> None:
        await self._run_guarded(_RECORD_TURN, _values(turn))


def _values(turn: TurnRecord) -> dict[str, object]:
    return {
        **asdict(turn),
        "question": clean_text(turn.question),
        "answer": clean_text(turn.answer),
        "meta": Jsonb(storable(turn.meta)),
        "asked": Jsonb(storable({**turn.meta, "request": turn.request})),
    }


_KEY, _KEPT = Decision.__slots__[:2], Decision.__slots__[2:]
DECISION_COLUMNS = ", ".join((*_KEY, *_KEPT))
_RECORD = f"""
INSERT INTO retrieval_decisions ({DECISION_COLUMNS})
VALUES ({", ".join(f"%({name})s" for name in (*_KEY, *_KEPT))})
ON CONFLICT ({", ".join(_KEY)}) DO UPDATE
SET {", ".join(f"{name} = excluded.{name}" for name in _KEPT)}
RETURNING id
"""
LATEST = f"""
SELECT {DECISION_COLUMNS} FROM retrieval_decisions
WHERE thread_id = %s ORDER BY id DESC LIMIT 1
"""
FIND = f"""
SELECT {DECISION_COLUMNS} FROM retrieval_decisions
WHERE {THREADS_OF_USER} AND request_id = %(request_id)s
ORDER BY id DESC LIMIT 1
"""


class PostgresDecisions(PostgresRepository):
    """Implements `Decisions`; `lanes` is the pool of the lanes' database."""

    async def record(self, decision: Decision) -> str:
        values = {
            **asdict(decision),
            "reason": clean_text(decision.reason),
            "query": clean_text(decision.query),
            "latency_ms": Jsonb(decision.latency_ms),
            "nodes": Jsonb(storable(decision.nodes)),
            "retrieved": Jsonb(storable(decision.retrieved)),
            "queries": [clean_text(query) for query in decision.queries],
        }
        async with checkout_held(self._pool, self._lanes) as connection:
            return str((await fetch_one(connection, _RECORD, values))["id"])

    async def latest(self, thread_id: str) -> Decision | None:
        return await self._read(LATEST, (thread_id,))

    async def find(self, thread_id: str, request_id: str) -> Decision | None:
        return await self._read(FIND, {"thread_id": thread_id, "request_id": request_id})

    async def prune(self, days: float) -> int:
        """Delete decisions older than `days`; returns how many."""
        return await self._prune("retrieval_decisions", "created_at", days)

    async def _read(
        self, query: LiteralString, values: Mapping[str, str] | tuple[str]
    ) -> Decision | None:
        row = await self._row(query, values)
        return to_decision(row) if row else None


def to_decision(row: Mapping[str, Any]) -> Decision:
    """The decision in a row of `DECISION_COLUMNS`."""
    return Decision(**{**row, "queries": tuple(row["queries"])})
