"""What becomes of updates and lanes when their worker has done with them."""

from collections.abc import Sequence

from rich_agent.domain.text import clean_text
from rich_agent.repositories.database import Connection

_FREE_IF_IDLE = """
DELETE FROM telegram_lanes AS lane WHERE fence = %s AND NOT EXISTS (
    SELECT FROM telegram_inbox AS waiting
    WHERE waiting.user_id = lane.user_id AND waiting.urgent = lane.urgent
        AND done_at IS NULL AND dead_at IS NULL
)
"""

_HAND_ON = """
UPDATE telegram_lanes
SET ready_at = clock_timestamp() + make_interval(secs => %s), holder = NULL,
    fence = nextval('telegram_lane_fence')
WHERE fence = %s
"""


async def bury_updates(connection: Connection, ids: Sequence[int], error: str) -> None:
    """Give updates up as dead letters."""
    await connection.execute(
        "UPDATE telegram_inbox SET dead_at = clock_timestamp(), last_error = %s "
        "WHERE update_id = ANY(%s)",
        (clean_text(error), list(ids)),
    )


async def free_lane(connection: Connection, fence: int, delay_s: float = 0.0) -> None:
    """Delete a lane without work; hand one with work on, under a new fence."""
    deleted = await connection.execute(_FREE_IF_IDLE, (fence,))
    if deleted.rowcount == 0:
        await connection.execute(_HAND_ON, (delay_s, fence))
        await connection.execute("NOTIFY telegram_inbox")
