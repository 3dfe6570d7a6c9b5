"""Puts updates back that wait for a busy model server."""

from collections.abc import Sequence

from rich_agent.domain.text import clean_text
from rich_agent.repositories.database import Connection
from rich_agent.repositories.fences import lock_lane
from rich_agent.repositories.inbox_settling import free_lane

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
