"""Has a list synchronised soon after its user's tasks changed."""

from typing import Any

from psycopg import AsyncConnection

from rich_agent.feature.database import hasten_due
from rich_agent.features.calendars.task_lists.ports import TASK_LIST_WORK

# What only its user can repair is not tried more often: servers lock out who tries too often.
_IS_CONNECTED = """
SELECT FROM caldav_connections
WHERE user_id = %s AND url <> '' AND problem IN ('', 'away', 'refused')
"""


async def hasten_sync(connection: AsyncConnection[Any], user_id: int) -> None:
    """Have the user's list follow, in the transaction of the change."""
    if (await connection.execute(_IS_CONNECTED, (user_id,))).rowcount:
        await hasten_due(connection, TASK_LIST_WORK, str(user_id))
