"""What users thought of their answers, by the decision that led to each."""

from rich_agent.ports.accounts import Rating
from rich_agent.repositories.database import Pool, checkout

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


class PostgresFeedback:
    """Implements `Feedback`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def rate(self, thread_id: str, request_id: str, rating: Rating | None) -> bool:
        """See `Feedback.rate`."""
        values = {"thread_id": thread_id, "request": request_id, "rating": rating}
        async with checkout(self._pool) as connection:
            return await (await connection.execute(_RATE, values)).fetchone() is not None
