"""Stores updates in one round trip, each once and up to a limit per user, and notices to users.

Updates that arrive during a transaction are stored together by the next one, because a flush to
disk costs the same for one update as for a hundred.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.inbox import ReceivedUpdate, internal_update, shortened
from rich_agent.repositories.database.pools import (
    KILLED,
    Connection,
    Pool,
    checkout,
    checkout_unproven,
    in_transaction,
)
from rich_agent.repositories.database.repository import fetch_one
from rich_agent.runtime.fencing import current_update

# The update locks the row, so that a lane with work is not freed and waiting updates of a user are
# counted by one transaction at a time. It wakes a lane that awaits more, and changes no other.
# Ordinary lanes come first, so that receivers cannot deadlock.
_LOCK_LANES = """
INSERT INTO telegram_lanes AS lane (user_id, urgent, ready_at)
SELECT user_id, urgent, clock_timestamp()
FROM unnest(%(user_id)s::bigint[], %(urgent)s::boolean[]) AS received (user_id, urgent)
GROUP BY user_id, urgent ORDER BY urgent, user_id
ON CONFLICT (user_id, urgent) DO UPDATE
SET ready_at = CASE WHEN lane.awaits_more THEN excluded.ready_at ELSE lane.ready_at END
"""

# A separate statement, so that its snapshot sees what was stored before the lanes were locked.
_STORE = """
WITH new AS (
    SELECT received.*,
        row_number() OVER (PARTITION BY user_id, urgent, update_id > 0 ORDER BY update_id)
            AS place
    FROM unnest(%(update_id)s::bigint[], %(user_id)s::bigint[], %(urgent)s::boolean[],
            %(raw)s::bytea[], %(media_group_id)s::text[], %(text_units)s::integer[],
            %(topic_id)s::bigint[], %(user_message_id)s::bigint[])
        AS received
            (update_id, user_id, urgent, raw, media_group_id, text_units, topic_id, user_message_id)
    WHERE NOT EXISTS (
        SELECT FROM telegram_inbox AS known WHERE known.update_id = received.update_id
    )
), capped AS (
    -- What the bot puts in by itself, under ids that Telegram does not use, has no cap.
    SELECT new.*, update_id > 0 AND place + waiting > %(max_pending)s AS over_cap
    FROM new CROSS JOIN LATERAL (
        SELECT count(*) AS waiting FROM (
            SELECT FROM telegram_inbox AS pending
            WHERE pending.user_id = new.user_id AND pending.urgent = new.urgent
                AND pending.update_id > 0 AND done_at IS NULL AND dead_at IS NULL
            LIMIT %(max_pending)s
        ) AS counted
    ) AS load
), told AS (
    UPDATE telegram_lanes AS lane SET told_at = clock_timestamp()
    FROM (SELECT DISTINCT user_id FROM capped WHERE over_cap AND NOT urgent) AS flood
    WHERE lane.user_id = flood.user_id AND NOT lane.urgent AND lane.told_at IS NULL
    RETURNING lane.user_id
), notices AS (
    SELECT user_id, min(update_id) AS update_id
    FROM capped JOIN told USING (user_id) WHERE over_cap AND NOT urgent GROUP BY user_id
), notice_lanes AS (
    INSERT INTO telegram_lanes (user_id, urgent, ready_at)
    SELECT user_id, true, clock_timestamp() FROM notices ORDER BY user_id
    ON CONFLICT (user_id, urgent) DO UPDATE SET user_id = excluded.user_id
), stored AS (
    INSERT INTO telegram_inbox
        (update_id, user_id, urgent, raw, media_group_id, text_units, topic_id, user_message_id,
        over_cap, done_at)
    SELECT update_id, capped.user_id, urgent OR notices.update_id IS NOT NULL,
        CASE WHEN over_cap AND notices.update_id IS NULL THEN '' ELSE raw END,
        media_group_id, text_units, topic_id, user_message_id, over_cap,
        CASE WHEN over_cap AND notices.update_id IS NULL THEN clock_timestamp() END
    FROM capped LEFT JOIN notices USING (update_id)
    ORDER BY update_id
    ON CONFLICT (update_id) DO NOTHING
    RETURNING update_id
)
SELECT (SELECT array_agg(update_id) FROM stored) AS stored,
    pg_notify('telegram_inbox', '') AS told,
    (SELECT count(pg_notify('telegram_users', user_id::text))
        FROM (SELECT DISTINCT user_id FROM new) AS writers) AS users_told
"""


_COLUMNS = (
    *("update_id", "user_id", "urgent", "raw", "media_group_id", "text_units", "topic_id"),
    "user_message_id",
)


@dataclass(slots=True)
class _Batch:
    """Updates to store together; `failure` is None once they are stored."""

    updates: list[ReceivedUpdate] = field(default_factory=list)
    new: set[int] = field(default_factory=set)
    failure: Exception | None = field(
        default_factory=lambda: DatabaseUnavailableError("the inbox was closed")
    )
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    def take_new(self, updates: Iterable[ReceivedUpdate]) -> int:
        """Count the updates that are new; a repeated update counts once."""
        mine = self.new.intersection(update.update_id for update in updates)
        self.new -= mine
        return len(mine)


class GroupCommit:
    """Stores updates for many callers, one transaction at a time, as a task of `group`."""

    def __init__(self, pool: Pool, group: asyncio.TaskGroup, max_pending: int) -> None:
        self._pool = pool
        self._group = group
        self._max_pending = max_pending
        self._next = _Batch()
        self._storing: asyncio.Task[None] | None = None

    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        """Wait until the updates are committed; return the number of new ones.

        If the caller is cancelled, updates that are not in a transaction yet are withdrawn.
        """
        if not updates:
            return 0
        batch = self._next
        batch.updates += updates
        if self._storing is None or self._storing.done():
            self._storing = self._group.create_task(self._store_all())
        try:
            await batch.is_over.wait()
        finally:
            if batch is self._next:
                batch.updates = [u for u in batch.updates if not any(u is mine for mine in updates)]
        if batch.failure:
            raise batch.failure
        return batch.take_new(updates)

    async def _store_all(self) -> None:
        while self._next.updates:
            batch, self._next = self._next, _Batch()
            try:
                batch.new = await store_updates(self._pool, batch.updates, self._max_pending)
                batch.failure = None
            except Exception as error:  # noqa: BLE001 - raised again by each waiting caller
                batch.failure = error
            finally:
                batch.is_over.set()


async def store_updates(
    pool: Pool, updates: Sequence[ReceivedUpdate], max_pending: int
) -> set[int]:
    """Commit the updates and wake a worker; return the ids of the new updates."""
    if not in_transaction(pool):
        async with checkout_unproven(pool) as connection:
            with suppress(*KILLED):  # what is stored twice changes nothing
                return await _store(connection, updates, max_pending)
        await pool.check()
    async with checkout(pool) as connection:
        return await _store(connection, updates, max_pending)


async def _store(
    connection: Connection, updates: Sequence[ReceivedUpdate], max_pending: int
) -> set[int]:
    unique = {update.update_id: update for update in updates}.values()
    columns = {name: [getattr(update, name) for update in unique] for name in _COLUMNS}
    async with connection.pipeline():  # whose statements are one transaction
        await connection.execute(_LOCK_LANES, columns)
        cursor = await connection.execute(_STORE, {**columns, "max_pending": max_pending})
    row = await cursor.fetchone()
    return set(row["stored"] or ()) if row else set()


async def add_notice(
    connection: Connection, user_id: int, kind: str, *, is_urgent: bool = True
) -> int:
    """Add a notice to a user, in the caller's transaction; return the number of the notice.

    When the notice is sent, the function of its `kind` words it by the number; see `Notices`. An
    urgent notice is sent after earlier notices and commands of the user, but does not wait for
    answers. Any other waits, like a question, while the user is being answered.
    """
    row = await fetch_one(connection, "SELECT nextval('internal_update_numbers') AS number")
    number = int(row["number"])
    await _store(connection, [internal_update(number, user_id, kind, urgent=is_urgent)], 0)
    return number


async def current_topic(connection: Connection) -> int | None:
    """The topic of the chat in which the message stands that this task answers, None for none."""
    query = "SELECT topic_id FROM telegram_inbox WHERE update_id = %s"
    cursor = await connection.execute(query, (current_update(),))
    row = await cursor.fetchone()
    return row["topic_id"] if row else None


_SHORTEN_RUN = """
UPDATE runs SET asked = jsonb_set(asked, '{text}', to_jsonb(%s::text)) WHERE update_id = %s
"""


async def shorten_command_text(connection: Connection, update_id: int, name: str) -> None:
    """Shorten a stored command, of Telegram or of a run, to `/name` without its arguments."""
    query = "SELECT raw FROM telegram_inbox WHERE update_id = %s FOR UPDATE"
    row = await (await connection.execute(query, (update_id,))).fetchone()
    if short := shortened(row["raw"], name) if row else None:
        change = "UPDATE telegram_inbox SET raw = %s WHERE update_id = %s"
        await connection.execute(change, (short, update_id))
    await connection.execute(_SHORTEN_RUN, (f"/{name}", update_id))
