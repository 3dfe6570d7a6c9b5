"""What waits in a lane or in all, looked up without the updates' content."""

from psycopg.rows import DictRow

from rich_agent.ports.inbox import SPLIT_TEXT_UNITS, InboxDepth, StoredUpdate
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.inbox.bundles import MOST_EXAMINED, WaitingUpdate

# Another topic, or whatever urgent came between two updates, divides them; it matters only after
# a long text.
_WAITING = f"""
SELECT update_id, media_group_id, text_units, attempts, bundle_id, age_s,
    CASE WHEN units_before >= {SPLIT_TEXT_UNITS} THEN
        topic_id IS NOT DISTINCT FROM topic_before AND NOT EXISTS (
        SELECT FROM telegram_inbox AS other
        WHERE other.update_id > id_before AND other.update_id < waiting.update_id
            AND other.user_id = %(user_id)s AND other.urgent <> %(urgent)s
    ) ELSE true END AS follows
FROM (
    SELECT update_id, media_group_id, text_units, attempts, bundle_id, topic_id,
        extract(epoch FROM clock_timestamp() - received_at)::float8 AS age_s,
        lag(text_units) OVER (ORDER BY update_id) AS units_before,
        lag(update_id) OVER (ORDER BY update_id) AS id_before,
        lag(topic_id) OVER (ORDER BY update_id) AS topic_before
    FROM telegram_inbox
    WHERE user_id = %(user_id)s AND urgent = %(urgent)s AND done_at IS NULL AND dead_at IS NULL
    ORDER BY update_id LIMIT {MOST_EXAMINED}
) AS waiting
ORDER BY update_id
"""

_DEPTH = """
SELECT count(*) AS pending,
    coalesce(extract(epoch FROM clock_timestamp() - min(received_at))::float8, 0) AS oldest_s,
    (SELECT count(*) FROM telegram_inbox WHERE dead_at IS NOT NULL) AS dead,
    (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(part.created_at))::float8, 0)
        FROM telegram_outbox AS part JOIN telegram_inbox AS open USING (update_id)
        WHERE open.done_at IS NULL AND open.dead_at IS NULL AND part.state = 'sending') AS unsent_s,
    count(*) FILTER (WHERE held_until > clock_timestamp()) AS held
FROM telegram_inbox WHERE done_at IS NULL AND dead_at IS NULL
"""


async def waiting_in(connection: Connection, lane: DictRow) -> list[WaitingUpdate]:
    """The first updates of a lane (`user_id`, `urgent`), in order."""
    keys = {"user_id": lane["user_id"], "urgent": lane["urgent"]}
    rows = await (await connection.execute(_WAITING, keys)).fetchall()
    return [WaitingUpdate(**row) for row in rows]


async def depth_of(connection: Connection) -> InboxDepth:
    """How much waits in all lanes."""
    row = await (await connection.execute(_DEPTH)).fetchone()
    return InboxDepth(**row) if row else InboxDepth(0, 0.0, 0)


def stored_update(row: DictRow) -> StoredUpdate:
    """A row with the columns of an update, under its attribute's name or as `attempts`."""
    return StoredUpdate(attempt=row["attempts"], **{k: row[k] for k in row if k != "attempts"})
