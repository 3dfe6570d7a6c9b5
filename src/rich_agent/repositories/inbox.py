"""The durable inbox in PostgreSQL: updates, and one lane for each user who has work.

A lane's `ready_at` is lease, backoff and album debounce at once. Only the database's clock counts.
Every statement that changes a lane takes its row first; what is left to do is looked up in a
statement of its own, whose snapshot then sees every update that was stored before.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

from psycopg.rows import DictRow

from rich_agent.errors import LaneLostError
from rich_agent.repositories.database import Connection, Pool, checkout
from rich_agent.repositories.fences import LONGEST_PAUSE, lock_lane
from rich_agent.repositories.wakeups import Wakeups
from rich_agent.telegram_ports import (
    MOST_QUEUED,
    InboxDepth,
    InboxRules,
    Lane,
    ReceivedUpdate,
    StoredUpdate,
)

_STORE = """
WITH stored AS (
    INSERT INTO telegram_inbox (update_id, user_id, urgent, raw, media_group_id)
    SELECT update_id, user_id, urgent, raw, media_group_id
    FROM unnest(%s::bigint[], %s::bigint[], %s::boolean[], %s::bytea[], %s::text[])
        AS received (update_id, user_id, urgent, raw, media_group_id)
    ORDER BY update_id
    ON CONFLICT (update_id) DO NOTHING
    RETURNING user_id, urgent
), lanes AS (
    -- The update that changes nothing locks the row, so that nobody frees a lane with work in it.
    INSERT INTO telegram_lanes (user_id, urgent, ready_at)
    SELECT user_id, urgent, clock_timestamp() FROM stored
    GROUP BY user_id, urgent ORDER BY user_id, urgent
    ON CONFLICT (user_id, urgent) DO UPDATE SET user_id = excluded.user_id
    RETURNING user_id
)
SELECT (SELECT count(*) FROM stored) AS stored,
    CASE WHEN EXISTS (SELECT FROM lanes) THEN pg_notify('telegram_inbox', '') END AS told
"""

_TAKE_LANE = """
UPDATE telegram_lanes
SET ready_at = clock_timestamp() + make_interval(secs => %(lease_s)s),
    fence = nextval('telegram_lane_fence')
WHERE (user_id, urgent) = (
    SELECT user_id, urgent FROM telegram_lanes WHERE ready_at <= clock_timestamp()
    ORDER BY ready_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING user_id, urgent, fence,
    set_config('idle_in_transaction_session_timeout', %(longest_pause)s, true) AS longest_pause
"""

_PENDING = "user_id = %(user_id)s AND urgent = %(urgent)s AND done_at IS NULL AND dead_at IS NULL"

# How long an album must still be awaited: until it was quiet for a while, and not for ever.
_NEXT_UPDATES = f"""
WITH head AS (
    SELECT update_id, media_group_id FROM telegram_inbox WHERE {_PENDING}
    ORDER BY update_id LIMIT 1
)
SELECT update_id, raw, attempts,
    CASE WHEN media_group_id IS NULL THEN 0 ELSE extract(epoch FROM least(
        max(received_at) OVER () + make_interval(secs => %(quiet_s)s),
        min(received_at) OVER () + make_interval(secs => %(longest_s)s)
    ) - clock_timestamp())::float8 END AS await_s
FROM telegram_inbox
WHERE {_PENDING} AND (update_id = (SELECT update_id FROM head)
    OR media_group_id = (SELECT media_group_id FROM head))
ORDER BY update_id
"""

_POSTPONE = """
UPDATE telegram_lanes SET ready_at = clock_timestamp() + make_interval(secs => %s) WHERE fence = %s
"""

_TAKE_USER = """
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
VALUES (%(user_id)s, false, clock_timestamp() + make_interval(secs => %(lease_s)s))
ON CONFLICT (user_id, urgent) DO UPDATE
SET ready_at = excluded.ready_at, fence = nextval('telegram_lane_fence')
WHERE telegram_lanes.ready_at <= clock_timestamp()
RETURNING fence
"""

_FREE_IF_IDLE = """
DELETE FROM telegram_lanes AS lane WHERE fence = %s AND NOT EXISTS (
    SELECT FROM telegram_inbox AS waiting
    WHERE waiting.user_id = lane.user_id AND waiting.urgent = lane.urgent
        AND done_at IS NULL AND dead_at IS NULL
)
"""

_HAND_ON = """
UPDATE telegram_lanes
SET ready_at = clock_timestamp() + make_interval(secs => %s), fence = nextval('telegram_lane_fence')
WHERE fence = %s
"""

_QUEUED = """
SELECT min(waiting.update_id) AS update_id, (array_agg(raw ORDER BY update_id))[1] AS raw
FROM telegram_inbox AS waiting JOIN telegram_lanes AS lane USING (user_id, urgent)
WHERE lane.fence = %s AND done_at IS NULL AND dead_at IS NULL AND attempts = 0
GROUP BY coalesce(media_group_id, update_id::text)
ORDER BY update_id
LIMIT %s
"""

_DEPTH = """
SELECT count(*) FILTER (WHERE dead_at IS NULL) AS pending,
    count(*) FILTER (WHERE dead_at IS NOT NULL) AS dead,
    coalesce(extract(epoch FROM clock_timestamp()
        - min(received_at) FILTER (WHERE dead_at IS NULL))::float8, 0) AS oldest_s
FROM telegram_inbox WHERE done_at IS NULL
"""


class PostgresInbox:
    """Implements `Inbox`; use it with `async with`, which gives its listening connection back."""

    def __init__(self, pool: Pool, rules: InboxRules | None = None) -> None:
        self._pool = pool
        self._rules = rules or InboxRules()
        self._wakeups = Wakeups(pool)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._wakeups.close()

    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        """Commit the updates and wake a worker, in one round trip; how many were new."""
        if not updates:
            return 0
        rows = [(u.update_id, u.user_id, u.urgent, u.raw, u.media_group_id) for u in updates]
        columns = [list(column) for column in zip(*rows, strict=True)]
        async with checkout(self._pool) as connection:
            row = await (await connection.execute(_STORE, columns)).fetchone()
        return int(row["stored"]) if row else 0

    async def claim(self) -> Lane | None:
        """Lease the lane that waits longest and can be served now."""
        while True:
            async with self._transaction() as connection:
                found = await connection.execute(
                    _TAKE_LANE,
                    {"lease_s": self._rules.lease_s, "longest_pause": LONGEST_PAUSE},
                )
                row = await found.fetchone()
                if row is None:
                    return None
                updates = await self._hand_out(connection, row)
            if updates:
                return Lane(row["user_id"], row["fence"], updates)

    async def _hand_out(self, connection: Connection, lane: DictRow) -> tuple[StoredUpdate, ...]:
        """The lane's next updates, counted as tried; () if the lane was put off, or freed."""
        rules = self._rules
        waits = {"quiet_s": rules.album_quiet_s, "longest_s": rules.album_longest_s}
        rows = await (await connection.execute(_NEXT_UPDATES, {**lane, **waits})).fetchall()
        ids = [row["update_id"] for row in rows]
        await_s = max((row["await_s"] for row in rows), default=0)
        if await_s > 0:
            await connection.execute(_POSTPONE, (await_s, lane["fence"]))
            return ()
        if any(row["attempts"] >= rules.max_attempts for row in rows):
            await _bury(connection, ids, "given up: no attempt came to an end")
            rows = []
        if not rows:
            await _free(connection, lane["fence"])
            return ()
        await connection.execute(
            "UPDATE telegram_inbox SET attempts = attempts + 1 WHERE update_id = ANY(%s)", (ids,)
        )
        return tuple(
            StoredUpdate(row["update_id"], row["raw"], row["attempts"] + 1) for row in rows
        )

    async def extend(self, lane: Lane) -> None:
        """Renew the lease. Raises: LaneLostError."""
        async with checkout(self._pool) as connection:
            renewed = await connection.execute(_POSTPONE, (self._rules.lease_s, lane.fence))
        if renewed.rowcount == 0:
            raise LaneLostError(f"lane of fence {lane.fence}")

    async def finish(self, lane: Lane) -> None:
        """Mark the updates done and free the lane. Raises: LaneLostError."""
        async with self._held(lane) as connection:
            await connection.execute(
                "UPDATE telegram_inbox SET done_at = clock_timestamp() WHERE update_id = ANY(%s)",
                (_ids(lane),),
            )
            await _free(connection, lane.fence)

    async def retry(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back, or bury them when the attempts are used up (False)."""
        is_last = any(update.attempt >= self._rules.max_attempts for update in lane.updates)
        async with self._held(lane) as connection:
            if is_last:
                await _bury(connection, _ids(lane), error)
                await _free(connection, lane.fence)
            else:
                await connection.execute(
                    "UPDATE telegram_inbox SET last_error = %s WHERE update_id = ANY(%s)",
                    (error, _ids(lane)),
                )
                await _free(connection, lane.fence, delay_s)
        return not is_last

    async def release(self, lane: Lane, *, counted: bool) -> None:
        """Give the lane back. Raises: LaneLostError."""
        async with self._held(lane) as connection:
            if not counted:
                await connection.execute(
                    "UPDATE telegram_inbox SET attempts = attempts - 1 WHERE update_id = ANY(%s)",
                    (_ids(lane),),
                )
            await _free(connection, lane.fence)

    async def claim_user(self, user_id: int) -> Lane | None:
        """Lease a user's lane without an update, None while another holds it."""
        async with checkout(self._pool) as connection:
            taken = await connection.execute(
                _TAKE_USER, {"user_id": user_id, "lease_s": self._rules.lease_s}
            )
            row = await taken.fetchone()
        return Lane(user_id, row["fence"]) if row else None

    async def queued(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        """What waits behind a held lane and was never handed out, an album once."""
        async with checkout(self._pool) as connection:
            rows = await (await connection.execute(_QUEUED, (lane.fence, MOST_QUEUED))).fetchall()
        return tuple(StoredUpdate(row["update_id"], row["raw"], 0) for row in rows)

    async def wait(self, timeout_s: float) -> None:
        """Return when work may have arrived, at the latest after `timeout_s`."""
        await self._wakeups.wait(timeout_s)

    async def depth(self) -> InboxDepth:
        """How much waits."""
        async with checkout(self._pool) as connection:
            row = await (await connection.execute(_DEPTH)).fetchone()
        return InboxDepth(**row) if row else InboxDepth(0, 0.0, 0)

    async def prune(self, days: float) -> int:
        """Forget updates that were done more than `days` ago; how many."""
        async with checkout(self._pool) as connection:
            gone = await connection.execute(
                "DELETE FROM telegram_inbox "
                "WHERE done_at < clock_timestamp() - make_interval(secs => %s * 86400)",
                (days,),
            )
        return gone.rowcount

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Connection]:
        async with checkout(self._pool) as connection, connection.transaction():
            yield connection

    @asynccontextmanager
    async def _held(self, lane: Lane) -> AsyncIterator[Connection]:
        """A transaction in which nobody else can take or free the lane."""
        async with self._transaction() as connection:
            await lock_lane(connection, lane.fence, "UPDATE")
            yield connection


def _ids(lane: Lane) -> list[int]:
    return [update.update_id for update in lane.updates]


async def _bury(connection: Connection, ids: Sequence[int], error: str) -> None:
    await connection.execute(
        "UPDATE telegram_inbox SET dead_at = clock_timestamp(), last_error = %s "
        "WHERE update_id = ANY(%s)",
        (error, list(ids)),
    )


async def _free(connection: Connection, fence: int, delay_s: float = 0.0) -> None:
    """Delete a lane without work; hand one with work on, under a new fence."""
    deleted = await connection.execute(_FREE_IF_IDLE, (fence,))
    if deleted.rowcount == 0:
        await connection.execute(_HAND_ON, (delay_s, fence))
        await connection.execute("NOTIFY telegram_inbox")
