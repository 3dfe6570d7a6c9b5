"""Broadcasts in PostgreSQL. All times are by the database's clock."""

from collections.abc import Collection
from dataclasses import asdict

from rich_agent.feature import NewWork, add_due, checkout, fetch_one, hasten_due
from rich_agent.feature.database import Pool, PostgresRepository, clean_text
from rich_agent.features.broadcast.records import (
    BROADCAST_WORK,
    Copy,
    CopyCounts,
    CopyState,
    NewBroadcast,
    Result,
)

_SILENT_FOR_S = 60.0

_START = """
WITH begun AS (
    INSERT INTO broadcasts (id, admin_id, message_id, locale, text)
    VALUES (%(id)s, %(admin_id)s, %(message_id)s, %(locale)s, %(text)s)
    ON CONFLICT (id) DO NOTHING
    RETURNING id
), chosen AS (
    INSERT INTO broadcast_recipients (broadcast_id, user_id)
    SELECT begun.id, recipient.id FROM begun, unnest(%(recipients)s::bigint[]) AS recipient (id)
    RETURNING user_id
)
SELECT count(*) AS copies FROM chosen
"""

_CANCEL = """
UPDATE broadcasts SET cancelled_at = clock_timestamp()
WHERE id = %s AND admin_id = %s AND cancelled_at IS NULL AND reported_at IS NULL
"""

_NEXT_COPY = """
WITH open AS (
    SELECT id, text FROM broadcasts
    WHERE id = %s AND reported_at IS NULL AND cancelled_at IS NULL FOR UPDATE
)
UPDATE broadcast_recipients AS copy SET state = 'sending', changed_at = clock_timestamp()
FROM open
WHERE copy.broadcast_id = open.id AND copy.user_id = (
    SELECT user_id FROM broadcast_recipients
    WHERE broadcast_id = open.id AND state = 'pending' ORDER BY user_id LIMIT 1
) AND state = 'pending'
RETURNING copy.broadcast_id, copy.user_id, open.text
"""

_NOTE = """
UPDATE broadcast_recipients SET state = %s, changed_at = clock_timestamp()
WHERE broadcast_id = %s AND user_id = %s AND state = 'sending'
"""

_GIVE_UP_SILENT = """
UPDATE broadcast_recipients SET state = 'unknown'
WHERE broadcast_id = %(id)s AND state = 'sending'
    AND changed_at < clock_timestamp() - make_interval(secs => %(silent_s)s)
"""

_RESULT = """
SELECT id, admin_id, broadcasts.message_id, locale, cancelled_at IS NOT NULL AS is_cancelled,
    count(*) FILTER (WHERE state = 'sending') = 0 AND (
        cancelled_at IS NOT NULL OR count(*) FILTER (WHERE state = 'pending') = 0
    ) AS is_finished,
    count(*) FILTER (WHERE state = 'pending') AS pending,
    count(*) FILTER (WHERE state = 'sent') AS sent,
    count(*) FILTER (WHERE state = 'blocked') AS blocked,
    count(*) FILTER (WHERE state = 'failed') AS failed,
    count(*) FILTER (WHERE state = 'unknown') AS unknown
FROM broadcasts LEFT JOIN broadcast_recipients ON broadcast_id = id
WHERE id = %(id)s AND reported_at IS NULL
GROUP BY id
"""


class Broadcasts(PostgresRepository):
    """Broadcasts and their copies.

    A sender without news for `silent_for_s` seconds counts as dead. Every method may raise
    DatabaseUnavailableError.
    """

    def __init__(self, pool: Pool, silent_for_s: float = _SILENT_FOR_S) -> None:
        super().__init__(pool)
        self._silent_for_s = silent_for_s

    async def start(self, broadcast: NewBroadcast, recipients: Collection[int]) -> int:
        """Store a broadcast as due work with its recipients; return the number of new recipients.

        A repetition with the same id does nothing.
        """
        text = clean_text(broadcast.text)
        parameters = {**asdict(broadcast), "text": text, "recipients": list(recipients)}
        async with checkout(self._pool) as connection:
            copy_count = (await fetch_one(connection, _START, parameters))["copies"]
            await add_due(connection, NewWork(BROADCAST_WORK, broadcast.id))
        return int(copy_count)

    async def cancel(self, broadcast_id: str, admin_id: int) -> bool:
        """Stop sending a broadcast; return False if it is finished or belongs to another admin."""
        async with checkout(self._pool) as connection:
            cursor = await connection.execute(_CANCEL, (broadcast_id, admin_id))
            await hasten_due(connection, BROADCAST_WORK, broadcast_id)
        return cursor.rowcount > 0

    async def next_copy(self, broadcast_id: str) -> Copy | None:
        """The next copy of a broadcast to send, None if there is none or it was cancelled."""
        row = await self._row(_NEXT_COPY, (broadcast_id,))
        return Copy(**row) if row else None

    async def note(self, copy: Copy, state: CopyState) -> None:
        """Record the result of sending a copy; after "pending", the copy is handed out again."""
        await self._run(_NOTE, (state, copy.broadcast_id, copy.user_id))

    async def result(self, broadcast_id: str) -> Result | None:
        """The result of a broadcast so far, None once it was reported or is forgotten.

        A copy whose sender gave no news for a minute counts as unknown.
        """
        parameters = {"id": broadcast_id, "silent_s": self._silent_for_s}
        await self._run(_GIVE_UP_SILENT, parameters)
        row = await self._row(_RESULT, parameters)
        if row is None:
            return None
        tally = CopyCounts(**{field: row.pop(field) for field in CopyCounts.__slots__})
        return Result(**row, tally=tally)

    async def note_report(self, broadcast_id: str) -> None:
        """Record that the admin was told the result."""
        await self._run(
            "UPDATE broadcasts SET reported_at = clock_timestamp() WHERE id = %s",
            (broadcast_id,),
        )
