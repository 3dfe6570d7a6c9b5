"""What becomes of updates and lanes when their worker has done with them."""

from collections.abc import Sequence

from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.fences import lock_lane
from rich_agent.repositories.database.pools import Connection

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
# Ordinary lanes are locked before urgent ones, as where updates are stored.
_OPEN_ORDINARY = """
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
SELECT user_id, false, clock_timestamp() + make_interval(secs => %s)
FROM telegram_lanes WHERE fence = %s AND urgent
ON CONFLICT (user_id, urgent) DO UPDATE SET user_id = excluded.user_id
"""

_HOLD = """
UPDATE telegram_inbox SET attempts = attempts - 1, last_error = %(error)s, holds = holds + 1,
    held_since = coalesce(held_since, clock_timestamp()),
    held_until = clock_timestamp() + make_interval(secs => %(delay_s)s), urgent = false
WHERE update_id = ANY(%(ids)s)
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


async def hold_updates(
    connection: Connection, fence: int, ids: Sequence[int], error: str, delay_s: float
) -> None:
    """Put the updates of a lane back for `delay_s`, into the ordinary lane of their user.

    Raises: LaneLostError.
    """
    await connection.execute(_OPEN_ORDINARY, (delay_s, fence))
    await lock_lane(connection, fence, "UPDATE")
    held = {"error": clean_text(error), "delay_s": delay_s, "ids": list(ids)}
    await connection.execute(_HOLD, held)
    await free_lane(connection, fence, delay_s)
