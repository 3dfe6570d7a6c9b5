"""Ratings of answers, in PostgreSQL."""

from collections.abc import Mapping, Sequence

from rich_agent.ports.accounts import Rating
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.database.threads import THREADS_OF_USER

# One statement also checks for the decision's row, so that a deleted answer gets no rating.
_RATE = f"""
WITH rated AS (
    SELECT id FROM retrieval_decisions WHERE {THREADS_OF_USER} AND request_id = %(request)s
), withdrawn AS (
    DELETE FROM answer_feedback USING rated
    WHERE decision_id = rated.id AND %(rating)s::text IS NULL
), kept AS (
    INSERT INTO answer_feedback (decision_id, rating)
    SELECT id, %(rating)s FROM rated WHERE %(rating)s::text IS NOT NULL
    ON CONFLICT (decision_id) DO UPDATE
    SET rating = excluded.rating, rated_at = clock_timestamp()
)
SELECT id FROM rated
"""
_RATINGS = f"""
SELECT request_id, rating
FROM retrieval_decisions JOIN answer_feedback ON decision_id = id
WHERE {THREADS_OF_USER} AND request_id = ANY(%(requests)s)
"""


class PostgresFeedback(PostgresRepository):
    """Implements `Feedback`."""

    async def rate(self, thread_id: str, request_id: str, rating: Rating | None) -> bool:
        values = {"thread_id": thread_id, "request": request_id, "rating": rating}
        return await self._row(_RATE, values) is not None

    async def ratings(self, thread_id: str, request_ids: Sequence[str]) -> Mapping[str, Rating]:
        values = {"thread_id": thread_id, "requests": list(request_ids)}
        return {row["request_id"]: row["rating"] for row in await self._rows(_RATINGS, values)}
