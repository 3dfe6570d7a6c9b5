"""What users thought of their answers, by the decision that led to each."""

from rich_agent.ports.accounts import Rating
from rich_agent.repositories.database.repository import PostgresRepository

# The decision's row is asked for in the same statement: an answer that is gone gets no rating.
_RATE = """
WITH rated AS (
    SELECT id FROM retrieval_decisions WHERE thread_id = %(thread_id)s AND request_id = %(request)s
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


class PostgresFeedback(PostgresRepository):
    """Implements `Feedback`."""

    async def rate(self, thread_id: str, request_id: str, rating: Rating | None) -> bool:
        values = {"thread_id": thread_id, "request": request_id, "rating": rating}
        return await self._row(_RATE, values) is not None
