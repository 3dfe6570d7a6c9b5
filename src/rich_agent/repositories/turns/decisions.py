"""One row per turn: how it was answered and why."""

from collections.abc import Mapping
from typing import Any, LiteralString

from psycopg.types.json import Jsonb

from rich_agent.domain.answer.answer import Decision
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.json_values import storable
from rich_agent.repositories.database.repository import PostgresRepository

DECISION_COLUMNS = (
    "thread_id, request_id, intent, plan, reason, query, retrieved_count, citations_count, "
    "latency_ms, nodes, retrieved, queries"
)
_RECORD = f"""
INSERT INTO retrieval_decisions ({DECISION_COLUMNS})
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (thread_id, request_id) DO UPDATE SET
    intent = excluded.intent,
    plan = excluded.plan,
    reason = excluded.reason,
    query = excluded.query,
    retrieved_count = excluded.retrieved_count,
    citations_count = excluded.citations_count,
    latency_ms = excluded.latency_ms,
    nodes = excluded.nodes,
    retrieved = excluded.retrieved,
    queries = excluded.queries
RETURNING id
"""
LATEST = f"""
SELECT {DECISION_COLUMNS} FROM retrieval_decisions
WHERE thread_id = %s ORDER BY id DESC LIMIT 1
"""
FIND = f"""
SELECT {DECISION_COLUMNS} FROM retrieval_decisions WHERE thread_id = %s AND request_id = %s
"""


class PostgresDecisions(PostgresRepository):
    """Implements `Decisions`; `lanes` is the pool of the database with the lanes."""

    async def record(self, decision: Decision) -> str:
        values = (
            decision.thread_id,
            decision.request_id,
            decision.intent,
            decision.plan,
            clean_text(decision.reason),
            clean_text(decision.query),
            decision.retrieved_count,
            decision.citations_count,
            Jsonb(decision.latency_ms),
            Jsonb(storable(decision.nodes)),
            Jsonb(storable(decision.retrieved)),
            [clean_text(query) for query in decision.queries],
        )
        row = await self._row_held(_RECORD, values)
        if row is None:
            raise LookupError("an upsert without its row")
        return str(row["id"])

    async def latest(self, thread_id: str) -> Decision | None:
        return await self._read(LATEST, thread_id)

    async def find(self, thread_id: str, request_id: str) -> Decision | None:
        return await self._read(FIND, thread_id, request_id)

    async def prune(self, days: float) -> int:
        """Forget turns that were answered more than `days` ago; how many."""
        return await self._prune("retrieval_decisions", "created_at", days)

    async def _read(self, query: LiteralString, *values: str) -> Decision | None:
        row = await self._row(query, values)
        return to_decision(row) if row else None


def to_decision(row: Mapping[str, Any]) -> Decision:
    """The decision in a row of `DECISION_COLUMNS`."""
    return Decision(**{**row, "queries": tuple(row["queries"])})
